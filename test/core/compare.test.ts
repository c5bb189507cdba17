import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { z } from "zod";
import { check } from "../../src/provider/decisions/check";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { input, type ValueType } from "../../src/provider/schema/field";
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

describe("conditions", () => {
  const rulesOf = (...conditions: JsonObject[]) => [{ name: "a", passPercentage: 1, conditions }];
  const same = (left: JsonObject, right: JsonObject) =>
    sameMeaning(kind("gate"), "rules", rulesOf(left), rulesOf(right));
  const sent = (condition: JsonObject) =>
    (canonical(kind("gate"), "rules", rulesOf(condition)) as { conditions: unknown[] }[])[0]?.conditions[0];

  /** A condition of a type; the others are conditions of it with an operator. */
  const of = (type: string, more: JsonObject = {}) => ({ type, ...more });
  const user = (targetValue: unknown, more: JsonObject = {}) =>
    of("user_id", { operator: "any", targetValue, ...more });
  const age = (operator: string, more: JsonObject = {}) =>
    of("custom_field", { field: "age", operator, ...more });
  const ageIs = (operator: string, targetValue: unknown) => age(operator, { targetValue });
  const version = (operator: string, targetValue: unknown) => of("app_version", { operator, targetValue });
  const passes = (more: JsonObject) => of("passes_gate", more);
  const tier = (targetValue: unknown, more: JsonObject = {}) =>
    of("environment_tier", { targetValue, ...more });
  const time = (targetValue: unknown) => of("time", { operator: "after", targetValue });
  const script = (targetValue: unknown) => of("javascript", { targetValue });
  const brandNew = (targetValue: unknown) => of("brand_new", { operator: "near", targetValue });
  const group = of("experiment_group", { operator: "any", targetValue: 5 });
  const odd = { toString: 1, valueOf: 1 };

  test.each<[string, JsonObject, JsonObject]>([
    ["null, empty and absent members", user(["x"], { field: null, customID: "" }), user(["x"])],
    ["null and empty operators", passes({ operator: null }), passes({ operator: "" })],
    ["a tier without operator", tier(["staging"]), tier("staging", { operator: "any" })],
    ["text and an array of one", user("x"), user(["x"])],
    ["a gate id and an array of one", passes({ targetValue: "g" }), passes({ targetValue: ["g"] })],
    ["a version and an array of one", version("version_gt", ["11.0.0"]), version("version_gt", "11.0.0")],
    ["numbers and texts among ids", user([111, 222]), user(["222", "111"])],
    ["text for a number", ageIs("gt", "31"), ageIs("gt", 31)],
    ["an array of text for a number", ageIs("gt", ["31"]), ageIs("gt", 31)],
    ["a numeric text for a time", time("1700000000000"), time(1700000000000)],
    ["numbers and texts of a custom field", ageIs("any", [31]), ageIs("any", "31")],
    ["public with nothing, null and []", of("public"), of("public", { targetValue: [] })],
    ["public with null and absent", of("public", { targetValue: null }), of("public")],
    ["is_null with [] and absent", ageIs("is_null", []), age("is_null")],
    ["values in another order and given twice", user(["b", "a", "b"]), user(["a", "b"])],
    ["text and list of a type that passes through", script("x"), script(["x"])],
    ["a number and its text of an unknown type", brandNew([7]), brandNew("7")],
    ["members that the console adds", user(["x"], { hash: "abc" }), user(["x"])],
    ["a live value that no text can be made of, and itself", user([odd]), user([odd])],
  ])("two conditions mean the same: %s", (_, left, right) => {
    expect(same(left, right)).toBe(true);
    expect(same(right, left)).toBe(true);
  });

  test.each<[string, JsonObject, JsonObject]>([
    ["in a value", user(["x"]), user(["y"])],
    ["in the case of a value", user(["x"]), user(["X"])],
    ["in one value more", user(["x"]), user(["x", "y"])],
    ["in the operator", user(["x"]), user(["x"], { operator: "none" })],
    ["in the type", user(["x"], { type: "email" }), user(["x"])],
    ["in the field", age("is_null"), age("is_null", { field: "size" })],
    ["in a number", ageIs("gt", 31), ageIs("gt", "31.5")],
    ["in a version like the same number", version("version_gt", "1.10"), version("version_gt", "1.1")],
    ["in having a value", passes({ targetValue: "g" }), passes({})],
    ["in a live value that no text can be made of", user(odd), user(["x"])],
  ])("two conditions differ %s", (_, left, right) => {
    expect(same(left, right)).toBe(false);
  });

  test("two lists of conditions differ in their order", () => {
    const both = [of("public"), user(["x"])];
    expect(sameMeaning(kind("gate"), "rules", rulesOf(...both), rulesOf(...both.toReversed()))).toBe(false);
  });

  test.each<[string, JsonObject, JsonObject]>([
    ["an array for any", user(111), user(["111"])],
    ["one text for a version", version("version_gt", ["1.2"]), version("version_gt", "1.2")],
    ["an array for any version", version("any", "1.2"), version("any", ["1.2"])],
    ["one number for an order", ageIs("gte", ["18"]), ageIs("gte", 18)],
    ["numbers of a custom field stay numbers", ageIs("any", 18), ageIs("any", [18])],
    ["one text for a gate", passes({ targetValue: ["g"], operator: null }), passes({ targetValue: "g" })],
    ["nothing for public", of("public", { operator: null, targetValue: [] }), of("public")],
    ["the operator of an environment tier", tier("staging"), tier(["staging"], { operator: "any" })],
    ["what passes through as it is", group, group],
  ])("a condition is sent in the form that the console documents: %s", (_, said, expected) => {
    expect(sent(said)).toEqual(expected);
    expect(sent(sent(said) as JsonObject)).toEqual(expected);
  });
});
