import { beforeEach, describe, expect, test } from "@jest/globals";
import { finding, type Item } from "./desk";
import { sharedDesk } from "./test-desk";

let now = 0;
const desk = sharedDesk({ clock: () => now });
beforeEach(() => {
  now = Date.parse("2030-01-10T12:00:00Z");
});

const path = "/experiments/e_1";
const group = (name: string, size = 50, parameterValues = {}) => ({ name, size, parameterValues });
const make = (more = {}) =>
  desk.must("POST", "/experiments", { name: "E 1", groups: [group("Control"), group("Test")], ...more });
const groupsOf = (item: Item) => item.groups as Item[];
const refusal = (message: string) => ({ status: 400, message });
const text = expect.any(String);
const reason = { decisionReason: "Because" };

test("groups get ids, the first is the control, and metric tags read back empty", async () => {
  expect((await desk.ask("POST", "/experiments", { name: "dot.ted" })).status).toBe(400);
  const made = await make({ primaryMetricTags: ["core"] });
  expect(groupsOf(made)).toMatchObject([
    { name: "Control", id: expect.any(String), description: "", disabled: false },
    { name: "Test", disabled: false },
  ]);
  expect(made).toMatchObject({ controlGroupID: groupsOf(made)[0]?.id, primaryMetricTags: [] });
});

test("groups are replaced whole; one sent with its id stays itself", async () => {
  const [control] = groupsOf(await make());
  const sent = [{ ...group("Base"), id: control?.id }, group("New")];
  const changed = await desk.must("PATCH", path, { groups: sent });
  expect(groupsOf(changed)[0]).toMatchObject({ id: control?.id, name: "Base" });
  const refusals: [object[], string, string][] = [
    [[{ ...group("X", 100), id: "other" }], "groups.0.id", "There is no group with the ID 'other'"],
    [[group("A"), group("A")], "groups", "Duplicate group name(s) given"],
    [[group("A", 10)], "groups", "Group sizes must add up to 100"],
  ];
  for (const [groups, property, message] of refusals)
    expect((await desk.ask("PATCH", path, { groups })).body).toEqual(finding(property, message));
});

describe("moves", () => {
  const go = {
    start: () => desk.ask("PUT", `${path}/start`, {}),
    decide: async () => {
      const [, shipped] = groupsOf(await desk.must("GET", path));
      return desk.ask("PUT", `${path}/make_decision`, { id: shipped?.id, ...reason });
    },
    abandon: () => desk.ask("PUT", `${path}/abandon`, reason),
    reset: () => desk.ask("PUT", `${path}/reset`),
    archive: () => desk.ask("PUT", `${path}/archive`, {}),
    unarchive: () => desk.ask("PUT", `${path}/unarchive`),
  };
  type Name = keyof typeof go;
  const notYet = "Experiment has not yet started";
  const over = "Experiment has already finished";

  test.each<[Name[], Name, string]>([
    [["start"], "start", "Experiment has already started"],
    [["start", "abandon"], "start", over],
    [["start", "decide"], "start", over],
    [[], "decide", notYet],
    [["start", "decide"], "decide", over],
    [["start", "abandon"], "decide", over],
    [[], "abandon", notYet],
    [["start", "abandon"], "abandon", "Experiment e_1 is already abandoned"],
    [["start", "decide"], "abandon", over],
    [[], "reset", notYet],
    [["start"], "reset", "Experiment has not yet finished"],
    [["archive"], "start", "Experiment is archived and cannot be changed"],
  ])("after %j, %s is refused: %s", async (before, name, message) => {
    await make();
    for (const one of before) expect((await go[one]()).status).toBe(200);
    const state = (await desk.must("GET", path)).status;
    expect((await go[name]()).body).toEqual(refusal(message));
    expect((await desk.must("GET", path)).status).toBe(state);
  });

  // Where each move leads is in experiment-moves.test.ts.
  test("answer a message alone, and an ended experiment that was reset can start again", async () => {
    await make();
    for (const name of ["start", "abandon", "archive", "unarchive", "reset", "start"] as const)
      expect(await go[name]()).toEqual(expect.objectContaining({ status: 200, body: { message: text } }));
    expect((await desk.must("GET", path)).status).toBe("active");
  });

  test("set times, group and reason, and a reset clears them", async () => {
    const [, shipped] = groupsOf(await make({ targetingGateID: "g" }));
    await go.start();
    now += 5;
    await desk.ask("PUT", `${path}/make_decision`, { id: shipped?.id, ...reason, removeTargeting: true });
    const times = { startTime: now - 5, endTime: now, decisionTime: now };
    const decided = { ...times, ...reason, launchedGroupID: shipped?.id, targetingGateID: null };
    expect(await desk.must("GET", path)).toMatchObject(decided);
    await go.reset();
    const none = { startTime: null, endTime: null, decisionTime: null, launchedGroupID: null };
    expect(await desk.must("GET", path)).toMatchObject({ ...none, decisionReason: null });
  });

  test("need what they need", async () => {
    await make();
    await go.start();
    expect((await desk.ask("PUT", `${path}/abandon`, {})).body).toEqual(
      finding("decisionReason", "Required"),
    );
    expect((await desk.ask("PUT", `${path}/make_decision`, { id: "x", ...reason })).body).toEqual(
      finding("id", "There is no group with the ID 'x'"),
    );
  });

  test("can be said by bodies: start and decide, and nothing else", async () => {
    const [, shipped] = groupsOf(await make());
    const status = (to: string, more = {}) => desk.ask("PATCH", path, { status: to, ...more });
    expect((await status("decision_made")).body).toEqual(refusal(notYet));
    expect((await status("active")).data).toMatchObject({ status: "active", startTime: now });
    expect((await status("setup")).status).toBe(400);
    expect((await status("abandoned")).status).toBe(400);
    expect((await status("decision_made")).body).toEqual(finding("launchedGroupID", "Required"));
    const decided = await status("decision_made", { launchedGroupID: shipped?.id });
    const end = { status: "decision_made", launchedGroupID: shipped?.id, endTime: now };
    expect(decided.data).toMatchObject(end);
    const begin = { status: "active", startTime: now };
    expect(await make({ name: "Second", status: "active" })).toMatchObject(begin);
    expect((await desk.ask("POST", "/experiments", { name: "Third", status: "abandoned" })).status).toBe(400);
  });

  test("take no field writes after the end, and no id type after the start", async () => {
    await make();
    await go.start();
    expect((await desk.must("PATCH", path, { description: "x" })).description).toBe("x");
    expect((await desk.ask("PATCH", path, { idType: "stableID" })).body).toEqual(
      finding("idType", "The ID type cannot change after the experiment has started"),
    );
    await go.abandon();
    expect((await desk.ask("PATCH", path, { description: "y" })).body).toEqual(refusal(over));
    await go.archive();
    expect((await desk.ask("PATCH", path, { description: "y" })).status).toBe(400);
    const again = await desk.ask("POST", "/experiments", { name: "E 1" });
    expect(again.body).toEqual(refusal("Name is already in use"));
  });

  test("start by themselves at a time, and not when it is too late", async () => {
    await make();
    await desk.ask("POST", `${path}/schedule_start`, { scheduledTime: now + 10 });
    expect((await desk.must("GET", path)).status).toBe("setup");
    now += 20;
    expect(await desk.must("GET", path)).toMatchObject({ status: "active", startTime: now - 10 });
    expect((await desk.ask("POST", `${path}/schedule_start`, { scheduledTime: now })).body).toEqual(
      refusal("Experiment has already started"),
    );
  });

  test("restart as new makes another of an ended one", async () => {
    await make({ description: "Kept" });
    expect((await desk.ask("POST", `${path}/restart_as_new`, { name: "Again" })).body).toEqual(
      refusal(notYet),
    );
    await go.start();
    await go.abandon();
    const again = await desk.must("POST", `${path}/restart_as_new`, { name: "Again" });
    expect(again).toMatchObject({ id: "again", status: "setup", description: "Kept", startTime: null });
    expect(groupsOf(again).map(({ name }) => name)).toEqual(["Control", "Test"]);
    expect((await desk.must("GET", path)).status).toBe("abandoned");
  });
});

test("groups are switched by name, with 201 and the experiment", async () => {
  await make();
  const off = await desk.ask("POST", `${path}/disable_groups`, { group_names: ["Test"] });
  expect(off).toMatchObject({ status: 201, data: { groups: [{ disabled: false }, { disabled: true }] } });
  const on = await desk.ask("POST", `${path}/enable_groups`, { group_names: ["Test"] });
  expect(on).toMatchObject({ status: 201, data: { groups: [{ disabled: false }, { disabled: false }] } });
  expect((await desk.ask("POST", `${path}/disable_groups`, { group_names: ["Nobody"] })).body).toEqual(
    finding("group_names", "There is no group with the name 'Nobody'"),
  );
  expect((await desk.ask("POST", `${path}/disable_groups`, {})).body).toEqual(
    finding("group_names", "Required"),
  );
});

test("overrides are replaced, added and removed, by ids of groups", async () => {
  const [control, other] = groupsOf(await make()).map(({ id }) => id);
  const gate = { type: "gate", id: "g", groupID: control };
  const one = { overrides: [gate], userIDOverrides: [{ groupID: control, ids: ["1"] }] };
  const at = `${path}/overrides`;
  expect(await desk.must("GET", at)).toEqual({ overrides: [], userIDOverrides: [] });
  expect(await desk.must("POST", at, one)).toEqual(one);
  const more = {
    overrides: [{ ...gate, groupID: other }],
    userIDOverrides: [{ groupID: control, ids: ["2"] }],
  };
  const both = { ...more, userIDOverrides: [{ groupID: control, ids: ["1", "2"] }] };
  expect(await desk.must("PATCH", at, more)).toEqual(both);
  const gone = { overrides: [gate], userIDOverrides: [{ groupID: control, ids: ["1"] }] };
  expect(await desk.must("DELETE", at, gone)).toEqual({
    overrides: [],
    userIDOverrides: [{ groupID: control, ids: ["2"] }],
  });
  expect((await desk.ask("POST", at, { ...one, overrides: [{ ...gate, groupID: "x" }] })).body).toEqual(
    finding("overrides.0.groupID", "There is no group with the ID 'x'"),
  );
});

test("lists filter, versions and loads are lists, a full update drops what it leaves out", async () => {
  await make({ layerID: "area", tags: ["a"] });
  now += 86_400_000;
  await make({ name: "Later", status: "active" });
  const ids = async (query: string) => (await desk.list(`/experiments?${query}`)).map(({ id }) => id);
  expect(await ids("status=active&status=archived")).toEqual(["later"]);
  expect(await ids("layerID=area&tags=a")).toEqual(["e_1"]);
  expect(await ids("createdStartDate=2030-01-11")).toEqual(["later"]);
  expect(await ids("createdEndDate=2030-01-10")).toEqual(["e_1"]);
  const whole = {
    ...{ description: "", idType: "userID", hypothesis: "", groups: [], allocation: 50, status: "setup" },
    ...{ targetingGateID: null, bonferroniCorrection: false, defaultConfidenceInterval: "95" },
  };
  const { defaultConfidenceInterval: _, ...part } = whole;
  expect((await desk.ask("POST", path, part)).body).toEqual(finding("defaultConfidenceInterval", "Required"));
  expect(await desk.must("POST", path, whole)).toMatchObject({ tags: [], allocation: 50, layerID: "area" });
  expect((await desk.list(`${path}/versions`)).map(({ allocation }) => allocation)).toEqual([100]);
  expect(await desk.list(`${path}/pulse_load_history`)).toEqual([]);
});

test("a layer with experiments stays, and so do parameters that a running one gives values", async () => {
  const parameter = (name: string) => ({ name, type: "string", defaultValue: "" });
  await desk.must("POST", "/layers", { name: "area", idType: "userID" });
  await desk.must("PATCH", "/layers/area", { parameters: [parameter("used"), parameter("other")] });
  await desk.must("POST", "/gates", { name: "gate" });
  const groups = [group("All", 100, { used: "x" })];
  await make({ groups, layerID: "area", targetingGateID: "gate", status: "active" });
  expect((await desk.list("/layers/area/experiments")).map(({ id }) => id)).toEqual(["e_1"]);
  expect((await desk.list("/gates/gate/experiment_references")).map(({ id }) => id)).toEqual(["e_1"]);
  expect((await desk.ask("DELETE", "/layers/area")).body).toEqual(
    refusal("Layer cannot be deleted with experiments still on it"),
  );
  expect((await desk.ask("PATCH", "/layers/area", { parameters: [parameter("other")] })).body).toEqual(
    finding("parameters", "Parameter(s) used by a running experiment: [used]"),
  );
  await desk.must("PATCH", "/layers/area", { parameters: [parameter("used")] });
  await desk.must("DELETE", path);
  await desk.must("DELETE", "/layers/area");
});
