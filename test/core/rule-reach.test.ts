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
const inProduction = { environments: ["production"] };

test.each([
  ["the public condition", all, true],
  ["no condition at all", { conditions: [] }, true],
  ["none of no values", { conditions: [{ type: "country", operator: "none", targetValue: [] }] }, true],
  ["everybody in one environment", { ...all, ...inProduction }, true],
  ["some", staff, false],
  ["what is not known yet", { conditions: UNKNOWN }, false],
  ["a condition that is not known yet", { conditions: [UNKNOWN] }, false],
  ["environments that are not known yet", { ...all, environments: UNKNOWN }, false],
])("a catch-all: %s", (_, rule, expected) => {
  expect(isCatchAll(rule)).toBe(expected);
});

test.each([
  ["a rule after everybody", [all, staff], [{ at: 1, after: [0] }]],
  ["a rule before everybody", [staff, all], []],
  [
    "everybody in another environment",
    [
      { ...all, environments: ["staging"] },
      { ...staff, ...inProduction },
    ],
    [],
  ],
  [
    "everybody in that environment",
    [
      { ...all, ...inProduction },
      { ...staff, ...inProduction },
    ],
    [{ at: 1, after: [0] }],
  ],
  ["a rule for more environments", [{ ...all, ...inProduction }, staff], []],
  [
    "two catch-alls for its two environments",
    [
      { ...all, ...inProduction },
      { ...all, environments: ["staging"] },
      { ...staff, environments: ["staging", "production"] },
    ],
    [{ at: 2, after: [0, 1] }],
  ],
  [
    "an environment that a condition says",
    [
      { conditions: [{ type: "environment_tier", targetValue: ["production"] }] },
      { ...staff, ...inProduction },
    ],
    [{ at: 1, after: [0] }],
  ],
  ["a catch-all that may turn out to be none", [{ ...all, conditions: UNKNOWN }, staff], []],
  ["no list", UNKNOWN, []],
])("no check comes to: %s", (_, rules, expected) => {
  expect(shadowedRules(rules)).toEqual(expected);
});

const field = (operator: string, targetValue?: unknown) => ({
  type: "custom_field",
  field: "plan",
  operator,
  targetValue,
});

test.each([
  ["0 %", { ...staff, passPercentage: 0 }, "share"],
  ["variants of 0 %", { conditions: [], variants: [{ passPercentage: 0 }, { passPercentage: 0 }] }, "share"],
  ["no environment", { ...staff, environments: [] }, "environments"],
  ["one of no values", { conditions: [field("any", [])] }, "empty list"],
  ["one of no segments", { conditions: [{ type: "passes_segment", targetValue: [] }] }, "empty list"],
  [
    "inside and outside",
    {
      conditions: [
        { type: "passes_segment", targetValue: "staff" },
        { type: "fails_segment", targetValue: ["staff", "guests"] },
      ],
    },
    "contradiction",
  ],
  [
    "two lists without a common value",
    { conditions: [field("any", ["a"]), field("any", ["b"])] },
    "contradiction",
  ],
  ["all values excluded", { conditions: [field("any", ["A"]), field("none", ["a", "b"])] }, "contradiction"],
  ["above and below", { conditions: [field("gt", 10), field("lt", "10")] }, "contradiction"],
  ["above a number and up to it", { conditions: [field("gt", 10), field("lte", 10)] }, "contradiction"],
  ["versions", { conditions: [field("version_gte", "2.10"), field("version_lt", "2.9.1")] }, "contradiction"],
  ["there and not there", { conditions: [field("is_null"), field("gt", 3)] }, "contradiction"],
  [
    "two sorts of environments",
    {
      ...inProduction,
      conditions: [{ type: "environment_tier", operator: "any", targetValue: ["staging"] }],
    },
    "contradiction",
  ],
])("nobody: %s", (_, rule, why) => {
  expect(whyNobody(rule)?.why).toBe(why);
});

test.each([
  ["an ordinary rule", staff],
  ["a share that is not known yet", { ...staff, passPercentage: UNKNOWN }],
  ["a value that is not known yet", { conditions: [field("any", [UNKNOWN]), field("any", ["b"])] }],
  ["two fields", { conditions: [field("any", ["a"]), { ...field("any", ["b"]), field: "size" }] }],
  ["one common value", { conditions: [field("any", ["a", "B"]), field("any", ["b", "c"])] }],
  ["one value left", { conditions: [field("any", ["a", "b"]), field("none", ["a"])] }],
  ["another case left", { conditions: [field("any", ["a"]), field("none_case_sensitive", ["a"])] }],
  ["a range", { conditions: [field("gte", 10), field("lte", 10)] }],
  ["two lower bounds", { conditions: [field("gt", 10), field("gt", 1)] }],
  [
    "other segments",
    {
      conditions: [
        { type: "passes_segment", targetValue: ["a", "b"] },
        { type: "fails_segment", targetValue: ["b"] },
      ],
    },
  ],
  ["no rule", UNKNOWN],
])("somebody may: %s", (_, rule) => {
  expect(whyNobody(rule)).toBeUndefined();
});
