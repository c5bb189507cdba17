import { readFileSync } from "node:fs";
import path from "node:path";
import { nativePrefix } from "../../../provider/pulumi/stored-names";
import { isObject, type JsonObject } from "../../../provider/schema/json";
import type { Path } from "../../../provider/schema/path";

/** The type of a value in a package schema. */
export interface TypeSpec {
  readonly $ref?: string;
  readonly type?: string;
  readonly items?: TypeSpec;
  readonly additionalProperties?: TypeSpec;
  readonly oneOf?: readonly TypeSpec[];
  /** The member that tells the objects of `oneOf` apart, and what its values mean. */
  readonly discriminator?: {
    readonly propertyName: string;
    readonly mapping: Readonly<Record<string, string>>;
  };
}

interface Members {
  readonly properties: Readonly<Record<string, TypeSpec>>;
  readonly required: readonly string[];
}

/** The parts of a package schema that give the types of values and the packages of the languages. */
export interface ValueTypes {
  readonly types: Readonly<Record<string, { readonly type: string } & Partial<Members>>>;
  readonly resources: Readonly<Record<string, { readonly inputProperties: Members["properties"] }>>;
  readonly language: Readonly<Record<string, object>>;
}

const schemaFile = path.join(__dirname, "..", "..", "..", "generated", "package-schema.json");

let schemaRead: unknown;

/** The package schema of the plugin, from which Pulumi makes the packages of other languages. */
export function packageSchema<T = ValueTypes>(): T {
  schemaRead ??= JSON.parse(readFileSync(schemaFile, "utf8"));
  return schemaRead as T;
}

/** An output of a resource in the arguments of another. */
export class Reference {
  readonly made: Made;
  readonly output: string;

  constructor(made: Made, output: string) {
    this.made = made;
    this.output = output;
  }
}

/** A file with a set of ids in the place of the ids. */
export class IdsInFile {
  readonly file: string;

  constructor(file: string) {
    this.file = file;
  }
}

/** A resource of a program, with references in its arguments. */
export interface Made {
  readonly kind: string;
  /** Name of the resource. */
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly dependsOn: readonly Made[];
  /** For a reader of its code, a sentence each. */
  readonly remarks?: readonly string[];
}

/** A scalar, a list, any members, one of the objects of the schema, one of several such, or anything. */
type Sort = "string" | "boolean" | "number" | "integer" | "array" | "object" | "named" | "union" | "any";

/** A type of a schema. */
export interface Type {
  readonly sort: Sort;
  /** Of an object of the schema. */
  readonly name?: string;
  /** Of a list, or of members that have any name. */
  readonly elements?: Type;
}

/** A value, and the type that the schema has in its place. */
export interface Typed {
  readonly value: unknown;
  readonly wanted: Type;
  readonly sort: Sort;
  /** The type of an object of the schema. */
  readonly name?: string;
  /** Elements or members. */
  readonly inner: readonly (readonly [name: string, value: Typed])[];
}

/** The arguments of a resource with their types. */
export function typedArguments({ kind, args }: Pick<Made, "kind" | "args">, schema: ValueTypes) {
  const { inputProperties = {} } = schema.resources[`${nativePrefix}${kind}`] ?? {};
  return Object.entries(args).map(
    ([name, value]) => [name, typed(value, inputProperties[name] ?? {}, schema)] as const,
  );
}

/** True for a value that the type in its place has. */
export function hasType({ wanted, sort }: Typed): boolean {
  return wanted.sort === "any" || wanted.sort === sort || (wanted.sort === "number" && sort === "integer");
}

/** The first place where a value is none of its type. Where several types of objects stand, Go takes anything. */
export function misfitIn(members: Typed["inner"], path: Path = []): Path | undefined {
  for (const [name, one] of members) {
    const here = [...path, /^\d+$/.test(name) ? Number(name) : name];
    if (!hasType(one) && one.wanted.sort !== "union") return here;
    const deeper = misfitIn(one.inner, here);
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}

function typed(value: unknown, spec: TypeSpec, schema: ValueTypes): Typed {
  const wanted = typeIn(spec, schema);
  const all = { value, wanted, inner: [] };
  // TypeScript also takes the only element of a list.
  const list = wanted.sort === "array" ? [value].flat() : value;
  if (Array.isArray(list)) {
    const inner = list.map((one: unknown, at) => [String(at), typed(one, spec.items ?? {}, schema)] as const);
    return { ...all, value: list, sort: "array", inner };
  }
  if (value instanceof Reference || value instanceof IdsInFile) return { ...all, sort: "string" };
  if (!isObject(value)) {
    const sort = Number.isInteger(value) ? "integer" : (typeof value as Sort);
    return { ...all, sort };
  }
  const { name, properties = {}, required = [] } = objectType(value, spec, schema);
  const membersAs = (specs: Members["properties"]) =>
    Object.entries(value).map(([member, one]) => {
      const own = Object.hasOwn(specs, member) ? specs[member] : spec.additionalProperties;
      return [member, typed(one, own ?? {}, schema)] as const;
    });
  const inner = membersAs(properties);
  const isNamed =
    (wanted.sort === "named" || wanted.sort === "union") &&
    Object.keys(value).every((member) => Object.hasOwn(properties, member)) &&
    required.every((member) => value[member] !== undefined) &&
    // One of several types may also be said without any.
    (wanted.sort === "named" || misfitIn(inner) === undefined);
  return isNamed
    ? { ...all, sort: wanted.sort, name, inner }
    : { ...all, sort: "object", inner: membersAs({}) };
}

function typeIn(spec: TypeSpec, schema: ValueTypes): Type {
  const { type, $ref, oneOf, items, additionalProperties } = spec;
  if (type !== undefined)
    return { sort: type as Sort, elements: typeIn(items ?? additionalProperties ?? {}, schema) };
  if ($ref !== undefined) {
    const named = schema.types[tokenOf($ref)]?.type;
    return named === "object"
      ? { sort: "named", name: nameOf(tokenOf($ref)) }
      : { sort: named === undefined ? "any" : "string" };
  }
  const [only = "any", ...others] = new Set(oneOf?.map((one) => typeIn(one, schema).sort));
  return { sort: others.length > 0 ? "any" : only === "named" ? "union" : only };
}

/** The type of an object, by the member that tells several apart. */
function objectType(value: JsonObject, { $ref, discriminator }: TypeSpec, schema: ValueTypes) {
  const named = discriminator?.mapping[String(value[discriminator.propertyName])];
  const token = tokenOf(named ?? $ref);
  return { ...schema.types[token], name: nameOf(token) };
}

const tokenOf = (ref = ""): string => ref.replace("#/types/", "");

const nameOf = (token: string): string => token.replace(nativePrefix, "");
