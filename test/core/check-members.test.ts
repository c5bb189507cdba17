import { describe, expect, test } from "@jest/globals";
import type { KindName } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { treeOf } from "../../src/provider/schema/tree";
import { kind, problemsOf, withRule } from "./subjects";

type Case = readonly [what: string, kind: KindName, args: JsonObject, ...problems: string[]];

const email = { type: "email", operator: "any", targetValue: ["a@example.com"] };
const rule = (members: JsonObject) => ({
  rules: [{ name: "Staff", passPercentage: 100, conditions: [], ...members }],
});
const operatorAt = "rules[0].conditions[0].operator";
const operatorsText = (
  treeOf(kind("gate")).rules?.node.items?.properties?.conditions?.items?.properties?.operator?.anyOf ?? []
)
  .flatMap((one) => one.enum ?? [])
  .map((one) => JSON.stringify(one))
  .join(", ");

const names: Case[] = [
  ["the API's id", "gate", { id: "checkout" }, 'id: unknown argument; did you mean "key"?'],
  ["snake_case", "gate", { is_enabled: true }, 'is_enabled: unknown argument; did you mean "isEnabled"?'],
  [
    "the API's snake_case",
    "gate",
    { gradual_rollout_strategy: {} },
    'gradual_rollout_strategy: unknown argument; did you mean "gradualRolloutStrategy"?',
  ],
  [
    "a typing mistake",
    "gate",
    { descripton: "x" },
    'descripton: unknown argument; did you mean "description"?',
  ],
  ["something else altogether", "gate", { colour: "red" }, "colour: unknown argument"],
  ["an option that the kind lacks", "layer", { archiveReason: "x" }, "archiveReason: unknown argument"],
  [
    "the old name of environments",
    "gate",
    rule({ environment: ["x"] }),
    'rules[0].environment: unknown argument; did you mean "environments"?',
  ],
  [
    "a mistake in a condition",
    "gate",
    withRule([{ ...email, targetValues: [] }]),
    'rules[0].conditions[0].targetValues: unknown argument; did you mean "targetValue"?',
  ],
  ["an id of a rule", "gate", rule({ id: "4DonExIc" }), "rules[0].id: set by the console; leave it out"],
  [
    "a base id of a rule",
    "dynamicConfig",
    rule({ baseID: "4DonExIc" }),
    "rules[0].baseID: set by the console; leave it out",
  ],
  [
    "an id of a variant",
    "dynamicConfig",
    rule({ variants: [{ name: "a", passPercentage: 1, id: "x" }] }),
    "rules[0].variants[0].id: set by the console; leave it out",
  ],
  [
    "reviewers",
    "gate",
    { reviewSettings: { requiredReview: true, allowedReviewers: [] } },
    "reviewSettings.allowedReviewers: set by the console; leave it out",
  ],
  ["an output", "gate", { createdTime: 1 }, "createdTime: set by the console; leave it out"],
  ["an output with a wrong value", "layer", { tags: 1 }, "tags: set by the console; leave it out"],
  ["a member of every object", "gate", { constructor: 1 }, "constructor: unknown argument"],
  ["another member of every object", "layer", { toString: "x" }, "toString: unknown argument"],
  [
    "a prototype",
    "gate",
    JSON.parse('{"__proto__": {"isEnabled": true}}') as JsonObject,
    "__proto__: unknown argument",
  ],
  [
    "a prototype in a rule",
    "gate",
    rule(JSON.parse('{"__proto__": {}}') as JsonObject),
    "rules[0].__proto__: unknown argument",
  ],
  [
    "a member of every object in a rule",
    "gate",
    rule({ constructor: 1, valueOf: 2 }),
    "rules[0].constructor: unknown argument",
    "rules[0].valueOf: unknown argument",
  ],
];

const conditions: Case[] = [
  [
    "an operator that does not exist",
    "gate",
    withRule([{ type: "country", operator: "in", targetValue: ["CH"] }]),
    `${operatorAt}: found "in"; one of ${operatorsText} is needed`,
  ],
  [
    "a missing field",
    "gate",
    withRule([{ type: "custom_field", operator: "any", targetValue: ["x"] }]),
    'rules[0].conditions[0].field: missing; "custom_field" needs it',
  ],
  [
    "an empty field",
    "gate",
    withRule([{ type: "custom_field", field: "", operator: "any", targetValue: ["x"] }]),
    'rules[0].conditions[0].field: missing; "custom_field" needs it',
  ],
  [
    "a missing customID",
    "gate",
    withRule([{ type: "unit_id", operator: "any", targetValue: ["x"] }]),
    'rules[0].conditions[0].customID: missing; "unit_id" needs it',
  ],
];

const sets: Case[] = [
  [
    "two rules of one name",
    "gate",
    { rules: [...(withRule([]).rules as []), ...(withRule([]).rules as [])] },
    'rules[1].name: "Staff" is the name of rules[0] too; rule names are unique',
  ],
  [
    "two rules without names",
    "gate",
    {
      rules: [
        { passPercentage: 1, conditions: [] },
        { passPercentage: 1, conditions: [] },
      ],
    },
    "rules[0].name: missing; text is needed",
    "rules[1].name: missing; text is needed",
  ],
  [
    "isEnabled beside status",
    "gate",
    { isEnabled: true, status: "Launched" },
    'status: given beside "isEnabled"; set one of the two',
  ],
  [
    "team beside teamID",
    "segment",
    { team: "a", teamID: "b" },
    'teamID: given beside "team"; set one of the two',
  ],
  [
    "a value beside its JSON5",
    "dynamicConfig",
    { defaultValue: {}, defaultValueJson5: "{}" },
    'defaultValueJson5: given beside "defaultValue"; set one of the two',
  ],
  [
    "a schema beside its JSON5",
    "dynamicConfig",
    { schema: "{}", schemaJson5: "{}" },
    'schemaJson5: given beside "schema"; set one of the two',
  ],
  [
    "ids on rules",
    "segment",
    { ids: ["a"] },
    'ids: a segment of type "rule_based" has none; they belong to id_list and user_store_id_list',
  ],
  [
    "rules on ids",
    "segment",
    { type: "id_list", rules: [] },
    'rules: a segment of type "id_list" has none; they belong to rule_based',
  ],
  [
    "a parameter twice",
    "layer",
    {
      parameters: [
        { name: "a", type: "string", defaultValue: "" },
        { name: "a", type: "string", defaultValue: "" },
      ],
    },
    'parameters[1].name: "a" is used twice; parameter names are unique',
  ],
  [
    "a parameter's value of another type",
    "layer",
    { parameters: [{ name: "a", type: "number", defaultValue: "1" }] },
    "parameters[0].defaultValue: found string, but type is number",
  ],
  [
    "a parameter's value that is null",
    "layer",
    { parameters: [{ name: "a", type: "object", defaultValue: null }] },
    "parameters[0].defaultValue: found null, but type is object",
  ],
  [
    "a parameter without a type",
    "layer",
    { parameters: [{ name: "a", defaultValue: 1 }] },
    'parameters[0].type: missing; one of "string", "number", "boolean", "object", "array" is needed',
  ],
];

describe("a wrong argument is reported once, with its place and what to do", () => {
  const cases = [...names, ...conditions, ...sets];
  test.each(cases)("%s (%s)", (_, kind, args, ...problems) => {
    expect(problemsOf(kind, args)).toEqual(problems);
  });

  test("a condition that segments do not take", () => {
    const [problem, ...more] = problemsOf("segment", withRule([{ type: "public" }]));
    expect(problem).toMatch(
      /^rules\[0\]\.conditions\[0\]\.type: found "public"; one of .*"user_id" is needed$/,
    );
    expect(more).toEqual([]);
  });

  test("all problems of all kinds are reported together", () => {
    const args = {
      id: "x",
      createdTime: 1,
      isEnabled: 1,
      status: "Launched",
      ...withRule([{ type: "email", operator: "bigger" }], { id: "y", passPercentage: 101 }),
    };
    const paths = problemsOf("gate", args).map((line) => line.split(":")[0]);
    const expected = [
      "createdTime",
      "id",
      "isEnabled",
      "rules[0].conditions[0].operator",
      "rules[0].id",
      "rules[0].passPercentage",
      "status",
    ];
    expect(paths.sort()).toEqual(expected);
  });
});
