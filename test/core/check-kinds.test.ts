import { describe, expect, test } from "@jest/globals";
import type { KindName } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { samples } from "../samples";
import { problemsOf } from "./subjects";

/** Problems of the smallest sample with these arguments. */
const problemsWith = (name: KindName, args: JsonObject) =>
  problemsOf(name, { ...samples[name].smallest, ...args });

const steps = ["visit", "purchase"].map((name) => ({ name, type: "event_dau" }));
const funnel = { type: "funnel", funnelEventList: steps, funnelCountDistinct: "users" };
const needs = 'a metric of type "funnel" needs';
const missing = [
  `funnelEventList: missing; ${needs} at least 2`,
  `funnelCountDistinct: missing; ${needs} it`,
];
const components = 'metricComponentMetrics: found 0; a metric of type "composite_sum" needs at least 2';

test.each<[KindName, JsonObject, ...problems: string[]]>([
  ["metric", funnel],
  ["metric", { type: "funnel" }, ...missing],
  ["metric", { ...funnel, funnelEventList: steps.slice(1) }, `funnelEventList: found 1; ${needs} at least 2`],
  ["metric", { ...funnel, funnelEventList: UNKNOWN, funnelCountDistinct: UNKNOWN }],
  ["metric", { type: "composite_sum", metricComponentMetrics: [] }, components],
  [
    "metric",
    { type: "user_warehouse" },
    'warehouseNative: missing; a metric of type "user_warehouse" needs it',
  ],
  ["metric", { type: "user_warehouse", warehouseNative: {} }],
  ["metric", { type: UNKNOWN }],
  ["metric", { type: "ratio" }],
  [
    "metricSource",
    { name: "list" },
    'name: "list" is a path of the API, so such a source could never be read',
  ],
  [
    "metricSource",
    { skip_validation: true },
    'skip_validation: unknown argument; did you mean "skipValidation"?',
  ],
  [
    "alert",
    { definitionMetricsJson: ['{"a": 1}', "{a: 1}", UNKNOWN] },
    "definitionMetricsJson[1]: is no JSON text; use JSON.stringify",
  ],
])("a %s with %j: %s", (name, args, ...expected) => {
  expect(problemsWith(name, args)).toEqual(expected);
});

describe("a parameter of a param store", () => {
  const nothing = { name: "p", refType: "static", paramType: "number" };
  const fixed = { ...nothing, value: 1 };
  const gate = { name: "p", refType: "gate", paramType: "string", gateName: "g" };
  const byGate = { ...gate, passValue: "a", failValue: "" };
  const problems = (...parameters: JsonObject[]) =>
    problemsOf("paramStore", { name: "store", displayName: "Store", description: "", parameters });
  const foreign = 'gateName: refType "static" has none: leave it out; it takes value';
  const found = (what: string) => `found ${what}, but paramType is string`;

  test.each<[parameter: JsonObject, ...problems: string[]]>([
    [fixed],
    [byGate],
    [{ ...fixed, paramType: "object", value: { a: null } }],
    [{ ...fixed, value: "1" }, "value: found string, but paramType is number"],
    [
      { ...byGate, passValue: 1, failValue: [] },
      `passValue: ${found("number")}`,
      `failValue: ${found("array")}`,
    ],
    [nothing, 'value: missing; refType "static" needs it'],
    [{ ...fixed, gateName: "g" }, foreign],
    [{ ...fixed, value: UNKNOWN }],
    [{ ...fixed, refType: UNKNOWN }],
    [{ ...fixed, paramType: UNKNOWN }],
    [{ ...fixed, ref_type: "static" }, 'ref_type: unknown argument; did you mean "refType"?'],
  ])("%j: %s", (parameter, ...expected) => {
    expect(problems(parameter)).toEqual(expected.map((problem) => `parameters[0].${problem}`));
  });

  test("has a name of its own", () => {
    expect(problems(fixed, byGate)).toEqual([
      'parameters[1].name: "p" is the name of parameters[0] too; parameter names are unique',
    ]);
  });
});
