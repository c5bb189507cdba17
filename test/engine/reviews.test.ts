import { afterEach, expect, test } from "@jest/globals";
import type { EmulatorOptions } from "../../src/emulator";
import type { Transport } from "../../src/provider/client/transport";
import { catalog } from "../../src/provider/definitions";
import { reviewsMember } from "../../src/provider/schema/internal";
import type { JsonObject } from "../../src/provider/schema/json";
import { type Desk, deskOf, requireReviews } from "../emulator/desk";
import { type Resource, type Subject, startSubject } from "../laws/subject";

const personKey = ["person", "test"].join("-");
const rule = (passPercentage: number, more: JsonObject = {}) => ({
  name: "Everyone",
  passPercentage,
  conditions: [{ type: "public" }],
  ...more,
});
const gate = (passPercentage: number, more: JsonObject = {}) => ({
  key: "checkout",
  reviewSettings: { requiredReview: true },
  rules: [rule(passPercentage)],
  ...more,
});

let subject: Subject;
afterEach(() => subject?.close());

interface Asked {
  readonly behaviour?: EmulatorOptions["behaviour"];
  readonly reviews?: "open" | "respect" | "bypass";
  readonly through?: (transport: Transport) => Transport;
  readonly kind?: "gate" | "dynamicConfig" | "experiment";
}

/** A stack whose changes open reviews, and a person who decides them. */
async function team({ behaviour = {}, reviews = "open", through, kind = "gate" }: Asked = {}) {
  subject = await startSubject(catalog[kind], {
    behaviour,
    people: { [personKey]: "ada@example.com" },
    config: { "feature-console:reviews": reviews, "feature-console:reviewMessage": "Half of all users" },
    ...(through === undefined ? {} : { through }),
  });
  const person: Desk = deskOf(subject.emulator, { "SERVICE-API-KEY": personKey });
  const path = { gate: "/gates", dynamicConfig: "/dynamic_configs", experiment: "/experiments" }[kind];
  const of = (id: string) => `${path}/${id}`;
  return {
    person,
    live: (id: string) => person.must("GET", of(id)),
    /** Oldest first. */
    reviews: async (id: string) => [...(await person.list(`${of(id)}/reviews`))].reverse(),
    accept: (id: string, review: unknown) =>
      person.must("PUT", `${of(id)}/reviews/${String(review)}/approve`, {}),
    reject: (id: string, review: unknown) =>
      person.must("PUT", `${of(id)}/reviews/${String(review)}/reject`, { reason: "Not on a Friday" }),
  };
}

const shareOf = (item: JsonObject) => (item.rules as JsonObject[])[0]?.passPercentage;
const nothingOpen = (resource: Resource) => expect(resource.outputs[reviewsMember]).toBeUndefined();

test.each(["apply", "asked", "refuse", "forbid", "hold"] as const)(
  "[V5] a change waits in one review until a person accepts it, and state says what is live (requiredReviews: %s)",
  async (requiredReviews) => {
    const { live, reviews, accept, reject } = await team({ behaviour: { requiredReviews } });
    const first = await subject.up(gate(10));
    nothingOpen(first);
    const second = await subject.update(first, gate(50));
    expect(shareOf(await live("checkout"))).toBe(10);
    expect(shareOf(second.outputs)).toBe(10);
    expect(await reviews("checkout")).toMatchObject([{ status: "pending", type: "rules" }]);
    expect(subject.lines.join("\n")).toContain("waits for approval: review 1 of rules (pending)");
    expect((await subject.diff(second, gate(50))).quiet).toBe(false);

    subject.nextRun();
    const third = await subject.update(second, gate(50));
    expect(await reviews("checkout")).toHaveLength(1);
    expect(shareOf(third.outputs)).toBe(10);

    await accept("checkout", 1);
    subject.nextRun();
    const fourth = await subject.update(third, gate(50));
    expect(shareOf(await live("checkout"))).toBe(50);
    expect(shareOf(fourth.outputs)).toBe(50);
    expect(await reviews("checkout")).toMatchObject([{ status: "committed" }]);
    nothingOpen(fourth);
    expect((await subject.diff(fourth, gate(50))).quiet).toBe(true);

    const fifth = await subject.update(fourth, gate(70));
    await reject("checkout", 2);
    await expect(subject.update(fifth, gate(70))).rejects.toThrow(/Review 2 of rules was rejected/);
    await expect(subject.destroy(fifth)).rejects.toThrow(
      /stays until a review is accepted: review 3 of is_archived/,
    );
    await accept("checkout", 3);
    await subject.destroy(fifth);
    expect(await live("checkout")).toMatchObject({ status: "Archived" });
  },
);

test("a rejected change fails the update, is not asked again, and a changed program asks anew", async () => {
  const { live, reviews, reject, accept } = await team();
  const first = await subject.up(gate(10));
  const second = await subject.update(first, gate(50));
  await reject("checkout", 1);
  for (const _again of [1, 2])
    await expect(subject.update(second, gate(50))).rejects.toThrow(/Review 1 of rules was rejected/);
  expect(await reviews("checkout")).toHaveLength(1);
  const third = await subject.update(second, gate(20));
  expect(await reviews("checkout")).toMatchObject([{ status: "rejected" }, { status: "pending" }]);
  await accept("checkout", 2);
  await subject.update(third, gate(20));
  expect(shareOf(await live("checkout"))).toBe(20);
});

test("an open review follows the program: edited, and taken back", async () => {
  const { live, reviews, accept } = await team();
  const first = await subject.up(gate(10));
  const second = await subject.update(first, gate(50));
  await accept("checkout", 1);
  const third = await subject.update(second, gate(60));
  expect(await reviews("checkout")).toMatchObject([{ status: "pending" }]);
  expect(shareOf(await live("checkout"))).toBe(10);
  expect((await subject.diff(third, gate(10))).quiet).toBe(false);
  const fourth = await subject.update(third, gate(10));
  expect(await reviews("checkout")).toEqual([]);
  nothingOpen(fourth);
  expect((await subject.diff(fourth, gate(10))).quiet).toBe(true);
});

test("a destroy waits in one review until a person accepts it", async () => {
  const { live, reviews, accept } = await team();
  const first = await subject.up(gate(10));
  for (const _again of [1, 2])
    await expect(subject.destroy(first)).rejects.toThrow(
      /stays until a review is accepted: review 1 of is_archived/,
    );
  expect(await live("checkout")).toMatchObject({ status: "In Progress" });
  expect(await reviews("checkout")).toHaveLength(1);
  await accept("checkout", 1);
  await subject.destroy(first);
  expect(await live("checkout")).toMatchObject({ status: "Archived" });
});

test("a review of target apps says their ids, and the state their names", async () => {
  const { person, live, accept } = await team({ behaviour: { requiredReviews: "hold" } });
  await person.must("POST", "/target_app", { name: "Web", description: "The shop" });
  const first = await subject.up(gate(10));
  const second = await subject.update(first, gate(10, { targetApps: ["Web"] }));
  expect(await live("checkout")).toMatchObject({ targetApps: [] });
  await accept("checkout", 1);
  const third = await subject.update(second, gate(10, { targetApps: ["Web"] }));
  expect(third.outputs.targetApps).toEqual(["Web"]);
  expect((await subject.diff(third, gate(10, { targetApps: ["Web"] }))).quiet).toBe(true);
});

test("an emergency bypasses reviews, and takes back what was open", async () => {
  const { live, reviews } = await team({ behaviour: { requiredReviews: "apply" } });
  const first = await subject.up(gate(10));
  const second = await subject.update(first, gate(50));
  const third = await subject.update(second, gate(10, { isEnabled: false, reviews: "bypass" }));
  expect(await live("checkout")).toMatchObject({ isEnabled: false });
  expect(await reviews("checkout")).toEqual([]);
  nothingOpen(third);
});

test("a review has the message for people, and asks those whom the program names", async () => {
  const { reviews, live } = await team();
  await subject.up(gate(10)).then((first) => subject.update(first, gate(50, { reviewers: ["user-7"] })));
  const [review] = await reviews("checkout");
  expect(review).toMatchObject({ reviewers: [{ id: "user-7", kind: "user" }] });
  expect(review?.description).toMatch(/^Half of all users\n\n\[pulumi [\w-]{12} rules [\w-]{12}\]$/);
  expect((await live("checkout")).activeReview).toMatchObject({ reviewID: "1" });
});

test("rules and the switch pass two reviews, and are committed in this order", async () => {
  const { live, reviews, accept } = await team();
  const wants = gate(50, { isEnabled: true });
  const first = await subject.up(gate(10, { isEnabled: false }));
  const second = await subject.update(first, wants);
  expect(await reviews("checkout")).toMatchObject([{ type: "rules" }, { type: "is_enabled" }]);
  await accept("checkout", 2);
  const third = await subject.update(second, wants);
  expect(await live("checkout")).toMatchObject({ isEnabled: false, rules: [{ passPercentage: 10 }] });
  await accept("checkout", 1);
  const fourth = await subject.update(third, wants);
  expect(await live("checkout")).toMatchObject({ isEnabled: true, rules: [{ passPercentage: 50 }] });
  nothingOpen(fourth);
});

test("a console with one open review for each object gets the reviews one after another", async () => {
  const { live, reviews, accept } = await team({ behaviour: { openReviews: "one" } });
  const wants = gate(50, { isEnabled: true });
  const first = await subject.up(gate(10, { isEnabled: false }));
  const second = await subject.update(first, wants);
  expect(await reviews("checkout")).toMatchObject([{ type: "rules" }]);
  await accept("checkout", 1);
  const third = await subject.update(second, wants);
  expect(await live("checkout")).toMatchObject({ isEnabled: false, rules: [{ passPercentage: 50 }] });
  await accept("checkout", 2);
  const fourth = await subject.update(third, wants);
  expect(await live("checkout")).toMatchObject({ isEnabled: true });
  nothingOpen(fourth);
});

test("a review whose answer was lost is found again, not opened twice", async () => {
  let drops = false;
  const { reviews } = await team({
    through: (transport) => ({
      send: async (request) => {
        const answer = await transport.send(request);
        if (!drops || request.method !== "POST" || !request.url.endsWith("/reviews")) return answer;
        drops = false;
        throw new Error("socket hang up");
      },
    }),
  });
  const first = await subject.up(gate(10));
  drops = true;
  const second = await subject.update(first, gate(50));
  expect(await reviews("checkout")).toHaveLength(1);
  // State was lost with the process: the mark in the description is what is left.
  const { [reviewsMember]: _, ...forgotten } = second.outputs;
  await subject.update({ ...second, outputs: forgotten }, gate(50));
  expect(await reviews("checkout")).toHaveLength(1);
});

test("a key that may not read the review settings opens a review of each change", async () => {
  const { live, reviews } = await team();
  const plain = (share: number) => gate(share, { reviewSettings: { requiredReview: false } });
  const first = await subject.up(plain(10));
  subject.nextRun();
  subject.emulator.addFaults([{ times: 1, method: "GET", path: "/settings/*", status: 403 }]);
  await subject.update(first, plain(50));
  expect(shareOf(await live("checkout"))).toBe(10);
  expect(await reviews("checkout")).toMatchObject([{ type: "rules" }]);
});

test("[V4] a change of rules for an environment without reviews applies at once", async () => {
  const { live, reviews } = await team({ behaviour: { requiredReviews: "refuse" } });
  const staging = (passPercentage: number) =>
    gate(10, {
      rules: [
        rule(10, { name: "Production", environments: ["production"] }),
        rule(passPercentage, { environments: ["staging"] }),
      ],
    });
  const first = await subject.up(staging(10));
  await subject.update(first, staging(90));
  expect(await live("checkout")).toMatchObject({ rules: [{ passPercentage: 10 }, { passPercentage: 90 }] });
  expect(await reviews("checkout")).toEqual([]);
});

test("a change for which the API has no review is refused, and nothing is sent", async () => {
  await team();
  const first = await subject.up(gate(10));
  subject.emulator.clearRequests();
  await expect(subject.update(first, gate(10, { status: "Launched" }))).rejects.toThrow(
    'needs a review, and the API has none for the request "launch". Make this change in the console',
  );
  expect(subject.writes()).toEqual([]);
});

test("[V1] respect: the console refuses a change that needs a review, and the message says what to do", async () => {
  const { live } = await team({
    behaviour: { requiredReviews: "asked" },
    reviews: "respect",
  });
  const first = await subject.up(gate(10));
  await expect(subject.update(first, gate(50))).rejects.toThrow(/requires a review.*set reviews: "open"/s);
  expect(shareOf(await live("checkout"))).toBe(10);
});

test.each(["refuse", "forbid"] as const)(
  "a console that demands a review which no setting shows gets one (%s)",
  async (requiredReviews) => {
    const { live, reviews } = await team({
      behaviour: { requiredReviews },
      through: (transport) => ({
        send: async (request) => {
          const answer = await transport.send(request);
          return {
            ...answer,
            text: answer.text.replaceAll('"requiredReview":true', '"requiredReview":false'),
          };
        },
      }),
    });
    const plain = (share: number) => ({ key: "checkout", rules: [rule(share)] });
    const first = await subject.up(plain(10));
    await deskOf(subject.emulator).must("PATCH", "/gates/checkout", {
      reviewSettings: { requiredReview: true },
    });
    const second = await subject.update(first, plain(50));
    expect(shareOf(second.outputs)).toBe(10);
    expect(shareOf(await live("checkout"))).toBe(10);
    expect(await reviews("checkout")).toMatchObject([{ status: "pending", type: "rules" }]);
  },
);

test("what needs no review is sent with what the console would reset", async () => {
  const { live, person, reviews, accept } = await team({
    kind: "dynamicConfig",
    behaviour: { partialDefaults: "apply" },
  });
  await requireReviews(person);
  const config = (a: number, description: string) => ({
    key: "limits",
    isEnabled: false,
    defaultValue: { a },
    description,
  });
  const first = await subject.up(config(1, "Old"));
  const second = await subject.update(first, config(2, "New"));
  const now = await live("limits");
  expect(now).toMatchObject({ isEnabled: false, description: "New", defaultValue: { a: 1 } });
  expect(await reviews("limits")).toMatchObject([{ type: "default_value" }]);
  await accept("limits", 1);
  await subject.update(second, config(2, "New"));
  expect(await live("limits")).toMatchObject({ isEnabled: false, defaultValue: { a: 2 } });
});

test("an experiment is started by one review and decided by the next", async () => {
  const { live, reviews, accept, person } = await team({ kind: "experiment" });
  await requireReviews(person);
  const groups = [
    { name: "control", size: 50, parameterValues: {} },
    { name: "test", size: 50, parameterValues: {} },
  ];
  const wants = (more: JsonObject) => ({ key: "price", groups, ...more });
  const first = await subject.up(wants({}));
  const active = wants({ status: "active" });
  const second = await subject.update(first, active);
  expect(await live("price")).toMatchObject({ status: "setup" });
  await accept("price", 1);
  const third = await subject.update(second, active);
  expect(await live("price")).toMatchObject({ status: "active" });
  const decided = wants({ status: "decision_made", launchedGroup: "test", decisionReason: "It won" });
  const fourth = await subject.update(third, decided);
  expect(fourth.outputs.status).toBe("active");
  expect(fourth.outputs.launchedGroup).toBeUndefined();
  expect(await reviews("price")).toMatchObject([{ type: "start" }, { type: "make_decision" }]);
  await accept("price", 2);
  const fifth = await subject.update(fourth, decided);
  expect(await live("price")).toMatchObject({ status: "decision_made", decisionReason: "It won" });
  expect((await subject.diff(fifth, decided)).quiet).toBe(true);
});
