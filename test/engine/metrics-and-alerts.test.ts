import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { overlay, stateOf } from "../../src/provider/values/managed";
import { mustComeAndGo, mustStayQuiet, quiet } from "../laws/quiet";
import { type Resource, type Subject, startSubject, without } from "../laws/subject";

// A delete that is refused waits, and so does a refresh that finds nothing.
jest.setTimeout(20_000);

let subject: Subject;
afterEach(() => subject?.close());

const staysQuiet = (made: Resource, args: JsonObject) => mustStayQuiet(subject, made, args);
const comesAndGoes = async (definition: ResourceDefinition, more: JsonObject) => {
  subject = await startSubject(definition);
  await mustComeAndGo(subject, more);
};

/** The bodies of writes are not recorded; what was sent shows in how often and where. */
const writes = () => {
  const sent = subject.writes();
  subject.emulator.clearRequests();
  return sent.map(({ kind, route, status }) => `${kind}.${route} ${status}`);
};

describe("an alert", () => {
  const { fullest } = catalog.alert.samples;

  test("is made of what a create takes and completed by one update", async () => {
    subject = await startSubject(catalog.alert);
    const made = await subject.up(fullest);
    const asked = subject.emulator.requests.filter(({ kind }) => kind !== "project");
    expect(asked.map(({ route }) => route)).toEqual(["list", "create", "list", "get", "patch"]);
    expect(writes()).toEqual(["alert.create 201", "alert.patch 200"]);
    expect(made.outputs).toMatchObject({ tags: ["beta", "shop"], priority: "P1", team: "team-1" });
    await subject.up({
      name: "bare",
      message: "m",
      formula: "A",
      teamID: "t",
      definitionMetricsJson: ["{}"],
    });
    expect(writes()).toEqual(["alert.create 201"]);
  });

  test("gets another name in place", async () => {
    subject = await startSubject(catalog.alert);
    const made = await subject.up(fullest);
    const renamed = { ...fullest, name: "Another name" };
    const after = await subject.update(made, renamed);
    expect(after.outputs.name).toBe("Another name");
    expect(await subject.diff(after, renamed)).toEqual({ quiet: true, replaces: [] });
  });

  test("is adopted by the resource's name, and what no read shows is sent", async () => {
    subject = await startSubject(catalog.alert);
    const { id } = await subject.raw.alert.create({ body: { name: "resource" } });
    const wants = { ...without(fullest, "name"), adopt: true };
    const adopted = await subject.up(wants);
    expect(adopted.id).toBe(id);
    expect(await subject.raw.alert.get({ id: adopted.id })).toMatchObject({
      ...{ name: "resource", metricGroupBys: { country: "country" }, team: "team-1" },
    });
  });

  test("sends the definition again when its meaning changes, and not for another text", async () => {
    subject = await startSubject(catalog.alert);
    const made = await subject.up(fullest);
    const spaced = fullest.definitionMetricsJson.map((text) => JSON.stringify(JSON.parse(text), null, 2));
    expect(await subject.diff(made, { ...fullest, definitionMetricsJson: spaced })).toMatchObject({
      quiet: true,
    });
    subject.emulator.clearRequests();
    const after = await subject.update(made, { ...fullest, definitionMetricsJson: ['{"metric": "other"}'] });
    expect(writes()).toEqual(["alert.patch 200"]);
    expect(after.outputs.metrics).toEqual({ 0: { metric: "other" } });
  });

  test.each([null, undefined])("shows %p for no delay, and that is quiet", (evaluationDelayMs) => {
    const wants: JsonObject = { name: "alert", evaluationDelayMs: 0 };
    const live = { ...wants, evaluationDelayMs };
    const state = stateOf(catalog.alert, live, wants);
    expect(overlay(catalog.alert, state, live)).toEqual({ state, inputs: wants });
  });
});

describe("a metric", () => {
  const { smallest } = catalog.metric.samples;

  test("that is protected cannot be destroyed until it is unprotected", async () => {
    subject = await startSubject(catalog.metric);
    const made = await subject.up({ ...smallest, isPermanent: true });
    await expect(subject.destroy(made)).rejects.toThrow("set isPermanent to false first");
    const freed = await subject.update(made, { ...smallest, isPermanent: false });
    await subject.destroy(freed);
    expect(await subject.refresh(freed)).toBeUndefined();
  });

  test("of another type replaces, as another name does", async () => {
    subject = await startSubject(catalog.metric);
    const made = await subject.up(smallest);
    expect(made.id).toBe("smallest metric::sum");
    expect((await subject.diff(made, { ...smallest, type: "mean" })).replaces).toEqual(["type"]);
    const events = { metricEvents: [{ name: "refund" }], onImmutableChange: "replace" };
    expect((await subject.diff(made, { ...smallest, ...events })).replaces).toEqual(["metricEvents"]);
  });

  test("is quiet where the console shows switches that nobody set, and empty members", () => {
    const warehouseNative = { aggregation: "sum", metricSourceName: "purchases", criteria: [] };
    const wants: JsonObject = { ...smallest, warehouseNative };
    const shown = { ...warehouseNative, useLogTransform: false, cap: null, valueColumn: "", components: [] };
    const live = { ...wants, warehouseNative: shown };
    const state = stateOf(catalog.metric, live, wants);
    expect(state.warehouseNative).toEqual(warehouseNative);
    expect(overlay(catalog.metric, state, live).inputs).toEqual(wants);
  });
});

test("a metric source is sent whole whatever changed, without its name", async () => {
  subject = await startSubject(catalog.metricSource);
  const { fullest } = catalog.metricSource.samples;
  const made = await subject.up(fullest);
  subject.emulator.clearRequests();
  const after = await subject.update(made, { ...fullest, description: "new" });
  expect(writes()).toEqual(["metricSource.update 200"]);
  expect(after.outputs).toEqual({ ...made.outputs, description: "new" });
});

describe("a metric source that is not there", () => {
  const { smallest } = catalog.metricSource.samples;
  const answer = (message: string, looks: number, more: JsonObject = {}) =>
    subject.emulator.addFaults([
      // A refresh looks three times before it calls something gone.
      { method: "GET", times: looks, status: 400, body: { status: 400, message, ...more } },
    ]);

  test("is gone whether the console says so with 404 or with 400", async () => {
    subject = await startSubject(catalog.metricSource);
    const made = await subject.up(smallest);
    answer("Metric source not found", 3);
    expect(await subject.refresh(made)).toBeUndefined();
    await subject.destroy(made);
    expect(await subject.refresh(made)).toBeUndefined();
  });

  test("is not taken for gone because of any other 400", async () => {
    subject = await startSubject(catalog.metricSource);
    const made = await subject.up(smallest);
    answer("Something is wrong", 1);
    await expect(subject.refresh(made)).rejects.toThrow("Something is wrong");
    answer("Column not found", 1, { errors: [{ property: "sql", errorMessage: "no column" }] });
    await expect(subject.refresh(made)).rejects.toThrow("no column");
  });
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

test.each(["P0", "P5", "URGENT"])("[A13] an alert's priority %s passes through", (priority) =>
  comesAndGoes(catalog.alert, { priority }),
);

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
