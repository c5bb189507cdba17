import { beforeEach, describe, expect, test } from "@jest/globals";
import { ruleFor } from "./desk";
import { sharedDesk } from "./test-desk";

let now = 1_000;
const { ask, must, list, refused } = sharedDesk({ clock: () => now });
beforeEach(() => {
  now = 1_000;
});

const make = (body: object = {}) => must("POST", "/gates", { name: "gate", ...body });
const patch = (body: object) => must("PATCH", "/gates/gate", body);
const put = (action: string, body: object = {}) => must("PUT", `/gates/gate/${action}`, body);

test.each<[string, object, object]>([
  ["a name", { name: "A Gate.X" }, { id: "a_gate.x", name: "A Gate.X" }],
  ["an id", { id: "My-Gate" }, { id: "My-Gate", name: "My-Gate" }],
  ["both", { id: "my-gate", name: "Shown" }, { id: "my-gate", name: "Shown" }],
  ["a team by its id", { name: "team", teamID: "t1" }, { team: null, teamID: "t1" }],
  [
    "a review setting",
    { name: "review", reviewSettings: { requiredReview: true } },
    { reviewSettings: { requiredReview: true, allowedReviewers: [] } },
  ],
])("a create with %s: %j shows %j", async (_, body, shown) => {
  expect(await must("POST", "/gates", body)).toMatchObject(shown);
});

test("what is only written is not shown", async () => {
  const gate = await make({ gradual_rollout_strategy: { type: "bypass" } });
  expect(Object.keys(gate).filter((name) => /rollout/i.test(name))).toEqual([]);
});

test("ids and names are taken once, archived gates included; a deleted one is free again", async () => {
  expect(await refused("POST", "/gates", { description: "x" })).toBe("400 name: Required");
  await make({ id: "one", name: "First" });
  await must("PUT", "/gates/one/archive", {});
  for (const body of [{ id: "one" }, { id: "other", name: "First" }])
    expect(await refused("POST", "/gates", body)).toBe("400 Name is already in use");
  await must("DELETE", "/gates/one");
  await make({ id: "one", name: "First" });
});

test("a rename keeps the id, and frees the name", async () => {
  await make();
  await make({ name: "second" });
  expect(await refused("PATCH", "/gates/gate", { name: "second" })).toBe("400 Name is already in use");
  expect(await patch({ name: "third" })).toMatchObject({ id: "gate", name: "third" });
  await make({ id: "fourth" });
});

test("POST on the gate drops optional data that it leaves out", async () => {
  await make({ tags: ["a"], type: "PERMANENT", measureMetricLifts: false, team: "growth" });
  const missing = "400 isEnabled: Required; rules: Required";
  expect(await refused("POST", "/gates/gate", { description: "x" })).toBe(missing);
  const whole = { isEnabled: true, description: "x", rules: [] };
  const defaults = { tags: [], type: "TEMPORARY", measureMetricLifts: true, team: null };
  const kept = { name: "gate", createdTime: 1_000, version: 2 };
  expect(await must("POST", "/gates/gate", whole)).toMatchObject({ ...whole, ...defaults, ...kept });
});

test("versions are the former forms, newest first, in pages; they go with their gate", async () => {
  await make({ description: "one" });
  for (const description of ["two", "three"]) await patch({ description });
  const former = await list("/gates/gate/versions");
  expect(former.map((one) => one.description)).toEqual(["two", "one"]);
  expect(await ask("GET", "/gates/gate/versions?limit=1&page=2")).toMatchObject({
    data: [{ version: 1 }],
    body: { pagination: { totalItems: 2, nextPage: null } },
  });
  await must("DELETE", "/gates/gate");
  await make();
  expect(await list("/gates/gate/versions")).toEqual([]);
});

describe("states", () => {
  test.each([
    [["disable"], "Disabled", false],
    [["disable", "enable"], "In Progress", true],
    [["launch"], "Launched", false],
    [["launch", "enable"], "In Progress", true],
    [["launch", "disable"], "Disabled", false],
    [["archive"], "Archived", true],
    [["disable", "archive"], "Archived", false],
    [["archive", "unarchive"], "In Progress", true],
    [["launch", "archive", "unarchive"], "Disabled", false],
  ])(
    "after %j a gate is %s, isEnabled is %s, and the last again changes nothing",
    async (actions, ...state) => {
      await make();
      for (const action of actions) await put(action);
      const gate = await must("GET", "/gates/gate");
      expect([gate.status, gate.isEnabled]).toEqual(state);
      now = 3_000;
      expect(await put(actions.at(-1) ?? "")).toEqual(gate);
    },
  );

  test("a body moves a gate as the actions do", async () => {
    await make();
    await put("launch");
    const statuses = [];
    for (const body of [{ description: "x" }, { isEnabled: true }, { isEnabled: false }])
      statuses.push((await patch(body)).status);
    expect(statuses).toEqual(["Launched", "In Progress", "Disabled"]);
  });

  test("an archived gate is read, is not in lists unless asked for, and takes no write", async () => {
    await make();
    await put("archive", { archiveReason: "old" });
    expect(await list("/gates")).toEqual([]);
    expect(await must("GET", "/gates/gate")).not.toHaveProperty("archiveReason");
    const shown = await must("GET", "/gates/gate?includeArchiveMetadata=true");
    expect(shown).toMatchObject({ archiveReason: "old", archivedAt: 1_000 });
    const all = "/gates?includeArchived=true";
    expect((await list(all))[0]).not.toHaveProperty("archiveReason");
    expect(await list(`${all}&includeArchiveMetadata=true`)).toEqual([shown]);
    const overrides = { passingUserIDs: [], failingUserIDs: [] };
    for (const [method, path, body] of [
      ["PATCH", "", {}],
      ["PUT", "/enable", {}],
      ["POST", "/rule", ruleFor("r")],
      ["POST", "/overrides", overrides],
    ] as const)
      expect(await refused(method, `/gates/gate${path}`, body)).toBe(
        "400 Gate is archived and cannot be changed",
      );
  });

  test("a gate that a rule or an experiment asks is archived by force only", async () => {
    await make();
    const asking = { ...ruleFor("r"), conditions: [{ type: "passes_gate", targetValue: "gate" }] };
    await make({ name: "user", rules: [asking] });
    await must("POST", "/experiments", { name: "asking", targetingGateID: "gate" });
    const archive = async (body: object = {}) => (await ask("PUT", "/gates/gate/archive", body)).status;
    expect(await archive()).toBe(400);
    await must("PUT", "/gates/user/archive", {});
    expect(await archive()).toBe(400);
    await must("PUT", "/experiments/asking/archive", {});
    expect(await archive()).toBe(200);
    await put("unarchive");
    await must("PUT", "/gates/user/unarchive", {});
    expect([await archive(), await archive({ forceArchive: true })]).toEqual([400, 200]);
  });
});

test("references are the objects whose conditions name the gate", async () => {
  await make();
  const refer = (type: string, targetValue: unknown) => ({
    rules: [{ ...ruleFor("r"), conditions: [{ type, targetValue }] }],
  });
  await make({ name: "fails", ...refer("fails_gate", ["gate"]) });
  await make({ name: "segment namesake", ...refer("passes_segment", "gate") });
  await must("POST", "/dynamic_configs", { name: "config", ...refer("passes_gate", "gate") });
  const ids = async (kind: string) => (await list(`/gates/gate/${kind}_references`)).map((one) => one.id);
  expect(await ids("gate")).toEqual(["fails"]);
  expect(await ids("dynamic_config")).toEqual(["config"]);
  expect(await ids("experiment")).toEqual([]);
  await must("PATCH", "/dynamic_configs/config", { rules: [] });
  expect(await ids("dynamic_config")).toEqual([]);
});

describe("filters", () => {
  const all = ["one", "two", "three"];
  beforeEach(async () => {
    await make({ name: "one", tags: ["a", "b"], type: "PERMANENT", targetApps: ["web"] });
    await make({ name: "two", tags: ["c"], idType: "stableID", creatorID: "u1", teamID: "t1" });
    await make({ name: "three", releasePipelineID: "p1" });
  });

  test.each([
    ["tags=a", ["one"]],
    ["tags=b&tags=c", ["one", "two"]],
    ["tags=nothing", []],
    ["type=PERMANENT", ["one"]],
    ["idType=stableID", ["two"]],
    ["idType=userID&idType=stableID", all],
    ["creatorName=CONSOLE%20API", all],
    ["creatorName=Somebody", []],
    ["creatorID=u1", ["two"]],
    ["teamID=t1", ["two"]],
    ["releasePipelineID=p1", ["three"]],
    ["targetAppID=web", ["one"]],
    ["tags=a&type=TEMPORARY", []],
    ["unknown=x", all],
  ])("?%s finds %j", async (query, names) => {
    expect((await list(`/gates?${query}`)).map((one) => one.name)).toEqual(names);
  });

  test("a target app is found by its id, although gates show its name", async () => {
    const { id } = await must("POST", "/target_app", { name: "web", description: "" });
    expect((await list(`/gates?targetAppID=${id}`)).map((one) => one.name)).toEqual(["one"]);
  });
});

describe("overrides", () => {
  const path = "/gates/gate/overrides";
  const users = (passing: string[], failing: string[] = []) => ({
    ...{ passingUserIDs: passing, failingUserIDs: failing },
  });
  beforeEach(() => make());

  test("are sets: set, add, remove, all with 201", async () => {
    const none = { ...users([]), passingCustomIDs: [], failingCustomIDs: [], environmentOverrides: [] };
    const steps: [string, object | undefined, object][] = [
      ["GET", undefined, none],
      ["POST", users(["a", "a", "b"]), users(["a", "b"])],
      ["PATCH", users(["b", "c"], ["z"]), users(["a", "b", "c"], ["z"])],
      ["DELETE", users(["a", "x"]), users(["b", "c"], ["z"])],
      ["POST", users([]), none],
    ];
    for (const [method, body, data] of steps)
      expect(await ask(method, path, body)).toMatchObject({ status: 201, data });
  });

  test("by environment have a body of their own; those of another shape are refused", async () => {
    const entry = { environment: "production", unitID: "userID", passingIDs: ["a"], failingIDs: [] };
    await must("POST", path, { environmentOverrides: [entry] });
    await must("PATCH", path, { environmentOverrides: [{ ...entry, passingIDs: ["b"] }] });
    const { environmentOverrides } = await must("GET", path);
    expect(environmentOverrides).toEqual([{ ...entry, passingIDs: ["a", "b"] }]);
    for (const body of [{ passingUserIDs: ["a"] }, users([""])])
      expect((await ask("POST", path, body)).status).toBe(400);
  });
});
