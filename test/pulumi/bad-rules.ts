import type { KindName } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";

/** What is wrong, in which kind, the argument beside those of the smallest sample, where it is reported, and how. */
export type BadInput = readonly [
  what: string,
  kind: KindName,
  args: JsonObject,
  property: string,
  reason: RegExp,
];

/** A rule of any kind, and arguments with one rule that differs from it. */
export const rule = { name: "All", passPercentage: 100, conditions: [] as unknown[] };
export const withRule = (members: JsonObject): JsonObject => ({ rules: [{ ...rule, ...members }] });
export const withCondition = (members: JsonObject): JsonObject => withRule({ conditions: [members] });
export const at = "rules[0].conditions[0]";

/** Rules and conditions that the console could not take. */
export const badRules: readonly BadInput[] = [
  ["rules that are one object", "gate", { rules: rule }, "rules", /an array is needed/],
  [
    "a percentage over 100",
    "gate",
    withRule({ passPercentage: 101 }),
    "rules[0].passPercentage",
    /found 101; at most 100/,
  ],
  [
    "a negative percentage",
    "gate",
    withRule({ passPercentage: -1 }),
    "rules[0].passPercentage",
    /found -1; at least 0/,
  ],
  [
    "a percentage as text",
    "gate",
    withRule({ passPercentage: "50" }),
    "rules[0].passPercentage",
    /found "50"; a number is needed/,
  ],
  [
    "three decimals",
    "gate",
    withRule({ passPercentage: 12.345 }),
    "rules[0].passPercentage",
    /in steps of 0\.01/,
  ],
  [
    "two rules of one name",
    "gate",
    { rules: [rule, rule] },
    "rules[1].name",
    /"All" is the name of rules\[0\] too/,
  ],
  [
    "a rule without a name",
    "gate",
    { rules: [{ passPercentage: 1, conditions: [] }] },
    "rules[0].name",
    /missing; text is needed/,
  ],
  [
    "a rule without conditions",
    "gate",
    { rules: [{ name: "A", passPercentage: 1 }] },
    "rules[0].conditions",
    /missing; an array/,
  ],
  [
    "a misspelt member",
    "gate",
    withRule({ passPercent: 1 }),
    "rules[0].passPercent",
    /did you mean "passPercentage"\?/,
  ],
  ["an id of a rule", "gate", withRule({ id: "abc" }), "rules[0].id", /set by the console; leave it out/],
  [
    "a type of condition that does not exist",
    "gate",
    withCondition({ type: "emial" }),
    `${at}.type`,
    /found "emial"; one of .*"email"/,
  ],
  [
    "an operator that does not exist",
    "gate",
    withCondition({ type: "email", operator: "is", targetValue: "a" }),
    `${at}.operator`,
    /found "is"; one of "any"/,
  ],
  [
    "a custom field without its name",
    "gate",
    withCondition({ type: "custom_field", operator: "any", targetValue: ["a"] }),
    `${at}.field`,
    /missing; "custom_field" needs it/,
  ],
  [
    "a unit id without its type",
    "gate",
    withCondition({ type: "unit_id", operator: "any", targetValue: ["a"] }),
    `${at}.customID`,
    /missing; "unit_id" needs it/,
  ],
];
