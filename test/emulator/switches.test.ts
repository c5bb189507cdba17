import { describe, expect, test } from "@jest/globals";
import { createEmulator, type EmulatorOptions } from "../../src/emulator";
import { completeSwitches } from "../../src/emulator/console/rules/switches";
import type { JsonObject } from "../../src/provider/schema/json";
import { ruleFor } from "./desk";
import { desksOfTests } from "./test-desk";

type Answers = NonNullable<EmulatorOptions["behaviour"]>;

const openDesk = desksOfTests();
const open = (behaviour: Answers, options: EmulatorOptions = {}) => openDesk({ ...options, behaviour });
/** A rule whose one condition has these members. */
const asking = (condition: JsonObject) => ({ ...ruleFor("r"), conditions: [condition] });
const passes = (kind: string, ...ids: string[]) => asking({ type: `passes_${kind}`, targetValue: ids });
/** A pipeline of one phase with these rules. */
const pipeline = (rules: JsonObject[]) => ({
  name: "pipe",
  phases: [{ name: "p", timeIntervalMs: 0, requiredReview: false, rules }],
});
// That each switch does what it says is asked in test/verify: here is what its question does not look at.

test("a console that is told nothing is the mildest", () => {
  expect(completeSwitches({})).toMatchObject({
    ...{ unknownReferences: "accept", unknownEnvironments: "accept", unknownTargetApps: "accept" },
    ...{ deleteLayerUnderArchived: "accept", deleteSegmentInUse: "accept", unknownTags: "create" },
    ...{ requiredReviews: "apply", suddenRises: "accept", templateWrites: "accept", templateTypes: "said" },
  });
});

test.each([
  [{ gates: "accept" }, /^behaviour\.gates: there is none; there are unknownReferences, /],
  [{ unknownTag: "accept" }, /^behaviour\.unknownTag: there is none; did you mean "unknownTags"\?$/],
  [
    { unknownReferences: "refused" },
    /^behaviour\.unknownReferences: takes accept or refuse, not "refused"; did you mean "refuse"\?$/,
  ],
])("%j is refused with the choices", (behaviour, message) => {
  expect(() => createEmulator({ behaviour: behaviour as Answers })).toThrow(message);
});

const limited = (...environments: string[]) => ({ ...ruleFor("r"), environments });
const tier = (name: string) => asking({ type: "environment_tier", operator: "any", targetValue: [name] });

describe("unknownReferences=refuse", () => {
  test("a gate where a segment is meant, and what is not there, is a 404 that names it and its place", async () => {
    const { ask, must, refused } = await open({ unknownReferences: "refuse" });
    await must("POST", "/gates", { id: "other" });
    await must("POST", "/segments", { name: "staff", type: "rule_based" });
    const rules = [passes("segment", "none", "other", "staff")];
    const lost = (kind: string, ids: string) =>
      `rules.0.conditions.0.targetValue: The following ${kind} IDs could not be found: [${ids}]`;
    const reason = `404 ${lost("Segment", "none, other")}`;
    for (const path of ["/gates", "/dynamic_configs"])
      expect(await refused("POST", path, { id: "one", name: "one", rules })).toBe(reason);
    expect(await refused("POST", "/segments/staff/conditional", rules)).toBe(reason);
    expect(await refused("POST", "/gates/other/rule", rules[0])).toBe(reason);
    const wrongKind = { rules: [passes("gate", "staff")] };
    expect(await refused("PATCH", "/gates/other", wrongKind)).toBe(`404 ${lost("Gate", "staff")}`);
    expect(await refused("POST", "/release_pipelines", pipeline(rules))).toBe(
      `404 phases.0.${lost("Segment", "none, other")}`,
    );
    expect((await ask("GET", "/gates/one")).status).toBe(404);
    await must("PATCH", "/gates/other", { rules: [passes("segment", "staff")] });
    await must("DELETE", "/segments/staff");
    // A write that says no rules is no occasion to look at them.
    await must("PATCH", "/gates/other", { description: "new" });
  });

  test("a seed may name what comes after it", async () => {
    const gates = [{ id: "one", rules: [passes("gate", "two")] }, { id: "two" }];
    const { list } = await open({ unknownReferences: "refuse" }, { seed: { gates } });
    expect(await list("/gates")).toHaveLength(2);
  });
});

test("unknownEnvironments=refuse: only the names of the project are taken, as they are now", async () => {
  const { ask, must, refused } = await open({ unknownEnvironments: "refuse" });
  const rules = [limited("staging", "prodction")];
  for (const [path, body, property] of [
    ["/gates", { id: "one", rules }, "rules.0.environments"],
    ["/gates", { id: "one", rules: [tier("prodction")] }, "rules.0.conditions.0.targetValue"],
    ["/release_pipelines", pipeline(rules), "phases.0.rules.0.environments"],
  ] as const)
    expect(await refused("POST", path, body)).toBe(`400 ${property}: Unknown environment(s): [prodction]`);
  const known = [limited("staging"), { ...tier("production"), name: "t" }];
  await must("POST", "/gates", { id: "one", rules: known });
  const flags = { isProduction: true, requiresReview: false, requiresReleasePipeline: false };
  await must("POST", "/environments", { environments: [{ name: "prodction", ...flags }] });
  await must("POST", "/gates", { id: "two", rules: [limited("prodction")] });
  expect((await ask("PATCH", "/gates/one", { rules: [limited("staging")] })).status).toBe(400);
});

test("unknownTargetApps=refuse: a 400 names them, at creation and later", async () => {
  const { must, refused } = await open({ unknownTargetApps: "refuse" });
  await must("POST", "/target_app", { name: "web", description: "" });
  const reason = "400 targetApps: Unknown target app(s): [new]";
  expect(await refused("POST", "/gates", { id: "one", targetApps: ["web", "new"] })).toBe(reason);
  await must("POST", "/gates", { id: "one", targetApps: ["web"] });
  expect(await refused("PATCH", "/gates/one", { targetApps: ["new"] })).toBe(reason);
  expect(await must("GET", "/gates/one")).toMatchObject({ targetApps: ["web"], version: 1 });
});

test.each([
  [{ unknownTargetApps: "create" }, ["newer"], ["web", "newer"]],
  [{ unknownTargetApps: "ignore" }, [], ["web"]],
] as const)(
  "%j: an unknown app that is said as text leaves the gate %j",
  async (behaviour, targetApps, apps) => {
    const { must, list } = await open(behaviour);
    await must("POST", "/target_app", { name: "web", description: "" });
    await must("POST", "/gates", { id: "one", targetApps: "web" });
    expect(await must("PATCH", "/gates/one", { targetApps: "newer" })).toMatchObject({ targetApps });
    expect((await list("/target_app")).map(({ name }) => name)).toEqual(apps);
  },
);

test("unknownTags=refuse: a 400 names them; the star of a core tag is no part of its name", async () => {
  const { must, refused } = await open({ unknownTags: "refuse" });
  await must("POST", "/tags", { name: "shop", description: "" });
  const unknown = { id: "one", tags: ["shop", "new"] };
  expect(await refused("POST", "/gates", unknown)).toBe("400 tags: Unknown tag(s): [new]");
  await must("POST", "/gates", { id: "one", tags: ["★ shop"] });
});

test("deleteSegmentInUse=refuse: a segment stays while a gate, a config or a segment asks it", async () => {
  const { must, refused } = await open({ deleteSegmentInUse: "refuse" });
  await must("POST", "/segments", { name: "staff", type: "id_list" });
  const rules = [passes("segment", "staff")];
  await must("POST", "/gates", { id: "one", rules });
  await must("POST", "/dynamic_configs", { name: "two", rules });
  await must("POST", "/segments", { name: "three", type: "rule_based", rules });
  const users = "400 The segment is in use by gate one, dynamicConfig two, segment three";
  expect(await refused("DELETE", "/segments/staff")).toBe(users);
  await must("PUT", "/gates/one/archive", {});
  await must("DELETE", "/dynamic_configs/two");
  expect(await refused("DELETE", "/segments/staff")).toMatch(/^400 /);
  await must("POST", "/segments/three/conditional", []);
  await must("DELETE", "/segments/staff");
});

test("[L2] holdoutUnitTypes=refuse: a 400 names the gates of another unit type, and none joins", async () => {
  const { must, refused } = await open({ holdoutUnitTypes: "refuse" });
  await must("POST", "/gates", { id: "by_user" });
  await must("POST", "/gates", { id: "by_device", idType: "stableID" });
  await must("POST", "/holdouts", { name: "held" });
  const both = { gateIDs: ["by_user", "by_device"] };
  const reason = "400 gateIDs: The following IDs have another unit type than userID: [by_device]";
  expect(await refused("PATCH", "/holdouts/held", both)).toBe(reason);
  expect(await must("GET", "/holdouts/held")).toMatchObject({ gateIDs: [] });
});

test.each(["absent", "stored"] as const)(
  "emptyObjects=%s: no owner at all is the key",
  async (emptyObjects) => {
    const { must } = await open({ emptyObjects });
    const path = "/dynamic_configs/one";
    const key = { ownerType: "SDK_KEY", ownerName: "CONSOLE API", ownerEmail: "" };
    await must("POST", "/dynamic_configs", { name: "one", owner: { ownerID: "", ownerType: null } });
    expect((await must("GET", path)).owner).toEqual(key);
    const person = { ownerID: "user-1", ownerType: "USER" };
    for (const owner of [person, {}]) await must("PATCH", path, { owner });
    expect((await must("GET", path)).owner).toEqual(person);
  },
);

test.each([
  [{ emptyObjects: "absent" }, { metricSourceName: "orders" }],
  [{ emptyObjects: "stored" }, {}],
] as const)("%j: a change to an object without a value leaves %j", async (behaviour, expected) => {
  const { must } = await open(behaviour);
  const warehouseNative = { metricSourceName: "orders" };
  const { id } = await must("POST", "/metrics", { name: "orders", type: "user_warehouse", warehouseNative });
  await must("POST", `/metrics/${id}`, { warehouseNative: {} });
  expect((await must("GET", `/metrics/${id}`)).warehouseNative).toEqual(expected);
});

test.each([
  [{ filledDefaults: "stored" }, {}],
  [{ filledDefaults: "all" }, { metricBakeDays: 0, loadingWindow: 90 }],
] as const)("%j: inside an object reads show %j of its defaults", async (behaviour, expected) => {
  const { must } = await open(behaviour);
  const body = { name: "native", type: "user_warehouse", warehouseNative: { aggregation: "sum" } };
  const { metricBakeDays, loadingWindow } = (await must("POST", "/metrics", body))
    .warehouseNative as JsonObject;
  expect(JSON.parse(JSON.stringify({ metricBakeDays, loadingWindow }))).toEqual(expected);
});

test("[L4] largeIdLists=refuse: the id after 10,000 is a 400, and ids that are there count once", async () => {
  const idsFrom = (first: number, length: number) => ({
    ids: Array.from({ length }, (_, at) => `user-${first + at}`),
  });
  const { ask, must } = await open({ largeIdLists: "refuse" });
  await must("POST", "/segments", { name: "vip", type: "id_list" });
  for (const [first, length, status] of [
    [0, 10_000, 200],
    [0, 10, 200],
    [9_999, 2, 400],
  ] as const)
    expect((await ask("PATCH", "/segments/vip/id_list", idsFrom(first, length))).status).toBe(status);
  expect(await must("GET", "/segments/vip")).toMatchObject({ count: 10_000 });
  await must("POST", "/segments/vip/id_list/reset", idsFrom(0, 9_000));
  expect(await must("GET", "/segments/vip")).toMatchObject({ count: 9_000 });
});

test("absentOverrides=missing: a gate without overrides answers 404, also after it has had some", async () => {
  const path = "/gates/one/overrides";
  const lists = { passingUserIDs: ["u1"], failingUserIDs: [] };
  const { must, refused } = await open({ absentOverrides: "missing" });
  await must("POST", "/gates", { id: "one" });
  for (const passingUserIDs of [["u1"], []]) await must("POST", path, { ...lists, passingUserIDs });
  expect(await refused("GET", path)).toMatch(/^404 /);
});
