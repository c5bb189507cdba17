import type { Field } from "./field";
import { adoptMember } from "./internal";
import type { JsonObject } from "./json";
import { memoized } from "./memoized";

/**
 * Origin of an object's id. `argument`: holds the id in the program. `F`: names of fields of the kind. Source of
 * the rules: console-api, section 8.
 */
export type Identity<F extends string = string> =
  /** The argument is the id. Whoever leaves it out in the console gets one made of the name, as for "slug". */
  | { readonly how: "key"; readonly argument: F }
  /** The console makes it of the argument: lower case, spaces become `_`. */
  | { readonly how: "slug"; readonly argument: F }
  /** It is made of several arguments, such as `{name}::{type}`; the first is what the program calls it by. */
  | { readonly how: "template"; readonly template: `${string}{${string}}${string}` }
  /**
   * Several arguments, which its routes take in their query, lead to it: `{sourceName}::{dataset}::{type}`; the first is what the
   * program calls it by. An id in answers leads nowhere. `shownIn`: the member of an answer that may show these arguments.
   */
  | { readonly how: "address"; readonly template: `${string}{${string}}${string}`; readonly shownIn?: F }
  /**
   * The console generates it, and nothing but the object leads to it. Absent: no program says anything of such objects.
   * `secret`: the field whose value leads to the object, in paths too, and is a secret: the id is a digest of the first one.
   */
  | { readonly how: "server"; readonly argument?: F; readonly secret?: F }
  /** There is exactly one in each project, which has no id there. `id`: what Pulumi knows it by. */
  | { readonly how: "singleton"; readonly id: string };

/** The field that holds the name of an object, in every kind whose objects have one (console-api, section 8). */
export const nameField = "name";

/** A kind, as far as its objects are told apart. */
interface Identified {
  readonly identity: Identity;
  readonly fields: Readonly<Record<string, Field>>;
}

/** The arguments that an id is made of. */
export function idArguments({ identity }: Pick<Identified, "identity">): string[] {
  switch (identity.how) {
    case "template":
    case "address":
      return [...identity.template.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
    case "singleton":
      return [];
    default:
      return identity.argument === undefined ? [] : [identity.argument];
  }
}

/** The argument by which a program calls an object; undefined where it calls it by none. */
export function programIdArgument(definition: Pick<Identified, "identity">): string | undefined {
  return idArguments(definition)[0];
}

/** Id of an object in its program, for messages and notes: it only tells the resources of one program apart. */
export function programId(definition: Pick<Identified, "identity">, args: JsonObject): unknown {
  const { identity } = definition;
  if (identity.how === "singleton") return identity.id;
  const argument = programIdArgument(definition);
  return argument === undefined ? undefined : args[argument];
}

/** Name of an object in the console: without a name in the program, its id there. */
export function nameFor(definition: Identified, args: JsonObject): unknown {
  return definition.fields[nameField] === undefined
    ? undefined
    : (args[nameField] ?? programId(definition, args));
}

/** The arguments that are the resource's name where the program leaves them out. */
export const nameArguments = memoized((definition: Identified): readonly string[] => {
  if (definition.identity.how === "singleton") return [];
  return [...new Set([...idArguments(definition).slice(0, 1), nameField])].filter((name) => {
    const field = definition.fields[name];
    return field !== undefined && field.mode !== "output" && field.schema.safeParse(undefined).success;
  });
});

/**
 * Value of an argument at creation where the program leaves it out: the name of the resource, or the id in the program; undefined
 * where it stays out.
 */
export function defaultName(
  { identity }: Pick<Identified, "identity">,
  name: string,
  args: JsonObject,
  resourceName: unknown,
): unknown {
  const calls = programIdArgument({ identity });
  const imported = args[adoptMember];
  if (name === calls && identity.how === "key") return imported ?? resourceName;
  // If the console generates ids, only the name leads to an object without the import option.
  if (name === calls && (identity.how !== "server" || imported === undefined)) return resourceName;
  // Adopting an object must not rename it, unless the program says so.
  if (imported !== undefined || args.adopt === true) return undefined;
  return programId({ identity }, args) ?? resourceName;
}

/** True where an object has a name beside its id, and both are taken once. */
export function hasNameBeside(definition: Identified): boolean {
  return definition.fields[nameField] !== undefined && programIdArgument(definition) !== nameField;
}

/** True where two objects cannot have one name: where the id comes from the name or stands beside it. */
export function hasUniqueNames({ identity }: Pick<Identified, "identity">): boolean {
  return identity.how === "key" || identity.how === "slug";
}

/** Wire member of an answer that holds the object's id, or the secret in its place, which is also its place in the path. */
export function idMember({ identity, fields }: Identified): string {
  const name = identity.how === "key" ? identity.argument : secretOf({ identity });
  return name === undefined ? "id" : (fields[name]?.traits.wire ?? name);
}

/** The field whose value leads to an object and is a secret; undefined where an id does. */
export function secretOf({ identity }: Pick<Identified, "identity">): string | undefined {
  return identity.how === "server" ? identity.secret : undefined;
}

/**
 * The id that the console will give for these arguments, as far as it can be told beforehand: good for looking, never
 * for state. Undefined where the console generates one.
 */
export function expectedId({ identity }: Pick<Identified, "identity">, args: JsonObject): string | undefined {
  switch (identity.how) {
    case "key":
      return String(args[identity.argument]);
    case "slug":
      return slugOf(String(args[identity.argument]));
    case "template":
    case "address":
      return identity.template.replace(/\{(\w+)\}/g, (_, name: string) => String(args[name]));
    case "server":
      return undefined;
    case "singleton":
      return identity.id;
  }
}

/** The arguments that lead to the object of an id, where its routes take them in their query; undefined for no such id. */
export function addressIn({ identity }: Pick<Identified, "identity">, id: string): JsonObject | undefined {
  if (identity.how !== "address") return undefined;
  // Only the first argument is free text: what it contains of the separator belongs to it.
  const found = new RegExp(`^${identity.template.replace(/\{(\w+)\}/g, "(?<$1>.+)")}$`, "su").exec(id);
  return found === null ? undefined : { ...found.groups };
}

/** The id that the console makes of a name. */
export function slugOf(name: string): string {
  return name.toLowerCase().replaceAll(" ", "_");
}
