import { describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { overlay, stateOf } from "../../src/provider/values/managed";
import {
  expectQuiet,
  fault,
  live,
  refreshed,
  sent,
  start,
  staysQuiet,
  subject,
  updated,
} from "../laws/harness";
import { without } from "../laws/subject";
import { samples } from "../samples";

describe("an alert", () => {
  const { fullest } = samples.alert;

  test("is made of what a create takes and completed by one update", async () => {
    await start(catalog.alert);
    const made = await subject.up(fullest);
    const asked = subject.emulator.requests.filter(({ kind }) => kind !== "project");
    expect(asked.map(({ route }) => route)).toEqual(["list", "create", "get", "patch", "list"]);
    expect(made.outputs).toMatchObject({ tags: ["beta", "shop"], priority: "P1", team: "team-1" });
    sent();
    const texts = { name: "bare", message: "m", formula: "A", teamID: "t" };
    await subject.up({ ...texts, definitionMetricsJson: ["{}"] });
    expect(sent()).toEqual(["create"]);
  });

  test("gets another name in place, and sends the definition when its meaning changes, and not for another text", async () => {
    await start(catalog.alert);
    const made = await subject.up(fullest);
    const spaced = fullest.definitionMetricsJson.map((text) => JSON.stringify(JSON.parse(text), null, 2));
    await expectQuiet(made, { ...fullest, definitionMetricsJson: spaced });
    const renamed = { ...fullest, name: "Another name" };
    const after = await subject.update(made, renamed);
    expect(after.outputs.name).toBe("Another name");
    await expectQuiet(after, renamed);
    sent();
    const other = await subject.update(after, { ...renamed, definitionMetricsJson: ['{"metric": "other"}'] });
    expect(sent()).toEqual(["patch"]);
    expect(await live(other.id)).toMatchObject({ metrics: { 0: { metric: "other" } } });
  });

  test("is adopted by the resource's name, and what no read shows is sent", async () => {
    await start(catalog.alert);
    const { id } = await subject.raw.alert.create({ body: { name: "resource" } });
    const adopted = await subject.up({ ...without(fullest, "name"), adopt: true });
    expect(adopted.id).toBe(id);
    expect(await live(adopted.id)).toMatchObject({
      ...{ name: "resource", metricGroupBys: { country: "country" }, team: "team-1" },
    });
  });

  test.each([null, undefined])("shows %p for no delay, and that is quiet", (evaluationDelayMs) => {
    const program: JsonObject = { name: "alert", evaluationDelayMs: 0 };
    const read = { ...program, evaluationDelayMs };
    const state = stateOf(catalog.alert, read, program);
    expect(overlay(catalog.alert, state, read)).toEqual({ state, inputs: program });
  });
});

describe("a metric", () => {
  const { smallest } = samples.metric;
  const composites = { numeratorAggregation: "composite", denominatorAggregation: "composite" };

  test("that is protected cannot be destroyed until it is unprotected", async () => {
    await start(catalog.metric);
    const made = await subject.up({ ...smallest, isPermanent: true });
    await expect(subject.destroy(made)).rejects.toThrow("set isPermanent to false first");
    const freed = await subject.update(made, { ...smallest, isPermanent: false });
    await subject.destroy(freed);
    expect(await subject.refresh(freed)).toBeUndefined();
  });

  test("of another type replaces, as other events do", async () => {
    await start(catalog.metric);
    const made = await subject.up(smallest);
    expect(made.id).toBe("smallest metric::sum");
    expect((await subject.diff(made, { ...smallest, type: "mean" })).replaces).toEqual(["type"]);
    const events = { metricEvents: [{ name: "refund" }], onImmutableChange: "replace" };
    expect((await subject.diff(made, { ...smallest, ...events })).replaces).toEqual(["metricEvents"]);
  });

  test("is quiet where the console shows switches that nobody set, and empty members", () => {
    const said = { aggregation: "sum", metricSourceName: "purchases", criteria: [] };
    const empty = { useLogTransform: false, cap: null, valueColumn: "", components: [] };
    const program: JsonObject = { ...smallest, warehouseNative: said };
    const read = { ...program, warehouseNative: { ...said, ...empty } };
    const state = stateOf(catalog.metric, read, program);
    expect(state.warehouseNative).toEqual(said);
    expect(overlay(catalog.metric, state, read).inputs).toEqual(program);
  });

  test.each<[string, JsonObject]>([
    ["of composites of both", { warehouseNative: composites }],
    ["with a short name", { name: "abc" }],
  ])("[A3] %s is quiet", async (_, more) => {
    await start(catalog.metric);
    await staysQuiet(await subject.up({ ...smallest, ...more }), { ...smallest, ...more });
  });

  test("[A3] of a percentile of 0 or 1 is an error", async () => {
    await start(catalog.metric);
    for (const percentile of [0, 1])
      expect(await subject.problems({ name: "abc", type: "percentile", percentile })).toMatchObject([
        { property: "percentile" },
      ]);
  });
});

describe("how a metric is calculated in the warehouse, where reads fill all defaults", () => {
  const id = "native::user_warehouse";
  const base = { name: "native", type: "user_warehouse", unitTypes: ["userID"] };
  const source = { metricSourceName: "purchases", valueColumn: "amount" };
  const saying = (rest: JsonObject, aggregation = "sum") => ({
    ...{ ...base, warehouseNative: { aggregation, ...rest } },
  });
  const byHand = ({ warehouseNative }: JsonObject) =>
    subject.raw.metric.update({ id, body: { warehouseNative } });
  const begin = () => start(catalog.metric, { behaviour: { filledDefaults: "all" } });

  test.each<[string, JsonObject, JsonObject]>([
    ["the old form", source, { metricSources: [source] }],
    ["the new form", { metricSources: [source] }, source],
  ])("[R6] said in %s and read in the other, is quiet", async (_, said, read) => {
    await begin();
    const made = await staysQuiet(await subject.up(saying(said)), saying(said));
    await byHand(saying(read));
    await expectQuiet(await refreshed(made), saying(said));
  });

  test("[R6] is compared as far as the program says it, and the rest goes along", async () => {
    await begin();
    const made = await subject.up(saying(source));
    const rest = { loadingWindow: 30, metricBakeDays: 2, rollupTimeWindow: "max", winsorizationHigh: 0.99 };
    await byHand({ warehouseNative: { ...((await live(id)).warehouseNative as JsonObject), ...rest } });
    await updated(await staysQuiet(made, saying(source)), saying(source, "mean"));
    expect(await live(id)).toMatchObject({ warehouseNative: { aggregation: "mean", ...rest } });
  });

  test("[R6] an event whose type is read as count is no difference", async () => {
    await begin();
    const args = { name: "counted", type: "event_count_custom", metricEvents: [{ name: "buy" }] };
    const made = await staysQuiet(await subject.up(args), args);
    expect(await live(made.id)).toMatchObject({ metricEvents: [{ type: "count" }] });
  });
});

describe("a metric source", () => {
  const { smallest } = samples.metricSource;

  test("is gone whether the console says so with 404 or with 400, and not because of any other 400", async () => {
    await start(catalog.metricSource);
    const made = await subject.up(smallest);
    const answer = (message: string, times: number, more: JsonObject = {}) =>
      fault({ method: "GET", times, status: 400, body: { status: 400, message, ...more } });
    answer("Something is wrong", 1);
    await expect(subject.refresh(made)).rejects.toThrow("Something is wrong");
    answer("Column not found", 1, { errors: [{ property: "sql", errorMessage: "no column" }] });
    await expect(subject.refresh(made)).rejects.toThrow("no column");
    // A refresh looks three times before it calls something gone.
    answer("Metric source not found", 3);
    expect(await subject.refresh(made)).toBeUndefined();
    await subject.destroy(made);
    expect(await subject.refresh(made)).toBeUndefined();
  });

  test.each(["text", "absent", "null"] as const)(
    "[A6] of a table says no sql, and is changed where reads show that as %s",
    async (emptyMembers) => {
      await start(catalog.metricSource, { behaviour: { emptyMembers } });
      const args = { ...without(smallest, "sql"), sourceType: "table", tableName: "shop.purchases" };
      const made = await subject.up(args);
      if (emptyMembers === "text") expect(await live(made.id)).toMatchObject({ sql: "" });
      subject.nextRun();
      await updated(await refreshed(made), { ...args, description: "new" });
      expect(await live(made.id)).toMatchObject({ description: "new" });
    },
  );
});
