import { describe, expect, test } from "@jest/globals";
import type { KindName } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { problemsOf, valid, withRule } from "./subjects";

type Case = readonly [what: string, kind: KindName, args: JsonObject, ...problems: string[]];

const email = { type: "email", operator: "any", targetValue: ["a@example.com"] };
const rule = (members: JsonObject) => ({
  rules: [{ name: "Staff", passPercentage: 100, conditions: [], ...members }],
});
const targetAt = "rules[0].conditions[0].targetValue";

const types: Case[] = [
  ["text for a switch", "gate", { isEnabled: "yes" }, 'isEnabled: found "yes"; true or false is needed'],
  ["a number for text", "gate", { description: 5 }, "description: found 5; text is needed"],
  [
    "null where null has no meaning",
    "gate",
    { isEnabled: null },
    "isEnabled: found null; true or false is needed",
  ],
  ["an object for rules", "gate", { rules: {} }, "rules: found {}; an array is needed"],
  ["text for a rule", "gate", { rules: ["Staff"] }, 'rules[0]: found "Staff"; an object is needed'],
  [
    "a text percentage",
    "gate",
    rule({ passPercentage: "5" }),
    'rules[0].passPercentage: found "5"; a number is needed',
  ],
  [
    "conditions left out",
    "segment",
    rule({ conditions: undefined }),
    "rules[0].conditions: missing; an array is needed",
  ],
  [
    "a percentage left out",
    "gate",
    rule({ passPercentage: undefined }),
    "rules[0].passPercentage: missing; a number is needed",
  ],
  [
    "environments as text",
    "gate",
    rule({ environments: "staging" }),
    'rules[0].environments: found "staging"; an array is needed',
  ],
  ["a number among tags", "gate", { tags: ["shop", 7] }, "tags[1]: found 7; text is needed"],
  ["a number for target apps", "gate", { targetApps: 1 }, "targetApps: found 1; an array or text is needed"],
  ["a number among target apps", "gate", { targetApps: [1] }, "targetApps[0]: found 1; text is needed"],
  [
    "text and numbers mixed",
    "gate",
    withRule([{ ...email, targetValue: ["a", 1] }]),
    `${targetAt}[1]: found 1; text is needed`,
  ],
  [
    "a switch as target value",
    "gate",
    withRule([{ ...email, targetValue: true }]),
    `${targetAt}: found true; an array or text or a number is needed`,
  ],
  [
    "a config's value as text",
    "dynamicConfig",
    { defaultValue: "{}" },
    'defaultValue: found "{}"; an object is needed',
  ],
  [
    "a rule's value as an array",
    "dynamicConfig",
    rule({ returnValue: [] }),
    "rules[0].returnValue: found []; an object is needed",
  ],
  [
    "a variant without name",
    "dynamicConfig",
    rule({ variants: [{ passPercentage: 50 }] }),
    "rules[0].variants[0].name: missing; text is needed",
  ],
  [
    "a broken hour",
    "assignmentSource",
    { scheduledReloadHour: 3.5 },
    "scheduledReloadHour: found 3.5; a whole number is needed",
  ],
  [
    "hour 24",
    "assignmentSource",
    { scheduledReloadHour: 24 },
    "scheduledReloadHour: found 24; at most 23 is allowed",
  ],
  ["a missing query", "assignmentSource", { sql: undefined }, "sql: missing; text is needed"],
  [
    "a mapping without column",
    "assignmentSource",
    { idTypeMapping: [{ serviceUnitID: "userID" }] },
    "idTypeMapping[0].column: missing; text is needed",
  ],
  ["a layer without unit id type", "layer", { idType: undefined }, "idType: missing; text is needed"],
  [
    "a segment without type",
    "segment",
    { type: undefined },
    'type: missing; one of "id_list", "rule_based", "analysis_list", "user_store_id_list" is needed',
  ],
  [
    "an unknown gate type",
    "gate",
    { type: "STALE" },
    'type: found "STALE"; one of "PERMANENT", "TEMPORARY" is needed',
  ],
  [
    "an unknown state",
    "dynamicConfig",
    { status: "Launched" },
    'status: found "Launched"; one of "Enabled", "Disabled", "Archived" is needed',
  ],
  [
    "an option of another kind",
    "layer",
    { onDelete: "archive" },
    'onDelete: found "archive"; one of "delete", "retain" is needed',
  ],
];

const limits: Case[] = [
  ["a key of two characters", "gate", { key: "ab" }, 'key: found "ab"; at least 3 characters are needed'],
  [
    "a key of 101 characters",
    "gate",
    { key: "k".repeat(101) },
    `key: found "${"k".repeat(76)}...; at most 100 characters are allowed`,
  ],
  [
    "a key with a space",
    "gate",
    { key: "my gate" },
    'key: found "my gate"; text that matches /^[a-zA-Z0-9_\\-.]*$/ is needed',
  ],
  [
    "a segment key with a dot",
    "segment",
    { key: "my.staff" },
    'key: found "my.staff"; text that matches /^[a-zA-Z0-9_-]*$/ is needed',
  ],
  [
    "a layer name with a slash",
    "layer",
    { name: "a/b/c" },
    'name: found "a/b/c"; text that matches /^[a-zA-Z0-9_\\- ]*$/ is needed',
  ],
  [
    "a description of 1001 characters",
    "gate",
    { description: "d".repeat(1001) },
    `description: found "${"d".repeat(76)}...; at most 1,000 characters are allowed`,
  ],
  [
    "more than 100 %",
    "gate",
    rule({ passPercentage: 100.01 }),
    "rules[0].passPercentage: found 100.01; at most 100 is allowed",
  ],
  [
    "less than 0 %",
    "segment",
    rule({ passPercentage: -1 }),
    "rules[0].passPercentage: found -1; at least 0 is needed",
  ],
  [
    "three decimals",
    "gate",
    rule({ passPercentage: 12.345 }),
    "rules[0].passPercentage: found 12.345; a number in steps of 0.01 is needed",
  ],
  [
    "a variant over 100 %",
    "dynamicConfig",
    rule({ variants: [{ name: "a", passPercentage: 101 }] }),
    "rules[0].variants[0].passPercentage: found 101; at most 100 is allowed",
  ],
];

describe("a wrong value is reported once, with its place and what is needed", () => {
  const cases = [...types, ...limits];
  test.each(cases)("%s (%s)", (_, kind, args, ...problems) => {
    expect(problemsOf(kind, args)).toEqual(problems);
  });
});

describe("a right argument passes", () => {
  test.each([0, 100, 12.5, 0.01, 33.33, 99.99, 0.07, 1.1, 0.29, 57.68])("%d %%", (passPercentage) => {
    expect(problemsOf("gate", rule({ passPercentage }))).toEqual([]);
  });

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
