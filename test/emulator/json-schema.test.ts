import { expect, test } from "@jest/globals";
import { schemaChecker } from "../../src/emulator/http/json-schema";

const nested = {
  $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } }, required: ["v"] } },
  $ref: "#/$defs/node",
};
const noOthers = { properties: { a: { type: "string" } }, additionalProperties: false };

// What each keyword means is the library's; here are its version, and the ways in which it is lenient.
test.each<[object | boolean, unknown, boolean]>([
  [true, 1, true],
  [false, 1, false],
  [{}, null, true],
  [{ type: "integer" }, 1.5, false],
  [{ type: "object" }, [], false],
  [{ pattern: "^a" }, "ba", false],
  [noOthers, { a: "x" }, true],
  [{ prefixItems: [{ type: "string" }], items: false }, ["a", 1], false],
  [{ prefixItems: [{}], unevaluatedItems: false }, [1, 2], false],
  [{ dependentSchemas: { a: { required: ["b"] } } }, { a: 1 }, false],
  [nested, { v: 1, next: { v: 2 } }, true],
  [nested, { v: 1, next: {} }, false],
  // 0.3 is a multiple of 0.1, and {} has no member toString.
  [{ multipleOf: 0.1 }, 0.3, true],
  [{ multipleOf: 0.1 }, 0.35, false],
  [{ required: ["toString"] }, {}, false],
  [{ type: "string", format: "email" }, "nobody", true],
  [{ $schema: "http://json-schema.org/draft-07/schema#", type: "string" }, 1, false],
  [{ $async: true, type: "string" }, 1, false],
  [{ "x-note": 1, type: "string" }, 1, false],
  // A schema that cannot be worked with finds nothing.
  [{ $ref: "#" }, 1, true],
  [{ $ref: "https://elsewhere.example/schema" }, 1, true],
  [{ type: "nonsense" }, 1, true],
  [{ pattern: "(" }, "text", true],
])("%j takes %j: %s", (schema, value, takes) => {
  expect(schemaChecker(schema)(value).length === 0).toBe(takes);
});

test.each<[object, unknown, string[]]>([
  [{ items: { type: "string" } }, ["a", 1, 2], ["1 must be string", "2 must be string"]],
  [{ properties: { list: { items: { type: "string" } } } }, { list: [1] }, ["list/0 must be string"]],
  [{ required: ["size"] }, {}, ["the value must have required property 'size'"]],
  [{ additionalProperties: false }, { b: 1 }, ['the value must NOT have additional properties: "b"']],
  [{ unevaluatedProperties: false }, { b: 1 }, ['the value must NOT have unevaluated properties: "b"']],
  [{ enum: [1, 2] }, 3, ["the value must be equal to one of the allowed values: [1,2]"]],
  [{ const: 1 }, 3, ["the value must be equal to constant: 1"]],
])("a finding names the place: %j with %j", (schema, value, findings) => {
  expect(schemaChecker(schema)(value)).toEqual(findings);
});
