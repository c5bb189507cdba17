import { afterEach, describe, expect, test } from "@jest/globals";
import type { EmulatorOptions } from "../../src/emulator";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { mustStayQuiet, quiet } from "../laws/quiet";
import { type Resource, type Subject, startSubject } from "../laws/subject";

let subject: Subject;
afterEach(() => subject.close());

const gates = [{ name: "gate_a" }, { name: "gate_b" }, { name: "gate_c" }];

const staysQuiet = (made: Resource, args: JsonObject) => mustStayQuiet(subject, made, args);

const writes = () => subject.writes().map(({ method }) => method);

describe.each<NonNullable<EmulatorOptions["behaviour"]>>([
  {},
  { holdoutGateIds: "internal" },
  { holdoutGateIds: "internal", emptyMembers: "text" },
  { holdoutGateIds: "internal", emptyMembers: "null" },
])("a holdout's targeting gate, read under %j", (behaviour) => {
  const withGate = { name: "hold", targetingGateID: "gate_a" };
  const start = async () => {
    subject = await startSubject(catalog.holdout, { behaviour, seed: { gates } });
  };
  const asked = async () =>
    (await subject.raw.gate.get({ id: "gate_a" })) && (await subject.raw.holdout.get({ id: "hold" }));

  test("[R1] is compared by whether there is one; another one is written", async () => {
    await start();
    const made = await staysQuiet(await subject.up(withGate), withGate);
    expect(made.outputs.targetingGateID).toBe("gate_a");
    const other = { ...withGate, targetingGateID: "gate_b" };
    expect((await subject.diff(made, other)).quiet).toBe(false);
    const changed = await staysQuiet(await subject.update(made, other), other);
    expect(changed.outputs.targetingGateID).toBe("gate_b");
  });

  test("[R1] one that was taken away by hand is drift, and put back", async () => {
    await start();
    const made = await subject.up(withGate);
    await subject.raw.holdout.patch({ id: "hold", body: { targetingGateID: "" } });
    const refreshed = (await subject.refresh(made)) ?? made;
    expect((await subject.diff(refreshed, withGate)).quiet).toBe(false);
    await staysQuiet(await subject.update(refreshed, withGate), withGate);
    expect((await asked())?.targetingGateID).toMatch(/./);
  });

  test.each([
    ["left out", {}],
    ["null", { targetingGateID: null }],
    ['""', { targetingGateID: "" }],
  ])('[R2] %s, it is cleared, which "" does and null does not', async (_, rest) => {
    await start();
    const made = await subject.up(withGate);
    const without = { name: "hold", ...rest };
    await staysQuiet(await subject.update(made, without), without);
    expect((await asked())?.targetingGateID || null).toBe(null);
    await subject.raw.holdout.patch({ id: "hold", body: { targetingGateID: "gate_a" } });
    await subject.raw.holdout.patch({ id: "hold", body: { targetingGateID: null } });
    expect((await asked())?.targetingGateID).toMatch(/./);
  });
});

test.each(["replace", "append"] as const)(
  "[R3] members of a holdout change as a set, where a partial update would %s them, and its gate stays",
  async (holdoutMembers) => {
    subject = await startSubject(catalog.holdout, {
      behaviour: { holdoutMembers, holdoutGateIds: "internal" },
      seed: { gates },
    });
    const args = {
      name: "hold",
      gateIDs: ["gate_a", "gate_b"],
      targetingGateID: "gate_c",
      passPercentage: 2,
    };
    const made = await staysQuiet(await subject.up(args), args);
    // What the program does not say is carried along.
    await subject.raw.holdout.patch({ id: "hold", body: { description: "by hand", isEnabled: false } });
    const refreshed = (await subject.refresh(made)) ?? made;
    subject.emulator.clearRequests();
    const fewer = { ...args, gateIDs: ["gate_b", "gate_b"] };
    const after = await staysQuiet(await subject.update(refreshed, fewer), fewer);
    expect(writes()).toEqual(["POST"]);
    expect(after.outputs).toMatchObject({
      description: "by hand",
      isEnabled: false,
      targetingGateID: "gate_c",
    });
    const live = await subject.raw.holdout.get({ id: "hold" });
    expect(new Set(live.gateIDs as string[])).toEqual(new Set(["gate_b"]));
    expect(live.targetingGateID).toMatch(/./);
  },
);

test("[R3] a gate that joined a global holdout by itself stays when other members change", async () => {
  subject = await startSubject(catalog.holdout, {
    seed: { gates, layers: [{ name: "layer_a", idType: "userID" }] },
  });
  const args = { name: "hold", isGlobal: true, gateIDs: ["gate_a"] };
  const made = await subject.up(args);
  await subject.raw.gate.create({ body: { name: "joined" } });
  const changed = { ...args, layerIDs: ["layer_a"] };
  await staysQuiet(await subject.update(made, changed), changed);
  expect(await subject.raw.holdout.get({ id: "hold" })).toMatchObject({
    gateIDs: ["gate_a", "joined"],
    layerIDs: ["layer_a"],
  });
});

test("[R3] ids that a read repeats are a set", async () => {
  subject = await startSubject(catalog.holdout, { behaviour: { holdoutMembers: "append" }, seed: { gates } });
  const args = { name: "hold", gateIDs: ["gate_a", "gate_b"] };
  const made = await subject.up(args);
  await subject.raw.holdout.patch({ id: "hold", body: { gateIDs: ["gate_a"] } });
  expect((await subject.raw.holdout.get({ id: "hold" })).gateIDs).toEqual(["gate_a", "gate_b", "gate_a"]);
  await staysQuiet((await subject.refresh(made)) ?? made, args);
});

test("[R4] what the visual editor copies into the values of groups is no difference, and is not sent there", async () => {
  subject = await startSubject(catalog.experiment);
  const group = (name: string, values: JsonObject) => ({ name, size: 50, parameterValues: values });
  const args = {
    key: "sidecar_experiment",
    isSidecar: true,
    sidecarURLFilters: [{ type: "contains", value: "/shop" }],
    sidecarDisableAutoRun: true,
    sidecarPrerunScript: "start()",
    groups: [group("Control", { a: 1 }), group("Test", { a: 2, sidecarPrerunScript: "another()" })],
  };
  const made = await subject.up(args);
  const read = (await subject.raw.experiment.get({ id: "sidecar_experiment" })).groups as JsonObject[];
  expect(read[1]?.parameterValues).toEqual({
    a: 2,
    sidecarURLFilters: args.sidecarURLFilters,
    sidecarDisableAutoRun: true,
    sidecarPrerunScript: "start()",
    sidecarExperimentName: expect.any(String),
  });
  await staysQuiet(made, args);
  const changed = { ...args, groups: [group("Control", { a: 3 }), group("Test", { a: 2 })] };
  await staysQuiet(await subject.update(made, changed), changed);
});

describe("a layer's parameter whose default an experiment has shipped", () => {
  const parameter = (name: string, rest: JsonObject = {}) => ({ name, type: "string", ...rest });
  const first = {
    name: "shop layer",
    idType: "userID",
    parameters: [parameter("title", { defaultValue: "old" }), parameter("colour", { defaultValue: "red" })],
  };
  const left = { ...first, parameters: [parameter("title"), parameter("colour", { defaultValue: "red" })] };
  const live = async () =>
    ((await subject.raw.layer.get({ id: "shop_layer" })).parameters as JsonObject[]).map(
      ({ defaultValue }) => defaultValue,
    );

  async function ship(): Promise<void> {
    const group = (name: string, title: string) => ({ name, size: 50, parameterValues: { title } });
    const made = await subject.raw.experiment.create({
      body: {
        name: "titles",
        layerID: "shop_layer",
        groups: [group("Control", "old"), group("Test", "new")],
      },
    });
    const test = (made.groups as JsonObject[])[1]?.id;
    await subject.raw.experiment.start({ id: "titles", body: {} });
    await subject.raw.experiment.makeDecision({
      id: "titles",
      body: { id: String(test), decisionReason: "better" },
    });
  }

  test("[R5] is left to the console: the next up does not undo the release", async () => {
    subject = await startSubject(catalog.layer);
    const made = await subject.up(first);
    const released = await subject.update(made, left);
    expect(await live()).toEqual(["old", "red"]);
    await ship();
    expect(await live()).toEqual(["new", "red"]);
    const refreshed = await staysQuiet(released, left);
    const blue = {
      ...left,
      parameters: [parameter("title"), parameter("colour", { defaultValue: "blue" })],
    };
    const after = await subject.update(refreshed, blue);
    expect(await live()).toEqual(["new", "blue"]);
    await staysQuiet(after, blue);
  });

  test("[R5] is left to the console from when the program says it no more, also after the release", async () => {
    subject = await startSubject(catalog.layer);
    const made = await subject.up(first);
    await ship();
    const refreshed = (await subject.refresh(made)) ?? made;
    const released = await subject.update(refreshed, left);
    expect(await live()).toEqual(["new", "red"]);
    await staysQuiet(released, left);
  });

  test("[R5] is drift where the program says it, and a preview shows it", async () => {
    subject = await startSubject(catalog.layer);
    const made = await subject.up(first);
    await ship();
    const refreshed = (await subject.refresh(made)) ?? made;
    expect((await subject.diff(refreshed, first)).quiet).toBe(false);
    // What ignoreChanges makes of the arguments: those of last time at that path.
    const ignoring = { ...first, parameters: refreshed.inputs.parameters };
    expect(await subject.diff(refreshed, ignoring)).toEqual(quiet);
  });

  test("[R5] of a new parameter a preview asks for the value that the console cannot know", async () => {
    subject = await startSubject(catalog.layer);
    const told = subject.definition.warnings?.({}, left) ?? [];
    expect(told).toMatchObject([{ path: ["parameters", 0, "defaultValue"] }]);
  });
});

describe("how a metric is calculated in the warehouse", () => {
  const base = { name: "native", type: "user_warehouse", unitTypes: ["userID"] };
  const source = { metricSourceName: "purchases", valueColumn: "amount" };
  const forms: [string, JsonObject, JsonObject][] = [
    ["the old form", source, { metricSources: [source] }],
    ["the new form", { metricSources: [source] }, source],
  ];
  const live = async () =>
    (await subject.raw.metric.get({ id: "native::user_warehouse" })).warehouseNative as JsonObject;

  test.each(forms)("[R6] said in %s and read in the other, is quiet", async (_, said, read) => {
    subject = await startSubject(catalog.metric, { behaviour: { filledDefaults: "all" } });
    const args = { ...base, warehouseNative: { aggregation: "sum", ...said } };
    const made = await staysQuiet(await subject.up(args), args);
    await subject.raw.metric.update({
      id: made.id,
      body: { warehouseNative: { aggregation: "sum", ...read } },
    });
    const refreshed = (await subject.refresh(made)) ?? made;
    expect(await subject.diff(refreshed, args)).toEqual(quiet);
  });

  test("[R6] is compared as far as the program says it, and the rest goes along", async () => {
    subject = await startSubject(catalog.metric, { behaviour: { filledDefaults: "all" } });
    const args = { ...base, warehouseNative: { aggregation: "sum", ...source } };
    const made = await subject.up(args);
    const byHand = { loadingWindow: 30, metricBakeDays: 2, rollupTimeWindow: "max", winsorizationHigh: 0.99 };
    await subject.raw.metric.update({
      id: made.id,
      body: { warehouseNative: { ...(await live()), ...byHand } },
    });
    const refreshed = await staysQuiet(made, args);
    const changed = { ...base, warehouseNative: { aggregation: "mean", ...source } };
    await staysQuiet(await subject.update(refreshed, changed), changed);
    expect(await live()).toMatchObject({ aggregation: "mean", ...byHand });
  });

  test("[R6] an event whose type is read as count is no difference", async () => {
    subject = await startSubject(catalog.metric, { behaviour: { filledDefaults: "all" } });
    const args = { name: "counted", type: "event_count_custom", metricEvents: [{ name: "buy" }] };
    const made = await staysQuiet(await subject.up(args), args);
    expect((await subject.raw.metric.get({ id: made.id })).metricEvents).toMatchObject([{ type: "count" }]);
  });
});

test.each([
  ["no value", {}],
  ["variants only", { variants: [{ name: "a", passPercentage: 100, returnValue: { a: 1 } }] }],
  ["{}", { returnValue: {} }],
])("[R7] a rule of a config with %s reads {} or nothing, and is quiet", async (_, members) => {
  const rule = { name: "one", passPercentage: 100, conditions: [{ type: "public" }], ...members };
  const args = { key: "config", rules: [rule] };
  for (const filledDefaults of ["stored", "all", "none"] as const) {
    subject = await startSubject(catalog.dynamicConfig, { behaviour: { filledDefaults } });
    const made = await staysQuiet(await subject.up(args), args);
    const read = (await subject.raw.dynamicConfig.get({ id: made.id })).rules as JsonObject[];
    if (filledDefaults === "all") expect(read[0]?.returnValue).toEqual({});
    if (filledDefaults !== "none") await subject.close();
  }
});

test("[R8] the type of a config is settled after the create, and stale is temporary", async () => {
  const stale = { id: "old_config", name: "old config", type: "STALE" };
  subject = await startSubject(catalog.dynamicConfig, { seed: { dynamic_configs: [stale] } });
  const args = { key: "config", type: "PERMANENT" };
  const made = await subject.up(args);
  expect(writes()).toEqual(["POST", "PATCH"]);
  expect((await subject.raw.dynamicConfig.get({ id: "config" })).type).toBe("PERMANENT");
  await staysQuiet(made, args);
  const temporary = {
    ...{ key: "old_config", name: "old config", type: "TEMPORARY" },
    ...{ adopt: true, __program: { name: "old" } },
  };
  subject.emulator.clearRequests();
  await staysQuiet(await subject.up(temporary), temporary);
  expect(writes()).toEqual([]);
});

describe.each(["keep", "apply"] as const)("where partial updates %s declared defaults", (partialDefaults) => {
  const behaviour = { partialDefaults };

  test.each([
    ["said", { isEnabled: false }],
    ["not said", {}],
  ])("[R9] a config stays off when it changes: %s", async (_, said) => {
    subject = await startSubject(catalog.dynamicConfig, { behaviour });
    const args = { key: "config", ...said };
    const made = await subject.up(args);
    await subject.raw.dynamicConfig.disable({ id: "config" });
    const refreshed = (await subject.refresh(made)) ?? made;
    const changed = { ...args, description: "new" };
    await staysQuiet(await subject.update(refreshed, changed), changed);
    expect(await subject.raw.dynamicConfig.get({ id: "config" })).toMatchObject({
      isEnabled: false,
      status: "Disabled",
      description: "new",
    });
  });

  test.each([
    ["said", { isCore: true }],
    ["not said", {}],
  ])("[R9] a tag stays a core tag: %s", async (_, said) => {
    subject = await startSubject(catalog.tag, { behaviour });
    const args = { name: "tag", description: "", ...said };
    const made = await subject.up(args);
    await subject.raw.tag.patch({ id: "tag", body: { isCore: true } });
    const changed = { ...args, description: "new" };
    await staysQuiet(await subject.update((await subject.refresh(made)) ?? made, changed), changed);
    expect((await subject.raw.tag.get({ id: "tag" })).isCore).toBe(true);
  });

  test.each([
    ["said", { directionality: "decrease" }],
    ["not said", {}],
  ])("[R9] a metric keeps its direction: %s", async (_, said) => {
    subject = await startSubject(catalog.metric, { behaviour });
    const args = { name: "metric", type: "sum", ...said };
    const made = await subject.up(args);
    await subject.raw.metric.update({ id: made.id, body: { directionality: "decrease" } });
    const changed = { ...args, description: "new" };
    await staysQuiet(await subject.update((await subject.refresh(made)) ?? made, changed), changed);
    expect((await subject.raw.metric.get({ id: made.id })).directionality).toBe("decrease");
  });
});
