import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { JsonObject } from "../../src/provider/schema/json";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { canonical, changedPaths, liveValue } from "../../src/provider/values/compare";
import { gateRules } from "./arbitraries";
import { kind, rowsByKind } from "./subjects";

const rule = (members: JsonObject) => [{ name: "a", passPercentage: 100, conditions: [], ...members }];
const two = [...rule({}), ...rule({ name: "b" })];
const withNull = { b: null, a: ["b", "a"] };

test.each(
  rowsByKind<[field: string, value: unknown, expected: unknown]>({
    gate: [
      ["sorts a set and removes what is given twice", "tags", ["b", "★ Core", "b", "a"], ["Core", "a", "b"]],
      ["makes an array of a bare target app", "targetApps", "web", ["web"]],
      ["keeps the order of a set with something unknown", "tags", ["b", UNKNOWN, "a"], ["b", UNKNOWN, "a"]],
      ["drops null members", "rules", rule({ environments: null }), rule({})],
      ["drops what the console sets", "rules", rule({ id: "x", baseID: "y" }), rule({})],
      [
        "keeps an empty array that has a meaning",
        "rules",
        rule({ environments: [] }),
        rule({ environments: [] }),
      ],
      ["leaves another name alone", "__provider", { any: null }, { any: null }],
    ],
    dynamicConfig: [
      ["leaves a JSON value alone", "defaultValue", withNull, withNull],
      ["leaves JSON5 text alone", "defaultValueJson5", "// why\n{b: 1}", "// why\n{b: 1}"],
    ],
  }),
)("the canonical form %s (%s)", (_, name, field, value, expected) => {
  expect(canonical(kind(name), field, value)).toEqual(expected);
});

test("the canonical form of rules is the same twice", () => {
  fc.assert(
    fc.property(gateRules, (rules) => {
      const once = canonical(kind("gate"), "rules", rules);
      expect(canonical(kind("gate"), "rules", once)).toEqual(once);
    }),
  );
});

describe("changed paths are as a user writes them", () => {
  const email = { type: "email", operator: "any", targetValue: ["x"] };
  const on = (...conditions: JsonObject[]) => rule({ conditions });
  const p = { name: "p", type: "object", defaultValue: {} };
  const q = { ...p, name: "q" };
  const changed = [...rule({ passPercentage: 1 }), ...rule({ name: "c" })];

  test.each(
    rowsByKind<[field: string, from: unknown, to: unknown, ...paths: string[]]>({
      gate: [
        ["a whole field", "description", "a", "b", "description"],
        [
          "an operator",
          "rules",
          on({ type: "public" }, email),
          on({ type: "public" }, { ...email, operator: "none" }),
          "rules[0].conditions[1].operator",
        ],
        [
          "one value",
          "rules",
          on(email),
          on({ ...email, targetValue: ["y"] }),
          "rules[0].conditions[0].targetValue",
        ],
        ["a rule more", "rules", rule({}), two, "rules[1]"],
        ["a rule less", "rules", two, rule({}), "rules[1]"],
        ["all rules", "rules", undefined, rule({}), "rules"],
        ["several places", "rules", two, changed, "rules[0].passPercentage", "rules[1].name"],
      ],
      dynamicConfig: [
        ["inside a value", "defaultValue", { a: [{ b: 1 }] }, { a: [{ b: 2 }] }, "defaultValue.a[0].b"],
      ],
      layer: [
        [
          "a parameter by its name",
          "parameters",
          [p, q],
          [{ ...q, type: "array", defaultValue: [] }, p],
          ...["parameters.q.defaultValue", "parameters.q.type"],
        ],
      ],
    }),
  )("%s (%s)", (_, name, field, from, to, ...paths) => {
    expect(changedPaths(kind(name), field, from, to)).toEqual(paths);
  });
});

test.each(
  rowsByKind<[field: string, live: JsonObject, expected: unknown]>({
    dynamicConfig: [
      ["JSON5 of a value", "defaultValueJson5", { defaultValue: { a: 1 } }, '{"a":1}'],
      ["a value of its JSON5", "defaultValue", { defaultValueJson5: "// x\n{a: 1}" }, { a: 1 }],
      ["a schema's JSON5", "schemaJson5", { schema: '{"a":1}' }, '{"a":1}'],
      ["a schema, as text", "schema", { schemaJson5: "{a: 1}" }, '{"a":1}'],
      [
        "what is there stays",
        "defaultValue",
        { defaultValue: { a: 1 }, defaultValueJson5: "{a: 2}" },
        { a: 1 },
      ],
      ["nothing of nothing", "defaultValue", {}, undefined],
    ],
    gate: [["a team's id is not made of its name", "teamID", { team: "growth" }, undefined]],
  }),
)("of two views of one thing, the one that the console left out is made of the other: %s (%s)", (...row) => {
  const [, name, field, live, expected] = row;
  expect(liveValue(kind(name), live, field)).toEqual(expected);
});
