import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { KindName } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { canonical, changedPaths, liveValue } from "../../src/provider/values/compare";
import { gateRules } from "./arbitraries";
import { kind } from "./subjects";

const rule = (members: JsonObject) => [{ name: "a", passPercentage: 100, conditions: [], ...members }];
const parameter = (members: JsonObject) => ({ name: "p", type: "object", defaultValue: {}, ...members });

describe("the canonical form", () => {
  test.each<[string, KindName, string, unknown, unknown]>([
    [
      "sorts a set and removes what is given twice",
      "gate",
      "tags",
      ["b", "★ Core", "b", "a"],
      ["Core", "a", "b"],
    ],
    ["makes an array of a bare target app", "gate", "targetApps", "web", ["web"]],
    [
      "keeps the order of a set with something unknown",
      "gate",
      "tags",
      ["b", UNKNOWN, "a"],
      ["b", UNKNOWN, "a"],
    ],
    ["drops null members", "gate", "rules", rule({ environments: null }), rule({})],
    ["drops what the console sets", "gate", "rules", rule({ id: "x", baseID: "y" }), rule({})],
    [
      "keeps an empty array that has a meaning",
      "gate",
      "rules",
      rule({ environments: [] }),
      rule({ environments: [] }),
    ],
    [
      "leaves a JSON value alone",
      "dynamicConfig",
      "defaultValue",
      { b: null, a: ["b", "a"] },
      { b: null, a: ["b", "a"] },
    ],
    ["leaves JSON5 text alone", "dynamicConfig", "defaultValueJson5", "// why\n{b: 1}", "// why\n{b: 1}"],
    ["leaves another name alone", "gate", "__provider", { any: null }, { any: null }],
  ])("%s", (_, name, field, value, expected) => {
    expect(canonical(kind(name), field, value)).toEqual(expected);
  });

  test("of rules is the same twice", () => {
    fc.assert(
      fc.property(gateRules, (rules) => {
        const once = canonical(kind("gate"), "rules", rules);
        expect(canonical(kind("gate"), "rules", once)).toEqual(once);
      }),
    );
  });
});

describe("changed paths are as a user writes them", () => {
  const condition = (members: JsonObject) => ({
    type: "email",
    operator: "any",
    targetValue: ["x"],
    ...members,
  });
  const conditions = (...list: JsonObject[]) => rule({ conditions: list });
  test.each<[string, KindName, string, unknown, unknown, string[]]>([
    ["a whole field", "gate", "description", "a", "b", ["description"]],
    [
      "an operator",
      "gate",
      "rules",
      conditions({ type: "public" }, condition({})),
      conditions({ type: "public" }, condition({ operator: "none" })),
      ["rules[0].conditions[1].operator"],
    ],
    [
      "one value",
      "gate",
      "rules",
      conditions(condition({})),
      conditions(condition({ targetValue: ["y"] })),
      ["rules[0].conditions[0].targetValue"],
    ],
    ["a rule more", "gate", "rules", rule({}), [...rule({}), ...rule({ name: "b" })], ["rules[1]"]],
    ["a rule less", "gate", "rules", [...rule({}), ...rule({ name: "b" })], rule({}), ["rules[1]"]],
    ["all rules", "gate", "rules", undefined, rule({}), ["rules"]],
    [
      "several places",
      "gate",
      "rules",
      [...rule({}), ...rule({ name: "b" })],
      [...rule({ passPercentage: 1 }), ...rule({ name: "c" })],
      ["rules[0].passPercentage", "rules[1].name"],
    ],
    [
      "inside a value",
      "dynamicConfig",
      "defaultValue",
      { a: [{ b: 1 }] },
      { a: [{ b: 2 }] },
      ["defaultValue.a[0].b"],
    ],
    [
      "a parameter by its name",
      "layer",
      "parameters",
      [parameter({}), parameter({ name: "q" })],
      [parameter({ name: "q", type: "array", defaultValue: [] }), parameter({})],
      ["parameters.q.defaultValue", "parameters.q.type"],
    ],
  ])("%s", (_, name, field, from, to, paths) => {
    expect(changedPaths(kind(name), field, from, to)).toEqual(paths);
  });
});

describe("of two views of one thing, the one that the console left out is made of the other", () => {
  test.each<[string, KindName, string, JsonObject, unknown]>([
    ["JSON5 of a value", "dynamicConfig", "defaultValueJson5", { defaultValue: { a: 1 } }, '{"a":1}'],
    [
      "a value of its JSON5",
      "dynamicConfig",
      "defaultValue",
      { defaultValueJson5: "// x\n{a: 1}" },
      { a: 1 },
    ],
    ["a schema's JSON5", "dynamicConfig", "schemaJson5", { schema: '{"a":1}' }, '{"a":1}'],
    ["a schema, as text", "dynamicConfig", "schema", { schemaJson5: "{a: 1}" }, '{"a":1}'],
    [
      "what is there stays",
      "dynamicConfig",
      "defaultValue",
      { defaultValue: { a: 1 }, defaultValueJson5: "{a: 2}" },
      { a: 1 },
    ],
    ["a team's id is not made of its name", "gate", "teamID", { team: "growth" }, undefined],
    ["nothing of nothing", "dynamicConfig", "defaultValue", {}, undefined],
  ])("%s", (_, name, field, live, expected) => {
    expect(liveValue(kind(name), live, field)).toEqual(expected);
  });
});
