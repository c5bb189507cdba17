import { expect, test } from "@jest/globals";
import { schemaChecker } from "../../src/emulator/http/json-schema";

const nested = {
  $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } }, required: ["v"] } },
  $ref: "#/$defs/node",
};

// Text, because an object with a member called "then" looks like a promise to tools.
const conditional = JSON.parse(
  '{ "if": { "type": "string" }, "then": { "minLength": 2 }, "else": { "type": "number" } }',
) as object;

test.each<[object | boolean, unknown, boolean]>([
  [true, 1, true],
  [false, 1, false],
  [{}, null, true],
  [{ type: "integer" }, 1.0, true],
  [{ type: "integer" }, 1.5, false],
  [{ type: ["string", "null"] }, null, true],
  [{ type: "object" }, [], false],
  [{ enum: [1, { a: 1 }] }, { a: 1 }, true],
  [{ const: [1] }, [2], false],
  [{ minimum: 2, exclusiveMaximum: 3 }, 3, false],
  [{ minimum: 2 }, "text", true],
  [{ multipleOf: 0.1 }, 0.3, true],
  [{ multipleOf: 0.1 }, 0.35, false],
  [{ maxLength: 1 }, "😀", true],
  [{ pattern: "^a" }, "ba", false],
  [{ items: { type: "number" } }, [1, "2"], false],
  [{ prefixItems: [{ type: "string" }], items: false }, ["a"], true],
  [{ prefixItems: [{ type: "string" }], items: false }, ["a", 1], false],
  [{ contains: { const: 1 }, maxContains: 1 }, [1, 1], false],
  [{ uniqueItems: true }, [{ a: 1 }, { a: 1 }], false],
  [{ required: ["a"] }, {}, false],
  [{ required: ["toString"] }, {}, false],
  [{ properties: { a: { type: "string" } }, additionalProperties: false }, { a: "x" }, true],
  [{ properties: { a: { type: "string" } }, additionalProperties: false }, { b: "x" }, false],
  [{ patternProperties: { "^x": { type: "number" } }, additionalProperties: false }, { x1: 1 }, true],
  [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, false],
  [{ minProperties: 1 }, {}, false],
  [{ dependentRequired: { a: ["b"] } }, { a: 1 }, false],
  [{ dependentSchemas: { a: { required: ["b"] } } }, { a: 1 }, false],
  [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, 3, false],
  [{ anyOf: [{ type: "string" }, { minimum: 5 }] }, 6, true],
  [{ oneOf: [{ minimum: 1 }, { minimum: 2 }] }, 3, false],
  [{ not: { type: "string" } }, "x", false],
  [conditional, "x", false],
  [conditional, 1, true],
  [nested, { v: 1, next: { v: 2 } }, true],
  [nested, { v: 1, next: {} }, false],
  [{ $ref: "#" }, 1, true],
  [{ prefixItems: [{}], unevaluatedItems: false }, [1, 2], false],
  [{ allOf: [{ properties: { a: {} } }], unevaluatedProperties: false }, { b: 1 }, false],
  [{ $defs: { text: { $anchor: "text", type: "string" } }, $ref: "#text" }, 1, false],
  [{ type: "string", format: "email" }, "nobody", true],
  [{ $schema: "http://json-schema.org/draft-07/schema#", type: "string" }, 1, false],
  [{ $async: true, type: "string" }, 1, false],
  [{ "x-note": 1, type: "string" }, 1, false],
  [{ $ref: "https://elsewhere.example/schema" }, 1, true],
  [{ type: "nonsense" }, 1, true],
  [{ pattern: "(" }, "text", true],
])("%j takes %j: %s", (schema, value, takes) => {
  expect(schemaChecker(schema)(value).length === 0).toBe(takes);
});

test.each<[object, unknown, string[]]>([
  [
    { properties: { list: { items: { type: "string" } } } },
    { list: ["a", 1, 2] },
    ["list/1 must be string", "list/2 must be string"],
  ],
  [{ required: ["size"] }, {}, ["the value must have required property 'size'"]],
  [{ additionalProperties: false }, { b: 1 }, ['the value must NOT have additional properties: "b"']],
  [{ enum: [1, 2] }, 3, ["the value must be equal to one of the allowed values: [1,2]"]],
])("a finding names the place: %j with %j", (schema, value, findings) => {
  expect(schemaChecker(schema)(value)).toEqual(findings);
});
