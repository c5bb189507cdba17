import { expect, test } from "@jest/globals";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { shadowedRules } from "../../src/provider/words/reach-changes";
import { isCatchAll, whyNobody } from "../../src/provider/words/rule-reach";

const all = { name: "All", passPercentage: 10, conditions: [{ type: "public" }] };
const staff = {
  name: "Staff",
  passPercentage: 100,
  conditions: [{ type: "email", operator: "str_contains_any", targetValue: ["@example.com"] }],
};
const within = (rule: object, ...environments: string[]) => ({ ...rule, environments });
const tier = (name: string) => ({ type: "environment_tier", operator: "any", targetValue: [name] });

test.each([
  ["the public condition", all, true],
  ["no condition at all", { conditions: [] }, true],
  ["none of no values", { conditions: [{ type: "country", operator: "none", targetValue: [] }] }, true],
  ["everybody in one environment", within(all, "production"), true],
  ["some", staff, false],
  ["what is not known yet", { conditions: UNKNOWN }, false],
  ["a condition that is not known yet", { conditions: [UNKNOWN] }, false],
  ["environments that are not known yet", { ...all, environments: UNKNOWN }, false],
])("a catch-all: %s", (_, rule, expected) => {
  expect(isCatchAll(rule)).toBe(expected);
});

const [live, trying] = [within(all, "production"), within(all, "staging")];
const staffLive = within(staff, "production");
const liveByCondition = { conditions: [tier("production")] };
const unknown = { ...all, conditions: UNKNOWN };

test.each<[string, unknown, ...shadowed: object[]]>([
  ["a rule after everybody", [all, staff], { at: 1, after: [0] }],
  ["a rule before everybody", [staff, all]],
  ["everybody in another environment", [trying, staffLive]],
  ["everybody in that environment", [live, staffLive], { at: 1, after: [0] }],
  ["a rule for more environments", [live, staff]],
  ["both for its two", [live, trying, within(staff, "staging", "production")], { at: 2, after: [0, 1] }],
  ["by a condition", [liveByCondition, staffLive], { at: 1, after: [0] }],
  ["a catch-all that may turn out to be none", [unknown, staff]],
  ["no list", UNKNOWN],
])("no check comes to: %s", (_, rules, ...shadowed) => {
  expect(shadowedRules(rules)).toEqual(shadowed);
});

const field = (operator: string, targetValue?: unknown) => ({
  ...{ type: "custom_field", field: "plan", operator, targetValue },
});

const on = (...conditions: unknown[]) => ({ conditions });
const segment = (type: "passes" | "fails", targetValue: string | string[]) => ({
  type: `${type}_segment`,
  targetValue,
});

test.each([
  ["0 %", { ...staff, passPercentage: 0 }, "share"],
  ["variants of 0 %", { conditions: [], variants: [{ passPercentage: 0 }, { passPercentage: 0 }] }, "share"],
  ["no environment", { ...staff, environments: [] }, "environments"],
  ["one of no values", on(field("any", [])), "empty list"],
  ["one of no segments", on(segment("passes", [])), "empty list"],
  ["in and out", on(segment("passes", "a"), segment("fails", ["a", "b"])), "contradiction"],
  ["two lists without a common value", on(field("any", ["a"]), field("any", ["b"])), "contradiction"],
  ["all values excluded", on(field("any", ["A"]), field("none", ["a", "b"])), "contradiction"],
  ["above and below", on(field("gt", 10), field("lt", "10")), "contradiction"],
  ["above a number and up to it", on(field("gt", 10), field("lte", 10)), "contradiction"],
  ["versions", on(field("version_gte", "2.10"), field("version_lt", "2.9.1")), "contradiction"],
  [
    "above a version and up to it",
    on(field("version_gt", "2.1"), field("version_lte", "2.1.0")),
    "contradiction",
  ],
  [
    "three lists",
    on(field("any", ["a", "b"]), field("any", ["b", "c"]), field("any", ["a", "c"])),
    "contradiction",
  ],
  [
    "in and out of many",
    on(segment("passes", [..."abcdefgh"]), segment("fails", [..."abcdefghi"])),
    "contradiction",
  ],
  ["above no number", on(field("gt", "many"), field("any", ["a"])), "condition"],
  ["there and not there", on(field("is_null"), field("gt", 3)), "contradiction"],
  ["two sorts of environments", within(on(tier("staging")), "production"), "contradiction"],
])("nobody: %s", (_, rule, why) => {
  expect(whyNobody(rule)?.why).toBe(why);
});

test.each([
  ["an ordinary rule", staff],
  ["a share that is not known yet", { ...staff, passPercentage: UNKNOWN }],
  ["a value that is not known yet", on(field("any", [UNKNOWN]), field("any", ["b"]))],
  ["two fields", on(field("any", ["a"]), { ...field("any", ["b"]), field: "size" })],
  ["one common value", on(field("any", ["a", "B"]), field("any", ["b", "c"]))],
  ["one value left", on(field("any", ["a", "b"]), field("none", ["a"]))],
  ["another case left", on(field("any", ["a"]), field("none_case_sensitive", ["a"]))],
  ["a range", on(field("gte", 10), field("lte", 10))],
  ["two lower bounds", on(field("gt", 10), field("gt", 1))],
  ["other segments", on(segment("passes", ["a", "b"]), segment("fails", ["b"]))],
  ["no rule", UNKNOWN],
])("somebody may: %s", (_, rule) => {
  expect(whyNobody(rule)).toBeUndefined();
});
