import { equalJson, isObject, type JsonObject } from "../core/json";

/**
 * What a JSON value does wrong by a JSON Schema of version 2020-12; empty: nothing. The conversion of zod is not used
 * because it passes over keywords beside a missing `type` and knows neither `not` nor `if`. Not judged here:
 * `unevaluatedItems`, `unevaluatedProperties`, `$dynamicRef`, references out of the schema, and `format`, which in
 * 2020-12 is a remark.
 */
export function jsonSchemaFindings(schema: unknown, value: unknown): string[] {
  return judge({ root: schema, depth: 0 }, schema, value, "");
}

interface Context {
  readonly root: unknown;
  /** Guards against a schema that refers to itself without going down into the value. */
  readonly depth: number;
}

/** Findings of one keyword. `path` is the place of the value, such as `limits/0`. */
type Keyword = (
  context: Context,
  operand: unknown,
  value: unknown,
  path: string,
  schema: JsonObject,
) => string[];

const deepest = 200;

function judge(context: Context, schema: unknown, value: unknown, path: string): string[] {
  if (schema === false) return [`${at(path)} is not allowed`];
  if (!isObject(schema) || context.depth > deepest) return [];
  const deeper = { ...context, depth: context.depth + 1 };
  return Object.entries(schema).flatMap(([name, operand]) => {
    const keyword = Object.hasOwn(keywords, name) ? keywords[name] : undefined;
    return keyword?.(deeper, operand, value, path, schema) ?? [];
  });
}

const at = (path: string): string => (path === "" ? "the value" : path);
const below = (path: string, name: string | number): string =>
  path === "" ? String(name) : `${path}/${name}`;
const fits = (context: Context, schema: unknown, value: unknown): boolean =>
  judge(context, schema, value, "").length === 0;

/** A finding unless the condition holds. */
const must = (holds: boolean, path: string, what: string): string[] => (holds ? [] : [`${at(path)} ${what}`]);

/** Keywords about one JSON type are silent about values of another. */
const aboutNumbers =
  (holds: (value: number, operand: number) => boolean, what: string): Keyword =>
  (_context, operand, value, path) =>
    typeof value === "number"
      ? must(holds(value, Number(operand)), path, `must be ${what} ${String(operand)}`)
      : [];

const aboutSize =
  (sizeOf: (value: unknown) => number | undefined, bound: "at least" | "at most", unit: string): Keyword =>
  (_context, operand, value, path) => {
    const size = sizeOf(value);
    if (size === undefined) return [];
    const holds = bound === "at least" ? size >= Number(operand) : size <= Number(operand);
    return must(holds, path, `must have ${bound} ${String(operand)} ${unit}`);
  };

const lengthOf = (value: unknown) => (typeof value === "string" ? [...value].length : undefined);
const itemCount = (value: unknown) => (Array.isArray(value) ? value.length : undefined);
const memberCount = (value: unknown) => (isObject(value) ? Object.keys(value).length : undefined);
const list = (operand: unknown): readonly unknown[] => (Array.isArray(operand) ? operand : []);
const members = (operand: unknown): JsonObject => (isObject(operand) ? operand : {});

const keywords: Readonly<Record<string, Keyword>> = {
  type: (_context, operand, value, path) =>
    must(
      [operand].flat().some((type) => isOfType(value, type)),
      path,
      `must be ${[operand].flat().join(" or ")}`,
    ),
  enum: (_context, operand, value, path) =>
    must(
      list(operand).some((one) => equalJson(one, value)),
      path,
      `must be one of ${JSON.stringify(operand)}`,
    ),
  const: (_context, operand, value, path) =>
    must(equalJson(operand, value), path, `must be ${JSON.stringify(operand)}`),
  minimum: aboutNumbers((value, operand) => value >= operand, "at least"),
  maximum: aboutNumbers((value, operand) => value <= operand, "at most"),
  exclusiveMinimum: aboutNumbers((value, operand) => value > operand, "more than"),
  exclusiveMaximum: aboutNumbers((value, operand) => value < operand, "less than"),
  multipleOf: aboutNumbers((value, operand) => isMultiple(value, operand), "a multiple of"),
  minLength: aboutSize(lengthOf, "at least", "characters"),
  maxLength: aboutSize(lengthOf, "at most", "characters"),
  minItems: aboutSize(itemCount, "at least", "items"),
  maxItems: aboutSize(itemCount, "at most", "items"),
  minProperties: aboutSize(memberCount, "at least", "members"),
  maxProperties: aboutSize(memberCount, "at most", "members"),
  pattern: (_context, operand, value, path) =>
    typeof value === "string" ? must(matches(operand, value), path, `must match ${String(operand)}`) : [],
  uniqueItems: (_context, operand, value, path) =>
    operand === true && Array.isArray(value)
      ? must(isDistinct(value), path, "must not hold an item twice")
      : [],
  items: (context, operand, value, path, schema) =>
    list(value).flatMap((item, index) =>
      index < list(schema.prefixItems).length ? [] : judge(context, operand, item, below(path, index)),
    ),
  prefixItems: (context, operand, value, path) =>
    list(value)
      .slice(0, list(operand).length)
      .flatMap((item, index) => judge(context, list(operand)[index], item, below(path, index))),
  contains(context, operand, value, path, { minContains = 1, maxContains = Number.POSITIVE_INFINITY }) {
    if (!Array.isArray(value)) return [];
    const found = value.filter((item) => fits(context, operand, item)).length;
    return must(
      found >= Number(minContains) && found <= Number(maxContains),
      path,
      "holds too few or too many items of a kind",
    );
  },
  required: (_context, operand, value, path) =>
    isObject(value)
      ? list(operand).flatMap((name) =>
          must(Object.hasOwn(value, String(name)), below(path, String(name)), "is missing"),
        )
      : [],
  properties: (context, operand, value, path) =>
    Object.entries(members(operand)).flatMap(([name, schema]) =>
      isObject(value) && Object.hasOwn(value, name)
        ? judge(context, schema, value[name], below(path, name))
        : [],
    ),
  patternProperties: (context, operand, value, path) =>
    Object.entries(members(operand)).flatMap(([pattern, schema]) =>
      Object.entries(members(value)).flatMap(([name, inner]) =>
        matches(pattern, name) ? judge(context, schema, inner, below(path, name)) : [],
      ),
    ),
  additionalProperties(context, operand, value, path, schema) {
    const named = (name: string): boolean =>
      Object.hasOwn(members(schema.properties), name) ||
      Object.keys(members(schema.patternProperties)).some((pattern) => matches(pattern, name));
    return Object.entries(members(value)).flatMap(([name, inner]) =>
      named(name) ? [] : judge(context, operand, inner, below(path, name)),
    );
  },
  propertyNames: (context, operand, value, path) =>
    Object.keys(members(value)).flatMap((name) => judge(context, operand, name, below(path, name))),
  dependentRequired: (_context, operand, value, path) =>
    Object.entries(members(operand)).flatMap(([name, needed]) =>
      isObject(value) && Object.hasOwn(value, name)
        ? list(needed).flatMap((one) =>
            must(Object.hasOwn(value, String(one)), below(path, String(one)), "is missing"),
          )
        : [],
    ),
  dependentSchemas: (context, operand, value, path) =>
    Object.entries(members(operand)).flatMap(([name, schema]) =>
      isObject(value) && Object.hasOwn(value, name) ? judge(context, schema, value, path) : [],
    ),
  allOf: (context, operand, value, path) =>
    list(operand).flatMap((schema) => judge(context, schema, value, path)),
  anyOf: (context, operand, value, path) =>
    must(
      list(operand).some((schema) => fits(context, schema, value)),
      path,
      "fits no schema of anyOf",
    ),
  oneOf: (context, operand, value, path) =>
    must(
      list(operand).filter((schema) => fits(context, schema, value)).length === 1,
      path,
      "must fit one schema of oneOf",
    ),
  not: (context, operand, value, path) =>
    must(!fits(context, operand, value), path, "must not fit the schema of not"),
  if: (context, operand, value, path, schema) =>
    judge(context, (fits(context, operand, value) ? schema.then : schema.else) ?? true, value, path),
  $ref: (context, operand, value, path) =>
    judge(context, resolve(context.root, String(operand)), value, path),
};

function isOfType(value: unknown, type: unknown): boolean {
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  if (type === "null") return value === null;
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}

/** With a tolerance: 0.3 is a multiple of 0.1 although the division says 2.9999999999999996. */
function isMultiple(value: number, step: number): boolean {
  const times = value / step;
  return Math.abs(times - Math.round(times)) < 1e-9 * Math.max(1, Math.abs(times));
}

function isDistinct(values: readonly unknown[]): boolean {
  return values.every((one, index) => values.findIndex((other) => equalJson(one, other)) === index);
}

function matches(pattern: unknown, text: string): boolean {
  try {
    return new RegExp(String(pattern), "u").test(text);
  } catch {
    return true;
  }
}

/** The schema that a reference inside the schema means; `true` (anything goes) for one that cannot be followed. */
function resolve(root: unknown, reference: string): unknown {
  if (reference !== "#" && !reference.startsWith("#/")) return true;
  const parts = reference.split("/").slice(1);
  return parts.reduce<unknown>((schema, part) => {
    const name = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    return isObject(schema) || Array.isArray(schema) ? ((schema as JsonObject)[name] ?? true) : true;
  }, root);
}
