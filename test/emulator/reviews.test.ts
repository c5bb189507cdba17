import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { type Desk, deskOf, openDesk, ruleFor } from "./desk";

const [ada, grace] = ["ada", "grace"].map((name) => [name, "key"].join("-")) as [string, string];

let api: Desk;
let adas: Desk;
let graces: Desk;
beforeEach(async () => {
  api = await openDesk({ people: { [ada]: "ada@example.com", [grace]: "grace@example.com" } });
  adas = deskOf(api.emulator, { "SERVICE-API-KEY": ada });
  graces = deskOf(api.emulator, { "SERVICE-API-KEY": grace });
  await api.must("POST", "/gates", { id: "one" });
  await api.must("POST", "/dynamic_configs", { name: "two" });
});
afterEach(() => api?.close());

const open = (change: unknown, by: Desk = api) =>
  by.must("POST", "/gates/one/reviews", { description: "Please", change });
const review = "/gates/one/reviews/1";
const approveAndCommit = async (path = review) => {
  await adas.must("PUT", `${path}/approve`, {});
  expect((await api.ask("PUT", `${path}/commit`, {})).body).toEqual({ message: expect.any(String) });
};
const statusOf = async (by: Desk, ...request: Parameters<Desk["ask"]>) => (await by.ask(...request)).status;

test("a review shows everything but its change, and the gate shows it as open", async () => {
  expect(await open({ rules: [ruleFor("r")] })).toEqual({
    ...{ review_id: "1", status: "pending", type: "rules", description: "Please", reviewers: [] },
    ...{ author: { id: expect.any(String) }, created_at: expect.any(Number) },
  });
  const activeReview = { reviewID: "1", reviewStatus: "pending", description: "Please" };
  expect(await api.must("GET", "/gates/one")).toMatchObject({ rules: [], activeReview });
});

test("[V3] an accepted review is committed once: the answer is a message alone, and the change applies", async () => {
  await open({ is_enabled: false });
  expect(await statusOf(api, "PUT", `${review}/commit`, {})).toBe(400);
  await approveAndCommit();
  expect(await api.must("GET", "/gates/one")).toMatchObject({ status: "Disabled" });
  expect(await api.must("GET", review)).toMatchObject({ status: "committed" });
  for (const verb of ["commit", "approve", "reject"])
    expect(await statusOf(adas, "PUT", `${review}/${verb}`, {})).toBe(400);
  expect(await statusOf(api, "DELETE", review)).toBe(400);
});

test("a scheduled start is carried out when its review is committed; a decision without a winner is refused", async () => {
  const groups = ["a", "b"].map((name) => ({ name, size: 50, parameterValues: {} }));
  await api.must("POST", "/experiments", { name: "colour", hypothesis: "Red", groups });
  const reviews = "/experiments/colour/reviews";
  for (const type of ["make_decision", "scheduled_start"])
    expect(await statusOf(api, "POST", reviews, { change: { type } })).toBe(400);
  const change = { type: "scheduled_start", start_date: "2026-01-02T03:04:05Z" };
  await api.must("POST", reviews, { change });
  await approveAndCommit(`${reviews}/1`);
  const started = { status: "active", startTime: Date.UTC(2026, 0, 2, 3, 4, 5) };
  expect(await api.must("GET", "/experiments/colour")).toMatchObject(started);
});

test("a rejection has a reason", async () => {
  await open({ is_enabled: false });
  expect(await statusOf(adas, "PUT", `${review}/reject`, {})).toBe(400);
  const rejected = await adas.must("PUT", `${review}/reject`, { reason: "Not today" });
  expect(rejected).toMatchObject({ status: "rejected" });
});

test("an edit makes an accepted review pending again, and applies in its new form", async () => {
  await open({ rules: [ruleFor("r", 10)] });
  await adas.must("PUT", `${review}/approve`, {});
  const edited = await api.must("PUT", review, { change: { rules: [ruleFor("r", 20)] } });
  expect(edited).toMatchObject({ status: "pending", description: "Please" });
  await approveAndCommit();
  expect(await api.must("GET", "/gates/one")).toMatchObject({ rules: [{ passPercentage: 20 }] });
});

test("a machine decides nothing, and no author approves an own review", async () => {
  await open({ is_enabled: false }, adas);
  for (const by of [api, adas]) expect(await statusOf(by, "PUT", `${review}/approve`, {})).toBe(403);
  await graces.must("PUT", `${review}/approve`, {});
});

describe("[V2] a body that is no review", () => {
  const on = { is_enabled: true };
  test.each<[string, string, string | undefined, object]>([
    ["of two changes", "/gates/one", "x", { rules: [], ...on }],
    ["of no change", "/gates/one", "x", {}],
    ["of a member that nobody knows", "/gates/one", "x", { is_on: true }],
    ["without a description", "/gates/one", undefined, on],
    ["with too long a description", "/gates/one", "x".repeat(2001), on],
    ["of a type that nobody knows", "/dynamic_configs/two", "x", { resalt: true }],
  ])("%s is refused", async (_, path, description, change) => {
    expect(await statusOf(api, "POST", `${path}/reviews`, { description, change })).toBe(400);
  });

  test("rules and default value of a config are one", async () => {
    const change = { rules: [], default_value: { a: 1 } };
    await api.must("POST", "/dynamic_configs/two/reviews", { description: "x", change });
  });
});

test("[V6] a person's key is shown by its address as creator and modifier; a machine's is not", async () => {
  await adas.must("POST", "/gates", { id: "hers" });
  await graces.must("PATCH", "/gates/hers", { description: "new" });
  const people = { creatorEmail: "ada@example.com", lastModifierEmail: "grace@example.com" };
  expect(await api.must("GET", "/gates/hers")).toMatchObject(people);
  expect((await api.must("GET", "/gates/one")).creatorEmail).toBeFalsy();
  expect((await api.must("PATCH", "/gates/hers", { description: "newer" })).lastModifierEmail).toBeNull();
});

test("a key that nobody gave to a person opens nothing, whatever it is called; no SDK takes a person's", async () => {
  await api.close();
  api = await openDesk({ key: "machine", people: { [ada]: "ada@example.com" } });
  for (const key of ["constructor", "toString", "__proto__"])
    expect((await api.ask("GET", "/gates", undefined, { "SERVICE-API-KEY": key })).status).toBe(401);
  expect((await api.ask("GET", "/gates", undefined, { "SERVICE-API-KEY": ada })).status).toBe(200);
  const { status, text } = await api.emulator.transport.send({
    method: "POST",
    url: `${api.emulator.url}/v1/download_config_specs`,
    headers: { "statsig-api-key": ada, "content-type": "application/json" },
    body: "{}",
  });
  expect(status).toBeGreaterThanOrEqual(400);
  expect(text).toContain("This is a key of the Console API");
});

test("reviews are listed ten by ten, newest first, and go with their gate", async () => {
  for (let count = 0; count < 11; count += 1) await open({ is_enabled: true });
  expect((await api.ask("GET", "/gates/one/reviews")).body).toMatchObject({
    data: { length: 10, 0: { review_id: "11" } },
    pagination: { totalItems: 11 },
  });
  await api.must("DELETE", "/gates/one");
  await api.must("POST", "/gates", { id: "one" });
  expect(await api.list("/gates/one/reviews")).toEqual([]);
});
