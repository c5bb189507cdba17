import { afterEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { type Desk, openDesk } from "../emulator/desk";
import { mustStayQuiet, quiet } from "../laws/quiet";
import { type Resource, type Subject, startSubject } from "../laws/subject";

let desk: Desk | undefined;
let subject: Subject;
afterEach(async () => {
  await Promise.all([desk?.close(), subject?.close()]);
  desk = undefined;
});

const staysQuiet = (made: Resource, args: JsonObject) => mustStayQuiet(subject, made, args);

/** The smallest sample with further arguments is made, changed and changed back, and is quiet each time. */
async function comesAndGoes(definition: ResourceDefinition, more: JsonObject): Promise<void> {
  subject = await startSubject(definition);
  const { smallest } = definition.samples;
  const args = { ...smallest, ...more };
  const made = await subject.up(args);
  await staysQuiet(made, args);
  expect(made.outputs).toMatchObject(more);
  await staysQuiet(await subject.update(made, smallest), smallest);
}

const owner = { ownerID: "user-1", ownerType: "USER" };

test("[A1] a parameter of a layer has a schema, which a program that is silent of it does not drop", async () => {
  subject = await startSubject(catalog.layer);
  const parameter = (rest: JsonObject) => ({ name: "limits", type: "object", defaultValue: {}, ...rest });
  const args = (rest: JsonObject) => ({
    name: "shop layer",
    idType: "userID",
    parameters: [parameter(rest)],
  });
  const schema = '{"type": "object"}';
  const made = await subject.up(args({}));
  await subject.raw.layer.patch({
    id: made.id,
    body: { parameters: [parameter({ schema, description: "by hand" })] },
  });
  const refreshed = (await subject.refresh(made)) ?? made;
  await staysQuiet(refreshed, args({}));
  const changed = await subject.update(refreshed, args({ defaultValue: { most: 3 } }));
  const live = async () => (await subject.raw.layer.get({ id: made.id })).parameters;
  expect(await live()).toMatchObject([{ defaultValue: { most: 3 }, schema, description: "by hand" }]);
  const said = args({ schema: '{"type":"object"}' });
  expect(await subject.diff(await subject.update(changed, said), said)).toEqual(quiet);
  const dropped = await subject.update(await subject.update(changed, said), args({}));
  expect(((await live()) as JsonObject[])[0]).not.toHaveProperty("schema");
  await staysQuiet(dropped, args({}));
});

test.each([
  ["a config", catalog.dynamicConfig],
  ["an assignment source", catalog.assignmentSource],
  ["a metric source", catalog.metricSource],
  ["a metric", catalog.metric],
] as const)("[A2] %s has an owner, said in part and kept in part", async (_, definition) => {
  subject = await startSubject(definition);
  const args = { ...definition.samples.smallest, owner };
  const made = await subject.up(args);
  expect(made.outputs.owner).toMatchObject(owner);
  await staysQuiet(made, args);
  const another = { ...args, owner: { ...owner, ownerID: "user-2" } };
  const changed = await subject.update(made, another);
  expect(changed.outputs.owner).toMatchObject({ ownerID: "user-2", ownerType: "USER" });
  await staysQuiet(changed, another);
});

describe("[A3] a metric", () => {
  test.each<[string, JsonObject]>([
    ["of a percentile", { type: "percentile", percentile: 0.001 }],
    ["of the latest value", { type: "latest_value" }],
    ["of a composite", { warehouseNative: { aggregation: "composite" } }],
    [
      "of composites of both",
      { warehouseNative: { numeratorAggregation: "composite", denominatorAggregation: "composite" } },
    ],
    ["with components without a name", { warehouseNative: { components: [{ operator: "+", name: null }] } }],
    ["with a short name", { name: "abc" }],
  ])("%s", async (_, more) => {
    subject = await startSubject(catalog.metric);
    const args = { ...catalog.metric.samples.smallest, ...more };
    await staysQuiet(await subject.up(args), args);
  });

  test("that is reloaded at an hour and on days", () =>
    comesAndGoes(catalog.metric, { scheduledReloadHour: 23, scheduledReloadDays: [0, 6] }));

  test.each([0, 1])("whose percentile is %d is an error", async (percentile) => {
    subject = await startSubject(catalog.metric);
    const problems = await subject.problems({ name: "abc", type: "percentile", percentile });
    expect(problems).toMatchObject([{ property: "percentile" }]);
  });
});

test("[A4] an experiment has the arguments of the visual editor, and of the topline impact", () =>
  comesAndGoes(catalog.experiment, {
    sidecarEditorURL: "https://example.com/edit",
    sidecarURLFilters: [{ type: "contains", value: "/shop" }],
    sidecarPrerunScript: "start()",
    sidecarDisableAutoRun: true,
    autoLoadToplineImpact: true,
  }));

test("[A4] what is only read of a group is not sent", async () => {
  const marks = { isControl: true, shipped: false, images: [{ url: "a" }], foreignGroupIDVerified: true };
  const group = (name: string) => ({ name, size: 50, parameterValues: {} });
  const groups = [
    { ...group("Control"), ...marks, id: "g1" },
    { ...group("Test"), id: "g2" },
  ];
  subject = await startSubject(catalog.experiment, {
    seed: { experiments: [{ id: "marked", name: "marked", groups }] },
  });
  const args = { key: "marked", groups: [group("Control"), group("Test")], adopt: true };
  const made = await subject.up(args);
  expect(made.outputs.groups).toMatchObject([marks, {}]);
  const said = { ...args, groups: [{ ...group("Control"), ...marks }, group("Test")] };
  const reasons = (await subject.problems(said)).map(({ reason }) => reason);
  expect(reasons).toEqual(
    Object.keys(marks).map((member) => `groups[0].${member}: set by the console; leave it out`),
  );
});

test("[A5] a target app is made with layers and param stores", async () => {
  subject = await startSubject(catalog.targetApp);
  await subject.raw.paramStore.create({
    body: { name: "store", description: "", displayName: "Store" },
  });
  const args = {
    ...{ name: "web", description: "", layers: ["app_layer"] },
    parameterStores: ["store"],
  };
  const made = await subject.up(args);
  expect(await subject.raw.layer.get({ id: "app_layer" })).toMatchObject({ targetApps: ["web"] });
  await staysQuiet(made, args);
});

test('[A6] a metric source of a table says no sql, and "" is sent', async () => {
  subject = await startSubject(catalog.metricSource);
  const { sql: _sql, ...rest } = catalog.metricSource.samples.smallest;
  const args = { ...rest, sourceType: "table", tableName: "shop.purchases" };
  const made = await subject.up(args);
  expect(await subject.raw.metricSource.get({ name: made.id })).toMatchObject({ sql: "" });
  const changed = { ...args, description: "new" };
  await staysQuiet(await subject.update(made, changed), changed);
});

test.each(["absent", "null"] as const)(
  "[A6] a metric source of a table is changed where reads show no sql as %s",
  async (emptyMembers) => {
    subject = await startSubject(catalog.metricSource, { behaviour: { emptyMembers } });
    const { sql: _sql, ...rest } = catalog.metricSource.samples.smallest;
    const args = { ...rest, sourceType: "table", tableName: "shop.purchases" };
    const made = await subject.up(args);
    subject.nextRun();
    const changed = { ...args, description: "new" };
    await staysQuiet(await subject.update((await subject.refresh(made)) ?? made, changed), changed);
    expect(await subject.raw.metricSource.get({ name: made.id })).toMatchObject({ description: "new" });
  },
);

test("[A7] the stages of a gradual rollout have members, and there is one at least", async () => {
  subject = await startSubject(catalog.gate);
  const stage = {
    passPercent: 10,
    isComplete: false,
    timeString: "tomorrow",
    phaseDurationMs: 1000,
    time: 5,
  };
  const strategy = (phases: unknown[]) => ({ gradualRolloutStrategy: { type: "gradual", phases } });
  const args = { key: "one", rules: [], ...strategy([stage]) };
  const made = await subject.up(args);
  await staysQuiet(made, args);
  const bad = await subject.problems({ key: "two", ...strategy([]) });
  expect(bad).toMatchObject([{ reason: expect.stringContaining("at least 1") }]);
  const lacking = await subject.problems({ key: "two", ...strategy([{ passPercent: 1 }]) });
  expect(lacking).toMatchObject([{ reason: expect.stringMatching(/phases\[0\]\.isComplete: missing/) }]);
});

test("[A8] a dry run of a config is asked for in the query, of its rules too", async () => {
  desk = await openDesk();
  const rule = { name: "r", passPercentage: 100, conditions: [] };
  await desk.must("POST", "/dynamic_configs?dryRun=true", { name: "one" });
  expect(await desk.list("/dynamic_configs")).toEqual([]);
  const { rules } = await desk.must("POST", "/dynamic_configs", { name: "one", rules: [rule] });
  await desk.must("PATCH", "/dynamic_configs/one?dryRun=true", { description: "new" });
  await desk.must("PATCH", `/dynamic_configs/one/rule/${rules[0]?.id}?dryRun=true`, { passPercentage: 5 });
  expect(await desk.must("GET", "/dynamic_configs/one")).toMatchObject({
    ...{ description: "", version: 1 },
    rules: [{ passPercentage: 100 }],
  });
});

test("[A8] a program that asks for it has each write checked first", async () => {
  subject = await startSubject(catalog.dynamicConfig);
  const args = { key: "config", validate: true, schema: '{"type":"object","required":["a"]}' };
  await expect(subject.up(args)).rejects.toThrow(/Does not satisfy the schema/);
  const good = { ...args, defaultValue: { a: 1 } };
  const made = await subject.up(good);
  subject.emulator.clearRequests();
  await subject.update(made, { ...good, description: "new" });
  const sent = subject.emulator.requests.filter(({ method }) => method === "PATCH");
  expect(sent.map(({ query }) => query.includes("dryRun=true"))).toEqual([true, false]);
});

test("[A9] experiments are listed by whether they are stale, and those of a metric by much more", async () => {
  const metric = { name: "buys", type: "sum" };
  const one = { name: "one one", primaryMetrics: [metric], idType: "stableID", layerID: "shop_layer" };
  desk = await openDesk({
    seed: {
      layers: [{ name: "shop_layer", idType: "stableID" }],
      metrics: [metric],
      experiments: [
        { ...one, isStale: true },
        { name: "two two", primaryMetrics: [metric] },
      ],
    },
  });
  const names = async (path: string) => (await desk?.list(path))?.map(({ name }) => name);
  expect(await names("/experiments?stale=true")).toEqual(["one one"]);
  const of = `/metrics/${encodeURIComponent("buys::sum")}/experiments`;
  expect(await names(of)).toEqual(["one one", "two two"]);
  const day = new Date().toISOString().slice(0, 10);
  for (const query of ["layerID=shop_layer", "idType=stableID", "stale=true"])
    expect([query, await names(`${of}?${query}`)]).toEqual([query, ["one one"]]);
  for (const query of [`createdStartDate=${day}`, `createdEndDate=${day}`, "creatorName=CONSOLE API"])
    expect([query, await names(`${of}?${query}`)]).toEqual([query, ["one one", "two two"]]);
  for (const query of ["teamID=t", "creatorID=c", "targetAppID=a", "createdEndDate=2020-01-01"])
    expect([query, await names(`${of}?${query}`)]).toEqual([query, []]);
});

test("[A10] an override of a layer may hold in one environment", async () => {
  desk = await openDesk({ seed: { layers: [{ name: "shop_layer", idType: "userID" }] } });
  const override = {
    type: "gate",
    name: "g",
    experimentName: "e",
    groupName: "Test",
    environment: "staging",
  };
  const body = { conditionalOverrides: [override], idOverrides: [] };
  await desk.must("POST", "/layers/shop_layer/overrides", body);
  expect(await desk.must("GET", "/layers/shop_layer/overrides")).toEqual(body);
});

test.each([
  ["gates", {}],
  ["dynamic_configs", {}],
  ["segments", { type: "rule_based" }],
  ["experiments", {}],
])("[A11] a review of %s is committed by a route of its own", async (list, more) => {
  desk = await openDesk();
  await desk.must("POST", `/${list}`, { name: "one one", ...more });
  const answer = await desk.ask("PUT", `/${list}/one_one/reviews/r1/commit`, {});
  // None is open here, so it is the review that is not found.
  expect(answer.status).toBe(404);
  const operations = Object.values(catalog).flatMap(({ routes }) => Object.values<{ path: string }>(routes));
  expect(operations.map(({ path }) => path)).toContain(`/${list}/{id}/reviews/{reviewID}/commit`);
});

const metricArgs = (limit: number) => ({
  name: "abc",
  type: "user_warehouse",
  warehouseNative: { metricDimensionLimits: [{ name: "country", limit }] },
});
const priors = (priorStdDev: number) => ({
  bayesianPriors: [{ metric: { name: "m", type: "sum" }, priorMean: 0, priorStdDev }],
});
const durations = ["duration", "targetExposures", "allocationDuration", "cohortedAnalysisDuration"];

test.each<[string, ResourceDefinition, JsonObject, JsonObject]>([
  ...[...durations, "fixedAnalysisDuration"].map(
    (name): [string, ResourceDefinition, JsonObject, JsonObject] => [
      name,
      catalog.experiment,
      { key: "abc", [name]: 2 },
      { key: "abc", [name]: 1 },
    ],
  ),
  ["priorStdDev", catalog.experiment, { key: "abc", ...priors(0.1) }, { key: "abc", ...priors(0) }],
  [
    "userBuckets",
    catalog.experiment,
    { key: "abc", userBuckets: [0, 999] },
    { key: "abc", userBuckets: [1000] },
  ],
  [
    "userBuckets",
    catalog.experiment,
    { key: "abc", userBuckets: [0, 999] },
    { key: "abc", userBuckets: [-1] },
  ],
  ["metricDimensionLimits[].limit", catalog.metric, metricArgs(100), metricArgs(101)],
  ["metricDimensionLimits[].limit", catalog.metric, metricArgs(0), metricArgs(-1)],
])("[A12] %s has limits", async (_, definition, good, bad) => {
  subject = await startSubject(definition);
  expect(await subject.problems(good)).toEqual([]);
  expect(await subject.problems(bad)).toHaveLength(1);
});

test.each(["P0", "P5", "URGENT"])("[A13] an alert's priority %s passes through", (priority) =>
  comesAndGoes(catalog.alert, { priority }),
);
