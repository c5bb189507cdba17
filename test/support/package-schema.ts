import { isObject } from "../../src/provider/schema/json";

/** A type or a member of a package schema, as far as the tests read it. */
export interface Spec {
  readonly $ref?: string;
  readonly type?: string;
  readonly items?: Spec;
  readonly additionalProperties?: Spec;
  readonly oneOf?: readonly Spec[];
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Record<string, string> };
  readonly const?: string;
  readonly enum?: readonly { readonly name: string; readonly value: string }[];
  readonly properties?: Readonly<Record<string, Spec>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly secret?: boolean;
  readonly willReplaceOnChanges?: boolean;
  readonly deprecationMessage?: string;
}

type Specs = Readonly<Record<string, Spec>>;

interface ResourceSpec {
  readonly description: string;
  readonly properties: Specs;
  readonly required: readonly string[];
  readonly inputProperties: Specs;
  readonly requiredInputs: readonly string[];
}

/** A package schema. */
export interface PackageSchema {
  readonly name: string;
  readonly version: string;
  readonly config: { readonly variables: Specs };
  readonly provider: { readonly inputProperties: Specs };
  readonly types: Specs;
  readonly resources: Readonly<Record<string, ResourceSpec>>;
  readonly functions: Readonly<Record<string, { readonly inputs?: Spec; readonly outputs: Spec }>>;
}

/**
 * Every place at which a value is not what a schema takes there: a missing or an unknown member, or another type. Null is as good as
 * an absent value.
 */
export function misfits(schema: PackageSchema, spec: Spec, value: unknown, place: string): string[] {
  if (spec.$ref?.startsWith("pulumi.json")) return spec.$ref.endsWith("#/Any") ? [] : [place];
  if (spec.$ref !== undefined) return misfits(schema, typeAt(schema, spec.$ref), value, place);
  if (spec.oneOf !== undefined) {
    const each = spec.oneOf.map((one) => misfits(schema, one, value, place));
    return each.some((found) => found.length === 0) ? [] : (each.at(-1) ?? []);
  }
  if (spec.enum !== undefined) return spec.enum.some((one) => one.value === value) ? [] : [place];
  if (spec.const !== undefined) return spec.const === value ? [] : [place];
  if (spec.properties !== undefined)
    return isObject(value) ? memberMisfits(schema, spec, value, place) : [place];
  switch (spec.type) {
    case "array":
      if (!Array.isArray(value)) return [place];
      return value.flatMap((one, at) => misfits(schema, spec.items ?? {}, one, `${place}[${at}]`));
    case "object":
      if (!isObject(value)) return [place];
      return Object.entries(value).flatMap(([name, one]) =>
        misfits(schema, spec.additionalProperties ?? {}, one, `${place}.${name}`),
      );
    case "integer":
      return Number.isInteger(value) ? [] : [place];
    default:
      return typeof value === spec.type ? [] : [place];
  }
}

/** The same of the members of an object. */
export function memberMisfits(schema: PackageSchema, spec: Spec, value: object, place: string): string[] {
  const { properties = {}, required = [] } = spec;
  const present = Object.entries(value).filter(([, one]) => one !== undefined && one !== null);
  const names = present.map(([name]) => name);
  const missing = required
    .filter((name) => !names.includes(name))
    .map((name) => `${place}.${name} is missing`);
  const wrong = present.flatMap(([name, one]) => {
    const member = properties[name];
    return member === undefined
      ? [`${place}.${name} is unknown`]
      : misfits(schema, member, one, `${place}.${name}`);
  });
  return [...missing, ...wrong];
}

/** The type that a reference names. */
export function typeAt({ types }: PackageSchema, ref: string): Spec {
  const type = types[ref.replace("#/types/", "")];
  if (type === undefined) throw new Error(`nothing is at ${ref}`);
  return type;
}
