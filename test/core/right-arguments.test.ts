import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { check } from "../../src/provider/decisions/check";
import type { KindName } from "../../src/provider/definitions";
import { inputNames } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { sameMeaning } from "../../src/provider/values/compare";
import { configArgs, gateArgs, layerArgs } from "./arbitraries";
import { kind, problemsOf, valid, withRule } from "./subjects";

const checked = (name: KindName, args: JsonObject, olds: JsonObject = {}) =>
  check(kind(name), olds, { __program: { name: "resource" }, ...args });
const rule = (members: JsonObject) => withRule([], members);

test.each<[KindName, fc.Arbitrary<JsonObject>]>([
  ["gate", gateArgs],
  ["dynamicConfig", configArgs],
  ["layer", layerArgs],
])("right arguments of a %s pass, mean the same afterwards, and are the same checked twice", (name, args) => {
  fc.assert(
    fc.property(args, (news) => {
      const { inputs, problems } = checked(name, news);
      expect(problems).toEqual([]);
      expect(checked(name, inputs)).toEqual({ inputs, problems });
      expect(checked(name, inputs, inputs)).toEqual({ inputs, problems });
      const given = inputNames(kind(name)).filter((field) => field in news);
      expect(given.filter((field) => !sameMeaning(kind(name), field, news[field], inputs[field]))).toEqual(
        [],
      );
    }),
  );
});

test("every step of 0.01 between 0 and 100 passes", () => {
  const shares = Array.from({ length: 10_001 }, (_, step) => step / 100);
  const rules = shares.map((passPercentage) => ({
    name: `r${passPercentage}`,
    passPercentage,
    conditions: [],
  }));
  expect(problemsOf("gate", { rules })).toEqual([]);
});

test.each<[string, KindName, JsonObject]>([
  ["[X1] a rule whose name is empty", "gate", rule({ name: "" })],
  ["[X4] a boolean for isAnalysisOnly", "experiment", { isAnalysisOnly: true }],
  ["a rule for no environment", "gate", rule({ environments: [] })],
  ["a value of any form", "dynamicConfig", { defaultValue: { id: 1, constructor: null, a: [{ b: [] }] } }],
  ["a rule of a config without percentage", "dynamicConfig", rule({ passPercentage: undefined })],
])("%s passes", (_, name, args) => {
  expect(problemsOf(name, { ...valid[name], ...args })).toEqual([]);
});

const limit = (most: number) => ({
  ...{ name: "abc", type: "user_warehouse" },
  warehouseNative: { metricDimensionLimits: [{ name: "country", limit: most }] },
});
const prior = (priorStdDev: number) => ({
  bayesianPriors: [{ metric: { name: "m", type: "sum" }, priorMean: 0, priorStdDev }],
});
const durations = ["duration", "targetExposures", "allocationDuration", "cohortedAnalysisDuration"];

test.each<[KindName, right: JsonObject, wrong: JsonObject]>([
  ...[...durations, "fixedAnalysisDuration"].map((name): [KindName, JsonObject, JsonObject] => [
    "experiment",
    { [name]: 2 },
    { [name]: 1 },
  ]),
  ["experiment", prior(0.1), prior(0)],
  ["experiment", { userBuckets: [0, 999] }, { userBuckets: [1000] }],
  ["experiment", { userBuckets: [0, 999] }, { userBuckets: [-1] }],
  ["metric", limit(100), limit(101)],
  ["metric", limit(0), limit(-1)],
])("[A12] of a %s %j is within the limits, and %j is not", (name, right, wrong) => {
  const key = name === "experiment" ? { key: "abc" } : {};
  expect(problemsOf(name, { ...key, ...right })).toEqual([]);
  expect(problemsOf(name, { ...key, ...wrong })).toHaveLength(1);
});

describe("values that are not known yet", () => {
  const email = { type: "email", operator: "any", targetValue: ["x"] };
  const condition = (members: JsonObject) => withRule([{ ...email, ...members }]);
  const unknownRule = (members: JsonObject) => withRule([], { name: UNKNOWN, ...members });

  test.each<JsonObject>([
    { rules: UNKNOWN },
    { rules: [UNKNOWN] },
    withRule(UNKNOWN),
    condition({ type: UNKNOWN }),
    condition({ operator: UNKNOWN }),
    condition({ targetValue: UNKNOWN }),
    condition({ targetValue: ["b", UNKNOWN, "a"] }),
    condition({ type: "time", operator: "after", targetValue: UNKNOWN }),
    { targetApps: UNKNOWN },
    { tags: ["b", UNKNOWN, "a"] },
    { team: UNKNOWN, teamID: "t" },
    { team: null, teamID: null },
    { onDelete: UNKNOWN, onImmutableChange: UNKNOWN, isTemplate: true },
  ])("pass through untouched: %j", (args) => {
    const inputs = { key: "gate", name: "gate", ...args };
    expect(checked("gate", inputs)).toEqual({ inputs, problems: [] });
  });

  const olds = { key: "seg", name: "seg", type: "rule_based", description: "Old" };

  test.each<JsonObject>([
    { description: UNKNOWN },
    { description: "New", onImmutableChange: UNKNOWN },
    { type: "id_list", onImmutableChange: "replace", rules: UNKNOWN },
  ])("do not refuse a change that may be none: %j", (news) => {
    expect(checked("segment", { ...olds, ...news }, olds).problems).toEqual([]);
  });

  test.each<[JsonObject, (string | number)[]]>([
    [{ is_on: UNKNOWN }, ["is_on"]],
    [unknownRule({ passPercentage: UNKNOWN, percent: UNKNOWN }), ["rules", 0, "percent"]],
    [{ createdTime: UNKNOWN }, ["createdTime"]],
    [rule({ id: UNKNOWN }), ["rules", 0, "id"]],
    [{ rules: { first: UNKNOWN } }, ["rules"]],
    [unknownRule({ passPercentage: 101 }), ["rules", 0, "passPercentage"]],
  ])("do not hide what is wrong: %j", (args, path) => {
    expect(checked("gate", args).problems.map((problem) => problem.path)).toEqual([path]);
  });
});
