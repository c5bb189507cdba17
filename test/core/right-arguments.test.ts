import { describe, expect, test } from "@jest/globals";
import type { KindName } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { problemsOf, valid, withRule } from "./subjects";

const rule = (members: JsonObject) => withRule([], members);

describe("a right argument passes", () => {
  test("every step of 0.01 between 0 and 100", () => {
    const rules = Array.from({ length: 10_001 }, (_, step) => ({
      name: `r${step}`,
      passPercentage: step / 100,
      conditions: [],
    }));
    expect(problemsOf("gate", { rules })).toEqual([]);
  });

  test.each<[string, KindName, JsonObject]>([
    ["nothing at all", "gate", {}],
    ["[X1] a rule whose name is empty", "gate", rule({ name: "" })],
    ["[X4] a boolean for isAnalysisOnly", "experiment", { isAnalysisOnly: true }],
    ["a bare target app", "gate", { targetApps: "web" }],
    ["a cleared team", "gate", { team: null }],
    ["environments in no environment", "gate", rule({ environments: [] })],
    ["a value of any form", "dynamicConfig", { defaultValue: { id: 1, constructor: null, a: [{ b: [] }] } }],
    ["a config rule without percentage", "dynamicConfig", rule({ passPercentage: undefined })],
    [
      "no environment tier operator",
      "gate",
      withRule([{ type: "environment_tier", targetValue: "staging" }]),
    ],
    [
      "one number for an order",
      "gate",
      withRule([{ type: "custom_field", field: "age", operator: "gte", targetValue: "18" }]),
    ],
    ["a type that passes through", "gate", withRule([{ type: "javascript", targetValue: "x => true" }])],
  ])("%s", (_, kind, args) => {
    expect(problemsOf(kind, { ...valid[kind], ...args })).toEqual([]);
  });
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

test.each<[string, KindName, JsonObject, JsonObject]>([
  ...[...durations, "fixedAnalysisDuration"].map((name): [string, KindName, JsonObject, JsonObject] => [
    name,
    "experiment",
    { key: "abc", [name]: 2 },
    { key: "abc", [name]: 1 },
  ]),
  ["priorStdDev", "experiment", { key: "abc", ...priors(0.1) }, { key: "abc", ...priors(0) }],
  ["userBuckets", "experiment", { key: "abc", userBuckets: [0, 999] }, { key: "abc", userBuckets: [1000] }],
  ["userBuckets", "experiment", { key: "abc", userBuckets: [0, 999] }, { key: "abc", userBuckets: [-1] }],
  ["metricDimensionLimits[].limit", "metric", metricArgs(100), metricArgs(101)],
  ["metricDimensionLimits[].limit", "metric", metricArgs(0), metricArgs(-1)],
])("[A12] %s has limits", (_, kind, good, bad) => {
  expect(problemsOf(kind, good)).toEqual([]);
  expect(problemsOf(kind, bad)).toHaveLength(1);
});
