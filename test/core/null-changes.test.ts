import { expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { managedMember } from "../../src/provider/values/managed";
import { nullChangeLines } from "../../src/provider/words/null-changes";
import { valueChangesText } from "../../src/provider/words/values";

const lines = (definition: ResourceDefinition, olds: JsonObject, news: JsonObject) =>
  nullChangeLines(definition, { ...olds, [managedMember]: Object.keys(olds) }, news);
const config = (was: unknown, is: unknown) =>
  lines(catalog.dynamicConfig, { defaultValue: was }, { defaultValue: is });
const everyone = [{ type: "public" }];

test.each<[string, unknown, unknown, string[]]>([
  ["removed", { none: null, a: 1 }, { a: 1 }, ["defaultValue.none: null → removed"]],
  ["new", {}, { none: null }, ["defaultValue.none: null (new)"]],
  ["overwritten", { none: null }, { none: 5 }, ["defaultValue.none: null → 5"]],
  ["in the place of a value", { none: "x" }, { none: null }, ['defaultValue.none: "x" → null']],
  ["deep inside", { a: { b: [{ c: null }] } }, { a: { b: [{}] } }, ["defaultValue.a.b[0].c: null → removed"]],
  ["at the end of a list", { a: [1, null] }, { a: [1] }, ["defaultValue.a[1]: null → removed"]],
  ["within a list", { a: [1, null, 2] }, { a: [1, 2] }, ["defaultValue.a[1]: null → 2"]],
  ["in what is new itself", {}, { a: { b: null } }, ["defaultValue.a.b: null (new)"]],
  ["in what is an object now", { a: null }, { a: { b: 1 } }, ['defaultValue.a: null → {"b":1}']],
])("a null that is %s has a line", (_, was, is, expected) => {
  expect(config(was, is)).toEqual(expected);
});

test("no other change has one, and a null that stays has none", () => {
  expect(config({ none: null, a: 1 }, { none: null, a: 2 })).toEqual([]);
  expect(config({ a: 1, list: [1] }, { b: 1, list: [] })).toEqual([]);
  expect(lines(catalog.dynamicConfig, { defaultValue: { none: null } }, {})).toEqual([]);
});

test("nulls in rules, variants, groups, parameters of layers and param stores", () => {
  const rule = (returnValue: object, name = "All") => ({
    name,
    passPercentage: 100,
    conditions: everyone,
    returnValue,
  });
  expect(
    lines(catalog.dynamicConfig, { rules: [rule({ none: null })] }, { rules: [rule({}, "New"), rule({})] }),
  ).toEqual(["rules[1].returnValue.none: null → removed"]);
  const variant = (returnValue: object) => ({
    rules: [
      { name: "All", conditions: everyone, variants: [{ name: "A", passPercentage: 100, returnValue }] },
    ],
  });
  expect(lines(catalog.dynamicConfig, variant({ none: null }), variant({}))).toEqual([
    "rules[0].variants[0].returnValue.none: null → removed",
  ]);
  const groups = (parameterValues: object) => ({ groups: [{ name: "Control", size: 100, parameterValues }] });
  expect(lines(catalog.experiment, groups({ none: null }), groups({}))).toEqual([
    "groups[0].parameterValues.none: null → removed",
  ]);
  const layer = (defaultValue: object) => ({ parameters: [{ name: "p", type: "object", defaultValue }] });
  expect(lines(catalog.layer, layer({ none: null }), layer({}))).toEqual([
    "parameters[0].defaultValue.none: null → removed",
  ]);
  const store = (value: object) => ({
    parameters: [{ name: "p", refType: "static", paramType: "object", value }],
  });
  expect(lines(catalog.paramStore, store({ none: null }), store({}))).toEqual([
    "parameters[0].value.none: null → removed",
  ]);
});

test("of many nulls ten are named", () => {
  const many = Object.fromEntries(Array.from({ length: 13 }, (_, at) => [`n${at}`, null]));
  const said = config(many, {});
  expect(said).toHaveLength(11);
  expect(said.at(-1)).toBe("3 more nulls change");
});

test("where Pulumi may have dropped a null, the line names the argument that keeps it", () => {
  const olds = { defaultValue: { none: null }, [managedMember]: ["defaultValue"] };
  expect(
    nullChangeLines(catalog.dynamicConfig, olds, { defaultValue: {} }, (path) => `${path[0]}Json5`),
  ).toEqual([
    "defaultValue.none: null → removed (if the program sets this null, Pulumi has dropped it: set defaultValueJson5 to keep it)",
  ]);
});

test("a report tells them in its own words", () => {
  expect(valueChangesText({ none: null, a: 1 }, { a: 1 })).toBe("none removed (was null)");
  expect(valueChangesText({}, { none: null })).toBe("none null (new)");
  expect(valueChangesText(null, undefined)).toBeUndefined();
});
