import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { JsonObject } from "../../src/provider/schema/json";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { changedPaths, sameMeaning } from "../../src/provider/values/compare";
import { gateRules } from "./arbitraries";
import { kind, rowsByKind } from "./subjects";

type Views = [field: string, left: unknown, right: unknown];

const rule = (members: JsonObject) => [{ name: "a", passPercentage: 100, conditions: [], ...members }];
const [all] = rule({});
const [other] = rule({ name: "b" });
const p = { name: "p", type: "object", defaultValue: {} };
const [q, text] = [
  { ...p, name: "q" },
  { name: "p", type: "string" },
];
const metrics = ["a", "b"].map((name) => ({ name, type: "t" }));
const mapping = ["a", "b"].map((id) => ({ serviceUnitID: id, column: `${id} column` }));
const value = { returnValue: { a: 1 } };
const variants = (more: JsonObject) => rule({ variants: [{ name: "v", passPercentage: 1, ...more }] });

const same = rowsByKind<Views>({
  gate: [
    ["tags in another order", "tags", ["a", "b"], ["b", "a"]],
    ["a core tag with its star", "tags", ["★ Core", "a"], ["a", "Core"]],
    ["no tags and absent tags", "tags", [], undefined],
    ["a bare target app", "targetApps", "web", ["web"]],
    ["no description, null and empty", "description", "", null],
    ["no team and null", "team", undefined, null],
    ["no environments and null", "rules", rule({}), rule({ environments: null })],
    [
      "environments in another order",
      "rules",
      rule({ environments: ["a", "b"] }),
      rule({ environments: ["b", "a"] }),
    ],
    ["ids and base ids of rules", "rules", rule({}), rule({ id: "x:1.00:1", baseID: "x" })],
    [
      "rollouts of rules",
      "rules",
      rule({}),
      rule({ pendingAutomatedRollouts: [{ passPercent: 1, time: 2 }] }),
    ],
    ["members that are not known here", "rules", rule({}), rule({ brandNew: { deep: 1 } })],
    [
      "reviewers, which the console sets",
      ...([
        "reviewSettings",
        { requiredReview: true },
        { requiredReview: true, allowedReviewers: [{ id: "x" }] },
      ] as const),
    ],
    ["metrics in another order", "monitoringMetrics", metrics, metrics.toReversed()],
    ["something unknown and itself", "tags", UNKNOWN, UNKNOWN],
  ],
  dynamicConfig: [
    ["target apps in another order", "targetApps", ["a", "b"], ["b", "a"]],
    ["a rule's percentage left out", "rules", [{ name: "a", conditions: [] }], rule({})],
    ["a rule's value and its JSON5", "rules", rule(value), rule({ returnValueJson5: "// one\n{a: 1}" })],
    ["a rule's value with its twin", "rules", rule(value), rule({ ...value, returnValueJson5: '{"a":1}' })],
    ["ids of variants", "rules", variants({}), variants({ id: "i" })],
    ["JSON5 with and without comments", "defaultValueJson5", "// why\n{a: 1,}", '{"a":1}'],
    ["a schema in another layout", "schema", '{"type":"object","x":[1]}', '{ "x": [ 1 ], "type": "object" }'],
    ["members of a value in another order", "defaultValue", { a: 1, b: 2 }, { b: 2, a: 1 }],
  ],
  layer: [
    ["parameters in another order", "parameters", [p, q], [q, p]],
    ["a parameter's empty description", "parameters", [{ ...p, description: "" }], [p]],
  ],
  assignmentSource: [["an id mapping in another order", "idTypeMapping", mapping, mapping.toReversed()]],
});

const different = rowsByKind<Views>({
  gate: [
    ["no environments and none at all", "rules", rule({}), rule({ environments: [] })],
    ["the order of rules", "rules", [all, other], [other, all]],
    ["a hundredth of a percent", "rules", rule({ passPercentage: 33.33 }), rule({ passPercentage: 33.34 })],
    ["on and off", "isEnabled", true, false],
    ["off and absent", "isEnabled", false, undefined],
    ["the case of a tag", "tags", ["a"], ["A"]],
    ["something known and unknown", "tags", ["a"], UNKNOWN],
    ["something absent and unknown", "description", undefined, UNKNOWN],
  ],
  dynamicConfig: [
    ["0 % and a percentage left out", "rules", rule({ passPercentage: 0 }), [{ name: "a", conditions: [] }]],
    ["null inside a value", "defaultValue", { a: null }, {}],
    ["an empty text inside a value", "defaultValue", { a: "" }, {}],
    ["an empty array inside a value", "defaultValue", { a: { b: [] } }, { a: {} }],
    ["the order of an array inside a value", "defaultValue", { a: [1, 2] }, { a: [2, 1] }],
    ["text and number inside a value", "defaultValue", { a: "1" }, { a: 1 }],
    ["null inside a rule's value", "rules", rule({ returnValue: { a: null } }), rule({ returnValue: {} })],
    ["JSON5 texts of other values", "defaultValueJson5", "{a: 1}", "{a: 2}"],
  ],
  layer: [["a parameter's empty text and no value", "parameters", [{ ...text, defaultValue: "" }], [text]]],
});

describe("values of a field", () => {
  test.each(same)("mean the same: %s (%s)", (_, name, field, left, right) => {
    expect(sameMeaning(kind(name), field, left, right)).toBe(true);
    expect(changedPaths(kind(name), field, left, right)).toEqual([]);
  });

  test.each(different)("differ: %s (%s)", (_, name, field, left, right) => {
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
