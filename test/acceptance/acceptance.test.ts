import { describe, expect, test } from "@jest/globals";
import { catalog, parts } from "../../src/provider/definitions";
import { acceptedFields, type ResourceDefinition, wireName } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { harsh, mild, mixture } from "../laws/consoles";
import { playsAll } from "../support/sample";
import { allCases } from "./all-cases";
import { nameOf } from "./cases";
import { exceptions } from "./exceptions";
import { handleCase } from "./handled";
import { differences, isNone } from "./plan";
import { type ToolKind, tools } from "./tools";

const settings = playsAll ? [mild, harsh, mixture(1), mixture(2)] : [mild, harsh];

describe.each(settings)("where the console is $name", ({ behaviour }) => {
  test.each(allCases.map((one) => [nameOf(one), one] as const))("acceptance: %s", (_, one) =>
    handleCase(one, behaviour),
  );
});

test("acceptance: every kind has cases, two hundred or more in all, each with a name of its own", () => {
  const kinds = Object.keys(tools) as ToolKind[];
  expect(kinds.filter((kind) => !allCases.some((one) => one.kind === kind))).toEqual([]);
  expect(new Set(allCases.map(nameOf)).size).toBe(allCases.length);
  expect(allCases.length).toBeGreaterThanOrEqual(200);
});

test("acceptance: what cannot hold is told of cases that there are", () => {
  const told = Object.values(exceptions).flatMap(({ cases }) => Object.keys(cases));
  const names = new Set(allCases.map(nameOf));
  expect(told.filter((name) => !names.has(name))).toEqual([]);
  expect(told.length).toBe(31);
});

const definitions = Object.entries<ResourceDefinition>({ ...catalog, ...parts });
test.each(definitions)("acceptance: every argument of %s is said with a value", (kind, definition) => {
  const said = new Set(
    allCases
      .filter((one) => one.kind === kind)
      .flatMap(({ body }) => Object.entries(body).flatMap(([name, value]) => (isNone(value) ? [] : [name]))),
  );
  const taken = Object.values(definition.routes).flatMap((route) => acceptedFields(definition, route));
  const missing = new Set(taken.map((name) => wireName(definition, name)).filter((name) => !said.has(name)));
  expect([...missing]).toEqual([]);
});

test.each<[string, JsonObject, JsonObject, string]>([
  ["another value", { a: 1 }, { a: 2 }, "a: sent 1, read 2"],
  ["nothing read", { a: "x" }, {}, 'a: sent "x", read undefined'],
  ["something where nothing was sent", { a: "" }, { a: "x" }, 'a: sent "", read "x"'],
  ["an element less", { a: [{ b: 1 }] }, { a: [] }, 'a: sent [{"b":1}], read []'],
  [
    "a value more inside what people put there",
    { returnValue: { a: 1 } },
    { returnValue: { a: 1, b: 2 } },
    'returnValue: sent {"a":1}, read {"a":1,"b":2}',
  ],
  [
    "no id where one is to be filled in",
    { rules: [{ id: "" }] },
    { rules: [{}] },
    'rules[0].id: sent "", read undefined',
  ],
])("acceptance: a plan shows %s", (_, sent, read, line) => {
  expect(differences(sent, read)).toEqual([line]);
});
