import { beforeEach, describe, expect, test } from "@jest/globals";
import type { Item } from "./desk";
import { sharedDesk } from "./test-desk";

let now = 0;
const { ask, must, list, refused } = sharedDesk({ clock: () => now });
beforeEach(() => {
  now = Date.parse("2030-01-10T12:00:00Z");
});

const path = "/experiments/e_1";
const group = (name: string, size = 50, parameterValues = {}) => ({ name, size, parameterValues });
const make = (more = {}) =>
  must("POST", "/experiments", { name: "E 1", groups: [group("Control"), group("Test")], ...more });
const read = () => must("GET", path);
const patch = (body: object) => must("PATCH", path, body);
const groupsOf = (item: Item) => item.groups as Item[];
const idsOf = (item: Item) => groupsOf(item).map(({ id }) => id);
const noGroup = (id: string) => `There is no group with the ID '${id}'`;
const reason = { decisionReason: "Because" };

test("groups get ids, the first is the control, and metric tags read back empty", async () => {
  expect((await ask("POST", "/experiments", { name: "dot.ted" })).status).toBe(400);
  const made = await make({ primaryMetricTags: ["core"] });
  expect(groupsOf(made)).toMatchObject([
    { name: "Control", id: expect.any(String), description: "", disabled: false },
    { name: "Test", disabled: false },
  ]);
  expect(made).toMatchObject({ controlGroupID: idsOf(made)[0], primaryMetricTags: [] });
});

test("groups are replaced whole; one sent with its id stays itself", async () => {
  const [id] = idsOf(await make());
  const changed = await patch({ groups: [{ ...group("Base"), id }, group("New")] });
  expect(groupsOf(changed)[0]).toMatchObject({ id, name: "Base" });
  const refusals: [object[], string][] = [
    [[{ ...group("X", 100), id: "other" }], `groups.0.id: ${noGroup("other")}`],
    [[group("A"), group("A")], "groups: Duplicate group name(s) given"],
    [[group("A", 10)], "groups: Group sizes must add up to 100"],
  ];
  for (const [groups, reason] of refusals)
    expect(await refused("PATCH", path, { groups })).toBe(`400 ${reason}`);
});

describe("moves", () => {
  const put = (verb: string, body?: object) => ["PUT", `${path}/${verb}`, body] as const;
  const go = {
    start: async () => put("start", {}),
    decide: async () => put("make_decision", { id: idsOf(await read())[1], ...reason }),
    abandon: async () => put("abandon", reason),
    reset: async () => put("reset"),
    archive: async () => put("archive", {}),
    unarchive: async () => put("unarchive"),
  };
  type Name = keyof typeof go;
  const play = async (...names: Name[]) => {
    for (const name of names) expect(await ask(...(await go[name]()))).toMatchObject({ status: 200 });
  };
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
    await play(...before);
    const { status } = await read();
    expect(await refused(...(await go[name]()))).toBe(`400 ${message}`);
    expect((await read()).status).toBe(status);
  });

  // Where each move leads is in experiment-moves.test.ts.
  test("answer a message alone, and an ended experiment that was reset can start again", async () => {
    await make();
    for (const name of ["start", "abandon", "archive", "unarchive", "reset", "start"] as const)
      expect((await ask(...(await go[name]()))).body).toEqual({ message: expect.any(String) });
    expect((await read()).status).toBe("active");
  });

  test("set times, group and reason, and a reset clears them", async () => {
    const [, id] = idsOf(await make({ targetingGateID: "g" }));
    await play("start");
    now += 5;
    await ask(...put("make_decision", { id, ...reason, removeTargeting: true }));
    const times = { startTime: now - 5, endTime: now, decisionTime: now };
    const decided = { ...times, ...reason, launchedGroupID: id, targetingGateID: null };
    expect(await read()).toMatchObject(decided);
    await play("reset");
    const none = { startTime: null, endTime: null, decisionTime: null, launchedGroupID: null };
    expect(await read()).toMatchObject({ ...none, decisionReason: null });
  });

  test("need what they need", async () => {
    await make();
    await play("start");
    expect(await refused(...put("abandon", {}))).toBe("400 decisionReason: Required");
    expect(await refused(...put("make_decision", { id: "x", ...reason }))).toBe(`400 id: ${noGroup("x")}`);
  });

  test("can be said by bodies: start and decide, and nothing else", async () => {
    const [, launchedGroupID] = idsOf(await make());
    const refusedStatus = (status: string) => refused("PATCH", path, { status });
    expect(await refusedStatus("decision_made")).toBe(`400 ${notYet}`);
    const begin = { status: "active", startTime: now };
    expect(await patch({ status: "active" })).toMatchObject(begin);
    for (const status of ["setup", "abandoned"]) expect(await refusedStatus(status)).toMatch(/^400 /);
    expect(await refusedStatus("decision_made")).toBe("400 launchedGroupID: Required");
    const end = { status: "decision_made", launchedGroupID };
    expect(await patch(end)).toMatchObject({ ...end, endTime: now });
    expect(await make({ name: "Second", status: "active" })).toMatchObject(begin);
    expect((await ask("POST", "/experiments", { name: "Third", status: "abandoned" })).status).toBe(400);
  });

  test("start by themselves at a time, and not when it is too late", async () => {
    await make();
    const schedule = ["POST", `${path}/schedule_start`, { scheduledTime: now + 10 }] as const;
    await ask(...schedule);
    expect((await read()).status).toBe("setup");
    now += 20;
    expect(await read()).toMatchObject({ status: "active", startTime: now - 10 });
    expect(await refused(...schedule)).toBe("400 Experiment has already started");
  });

  test("restart as new makes another of an ended one", async () => {
    await make({ description: "Kept" });
    const again = ["POST", `${path}/restart_as_new`, { name: "Again" }] as const;
    expect(await refused(...again)).toBe(`400 ${notYet}`);
    await play("start", "abandon");
    const made = await must(...again);
    expect(made).toMatchObject({ id: "again", status: "setup", description: "Kept", startTime: null });
    expect(groupsOf(made).map(({ name }) => name)).toEqual(["Control", "Test"]);
    expect((await read()).status).toBe("abandoned");
  });
});

test("groups are switched by name, with 201 and the experiment", async () => {
  await make();
  const group_names = ["Test"];
  for (const [verb, disabled] of Object.entries({ disable: true, enable: false })) {
    const groups = [{ disabled: false }, { disabled }];
    const answer = await ask("POST", `${path}/${verb}_groups`, { group_names });
    expect(answer).toMatchObject({ status: 201, data: { groups } });
  }
  for (const [body, reason] of [
    [{ group_names: ["Nobody"] }, "There is no group with the name 'Nobody'"],
    [{}, "Required"],
  ] as const)
    expect(await refused("POST", `${path}/disable_groups`, body)).toBe(`400 group_names: ${reason}`);
});

test("overrides are replaced, added and removed, by ids of groups", async () => {
  const [control, other] = idsOf(await make());
  const of = (groupID: string | undefined, ...ids: string[]) => ({
    overrides: groupID === undefined ? [] : [{ type: "gate", id: "g", groupID }],
    userIDOverrides: ids.length === 0 ? [] : [{ groupID: control, ids }],
  });
  const at = `${path}/overrides`;
  expect(await must("GET", at)).toEqual(of(undefined));
  // That an id is not empty holds for programs alone.
  expect(await must("POST", at, of(control, ""))).toEqual(of(control, ""));
  expect(await must("POST", at, of(control, "1"))).toEqual(of(control, "1"));
  expect(await must("PATCH", at, of(other, "2"))).toEqual(of(other, "1", "2"));
  expect(await must("DELETE", at, of(control, "1"))).toEqual(of(undefined, "2"));
  expect(await refused("POST", at, of("x", "1"))).toBe(`400 overrides.0.groupID: ${noGroup("x")}`);
});

test("lists filter, versions and loads are lists, a full update drops what it leaves out", async () => {
  await make({ layerID: "area", tags: ["a"] });
  now += 86_400_000;
  await make({ name: "Later", status: "active" });
  for (const [query, id] of [
    ["status=active&status=archived", "later"],
    ["layerID=area&tags=a", "e_1"],
    ["createdStartDate=2030-01-11", "later"],
    ["createdEndDate=2030-01-10", "e_1"],
  ])
    expect([query, (await list(`/experiments?${query}`)).map((one) => one.id)]).toEqual([query, [id]]);
  const part = {
    ...{ description: "", idType: "userID", hypothesis: "", groups: [], allocation: 50, status: "setup" },
    ...{ targetingGateID: null, bonferroniCorrection: false },
  };
  expect(await refused("POST", path, part)).toBe("400 defaultConfidenceInterval: Required");
  const whole = await must("POST", path, { ...part, defaultConfidenceInterval: "95" });
  expect(whole).toMatchObject({ tags: [], allocation: 50, layerID: "area" });
  expect((await list(`${path}/versions`)).map(({ allocation }) => allocation)).toEqual([100]);
  expect(await list(`${path}/pulse_load_history`)).toEqual([]);
});

test("a layer with experiments stays, and so do parameters that a running one gives values", async () => {
  const parameters = (...names: string[]) => ({
    parameters: names.map((name) => ({ name, type: "string", defaultValue: "" })),
  });
  await must("POST", "/layers", { name: "area", idType: "userID" });
  await must("PATCH", "/layers/area", parameters("used", "other"));
  await must("POST", "/gates", { name: "gate" });
  const groups = [group("All", 100, { used: "x" })];
  await make({ groups, layerID: "area", targetingGateID: "gate", status: "active" });
  for (const users of ["/layers/area/experiments", "/gates/gate/experiment_references"])
    expect((await list(users)).map(({ id }) => id)).toEqual(["e_1"]);
  const held = "400 Layer cannot be deleted with experiments still on it";
  expect(await refused("DELETE", "/layers/area")).toBe(held);
  expect(await refused("PATCH", "/layers/area", parameters("other"))).toBe(
    "400 parameters: Parameter(s) used by a running experiment: [used]",
  );
  await must("PATCH", "/layers/area", parameters("used"));
  await must("DELETE", path);
  await must("DELETE", "/layers/area");
});
