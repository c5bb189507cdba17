import { isObject, type JsonObject, mapped } from "../../provider/schema/json";

/** The parts of a package schema that a schema for programs is made of. */
export interface PackageSchema {
  readonly name: string;
  readonly types: Readonly<Record<string, JsonObject>>;
  readonly resources: Readonly<
    Record<
      string,
      {
        readonly description?: string;
        readonly inputProperties: Readonly<Record<string, JsonObject>>;
        readonly requiredInputs?: readonly string[];
      }
    >
  >;
}

/** A text with a reference or a call of a function fits any value. */
const expression = {
  anyOf: [
    { type: "string", pattern: "\\$\\{" },
    { type: "object", minProperties: 1, maxProperties: 1, propertyNames: { pattern: "^fn::" } },
  ],
};

/**
 * A JSON Schema for `Pulumi.yaml` and `Main.yaml`, by which an editor completes and judges resources of this package. JSON leaves out
 * what is undefined in it.
 */
export function programSchema({ name, types, resources }: PackageSchema): JsonObject {
  const kinds = Object.entries(resources);
  const typeNames = kinds.flatMap(([token]) => [token, shortType(name, token)]);
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "A Pulumi program in YAML with feature flags",
    type: "object",
    properties: { resources: { type: "object", additionalProperties: { $ref: "#/definitions/resource" } } },
    definitions: {
      resource: {
        type: "object",
        required: ["type"],
        properties: {
          type: { anyOf: [{ enum: typeNames }, { type: "string", not: { pattern: `^${name}:` } }] },
        },
        allOf: kinds.map(([token]) => ({
          if: { properties: { type: { enum: [token, shortType(name, token)] } } },
          // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
          then: { $ref: `#/definitions/${lastPart(token)}Resource` },
        })),
      },
      ...Object.fromEntries(
        kinds.map(([token, { description, inputProperties, requiredInputs = [] }]) => [
          `${lastPart(token)}Resource`,
          {
            // Examples in other languages come after it.
            description: description?.split("\n")[0],
            properties: { properties: objectSchema(inputProperties, requiredInputs) },
            ...(requiredInputs.length === 0 ? {} : { required: ["properties"] }),
          },
        ]),
      ),
      ...Object.fromEntries(
        Object.entries(types).map(([token, type]) => [lastPart(token), typeSchema(type)]),
      ),
    },
  };
}

/** `feature-console:index:Gate` -> `feature-console:Gate`, as people write it. */
function shortType(name: string, token: string): string {
  return `${name}:${lastPart(token)}`;
}

function lastPart(token: string): string {
  return token.split(":").at(-1) ?? token;
}

function objectSchema(properties: Readonly<Record<string, unknown>>, required: unknown): JsonObject {
  return {
    type: "object",
    properties: mapped(properties, (one) => (isObject(one) ? valueSchema(one) : {})),
    required,
    additionalProperties: false,
  };
}

function typeSchema({ type, description, properties, required = [], enum: values }: JsonObject): JsonObject {
  if (type === "object" && isObject(properties))
    return { description, ...objectSchema(properties, required) };
  if (!Array.isArray(values)) return { description, type };
  return { description, enum: values.map((one) => (isObject(one) ? one.value : one)) };
}

/** The schema of a value, or of an expression in its place. */
function valueSchema({ description, ...one }: JsonObject): JsonObject {
  const schema = plainSchema(one);
  return Object.keys(schema).length === 0
    ? { description }
    : { description, anyOf: [schema, ...expression.anyOf] };
}

function plainSchema({ $ref, type, oneOf, const: only, ...inside }: JsonObject): JsonObject {
  const { items, additionalProperties } = inside;
  if (typeof $ref === "string")
    return $ref.startsWith("#/types/") ? { $ref: `#/definitions/${lastPart($ref)}` } : {};
  if (Array.isArray(oneOf)) return { anyOf: oneOf.map((one) => plainSchema(one as JsonObject)) };
  return {
    ...{ type, const: only },
    ...(isObject(items) ? { items: valueSchema(items) } : {}),
    ...(isObject(additionalProperties) ? { additionalProperties: valueSchema(additionalProperties) } : {}),
  };
}
