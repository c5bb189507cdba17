import { beforeEach, describe, expect, test } from "@jest/globals";
import { finding, ruleFor } from "./desk";
import { sharedDesk } from "./test-desk";

let now = 1_000;
const desk = sharedDesk({ clock: () => now });
beforeEach(() => {
  now = 1_000;
});

test.each<[string, object, object]>([
  ["a name", { name: "A Gate.X" }, { id: "a_gate.x", name: "A Gate.X" }],
  ["an id", { id: "My-Gate" }, { id: "My-Gate", name: "My-Gate" }],
  ["an id and a name", { id: "my-gate", name: "Shown" }, { id: "my-gate", name: "Shown" }],
  ["a gate that is off", { name: "off", isEnabled: false }, { isEnabled: false, status: "Disabled" }],
  ["one app as text", { name: "app", targetApps: "web" }, { targetApps: ["web"] }],
  ["a team by its id", { name: "team", teamID: "t1" }, { team: null, teamID: "t1" }],
  ["a tag that is new", { name: "tagged", tags: ["never seen"] }, { tags: ["never seen"] }],
  [
    "a review setting",
    { name: "review", reviewSettings: { requiredReview: true } },
    { reviewSettings: { requiredReview: true, allowedReviewers: [] } },
  ],
])("a create with %s: %j shows %j", async (_, body, shown) => {
  expect(await desk.must("POST", "/gates", body)).toMatchObject(shown);
});

test("what is only written is not shown", async () => {
  const gate = await desk.must("POST", "/gates", {
    name: "gate",
    gradual_rollout_strategy: { type: "bypass" },
  });
  expect(Object.keys(gate).filter((name) => /rollout/i.test(name))).toEqual([]);
});

test("a gate without name and id is refused", async () => {
  const { status, body } = await desk.ask("POST", "/gates", { description: "x" });
  expect([status, body.errors]).toEqual([400, [{ property: "name", errorMessage: "Required" }]]);
});

test("ids and names are taken once, archived gates included; a deleted one is free again", async () => {
  await desk.must("POST", "/gates", { id: "one", name: "First" });
  await desk.must("PUT", "/gates/one/archive", {});
  for (const body of [{ id: "one" }, { id: "other", name: "First" }]) {
    const answer = await desk.ask("POST", "/gates", body);
    expect(answer).toMatchObject({ status: 400, body: { status: 400, message: "Name is already in use" } });
    expect(answer.body).not.toHaveProperty("errors");
  }
  await desk.must("DELETE", "/gates/one");
  await desk.must("POST", "/gates", { id: "one", name: "First" });
});

test("a rename keeps the id and takes the name", async () => {
  await desk.must("POST", "/gates", { name: "first" });
  await desk.must("POST", "/gates", { name: "second" });
  expect((await desk.ask("PATCH", "/gates/first", { name: "second" })).body.message).toBe(
    "Name is already in use",
  );
  expect(await desk.must("PATCH", "/gates/first", { name: "third" })).toMatchObject({
    id: "first",
    name: "third",
  });
  expect((await desk.ask("POST", "/gates", { id: "fourth", name: "first" })).status).toBe(201);
});

test("PATCH keeps what it does not name, replaces arrays whole and clears with null", async () => {
  await desk.must("POST", "/gates", { name: "gate", description: "old", tags: ["a", "b"], team: "growth" });
  now = 2_000;
  const gate = await desk.must("PATCH", "/gates/gate", { tags: ["c"], team: null });
  expect(gate).toMatchObject({
    description: "old",
    tags: ["c"],
    team: null,
    version: 2,
    lastModifiedTime: 2_000,
  });
  expect(gate.createdTime).toBe(1_000);
});

test("POST on the gate drops optional data that it leaves out", async () => {
  const settings = { tags: ["a"], type: "PERMANENT", measureMetricLifts: false, team: "growth" };
  await desk.must("POST", "/gates", { name: "gate", ...settings });
  expect((await desk.ask("POST", "/gates/gate", { description: "x" })).body.errors).toEqual([
    { property: "isEnabled", errorMessage: "Required" },
    { property: "rules", errorMessage: "Required" },
  ]);
  const gate = await desk.must("POST", "/gates/gate", { isEnabled: true, description: "x", rules: [] });
  const defaults = { tags: [], type: "TEMPORARY", measureMetricLifts: true, team: null };
  expect(gate).toMatchObject({ name: "gate", description: "x", createdTime: 1_000, version: 2, ...defaults });
});

test.each([
  ["PATCH", ""],
  ["PUT", "/enable"],
  ["PUT", "/archive"],
  ["GET", "/rules"],
  ["GET", "/versions"],
  ["GET", "/overrides"],
  ["GET", "/dynamic_config_references"],
  ["GET", "/rules/some/pulse_load_history"],
])("%s of an unknown gate's %s is a 404", async (method, path) => {
  const body = method === "GET" ? undefined : {};
  const answer = await desk.ask(method, `/gates/unknown${path}`, body);
  expect(answer).toMatchObject({ status: 404, body: { status: 404, message: "Gate not found." } });
});

test("a deleted gate is gone with its history", async () => {
  await desk.must("POST", "/gates", { name: "gate" });
  await desk.must("PATCH", "/gates/gate", { description: "x" });
  await desk.must("DELETE", "/gates/gate");
  await desk.must("POST", "/gates", { name: "gate" });
  expect(await desk.must("GET", "/gates/gate/versions")).toEqual([]);
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
  ])("after %j a gate is %s and isEnabled is %s", async (actions, status, isEnabled) => {
    await desk.must("POST", "/gates", { name: "gate" });
    for (const action of actions) await desk.must("PUT", `/gates/gate/${action}`, {});
    expect(await desk.must("GET", "/gates/gate")).toMatchObject({ status, isEnabled });
  });

  test("a body moves a gate as the actions do", async () => {
    await desk.must("POST", "/gates", { name: "gate" });
    await desk.must("PUT", "/gates/gate/launch");
    const bodies = [{ description: "x" }, { isEnabled: true }, { isEnabled: false }];
    const statuses = [];
    for (const body of bodies) statuses.push((await desk.must("PATCH", "/gates/gate", body)).status);
    expect(statuses).toEqual(["Launched", "In Progress", "Disabled"]);
  });

  test.each(["enable", "disable", "launch", "archive", "unarchive"])(
    "%s twice changes nothing the second time",
    async (action) => {
      await desk.must("POST", "/gates", { name: "gate" });
      const first = await desk.must("PUT", `/gates/gate/${action}`, {});
      now = 3_000;
      expect(await desk.must("PUT", `/gates/gate/${action}`, {})).toEqual(first);
    },
  );

  test("an archived gate is read, is not in lists unless asked for, and takes no write", async () => {
    await desk.must("POST", "/gates", { name: "gate" });
    await desk.must("PUT", "/gates/gate/archive", { archiveReason: "old" });
    expect(await desk.must("GET", "/gates")).toEqual([]);
    expect(await desk.must("GET", "/gates?includeArchived=true")).toHaveLength(1);
    expect(await desk.must("GET", "/gates/gate")).not.toHaveProperty("archiveReason");
    const shown = await desk.must("GET", "/gates/gate?includeArchiveMetadata=true");
    expect(shown).toMatchObject({ archiveReason: "old", archivedAt: 1_000 });
    const all = "/gates?includeArchived=true";
    expect((await desk.list(all))[0]).not.toHaveProperty("archiveReason");
    expect(await desk.list(`${all}&includeArchiveMetadata=true`)).toEqual([shown]);
    for (const [method, path] of [
      ["PATCH", ""],
      ["PUT", "/enable"],
      ["POST", "/rule"],
      ["POST", "/overrides"],
    ] as const) {
      const body = path === "/rule" ? ruleFor("r") : { passingUserIDs: [], failingUserIDs: [] };
      const answer = await desk.ask(method, `/gates/gate${path}`, body);
      expect([answer.status, answer.body.message]).toEqual([400, "Gate is archived and cannot be changed"]);
    }
  });

  test("a gate that an experiment asks is in use", async () => {
    await desk.must("POST", "/gates", { name: "asked" });
    await desk.must("POST", "/experiments", { name: "asking", targetingGateID: "asked" });
    expect((await desk.ask("PUT", "/gates/asked/archive", {})).status).toBe(400);
    await desk.must("PUT", "/experiments/asking/archive", {});
    await desk.must("PUT", "/gates/asked/archive", {});
  });

  test("a gate in use is archived by force only", async () => {
    await desk.must("POST", "/gates", { name: "base" });
    const rule = { name: "r", passPercentage: 1, conditions: [{ type: "passes_gate", targetValue: "base" }] };
    await desk.must("POST", "/gates", { name: "user", rules: [rule] });
    expect((await desk.ask("PUT", "/gates/base/archive", {})).status).toBe(400);
    await desk.must("PUT", "/gates/user/archive", {});
    await desk.must("PUT", "/gates/base/archive", {});
    await desk.must("PUT", "/gates/base/unarchive", {});
    await desk.must("PUT", "/gates/user/unarchive", {});
    expect(await desk.must("PUT", "/gates/base/archive", { forceArchive: true })).toMatchObject({
      status: "Archived",
    });
  });
});

test("versions are the former forms, newest first, in pages", async () => {
  await desk.must("POST", "/gates", { name: "gate", description: "one" });
  for (const description of ["two", "three"]) await desk.must("PATCH", "/gates/gate", { description });
  const former = await desk.list("/gates/gate/versions");
  expect(former.map((one) => one.description)).toEqual(["two", "one"]);
  const { body, data } = await desk.ask("GET", "/gates/gate/versions?limit=1&page=2");
  expect(data).toMatchObject([{ version: 1 }]);
  expect(body.pagination).toMatchObject({ totalItems: 2, nextPage: null });
});

test("references are the objects whose conditions name the gate", async () => {
  await desk.must("POST", "/gates", { name: "base" });
  const refer = (type: string, targetValue: unknown) => [
    { name: "r", passPercentage: 1, conditions: [{ type, targetValue }] },
  ];
  await desk.must("POST", "/gates", { name: "fails", rules: refer("fails_gate", ["base"]) });
  await desk.must("POST", "/gates", { name: "segment namesake", rules: refer("passes_segment", "base") });
  await desk.must("POST", "/dynamic_configs", { name: "config", rules: refer("passes_gate", "base") });
  const ids = async (list: string) => (await desk.list(`/gates/base/${list}`)).map((one) => one.id);
  expect(await ids("gate_references")).toEqual(["fails"]);
  expect(await ids("dynamic_config_references")).toEqual(["config"]);
  expect(await ids("experiment_references")).toEqual([]);
  await desk.must("PATCH", "/dynamic_configs/config", { rules: [] });
  expect(await ids("dynamic_config_references")).toEqual([]);
});

describe("filters", () => {
  beforeEach(async () => {
    const one = { tags: ["a", "b"], type: "PERMANENT", targetApps: ["web"] };
    await desk.must("POST", "/gates", { name: "one", ...one });
    const two = { tags: ["c"], idType: "stableID", creatorID: "u1", teamID: "t1" };
    await desk.must("POST", "/gates", { name: "two", ...two });
    await desk.must("POST", "/gates", { name: "three", releasePipelineID: "p1" });
  });

  test.each([
    ["tags=a", ["one"]],
    ["tags=b&tags=c", ["one", "two"]],
    ["tags=nothing", []],
    ["type=PERMANENT", ["one"]],
    ["idType=stableID", ["two"]],
    ["idType=userID&idType=stableID", ["one", "two", "three"]],
    ["creatorName=CONSOLE%20API", ["one", "two", "three"]],
    ["creatorName=Somebody", []],
    ["creatorID=u1", ["two"]],
    ["teamID=t1", ["two"]],
    ["releasePipelineID=p1", ["three"]],
    ["targetAppID=web", ["one"]],
    ["tags=a&type=TEMPORARY", []],
    ["unknown=x", ["one", "two", "three"]],
  ])("?%s finds %j", async (query, names) => {
    const found = await desk.list(`/gates?${query}`);
    expect(found.map((one) => one.name)).toEqual(names);
  });

  test("a target app is found by its id, although gates show its name", async () => {
    const { id } = await desk.must("POST", "/target_app", { name: "web", description: "" });
    expect((await desk.list(`/gates?targetAppID=${id}`)).map((one) => one.name)).toEqual(["one"]);
  });
});

describe("overrides", () => {
  const users = (passing: string[], failing: string[] = []) => ({
    passingUserIDs: passing,
    failingUserIDs: failing,
  });
  const none = { ...users([]), passingCustomIDs: [], failingCustomIDs: [], environmentOverrides: [] };
  beforeEach(() => desk.must("POST", "/gates", { name: "gate" }));

  test("are sets: set, add, remove, all with 201", async () => {
    const path = "/gates/gate/overrides";
    const steps: [string, object | undefined, object][] = [
      ["GET", undefined, none],
      ["POST", users(["a", "a", "b"]), users(["a", "b"])],
      ["PATCH", users(["b", "c"], ["z"]), users(["a", "b", "c"], ["z"])],
      ["DELETE", users(["a", "x"]), users(["b", "c"], ["z"])],
      ["POST", users([]), none],
    ];
    for (const [method, body, data] of steps)
      expect(await desk.ask(method, path, body)).toMatchObject({ status: 201, data });
  });

  test("by environment have a body of their own", async () => {
    const entry = { environment: "production", unitID: "userID", passingIDs: ["a"], failingIDs: [] };
    await desk.must("POST", "/gates/gate/overrides", { environmentOverrides: [entry] });
    await desk.must("PATCH", "/gates/gate/overrides", {
      environmentOverrides: [{ ...entry, passingIDs: ["b"] }],
    });
    const { environmentOverrides } = await desk.must("GET", "/gates/gate/overrides");
    expect(environmentOverrides).toEqual([{ ...entry, passingIDs: ["a", "b"] }]);
  });

  test("of another shape are refused", async () => {
    expect((await desk.ask("POST", "/gates/gate/overrides", { passingUserIDs: ["a"] })).status).toBe(400);
    expect((await desk.ask("POST", "/gates/gate/overrides", users([""]))).status).toBe(400);
  });
});

test("several rules are appended, or take the place of all, in one request", async () => {
  await desk.must("POST", "/gates", { name: "several", rules: [ruleFor("a")] });
  const names = async () => (await desk.must("GET", "/gates/several")).rules.map(({ name }) => name);
  const [kept] = (await desk.must("GET", "/gates/several")).rules;
  await desk.must("POST", "/gates/several/rules", { rules: [ruleFor("b"), ruleFor("c")] });
  expect(await names()).toEqual(["a", "b", "c"]);
  const after = await desk.must("PATCH", "/gates/several/rules", { rules: [ruleFor("c"), kept] });
  expect(after.rules.map(({ name }) => name)).toEqual(["c", "a"]);
  expect(after.rules[1]).toMatchObject({ baseID: kept?.baseID });
  expect((await desk.ask("POST", "/gates/several/rules", { rules: [{ name: "d" }] })).status).toBe(400);
  expect((await desk.ask("PATCH", "/gates/several/rules", {})).body).toEqual(finding("rules", "Required"));
});
