import { describe, expect, test } from "@jest/globals";
import type { JsonObject } from "../../src/provider/schema/json";
import { canonical, sameMeaning } from "../../src/provider/values/compare";
import { kind } from "./subjects";

const rulesOf = (condition: JsonObject) => [{ name: "a", passPercentage: 1, conditions: [condition] }];
const same = (left: JsonObject, right: JsonObject) =>
  sameMeaning(kind("gate"), "rules", rulesOf(left), rulesOf(right));
const sent = (condition: JsonObject) =>
  (canonical(kind("gate"), "rules", rulesOf(condition)) as { conditions: unknown[] }[])[0]?.conditions[0];

const any = { type: "user_id", operator: "any" };
const field = { type: "custom_field", field: "age" };

describe("two conditions mean the same", () => {
  test.each<[string, JsonObject, JsonObject]>([
    [
      "null, empty and absent members",
      { ...any, targetValue: ["x"], field: null, customID: "" },
      { ...any, targetValue: ["x"] },
    ],
    [
      "null and empty operators",
      { type: "passes_gate", operator: null, targetValue: "g" },
      { type: "passes_gate", operator: "", targetValue: "g" },
    ],
    [
      "an environment tier without operator",
      { type: "environment_tier", targetValue: ["staging"] },
      { type: "environment_tier", operator: "any", targetValue: "staging" },
    ],
    ["text and an array of one", { ...any, targetValue: "x" }, { ...any, targetValue: ["x"] }],
    [
      "a gate id and an array of one",
      { type: "passes_gate", targetValue: "g" },
      { type: "passes_gate", targetValue: ["g"] },
    ],
    [
      "a version and an array of one",
      { type: "os_version", operator: "version_gt", targetValue: ["11.0.0"] },
      { type: "os_version", operator: "version_gt", targetValue: "11.0.0" },
    ],
    [
      "numbers and texts among ids",
      { ...any, targetValue: [111, 222] },
      { ...any, targetValue: ["222", "111"] },
    ],
    ["a number and an array of text", { ...any, targetValue: 111 }, { ...any, targetValue: ["111"] }],
    [
      "text for a number",
      { ...field, operator: "gt", targetValue: "31" },
      { ...field, operator: "gt", targetValue: 31 },
    ],
    [
      "an array of text for a number",
      { ...field, operator: "gt", targetValue: ["31"] },
      { ...field, operator: "gt", targetValue: 31 },
    ],
    [
      "a numeric text for a time",
      { type: "time", operator: "after", targetValue: "1700000000000" },
      { type: "time", operator: "after", targetValue: 1700000000000 },
    ],
    [
      "numbers and texts of a custom field",
      { ...field, operator: "any", targetValue: [31] },
      { ...field, operator: "any", targetValue: "31" },
    ],
    ["public with nothing, null and []", { type: "public" }, { type: "public", targetValue: [] }],
    ["public with null and absent", { type: "public", targetValue: null }, { type: "public" }],
    [
      "is_null with [] and absent",
      { ...field, operator: "is_null", targetValue: [] },
      { ...field, operator: "is_null" },
    ],
    ["values in another order", { ...any, targetValue: ["b", "a"] }, { ...any, targetValue: ["a", "b"] }],
    ["values given twice", { ...any, targetValue: ["a", "b", "a"] }, { ...any, targetValue: ["a", "b"] }],
    [
      "a pass-through type with text and an array of one",
      { type: "javascript", targetValue: "x" },
      { type: "javascript", targetValue: ["x"] },
    ],
    [
      "an unknown type with a number and its text",
      { type: "brand_new", operator: "near", targetValue: [7] },
      { type: "brand_new", operator: "near", targetValue: "7" },
    ],
    [
      "members that the console adds",
      { ...any, targetValue: ["x"], hash: "abc" },
      { ...any, targetValue: ["x"] },
    ],
  ])("%s", (_, left, right) => {
    expect(same(left, right)).toBe(true);
    expect(same(right, left)).toBe(true);
  });
});

describe("two conditions differ", () => {
  test.each<[string, JsonObject, JsonObject]>([
    ["in a value", { ...any, targetValue: ["x"] }, { ...any, targetValue: ["y"] }],
    ["in the case of a value", { ...any, targetValue: ["x"] }, { ...any, targetValue: ["X"] }],
    ["in one value more", { ...any, targetValue: ["x"] }, { ...any, targetValue: ["x", "y"] }],
    ["in the operator", { ...any, targetValue: ["x"] }, { ...any, operator: "none", targetValue: ["x"] }],
    ["in the type", { type: "email", operator: "any", targetValue: ["x"] }, { ...any, targetValue: ["x"] }],
    ["in the field", { ...field, operator: "is_null" }, { ...field, field: "size", operator: "is_null" }],
    [
      "in a number",
      { ...field, operator: "gt", targetValue: 31 },
      { ...field, operator: "gt", targetValue: "31.5" },
    ],
    [
      "in a version that looks like the same number",
      { type: "app_version", operator: "version_gt", targetValue: "1.10" },
      { type: "app_version", operator: "version_gt", targetValue: "1.1" },
    ],
    ["in having a value", { type: "passes_gate", targetValue: "g" }, { type: "passes_gate" }],
  ])("%s", (_, left, right) => {
    expect(same(left, right)).toBe(false);
  });

  test("in their order", () => {
    const conditions = [{ type: "public" }, { ...any, targetValue: ["x"] }];
    const rules = (list: JsonObject[]) => [{ name: "a", passPercentage: 1, conditions: list }];
    expect(sameMeaning(kind("gate"), "rules", rules(conditions), rules([...conditions].reverse()))).toBe(
      false,
    );
  });
});

describe("a condition is sent in the form that the console documents", () => {
  test.each<[string, JsonObject, JsonObject]>([
    ["an array for any", { ...any, targetValue: 111 }, { ...any, targetValue: ["111"] }],
    [
      "one text for a version",
      { type: "app_version", operator: "version_gt", targetValue: ["1.2"] },
      { type: "app_version", operator: "version_gt", targetValue: "1.2" },
    ],
    [
      "an array for any version",
      { type: "app_version", operator: "any", targetValue: "1.2" },
      { type: "app_version", operator: "any", targetValue: ["1.2"] },
    ],
    [
      "one number for an order",
      { ...field, operator: "gte", targetValue: ["18"] },
      { ...field, operator: "gte", targetValue: 18 },
    ],
    [
      "numbers of a custom field stay numbers",
      { ...field, operator: "any", targetValue: 18 },
      { ...field, operator: "any", targetValue: [18] },
    ],
    [
      "one text for a gate",
      { type: "fails_gate", targetValue: ["g"], operator: null },
      { type: "fails_gate", targetValue: "g" },
    ],
    ["nothing for public", { type: "public", operator: null, targetValue: [] }, { type: "public" }],
    [
      "the operator of an environment tier",
      { type: "environment_tier", targetValue: "staging" },
      { type: "environment_tier", operator: "any", targetValue: ["staging"] },
    ],
    [
      "what passes through as it is",
      { type: "experiment_group", operator: "any", targetValue: 5 },
      { type: "experiment_group", operator: "any", targetValue: 5 },
    ],
  ])("%s", (_, said, expected) => {
    expect(sent(said)).toEqual(expected);
    expect(sent(sent(said) as JsonObject)).toEqual(expected);
  });
});

test("a live value that no text can be made of is another value, and no accident", () => {
  const odd = { toString: 1, valueOf: 1 };
  expect(same({ ...any, targetValue: odd }, { ...any, targetValue: ["x"] })).toBe(false);
  expect(same({ ...any, targetValue: [odd] }, { ...any, targetValue: [odd] })).toBe(true);
});
