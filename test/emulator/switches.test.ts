import { afterEach, describe, expect, test } from "@jest/globals";
import { createEmulator, type EmulatorOptions } from "../../src/emulator";
import type { JsonObject } from "../../src/provider/schema/json";
import { type Desk, finding, openDesk } from "./desk";

let desk: Desk;
afterEach(() => desk?.close());

const open = async (behaviour: EmulatorOptions["behaviour"], options: EmulatorOptions = {}) => {
  desk = await openDesk({ ...options, ...(behaviour === undefined ? {} : { behaviour }) });
};

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

const statusOf = async (...request: Parameters<Desk["ask"]>) => (await desk.ask(...request)).status;

describe("unknownReferences", () => {
  const unknown = (property: string, kind: string, ids: string) => ({
    ...{ status: 404, message: "Not Found Exception" },
    errors: [{ property, errorMessage: `The following ${kind} IDs could not be found: [${ids}]` }],
  });

  test.each([undefined, "accept"] as const)("%s: whatever a condition asks is taken", async (value) => {
    await open(value && { unknownReferences: value });
    await desk.must("POST", "/gates", { id: "other" });
    await desk.must("POST", "/gates", { id: "one", rules: [passes("segment", "none", "other")] });
    await desk.must("POST", "/segments", {
      name: "two",
      type: "rule_based",
      rules: [passes("segment", "none")],
    });
  });

  test("refuse: a gate where a segment is meant, and what is not there, is a 404 that names it and its place", async () => {
    await open({ unknownReferences: "refuse" });
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
    expect(await statusOf("GET", "/gates/one")).toBe(404);
    await desk.must("PATCH", "/gates/other", { rules: [passes("segment", "staff")] });
    await desk.must("DELETE", "/segments/staff");
    // A write that says no rules is no occasion to look at them.
    await desk.must("PATCH", "/gates/other", { description: "new" });
  });

  test("refuse: a seed may name what comes after it", async () => {
    await open(
      { unknownReferences: "refuse" },
      { seed: { gates: [{ id: "one", rules: [passes("gate", "two")] }, { id: "two" }] } },
    );
    expect(await desk.list("/gates")).toHaveLength(2);
  });
});

describe("unknownEnvironments", () => {
  const limited = (...environments: string[]) => asking({ type: "public" }, { environments });
  const tier = (name: string) => asking({ type: "environment_tier", operator: "any", targetValue: [name] });

  test.each([undefined, "accept"] as const)("%s: any name is taken", async (value) => {
    await open(value && { unknownEnvironments: value });
    await desk.must("POST", "/gates", { id: "one", rules: [limited("prodction")] });
    await desk.must("PATCH", "/gates/one", { rules: [tier("prodction")] });
  });

  test("refuse: only the names of the project, as they are now", async () => {
    await open({ unknownEnvironments: "refuse" });
    const rules = [limited("staging", "prodction")];
    const text = "Unknown environment(s): [prodction]";
    expect((await desk.ask("POST", "/gates", { id: "one", rules })).body).toEqual(
      finding("rules.0.environments", text),
    );
    expect((await desk.ask("POST", "/gates", { id: "one", rules: [tier("prodction")] })).body).toEqual(
      finding("rules.0.conditions.0.targetValue", text),
    );
    expect((await desk.ask("POST", "/release_pipelines", pipeline(rules))).body).toEqual(
      finding("phases.0.rules.0.environments", text),
    );
    await desk.must("POST", "/gates", {
      id: "one",
      rules: [limited("staging"), { ...tier("production"), name: "t" }],
    });
    const flags = { isProduction: true, requiresReview: false, requiresReleasePipeline: false };
    await desk.must("POST", "/environments", { environments: [{ name: "prodction", ...flags }] });
    await desk.must("POST", "/gates", { id: "two", rules: [limited("prodction")] });
    expect(await statusOf("PATCH", "/gates/one", { rules: [limited("staging")] })).toBe(400);
  });
});

describe("unknownTargetApps", () => {
  const known = async (behaviour: EmulatorOptions["behaviour"]) => {
    await open(behaviour);
    await desk.must("POST", "/target_app", { name: "web", description: "" });
  };
  const apps = async () => (await desk.list("/target_app")).map(({ name }) => name);

  test.each([undefined, "accept"] as const)("%s: kept as they are said, and none is made", async (value) => {
    await known(value && { unknownTargetApps: value });
    expect(await desk.must("POST", "/gates", { id: "one", targetApps: ["web", "new"] })).toMatchObject({
      targetApps: ["web", "new"],
    });
    expect(await apps()).toEqual(["web"]);
  });

  test("create: they are made", async () => {
    await known({ unknownTargetApps: "create" });
    expect(await desk.must("POST", "/gates", { id: "one", targetApps: ["web", "new"] })).toMatchObject({
      targetApps: ["web", "new"],
    });
    await desk.must("PATCH", "/gates/one", { targetApps: ["new", "newer"] });
    expect(await apps()).toEqual(["web", "new", "newer"]);
  });

  test("ignore: they are left out of what is kept", async () => {
    await known({ unknownTargetApps: "ignore" });
    const made = await desk.must("POST", "/gates", { id: "one", targetApps: ["web", "new"] });
    expect(made).toMatchObject({ targetApps: ["web"] });
    expect(await desk.must("PATCH", "/gates/one", { targetApps: "new" })).toMatchObject({ targetApps: [] });
    expect(await apps()).toEqual(["web"]);
  });

  test("refuse: a 400 that names them", async () => {
    await known({ unknownTargetApps: "refuse" });
    const refused = finding("targetApps", "Unknown target app(s): [new]");
    expect((await desk.ask("POST", "/gates", { id: "one", targetApps: ["web", "new"] })).body).toEqual(
      refused,
    );
    await desk.must("POST", "/gates", { id: "one", targetApps: ["web"] });
    expect((await desk.ask("PATCH", "/gates/one", { targetApps: ["new"] })).body).toEqual(refused);
    expect(await desk.must("GET", "/gates/one")).toMatchObject({ targetApps: ["web"], version: 1 });
  });
});

describe("deleteLayerUnderArchived", () => {
  const stand = async (behaviour: EmulatorOptions["behaviour"]) => {
    await open(behaviour);
    await desk.must("POST", "/layers", { name: "area", idType: "userID" });
    await desk.must("POST", "/layers", { name: "other", idType: "userID" });
    await desk.must("POST", "/experiments", { name: "old", layerID: "area" });
    await desk.must("PUT", "/experiments/old/archive", {});
  };

  test.each([undefined, "accept"] as const)("%s: it goes", async (value) => {
    await stand(value && { deleteLayerUnderArchived: value });
    await desk.must("DELETE", "/layers/area");
    expect(await statusOf("GET", "/layers/area")).toBe(404);
  });

  test("refuse: it stays until they are deleted; other layers go", async () => {
    await stand({ deleteLayerUnderArchived: "refuse" });
    await desk.must("DELETE", "/layers/other");
    expect((await desk.ask("DELETE", "/layers/area")).body).toEqual({
      status: 400,
      message: "Layer cannot be deleted with experiments still on it",
    });
    await desk.must("DELETE", "/experiments/old");
    await desk.must("DELETE", "/layers/area");
  });
});

describe("deleteSegmentInUse", () => {
  const inUse = async (behaviour: EmulatorOptions["behaviour"]) => {
    await open(behaviour);
    await desk.must("POST", "/segments", { name: "staff", type: "id_list" });
    await desk.must("POST", "/gates", { id: "one", rules: [passes("segment", "staff")] });
  };

  test.each([undefined, "accept"] as const)("%s: it goes", async (value) => {
    await inUse(value && { deleteSegmentInUse: value });
    await desk.must("DELETE", "/segments/staff");
  });

  test("refuse: it stays while a gate, a config or a segment asks it", async () => {
    await inUse({ deleteSegmentInUse: "refuse" });
    const rules = [passes("segment", "staff")];
    await desk.must("POST", "/dynamic_configs", { name: "two", rules });
    await desk.must("POST", "/segments", { name: "three", type: "rule_based", rules });
    expect((await desk.ask("DELETE", "/segments/staff")).body).toEqual({
      ...{ status: 400, message: "The segment is in use by gate one, dynamicConfig two, segment three" },
    });
    await desk.must("PUT", "/gates/one/archive", {});
    await desk.must("DELETE", "/dynamic_configs/two");
    expect(await statusOf("DELETE", "/segments/staff")).toBe(400);
    await desk.must("POST", "/segments/three/conditional", []);
    await desk.must("DELETE", "/segments/staff");
  });
});

describe("unknownTags", () => {
  const tags = async () => (await desk.list("/tags")).map(({ name }) => name);
  const known = async (behaviour: EmulatorOptions["behaviour"]) => {
    await open(behaviour);
    await desk.must("POST", "/tags", { name: "shop", description: "" });
  };

  test.each([undefined, "create"] as const)("%s: they are made", async (value) => {
    await known(value && { unknownTags: value });
    expect(await desk.must("POST", "/gates", { id: "one", tags: ["shop", "new"] })).toMatchObject({
      tags: ["shop", "new"],
    });
    expect(await tags()).toEqual(["shop", "new"]);
  });

  test("ignore: they are left out of what is kept", async () => {
    await known({ unknownTags: "ignore" });
    expect(await desk.must("POST", "/gates", { id: "one", tags: ["shop", "new"] })).toMatchObject({
      tags: ["shop"],
    });
    expect(await tags()).toEqual(["shop"]);
  });

  test("refuse: a 400 that names them", async () => {
    await known({ unknownTags: "refuse" });
    expect((await desk.ask("POST", "/gates", { id: "one", tags: ["shop", "new"] })).body).toEqual(
      finding("tags", "Unknown tag(s): [new]"),
    );
    await desk.must("POST", "/gates", { id: "one", tags: ["★ shop"] });
  });
});

test.each([
  ["accept", 201],
  ["refuse", 400],
] as const)("unusualOperators=%s: an operator of another type is %d", async (unusualOperators, status) => {
  await open({ unusualOperators });
  const rules = [asking({ type: "country", operator: "gt", targetValue: ["CH"] })];
  expect(await statusOf("POST", "/gates", { id: "one", rules })).toBe(status);
  await desk.must("POST", "/gates", {
    id: "two",
    rules: [asking({ type: "environment_tier", targetValue: [] })],
  });
});

describe("an object without a value in a body", () => {
  const key = { ownerType: "SDK_KEY", ownerName: "CONSOLE API", ownerEmail: "" };

  test.each(["absent", "stored"] as const)(
    "emptyObjects=%s: no owner at all is the key",
    async (emptyObjects) => {
      await open({ emptyObjects });
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
    await open({ emptyObjects });
    const { id } = await desk.must("POST", "/metrics", {
      ...{ name: "orders", type: "user_warehouse", warehouseNative: { metricSourceName: "orders" } },
    });
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
  await open(
    { holdoutMembers },
    { seed: { gates: [{ name: "a" }, { name: "b" }].map(({ name }) => ({ id: name, name })) } },
  );
  await desk.must("POST", "/holdouts", { name: "hold" });
  await desk.must("PATCH", "/holdouts/hold", { gateIDs: ["a"] });
  expect(await desk.must("PATCH", "/holdouts/hold", { gateIDs: ["b"] })).toMatchObject({ gateIDs });
});

test.each([
  ["own", /^gate$/],
  ["internal", /^internal-/],
] as const)("holdoutGateIds=%s: a holdout's gate reads %s", async (holdoutGateIds, shown) => {
  await open({ holdoutGateIds });
  await desk.must("POST", "/gates", { id: "gate" });
  await desk.must("POST", "/holdouts", { name: "hold" });
  const { targetingGateID } = await desk.must("PATCH", "/holdouts/hold", { targetingGateID: "gate" });
  expect(targetingGateID).toMatch(shown);
});

test.each([
  ["keep", "Disabled"],
  ["apply", "Enabled"],
] as const)("partialDefaults=%s: a config that is off and updated is %s", async (partialDefaults, status) => {
  await open({ partialDefaults });
  await desk.must("POST", "/dynamic_configs", { name: "one", isEnabled: false });
  expect(await desk.must("PATCH", "/dynamic_configs/one", { description: "new" })).toMatchObject({ status });
});

test.each([
  ["sent", ["CH"], "a"],
  ["scalar", "CH", "a"],
  ["list", ["CH"], ["a"]],
] as const)("singleTargets=%s: target values read %j and %j", async (singleTargets, country, segment) => {
  await open({ singleTargets });
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
  await open({ emptyMembers });
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
    await open({ filledDefaults });
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
  await open({ listedMembers });
  await desk.must("POST", "/gates", { id: "one", rules: [asking({ type: "public" })] });
  const [listed] = await desk.list("/gates");
  expect(listed?.rules !== undefined).toBe(isShown);
  expect((await desk.must("GET", "/gates/one")).rules).toHaveLength(1);
});

test.each([
  [{ unknownThings: "accept" }, /^behaviour\.unknownThings: there is none; there are unknownReferences, /],
  [{ unknownReferences: "refused" }, /^behaviour\.unknownReferences: takes accept or refuse, not "refused"$/],
])("%j is refused with the choices", (behaviour, message) => {
  expect(() => createEmulator({ behaviour: behaviour as NonNullable<EmulatorOptions["behaviour"]> })).toThrow(
    message,
  );
});

describe("holdoutUnitTypes", () => {
  const join = async (value: "accept" | "refuse") => {
    await open({ holdoutUnitTypes: value });
    await desk.must("POST", "/gates", { id: "by_user" });
    await desk.must("POST", "/gates", { id: "by_device", idType: "stableID" });
    await desk.must("POST", "/holdouts", { name: "held" });
    await desk.must("PATCH", "/holdouts/held", { gateIDs: ["by_user"] });
    return desk.ask("PATCH", "/holdouts/held", { gateIDs: ["by_user", "by_device"] });
  };

  test("accept: a gate of another unit type joins", async () => {
    expect((await join("accept")).status).toBe(200);
  });

  test("[L2] refuse: the answer names it, and the holdout keeps its gates", async () => {
    expect((await join("refuse")).body).toEqual(
      finding("gateIDs", "The following IDs have another unit type than userID: [by_device]"),
    );
    expect(await desk.must("GET", "/holdouts/held")).toMatchObject({ gateIDs: ["by_user"] });
  });
});

describe("largeIdLists", () => {
  const idsFrom = (first: number, count: number) => ({
    ids: Array.from({ length: count }, (_, at) => `user-${first + at}`),
  });

  test.each([
    ["accept", 200, 10_001],
    ["refuse", 400, 10_000],
  ] as const)("[L4] %s: the id after 10,000 is a %i", async (value, status, count) => {
    await open({ largeIdLists: value });
    await desk.must("POST", "/segments", { id: "vip", name: "vip", type: "id_list" });
    await desk.must("PATCH", "/segments/vip/id_list", idsFrom(0, 10_000));
    // Ids that are there already count once.
    await desk.must("PATCH", "/segments/vip/id_list", idsFrom(0, 10));
    expect(await statusOf("PATCH", "/segments/vip/id_list", idsFrom(9_999, 2))).toBe(status);
    expect(await desk.must("GET", "/segments/vip")).toMatchObject({ count });
    await desk.must("POST", "/segments/vip/id_list/reset", idsFrom(0, 9_000));
    expect(await desk.must("GET", "/segments/vip")).toMatchObject({ count: 9_000 });
  });
});

describe("absentOverrides", () => {
  const lists = { passingUserIDs: ["u1"], failingUserIDs: [] };
  const none = { passingUserIDs: [], failingUserIDs: [] };

  test.each([
    ["empty", 201],
    ["missing", 404],
  ] as const)(
    "%s: overrides of a gate that has none are a %i, before and after it has some",
    async (value, status) => {
      await open({ absentOverrides: value });
      await desk.must("POST", "/gates", { id: "one" });
      expect(await statusOf("GET", "/gates/one/overrides")).toBe(status);
      await desk.must("POST", "/gates/one/overrides", lists);
      expect(await desk.must("GET", "/gates/one/overrides")).toMatchObject(lists);
      await desk.must("POST", "/gates/one/overrides", none);
      expect(await statusOf("GET", "/gates/one/overrides")).toBe(status);
    },
  );
});
