import { expect, test } from "@jest/globals";
import type { JsonObject } from "../../src/provider/schema/json";
import { canonical, sameMeaning } from "../../src/provider/values/compare";
import { kind } from "./subjects";

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
