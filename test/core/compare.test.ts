import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { KindName } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { changedPaths, sameMeaning } from "../../src/provider/values/compare";
import { gateRules } from "./arbitraries";
import { kind } from "./subjects";

type Row = readonly [what: string, kind: KindName, field: string, left: unknown, right: unknown];

const rule = (members: JsonObject) => [{ name: "a", passPercentage: 100, conditions: [], ...members }];
const parameter = (members: JsonObject) => ({ name: "p", type: "object", defaultValue: {}, ...members });

const same: Row[] = [
  ["tags in another order", "gate", "tags", ["a", "b"], ["b", "a"]],
  ["a core tag with its star", "gate", "tags", ["★ Core", "a"], ["a", "Core"]],
  ["no tags and absent tags", "gate", "tags", [], undefined],
  ["a bare target app", "gate", "targetApps", "web", ["web"]],
  ["target apps in another order", "dynamicConfig", "targetApps", ["a", "b"], ["b", "a"]],
  ["no description, null and empty", "gate", "description", "", null],
  ["no team and null", "gate", "team", undefined, null],
  ["no environments and null", "gate", "rules", rule({}), rule({ environments: null })],
  [
    "environments in another order",
    "gate",
    "rules",
    rule({ environments: ["a", "b"] }),
    rule({ environments: ["b", "a"] }),
  ],
  [
    "ids, base ids and rollouts of rules",
    "gate",
    "rules",
    rule({}),
    rule({ id: "x:1.00:1", baseID: "x", pendingAutomatedRollouts: [{ passPercent: 1, time: 2 }] }),
  ],
  ["members that are not known here", "gate", "rules", rule({}), rule({ brandNew: { deep: 1 } })],
  [
    "a config rule's percentage left out",
    "dynamicConfig",
    "rules",
    [{ name: "a", conditions: [] }],
    rule({}),
  ],
  [
    "a config rule's value and its JSON5",
    "dynamicConfig",
    "rules",
    rule({ returnValue: { a: 1 } }),
    rule({ returnValueJson5: "// one\n{a: 1}" }),
  ],
  [
    "a config rule's value with the twin filled in",
    "dynamicConfig",
    "rules",
    rule({ returnValue: { a: 1 } }),
    rule({ returnValue: { a: 1 }, returnValueJson5: '{"a":1}' }),
  ],
  [
    "ids of variants",
    "dynamicConfig",
    "rules",
    rule({ variants: [{ name: "v", passPercentage: 1 }] }),
    rule({ variants: [{ id: "i", name: "v", passPercentage: 1 }] }),
  ],
  ["JSON5 with and without comments", "dynamicConfig", "defaultValueJson5", "// why\n{a: 1,}", '{"a":1}'],
  [
    "a JSON schema in another layout",
    "dynamicConfig",
    "schema",
    '{"type":"object","x":[1]}',
    '{ "x": [ 1 ], "type": "object" }',
  ],
  ["members of a value in another order", "dynamicConfig", "defaultValue", { a: 1, b: 2 }, { b: 2, a: 1 }],
  [
    "reviewers, which the console sets",
    "gate",
    "reviewSettings",
    { requiredReview: true },
    { requiredReview: true, allowedReviewers: [{ id: "x" }] },
  ],
  [
    "metrics in another order",
    "gate",
    "monitoringMetrics",
    [
      { name: "a", type: "t" },
      { name: "b", type: "t" },
    ],
    [
      { type: "t", name: "b" },
      { type: "t", name: "a" },
    ],
  ],
  [
    "parameters in another order",
    "layer",
    "parameters",
    [parameter({}), parameter({ name: "q" })],
    [parameter({ name: "q" }), parameter({})],
  ],
  [
    "a parameter's empty description",
    "layer",
    "parameters",
    [parameter({ description: "" })],
    [parameter({})],
  ],
  [
    "an id mapping in another order",
    "assignmentSource",
    "idTypeMapping",
    [
      { serviceUnitID: "a", column: "b" },
      { serviceUnitID: "c", column: "d" },
    ],
    [
      { column: "d", serviceUnitID: "c" },
      { serviceUnitID: "a", column: "b" },
    ],
  ],
  ["something unknown and itself", "gate", "tags", UNKNOWN, UNKNOWN],
];

const different: Row[] = [
  ["no environments and none at all", "gate", "rules", rule({}), rule({ environments: [] })],
  [
    "the order of rules",
    "gate",
    "rules",
    [...rule({}), ...rule({ name: "b" })],
    [...rule({ name: "b" }), ...rule({})],
  ],
  [
    "a hundredth of a percent",
    "gate",
    "rules",
    rule({ passPercentage: 33.33 }),
    rule({ passPercentage: 33.34 }),
  ],
  [
    "0 % and a percentage left out",
    "dynamicConfig",
    "rules",
    rule({ passPercentage: 0 }),
    [{ name: "a", conditions: [] }],
  ],
  ["null inside a value", "dynamicConfig", "defaultValue", { a: null }, {}],
  ["an empty text inside a value", "dynamicConfig", "defaultValue", { a: "" }, {}],
  ["an empty array inside a value", "dynamicConfig", "defaultValue", { a: { b: [] } }, { a: {} }],
  ["the order of an array inside a value", "dynamicConfig", "defaultValue", { a: [1, 2] }, { a: [2, 1] }],
  ["text and number inside a value", "dynamicConfig", "defaultValue", { a: "1" }, { a: 1 }],
  [
    "null inside a rule's value",
    "dynamicConfig",
    "rules",
    rule({ returnValue: { a: null } }),
    rule({ returnValue: {} }),
  ],
  [
    "a parameter's empty text and no value",
    "layer",
    "parameters",
    [{ name: "p", type: "string", defaultValue: "" }],
    [{ name: "p", type: "string" }],
  ],
  ["JSON5 texts of other values", "dynamicConfig", "defaultValueJson5", "{a: 1}", "{a: 2}"],
  ["on and off", "gate", "isEnabled", true, false],
  ["off and absent", "gate", "isEnabled", false, undefined],
  ["the case of a tag", "gate", "tags", ["a"], ["A"]],
  ["something known and unknown", "gate", "tags", ["a"], UNKNOWN],
  ["something absent and unknown", "gate", "description", undefined, UNKNOWN],
];

describe("values of a field", () => {
  test.each(same)("mean the same: %s", (_, name, field, left, right) => {
    expect(sameMeaning(kind(name), field, left, right)).toBe(true);
    expect(changedPaths(kind(name), field, left, right)).toEqual([]);
  });

  test.each(different)("differ: %s", (_, name, field, left, right) => {
    expect(sameMeaning(kind(name), field, left, right)).toBe(false);
    expect(changedPaths(kind(name), field, left, right)).not.toEqual([]);
  });

  test("rules: paths change exactly when the meaning does, and a thing equals itself", () => {
    fc.assert(
      fc.property(gateRules, gateRules, (left, right) => {
        expect(changedPaths(kind("gate"), "rules", left, left)).toEqual([]);
        expect(changedPaths(kind("gate"), "rules", left, right).length === 0).toBe(
          sameMeaning(kind("gate"), "rules", left, right),
        );
      }),
    );
  });

  test("rules: what the console adds and rearranges is quiet", () => {
    fc.assert(
      fc.property(gateRules, (rules) => {
        const live = rules.map(({ environments, ...one }, index) => ({
          ...one,
          id: `b${index}:1.00:2`,
          baseID: `b${index}`,
          environments: environments ? [...environments].reverse() : null,
          conditions: one.conditions.map((condition) => ({
            ...condition,
            targetValue: Array.isArray(condition.targetValue)
              ? [...condition.targetValue].reverse()
              : condition.targetValue,
          })),
        }));
        expect(changedPaths(kind("gate"), "rules", live, rules)).toEqual([]);
      }),
    );
  });
});
