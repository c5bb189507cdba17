import { describe, expect, test } from "@jest/globals";
import type { JsonObject } from "../../src/provider/schema/json";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { kind, problemsOf } from "./subjects";

/** Problems of the smallest sample with these arguments. */
function problemsWith(name: Parameters<typeof kind>[0], args: JsonObject, olds?: JsonObject): string[] {
  return problemsOf(name, { ...kind(name).samples.smallest, ...args }, olds);
}

describe("a metric needs, by its type", () => {
  const steps = ["visit", "purchase"].map((name) => ({ name, type: "event_dau" }));
  const funnel = { type: "funnel", funnelEventList: steps, funnelCountDistinct: "users" };

  test.each<[JsonObject, string[]]>([
    [funnel, []],
    [
      { type: "funnel" },
      [
        'funnelEventList: missing; a metric of type "funnel" needs at least 2',
        'funnelCountDistinct: missing; a metric of type "funnel" needs it',
      ],
    ],
    [
      { ...funnel, funnelEventList: steps.slice(1) },
      ['funnelEventList: found 1; a metric of type "funnel" needs at least 2'],
    ],
    [{ ...funnel, funnelEventList: UNKNOWN, funnelCountDistinct: UNKNOWN }, []],
    [
      { type: "composite_sum", metricComponentMetrics: [] },
      ['metricComponentMetrics: found 0; a metric of type "composite_sum" needs at least 2'],
    ],
    [{ type: "user_warehouse" }, ['warehouseNative: missing; a metric of type "user_warehouse" needs it']],
    [{ type: "user_warehouse", warehouseNative: {} }, []],
    [{ type: UNKNOWN }, []],
    [{ type: "ratio" }, []],
  ])("%j", (args, expected) => {
    expect(problemsWith("metric", args)).toEqual(expected);
  });

  test("what it is made of stays", () => {
    const olds = kind("metric").samples.smallest;
    expect(problemsWith("metric", { metricEvents: [{ name: "refund" }] }, olds)).toEqual([
      expect.stringMatching(/^metricEvents: cannot change from .* sets it at creation only\./),
    ]);
  });
});

test("a metric source cannot be called like a path of the API", () => {
  expect(problemsWith("metricSource", { name: "list" })).toEqual([
    'name: "list" is a path of the API, so such a source could never be read',
  ]);
});

test("names of the API lead to the names here", () => {
  expect(problemsWith("metricSource", { skip_validation: true })).toEqual([
    'skip_validation: unknown argument; did you mean "skipValidation"?',
  ]);
});

test("the metrics of an alert are JSON texts", () => {
  const definitionMetricsJson = ['{"a": 1}', "{a: 1}", UNKNOWN];
  expect(problemsWith("alert", { definitionMetricsJson })).toEqual([
    "definitionMetricsJson[1]: is no JSON text; use JSON.stringify",
  ]);
});
