import type { Ajv2020, ErrorObject, Options } from "ajv/dist/2020";
import { isObject } from "../../provider/schema/json";
import { within } from "./limited";

/** Checks a value by a schema and returns findings, each with its place, such as `limits/0 must be string`; empty: nothing. */
export type SchemaChecker = (value: unknown) => string[];

/** Time limit of a check: a pattern of a schema may take for ever. */
const checkLimitMs = 500;

/** Lenient about schemas: unknown keywords are remarks, and in 2020-12 so is `format`. */
const options: Options = {
  strict: false,
  allErrors: true,
  validateFormats: false,
  validateSchema: false,
  meta: false,
  logger: false,
  // {} has a toString, and no member of that name.
  ownProperties: true,
  // 0.3 is a multiple of 0.1 although the division says 2.9999999999999996.
  multipleOfPrecision: 9,
};

/**
 * Checks values by a JSON Schema of version 2020-12. A schema that cannot be worked with finds nothing: one that refers
 * out of itself, or a keyword with an operand of another kind.
 */
export function schemaChecker(schema: object | boolean): SchemaChecker {
  const validate = compile(schema);
  return (value) => {
    try {
      if (validate === undefined) return [];
      const checked = within(checkLimitMs, () => validate(value));
      if (checked === undefined) return [`the value cannot be checked within ${checkLimitMs} ms`];
      return checked.value ? [] : (validate.errors ?? []).map(findingOf);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return []; // The schema refers to itself without going down into the value.
    }
  };
}

function compile(schema: object | boolean): ReturnType<Ajv2020["compile"]> | undefined {
  // Loaded with the first schema: a tenth of the emulator's start. An instance keeps what it has compiled for ever, so
  // each schema gets its own.
  const { Ajv2020: Library } = require("ajv/dist/2020") as typeof import("ajv/dist/2020");
  try {
    // `$async` is the library's own: it would answer with promises.
    return new Library(options).compile(isObject(schema) ? { ...schema, $async: false } : schema);
  } catch {
    return undefined;
  }
}

/** Parameters of an error that the library leaves out of its sentence: the extra member, the allowed values. */
const detailParameters: Readonly<Record<string, string>> = {
  additionalProperties: "additionalProperty",
  unevaluatedProperties: "unevaluatedProperty",
  enum: "allowedValues",
  const: "allowedValue",
};

function findingOf({ instancePath, keyword, message, params }: ErrorObject): string {
  const place = instancePath === "" ? "the value" : instancePath.slice(1);
  const detail = detailParameters[keyword];
  return `${place} ${message}${detail === undefined ? "" : `: ${JSON.stringify(params[detail])}`}`;
}
