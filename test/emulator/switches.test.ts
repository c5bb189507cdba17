import { describe, expect, test } from "@jest/globals";
import { createEmulator, type EmulatorOptions } from "../../src/emulator";
import { completeSwitches } from "../../src/emulator/console/rules/switches";
import type { JsonObject } from "../../src/provider/schema/json";
import { finding } from "./desk";
import { desksOfTests } from "./test-desk";

type Answers = NonNullable<EmulatorOptions["behaviour"]>;

const openDesk = desksOfTests();
const open = (behaviour: Answers, options: EmulatorOptions = {}) => openDesk({ ...options, behaviour });

/** A rule whose one condition has these members. */
const asking = (condition: JsonObject, rest: JsonObject = {}): JsonObject => ({
  ...{ name: "r", passPercentage: 100 },
  ...{ conditions: [condition], ...rest },
});
const passes = (kind: string, ...ids: string[]) => asking({ type: `passes_${kind}`, targetValue: ids });

/** A pipeline of one phase with these rules. */
const pipeline = (rules: JsonObject[]) => ({
  name: "pipe",
  phases: [{ name: "p", timeIntervalMs: 0, requiredReview: false, rules }],
});

test("a console that is told nothing is the mildest", () => {
  expect(completeSwitches({})).toMatchObject({
    ...{ unknownReferences: "accept", unknownEnvironments: "accept", unknownTargetApps: "accept" },
    ...{ deleteLayerUnderArchived: "accept", deleteSegmentInUse: "accept", unknownTags: "create" },
    ...{ requiredReviews: "apply", suddenRises: "accept", templateWrites: "accept", templateTypes: "said" },
  });
});

describe("unknownReferences", () => {
  const unknown = (property: string, kind: string, ids: string) => ({
    ...{ status: 404, message: "Not Found Exception" },
    errors: [{ property, errorMessage: `The following ${kind} IDs could not be found: [${ids}]` }],
  });

  test("accept: whatever a condition asks is taken", async () => {
    const desk = await open({ unknownReferences: "accept" });
    const rules = [passes("segment", "none")];
    await desk.must("POST", "/gates", { id: "one", rules });
    await desk.must("POST", "/segments", { name: "two", type: "rule_based", rules });
  });

  test("refuse: a gate where a segment is meant, and what is not there, is a 404 that names it and its place", async () => {
    const desk = await open({ unknownReferences: "refuse" });
    await desk.must("POST", "/gates", { id: "other" });
    await desk.must("POST", "/segments", { name: "staff", type: "rule_based" });
    const place = "rules.0.conditions.0.targetValue";
    const rules = [passes("segment", "none", "other", "staff")];
    const refused = unknown(place, "Segment", "none, other");
    for (const path of ["/gates", "/dynamic_configs"])
      expect((await desk.ask("POST", path, { id: "one", name: "one", rules })).body).toEqual(refused);
    expect((await desk.ask("POST", "/segments/staff/conditional", rules)).body).toEqual(refused);
    expect((await desk.ask("POST", "/gates/other/rule", rules[0])).body).toEqual(refused);
    expect((await desk.ask("PATCH", "/gates/other", { rules: [passes("gate", "staff")] })).body).toEqual(
      unknown(place, "Gate", "staff"),
    );
    expect((await desk.ask("POST", "/release_pipelines", pipeline(rules))).body).toEqual(
      unknown(`phases.0.${place}`, "Segment", "none, other"),
    );
    expect((await desk.ask("GET", "/gates/one")).status).toBe(404);
    await desk.must("PATCH", "/gates/other", { rules: [passes("segment", "staff")] });
    await desk.must("DELETE", "/segments/staff");
    // A write that says no rules is no occasion to look at them.
    await desk.must("PATCH", "/gates/other", { description: "new" });
  });

  test("refuse: a seed may name what comes after it", async () => {
    const gates = [{ id: "one", rules: [passes("gate", "two")] }, { id: "two" }];
    const desk = await open({ unknownReferences: "refuse" }, { seed: { gates } });
    expect(await desk.list("/gates")).toHaveLength(2);
  });
});

describe("unknownEnvironments", () => {
  const limited = (...environments: string[]) => asking({ type: "public" }, { environments });
  const tier = (name: string) => asking({ type: "environment_tier", operator: "any", targetValue: [name] });

  test("accept: any name is taken", async () => {
    const desk = await open({ unknownEnvironments: "accept" });
    await desk.must("POST", "/gates", { id: "one", rules: [limited("prodction")] });
    await desk.must("PATCH", "/gates/one", { rules: [tier("prodction")] });
  });

  test("refuse: only the names of the project, as they are now", async () => {
    const desk = await open({ unknownEnvironments: "refuse" });
    const rules = [limited("staging", "prodction")];
    for (const [path, body, property] of [
      ["/gates", { id: "one", rules }, "rules.0.environments"],
      ["/gates", { id: "one", rules: [tier("prodction")] }, "rules.0.conditions.0.targetValue"],
      ["/release_pipelines", pipeline(rules), "phases.0.rules.0.environments"],
    ] as const) {
      const { body: answer } = await desk.ask("POST", path, body);
      expect(answer).toEqual(finding(property, "Unknown environment(s): [prodction]"));
    }
    const known = [limited("staging"), { ...tier("production"), name: "t" }];
    await desk.must("POST", "/gates", { id: "one", rules: known });
    const flags = { isProduction: true, requiresReview: false, requiresReleasePipeline: false };
    await desk.must("POST", "/environments", { environments: [{ name: "prodction", ...flags }] });
    await desk.must("POST", "/gates", { id: "two", rules: [limited("prodction")] });
    expect((await desk.ask("PATCH", "/gates/one", { rules: [limited("staging")] })).status).toBe(400);
  });
});

describe("unknownTargetApps", () => {
  const known = async (unknownTargetApps: Answers["unknownTargetApps"] & string) => {
    const desk = await open({ unknownTargetApps });
    await desk.must("POST", "/target_app", { name: "web", description: "" });
    return desk;
  };

  test.each([
    ["accept", "kept as they are said, and none is made", ["web", "new"], ["newer"], ["web"]],
    ["create", "made", ["web", "new"], ["newer"], ["web", "new", "newer"]],
    ["ignore", "left out of what is kept", ["web"], [], ["web"]],
  ] as const)("%s: they are %s", async (answer, _, made, changed, apps) => {
    const desk = await known(answer);
    const gate = await desk.must("POST", "/gates", { id: "one", targetApps: ["web", "new"] });
    expect(gate.targetApps).toEqual(made);
    const after = await desk.must("PATCH", "/gates/one", { targetApps: "newer" });
    expect(after.targetApps).toEqual(changed);
    expect((await desk.list("/target_app")).map(({ name }) => name)).toEqual(apps);
  });

  test("refuse: a 400 that names them", async () => {
    const desk = await known("refuse");
    const refused = finding("targetApps", "Unknown target app(s): [new]");
    const made = await desk.ask("POST", "/gates", { id: "one", targetApps: ["web", "new"] });
    expect(made.body).toEqual(refused);
    await desk.must("POST", "/gates", { id: "one", targetApps: ["web"] });
    expect((await desk.ask("PATCH", "/gates/one", { targetApps: ["new"] })).body).toEqual(refused);
    expect(await desk.must("GET", "/gates/one")).toMatchObject({ targetApps: ["web"], version: 1 });
  });
});

test.each([
  ["accept", undefined],
  ["refuse", "Layer cannot be deleted with experiments still on it"],
] as const)("deleteLayerUnderArchived=%s: one with archived experiments: %s", async (answer, message) => {
  const desk = await open({ deleteLayerUnderArchived: answer });
  for (const name of ["area", "other"]) await desk.must("POST", "/layers", { name, idType: "userID" });
  await desk.must("POST", "/experiments", { name: "old", layerID: "area" });
  await desk.must("PUT", "/experiments/old/archive", {});
  await desk.must("DELETE", "/layers/other");
  const { status, body } = await desk.ask("DELETE", "/layers/area");
  if (message === undefined) return void expect(status).toBe(200);
  expect(body).toEqual({ status: 400, message });
  await desk.must("DELETE", "/experiments/old");
  await desk.must("DELETE", "/layers/area");
});

describe("deleteSegmentInUse", () => {
  const inUse = async (behaviour: Answers) => {
    const desk = await open(behaviour);
    await desk.must("POST", "/segments", { name: "staff", type: "id_list" });
    await desk.must("POST", "/gates", { id: "one", rules: [passes("segment", "staff")] });
    return desk;
  };

  test("accept: it goes", async () => {
    const desk = await inUse({ deleteSegmentInUse: "accept" });
    await desk.must("DELETE", "/segments/staff");
  });

  test("refuse: it stays while a gate, a config or a segment asks it", async () => {
    const desk = await inUse({ deleteSegmentInUse: "refuse" });
    const rules = [passes("segment", "staff")];
    await desk.must("POST", "/dynamic_configs", { name: "two", rules });
    await desk.must("POST", "/segments", { name: "three", type: "rule_based", rules });
    const message = "The segment is in use by gate one, dynamicConfig two, segment three";
    expect((await desk.ask("DELETE", "/segments/staff")).body).toEqual({ status: 400, message });
    await desk.must("PUT", "/gates/one/archive", {});
    await desk.must("DELETE", "/dynamic_configs/two");
    expect((await desk.ask("DELETE", "/segments/staff")).status).toBe(400);
    await desk.must("POST", "/segments/three/conditional", []);
    await desk.must("DELETE", "/segments/staff");
  });
});

describe("unknownTags", () => {
  const known = async (unknownTags: Answers["unknownTags"] & string) => {
    const desk = await open({ unknownTags });
    await desk.must("POST", "/tags", { name: "shop", description: "" });
    return desk;
  };

  test.each([
    ["create", "made", ["shop", "new"]],
    ["ignore", "left out of what is kept", ["shop"]],
  ] as const)("%s: they are %s", async (answer, _, tags) => {
    const desk = await known(answer);
    const gate = await desk.must("POST", "/gates", { id: "one", tags: ["shop", "new"] });
    expect(gate.tags).toEqual(tags);
    expect((await desk.list("/tags")).map(({ name }) => name)).toEqual(tags);
  });

  test("refuse: a 400 that names them", async () => {
    const desk = await known("refuse");
    const { body } = await desk.ask("POST", "/gates", { id: "one", tags: ["shop", "new"] });
    expect(body).toEqual(finding("tags", "Unknown tag(s): [new]"));
    await desk.must("POST", "/gates", { id: "one", tags: ["★ shop"] });
  });
});

test.each([
  ["accept", 201],
  ["refuse", 400],
] as const)("unusualOperators=%s: an operator of another type is %d", async (unusualOperators, status) => {
  const desk = await open({ unusualOperators });
  const rules = [asking({ type: "country", operator: "gt", targetValue: ["CH"] })];
  expect((await desk.ask("POST", "/gates", { id: "one", rules })).status).toBe(status);
  const usual = [asking({ type: "environment_tier", targetValue: [] })];
  await desk.must("POST", "/gates", { id: "two", rules: usual });
});

describe("an object without a value in a body", () => {
  const key = { ownerType: "SDK_KEY", ownerName: "CONSOLE API", ownerEmail: "" };

  test.each(["absent", "stored"] as const)(
    "emptyObjects=%s: no owner at all is the key",
    async (emptyObjects) => {
      const desk = await open({ emptyObjects });
      for (const [id, owner] of Object.entries({ one: {}, two: { ownerID: "", ownerType: null } })) {
        await desk.must("POST", "/dynamic_configs", { id, name: id, owner });
        expect((await desk.must("GET", `/dynamic_configs/${id}`)).owner).toEqual(key);
      }
      const person = { ownerID: "user-1", ownerType: "USER" };
      await desk.must("PATCH", "/dynamic_configs/one", { owner: person });
      await desk.must("PATCH", "/dynamic_configs/one", { owner: {} });
      expect((await desk.must("GET", "/dynamic_configs/one")).owner).toEqual(person);
    },
  );

  test.each([
    ["absent", { metricSourceName: "orders" }],
    ["stored", {}],
  ] as const)("emptyObjects=%s: a change leaves %j", async (emptyObjects, expected) => {
    const desk = await open({ emptyObjects });
    const metric = {
      name: "orders",
      type: "user_warehouse",
      warehouseNative: { metricSourceName: "orders" },
    };
    const { id } = await desk.must("POST", "/metrics", metric);
    await desk.must("POST", `/metrics/${id}`, { warehouseNative: {} });
    expect((await desk.must("GET", `/metrics/${id}`)).warehouseNative).toEqual(expected);
    await desk.must("POST", "/dynamic_configs", { id: "one", name: "one", defaultValue: {} });
    expect((await desk.must("GET", "/dynamic_configs/one")).defaultValue).toEqual({});
  });
});

test.each([
  ["replace", ["b"]],
  ["append", ["a", "b"]],
] as const)("holdoutMembers=%s: a partial update leaves %j", async (holdoutMembers, gateIDs) => {
  const desk = await open({ holdoutMembers }, { seed: { gates: [{ id: "a" }, { id: "b" }] } });
  await desk.must("POST", "/holdouts", { name: "hold" });
  await desk.must("PATCH", "/holdouts/hold", { gateIDs: ["a"] });
  expect(await desk.must("PATCH", "/holdouts/hold", { gateIDs: ["b"] })).toMatchObject({ gateIDs });
});

test.each([
  ["own", /^gate$/],
  ["internal", /^internal-/],
] as const)("holdoutGateIds=%s: a holdout's gate reads %s", async (holdoutGateIds, shown) => {
  const desk = await open({ holdoutGateIds });
  await desk.must("POST", "/gates", { id: "gate" });
  await desk.must("POST", "/holdouts", { name: "hold" });
  const { targetingGateID } = await desk.must("PATCH", "/holdouts/hold", { targetingGateID: "gate" });
  expect(targetingGateID).toMatch(shown);
});

test.each([
  ["keep", "Disabled"],
  ["apply", "Enabled"],
] as const)("partialDefaults=%s: a config that is off and updated is %s", async (partialDefaults, status) => {
  const desk = await open({ partialDefaults });
  await desk.must("POST", "/dynamic_configs", { name: "one", isEnabled: false });
  expect(await desk.must("PATCH", "/dynamic_configs/one", { description: "new" })).toMatchObject({ status });
});

test.each([
  ["sent", ["CH"], "a"],
  ["scalar", "CH", "a"],
  ["list", ["CH"], ["a"]],
] as const)("singleTargets=%s: target values read %j and %j", async (singleTargets, country, segment) => {
  const desk = await open({ singleTargets });
  const conditions = [
    { type: "country", operator: "any", targetValue: ["CH"] },
    { type: "passes_segment", targetValue: "a" },
  ];
  await desk.must("POST", "/gates", { id: "one", rules: [{ name: "r", passPercentage: 1, conditions }] });
  expect((await desk.must("GET", "/gates/one")).rules).toMatchObject([
    { conditions: [{ targetValue: country }, { targetValue: segment }] },
  ]);
});

test.each([
  ["stored", { description: "", team: null }],
  ["absent", {}],
  ["null", { description: null, team: null }],
  ["text", { description: "", team: "" }],
] as const)("emptyMembers=%s: text without a value reads %j", async (emptyMembers, shown) => {
  const desk = await open({ emptyMembers });
  await desk.must("POST", "/gates", { id: "one" });
  const { description, team } = await desk.must("GET", "/gates/one");
  expect(JSON.parse(JSON.stringify({ description, team }))).toEqual(shown);
});

test.each([
  ["stored", { idType: "userID" }, {}],
  ["all", { idType: "userID" }, { metricBakeDays: 0, loadingWindow: 90 }],
  ["none", {}, {}],
] as const)(
  "filledDefaults=%s: of a default reads show %j, inside %j",
  async (filledDefaults, shown, native) => {
    const desk = await open({ filledDefaults });
    await desk.must("POST", "/gates", { id: "one" });
    const { idType } = await desk.must("GET", "/gates/one");
    expect(JSON.parse(JSON.stringify({ idType }))).toEqual(shown);
    const body = { name: "native", type: "user_warehouse", warehouseNative: { aggregation: "sum" } };
    const { warehouseNative } = await desk.must("POST", "/metrics", body);
    const { metricBakeDays, loadingWindow } = warehouseNative as JsonObject;
    expect(JSON.parse(JSON.stringify({ metricBakeDays, loadingWindow }))).toEqual(native);
  },
);

test.each([
  ["all", true],
  ["fewer", false],
] as const)("listedMembers=%s: a list shows rules: %s", async (listedMembers, isShown) => {
  const desk = await open({ listedMembers });
  await desk.must("POST", "/gates", { id: "one", rules: [asking({ type: "public" })] });
  const [listed] = await desk.list("/gates");
  expect(listed?.rules !== undefined).toBe(isShown);
  expect((await desk.must("GET", "/gates/one")).rules).toHaveLength(1);
});

test.each([
  [{ unknownThings: "accept" }, /^behaviour\.unknownThings: there is none; there are unknownReferences, /],
  [{ unknownReferences: "refused" }, /^behaviour\.unknownReferences: takes accept or refuse, not "refused"$/],
])("%j is refused with the choices", (behaviour, message) => {
  expect(() => createEmulator({ behaviour: behaviour as Answers })).toThrow(message);
});

test.each([
  ["accept", undefined, ["by_user", "by_device"]],
  ["refuse", "The following IDs have another unit type than userID: [by_device]", ["by_user"]],
] as const)(
  "[L2] holdoutUnitTypes=%s: a gate of another unit type joins: %s",
  async (answer, text, gateIDs) => {
    const desk = await open({ holdoutUnitTypes: answer });
    await desk.must("POST", "/gates", { id: "by_user" });
    await desk.must("POST", "/gates", { id: "by_device", idType: "stableID" });
    await desk.must("POST", "/holdouts", { name: "held" });
    await desk.must("PATCH", "/holdouts/held", { gateIDs: ["by_user"] });
    const { body } = await desk.ask("PATCH", "/holdouts/held", { gateIDs: ["by_user", "by_device"] });
    if (text !== undefined) expect(body).toEqual(finding("gateIDs", text));
    expect(await desk.must("GET", "/holdouts/held")).toMatchObject({ gateIDs });
  },
);

describe("largeIdLists", () => {
  const idsFrom = (first: number, count: number) => ({
    ids: Array.from({ length: count }, (_, at) => `user-${first + at}`),
  });

  test.each([
    ["accept", 200, 10_001],
    ["refuse", 400, 10_000],
  ] as const)("[L4] %s: the id after 10,000 is a %i", async (value, status, count) => {
    const desk = await open({ largeIdLists: value });
    await desk.must("POST", "/segments", { id: "vip", name: "vip", type: "id_list" });
    await desk.must("PATCH", "/segments/vip/id_list", idsFrom(0, 10_000));
    // Ids that are there already count once.
    await desk.must("PATCH", "/segments/vip/id_list", idsFrom(0, 10));
    const over = await desk.ask("PATCH", "/segments/vip/id_list", idsFrom(9_999, 2));
    expect(over.status).toBe(status);
    expect(await desk.must("GET", "/segments/vip")).toMatchObject({ count });
    await desk.must("POST", "/segments/vip/id_list/reset", idsFrom(0, 9_000));
    expect(await desk.must("GET", "/segments/vip")).toMatchObject({ count: 9_000 });
  });
});

test.each([
  ["empty", 201],
  ["missing", 404],
] as const)(
  "absentOverrides=%s: overrides of a gate without any are a %i, also after it has had some",
  async (absentOverrides, status) => {
    const lists = { passingUserIDs: ["u1"], failingUserIDs: [] };
    const desk = await open({ absentOverrides });
    await desk.must("POST", "/gates", { id: "one" });
    expect((await desk.ask("GET", "/gates/one/overrides")).status).toBe(status);
    await desk.must("POST", "/gates/one/overrides", lists);
    expect(await desk.must("GET", "/gates/one/overrides")).toMatchObject(lists);
    await desk.must("POST", "/gates/one/overrides", { ...lists, passingUserIDs: [] });
    expect((await desk.ask("GET", "/gates/one/overrides")).status).toBe(status);
  },
);
