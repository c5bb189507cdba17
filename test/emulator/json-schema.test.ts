import { expect, test } from "@jest/globals";
import { jsonSchemaFindings } from "../../src/emulator/json-schema";

const nested = {
  $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } }, required: ["v"] } },
  $ref: "#/$defs/node",
};

// Text, because an object with a member called "then" looks like a promise to tools.
const conditional: unknown = JSON.parse(
  '{ "if": { "type": "string" }, "then": { "minLength": 2 }, "else": { "type": "number" } }',
);

test.each<[unknown, unknown, boolean]>([
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
])("%j takes %j: %s", (schema, value, takes) => {
  expect(jsonSchemaFindings(schema, value).length === 0).toBe(takes);
});

test("a finding names the place", () => {
  const schema = { properties: { list: { items: { type: "string" } } } };
  expect(jsonSchemaFindings(schema, { list: ["a", 1] })).toEqual(["list/1 must be string"]);
});
