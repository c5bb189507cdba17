import { expect, test } from "@jest/globals";
import { managed } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { argumentsCode } from "../../src/tools/import/program/argument-code";

const definitions: Readonly<Record<string, ResourceDefinition>> = managed;
const context = { reference: () => undefined, ids: () => "[]", unusual: () => undefined };

/** A kind with an argument that is JSON as text. */
const [definition, name] = Object.values(definitions).flatMap((one): [ResourceDefinition, string][] =>
  Object.entries(one.fields).flatMap(([field, { mode, facts }]): [ResourceDefinition, string][] =>
    mode === "input" && facts.sameAs === "json" ? [[one, field]] : [],
  ),
)[0] as [ResourceDefinition, string];

test.each(['{"a":1e400}', '{"a":12345678901234567891}', "text", "1"])("JSON text %s stays text", (text) => {
  expect(argumentsCode(definition, { [name]: text }, context)).toBe(`{ ${name}: ${JSON.stringify(text)} }`);
});

test("JSON text of an object is an object", () => {
  expect(argumentsCode(definition, { [name]: '{"a":[1,null]}' }, context)).toBe(
    `{ ${name}: JSON.stringify({ a: [1, null] }) }`,
  );
});
