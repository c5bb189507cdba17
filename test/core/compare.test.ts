import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { z } from "zod";
import { check } from "../../src/provider/decisions/check";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { ValueType } from "../../src/provider/schema/field";
import { input } from "../../src/provider/schema/field";
import { isObject, type JsonObject } from "../../src/provider/schema/json";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { quoteField } from "../../src/provider/texts/issue-text";
import { canonical, liveValue, sameMeaning } from "../../src/provider/values/compare";
import { stateOf } from "../../src/provider/values/managed";
import { differingPlaces } from "../../src/provider/values/places";
import { gateRules } from "./arbitraries";
import { kind, rowsByKind } from "./subjects";

type Views = [what: string, field: string, left: unknown, right: unknown];

const rule = (members: JsonObject) => [{ name: "a", passPercentage: 100, conditions: [], ...members }];
const silent = [{ name: "a", conditions: [] }];
const two = [...rule({}), ...rule({ name: "b" })];
const within = (...environments: string[]) => rule({ environments });
const p = { name: "p", type: "object", defaultValue: {} };
const q = { ...p, name: "q" };
const text = { name: "p", type: "string" };
const metrics = ["a", "b"].map((name) => ({ name, type: "t" }));
const mapping = ["a", "b"].map((id) => ({ serviceUnitID: id, column: `${id} column` }));
const value = { returnValue: { a: 1 } };
const variants = (more: JsonObject) => rule({ variants: [{ name: "v", passPercentage: 1, ...more }] });
const rollouts = [{ passPercent: 1, time: 2 }];
const reviewed = { requiredReview: true };
const reviewers = { ...reviewed, allowedReviewers: [{ id: "x" }] };
const layout = { one: '{"type":"object","x":[1]}', other: '{ "x": [ 1 ], "type": "object" }' };

const same = rowsByKind<Views>({
  gate: [
    ["tags in another order", "tags", ["a", "b"], ["b", "a"]],
    ["a core tag with its star", "tags", ["★ Core", "a"], ["a", "Core"]],
    ["no tags and absent tags", "tags", [], undefined],
    ["a bare target app", "targetApps", "web", ["web"]],
    ["no description, null and empty", "description", "", null],
    ["no environments and null", "rules", rule({}), rule({ environments: null })],
    ["environments in another order", "rules", within("a", "b"), within("b", "a")],
    ["ids and base ids of rules", "rules", rule({}), rule({ id: "x:1.00:1", baseID: "x" })],
    ["rollouts of rules", "rules", rule({}), rule({ pendingAutomatedRollouts: rollouts })],
    ["members that are not known here", "rules", rule({}), rule({ brandNew: { deep: 1 } })],
    ["reviewers, which the console sets", "reviewSettings", reviewed, reviewers],
    ["metrics in another order", "monitoringMetrics", metrics, metrics.toReversed()],
    ["something unknown and itself", "tags", UNKNOWN, UNKNOWN],
  ],
  dynamicConfig: [
    ["a rule's percentage left out", "rules", silent, rule({})],
    ["a rule's value and its JSON5", "rules", rule(value), rule({ returnValueJson5: "// one\n{a: 1}" })],
    ["a rule's value with its twin", "rules", rule(value), rule({ ...value, returnValueJson5: '{"a":1}' })],
    ["ids of variants", "rules", variants({}), variants({ id: "i" })],
    ["JSON5 with and without comments", "defaultValueJson5", "// why\n{a: 1,}", '{"a":1}'],
    ["a schema in another layout", "schema", layout.one, layout.other],
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
    ["no environments and none at all", "rules", rule({}), within()],
    ["the order of rules", "rules", two, two.toReversed()],
    ["a hundredth of a percent", "rules", rule({ passPercentage: 33.33 }), rule({ passPercentage: 33.34 })],
    ["off and absent", "isEnabled", false, undefined],
    ["the case of a tag", "tags", ["a"], ["A"]],
    ["something known and unknown", "tags", ["a"], UNKNOWN],
    ["something absent and unknown", "description", undefined, UNKNOWN],
  ],
  dynamicConfig: [
    ["0 % and a percentage left out", "rules", rule({ passPercentage: 0 }), silent],
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

/** Labels of the places at which a program differs from a live value. */
const placesBetween = (definition: ResourceDefinition, name: string, live: unknown, program: unknown) =>
  differingPlaces(definition, name, { live, program }).map(({ label }) => label);

describe("values of a field", () => {
  test.each(same)("of a %s mean the same: %s", (name, _, field, left, right) => {
    expect(sameMeaning(kind(name), field, left, right)).toBe(true);
    expect(placesBetween(kind(name), field, left, right)).toEqual([]);
  });

  test.each(different)("of a %s differ: %s", (name, _, field, left, right) => {
    expect(sameMeaning(kind(name), field, left, right)).toBe(false);
    expect(placesBetween(kind(name), field, left, right)).not.toEqual([]);
  });

  test("rules: paths change exactly when the meaning does, and a thing equals itself", () => {
    fc.assert(
      fc.property(gateRules, gateRules, (left, right) => {
        expect(placesBetween(kind("gate"), "rules", left, left)).toEqual([]);
        const isSame = sameMeaning(kind("gate"), "rules", left, right);
        expect(placesBetween(kind("gate"), "rules", left, right).length === 0).toBe(isSame);
      }),
    );
  });

  test("rules: what the console adds and rearranges is quiet", () => {
    const turned = (list: unknown) => (Array.isArray(list) ? list.toReversed() : list);
    fc.assert(
      fc.property(gateRules, (rules) => {
        const live = rules.map(({ environments, conditions, ...one }, index) => ({
          ...{
            ...one,
            id: `b${index}:1.00:2`,
            baseID: `b${index}`,
            environments: turned(environments ?? null),
          },
          conditions: conditions.map((its) => ({ ...its, targetValue: turned(its.targetValue) })),
        }));
        expect(placesBetween(kind("gate"), "rules", live, rules)).toEqual([]);
      }),
    );
  });
});

const withNull = { b: null, a: ["b", "a"] };

test.each(
  rowsByKind<[what: string, field: string, value: unknown, expected: unknown]>({
    gate: [
      ["sorts a set and removes what is given twice", "tags", ["b", "★ Core", "b", "a"], ["Core", "a", "b"]],
      ["makes an array of a bare target app", "targetApps", "web", ["web"]],
      ["keeps the order of a set with something unknown", "tags", ["b", UNKNOWN, "a"], ["b", UNKNOWN, "a"]],
      ["drops null members", "rules", rule({ environments: null }), rule({})],
      ["drops what the console sets", "rules", rule({ id: "x", baseID: "y" }), rule({})],
      ["keeps an empty array that has a meaning", "rules", within(), within()],
      [
        "rounds a percentage of arithmetic to its step",
        "rules",
        rule({ passPercentage: 29 * 1.1 }),
        rule({ passPercentage: 31.9 }),
      ],
      ["leaves another name alone", "__provider", { any: null }, { any: null }],
    ],
    dynamicConfig: [
      ["leaves a JSON value alone", "defaultValue", withNull, withNull],
      ["leaves JSON5 text alone", "defaultValueJson5", "// why\n{b: 1}", "// why\n{b: 1}"],
    ],
  }),
)("the canonical form of a %s %s", (name, _, field, given, expected) => {
  expect(canonical(kind(name), field, given)).toEqual(expected);
});

describe("differing places are as a user writes them", () => {
  const email = { type: "email", operator: "any", targetValue: ["x"] };
  const on = (members: JsonObject) => rule({ conditions: [{ type: "public" }, { ...email, ...members }] });
  const changed = [...rule({ passPercentage: 1 }), ...rule({ name: "c" })];
  const other = { ...q, type: "array", defaultValue: [] };

  test.each(
    rowsByKind<[what: string, field: string, from: unknown, to: unknown, ...paths: string[]]>({
      gate: [
        ["a whole field", "description", "a", "b", "description"],
        ["an operator", "rules", on({}), on({ operator: "none" }), "rules[0].conditions[1].operator"],
        ["one value", "rules", on({}), on({ targetValue: ["y"] }), "rules[0].conditions[1].targetValue"],
        ["a rule more", "rules", rule({}), two, 'rules["b"]'],
        ["a rule less", "rules", two, rule({}), 'rules["b"]'],
        ["all rules", "rules", undefined, rule({}), "rules"],
        ["several places", "rules", two, changed, 'rules["a"].passPercentage', 'rules["b"]', 'rules["c"]'],
      ],
      dynamicConfig: [
        ["a value", "defaultValue", { a: [{ b: 1 }] }, { a: [{ b: 2 }] }, "defaultValue.a[0].b"],
      ],
      layer: [["a name", "parameters", [p, q], [other, p], "parameters.q.type", "parameters.q.defaultValue"]],
    }),
  )("of a %s: %s", (name, _, field, from, to, ...paths) => {
    expect(placesBetween(kind(name), field, from, to)).toEqual(paths);
  });
});

test.each(
  rowsByKind<[field: string, live: JsonObject, expected: unknown]>({
    dynamicConfig: [
      ["defaultValueJson5", { defaultValue: { a: 1 } }, '{"a":1}'],
      ["defaultValue", { defaultValueJson5: "// x\n{a: 1}" }, { a: 1 }],
      ["schemaJson5", { schema: '{"a":1}' }, '{"a":1}'],
      ["schema", { schemaJson5: "{a: 1}" }, '{"a":1}'],
      ["defaultValue", { defaultValue: { a: 1 }, defaultValueJson5: "{a: 2}" }, { a: 1 }],
      ["defaultValue", {}, undefined],
    ],
    gate: [["teamID", { team: "growth" }, undefined]],
  }),
)("of two views of one thing a %s makes the one that the console left out: %s of %j", (...row) => {
  const [name, field, live, expected] = row;
  expect(liveValue(kind(name), live, field)).toEqual(expected);
});

/** Texts of which only the number of characters is kept. */
const length: ValueType = {
  canonical: (one) => (typeof one === "string" ? { length: one.length } : one),
  isCanonical: (one) => isObject(one) && typeof one.length === "number",
  meaning: (one) => (isObject(one) && one.length !== 0 ? one.length : undefined),
  describe: (one) => (typeof one === "string" ? `${one.length} characters` : undefined),
  types: { taken: "string", read: { length: "number" } },
};

test("a value type decides what is kept, compared and told of a field", () => {
  const { tag } = catalog;
  const description = input(z.string().optional(), { doc: "Measured.", valueType: length });
  const measured: ResourceDefinition = { ...tag, fields: { ...tag.fields, description } };
  const { inputs, problems } = check(measured, {}, { name: "a", description: "four" });
  expect([problems, inputs]).toMatchObject([[], { name: "a", description: { length: 4 } }]);
  expect(check(measured, inputs, inputs)).toMatchObject({ inputs, problems: [] });
  const live = { name: "a", description: "five5" };
  expect(stateOf(measured, live, inputs)).toMatchObject({ description: { length: 5 } });
  const once = canonical(measured, "description", "six");
  expect(canonical(measured, "description", once)).toEqual({ length: 3 });
  expect(sameMeaning(measured, "description", "four", "five")).toBe(true);
  expect(sameMeaning(measured, "description", "", null)).toBe(true);
  expect(placesBetween(measured, "description", "four", "three")).toEqual(["description"]);
  expect(quoteField(measured, "description", "four")).toBe("4 characters");
  expect(quoteField(measured, "description", undefined)).toBe("nothing");
  expect(quoteField(tag, "description", "four")).toBe('"four"');
  const wrong = check(measured, {}, { name: "a", description: 5 });
  expect(wrong.problems).toEqual([{ path: ["description"], message: "found 5; text is needed" }]);
});
