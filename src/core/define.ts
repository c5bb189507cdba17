import type { Field } from "./field";
import type { JsonObject } from "./json";
import type { Lifecycle, Route } from "./verbs";

/** A finding about an argument. */
export interface Problem {
  /** Where, for example `rules[0].conditions[1].operator`. */
  readonly path: readonly (string | number)[];
  /** What was found and what to do. */
  readonly message: string;
  /** It matters to a new object alone: what is there already need not keep to it. */
  readonly ofCreation?: true;
}

/** How objects of a kind are told apart. */
export interface Identity {
  /** Wire member of an answer that holds the object's id, which is also its place in the path. */
  readonly answers: "id" | "name";
  /** The argument that decides the id. */
  readonly argument: string;
  /**
   * How the console makes an id of the arguments. "slug": lower case, spaces become `_`. "same": it is the argument.
   * "server": it thinks one up, and nothing but the object itself leads to it. Else a template such as `{name}::{type}`.
   */
  readonly derived: "slug" | "same" | "server" | `${string}{${string}}${string}`;
}

/** A kind of object of the console, as far as it can be read. */
export interface ObjectDefinition {
  /** PascalCase, as in `new fc.Gate`. */
  readonly kind: string;
  /** camelCase, the name of the kind in the client and in stored provider texts: frozen for ever. */
  readonly name: string;
  /** PascalCase plural, where it is more than an s. */
  readonly plural?: string;
  /** As in a sentence: "dynamic config". */
  readonly title: string;
  readonly doc: string;
  readonly identity: Identity;
  readonly fields: Readonly<Record<string, Field>>;
  readonly routes: Readonly<Record<string, Route>>;
}

/** Everything that is particular to a managed kind; all else is derived. */
export interface ResourceDefinition extends ObjectDefinition {
  readonly lifecycle: Lifecycle;
  /** Arguments of which a program sets at most one. */
  readonly exclusive?: readonly (readonly string[])[];
  /** Path pattern such as `rules[].conditions[]` -> the form in which such a value is sent and compared. */
  readonly forms?: Readonly<Record<string, (value: unknown) => unknown>>;
  /** The live object as a program would have to say it, where one field of the API blurs what another tells. */
  readonly view?: (live: JsonObject) => JsonObject;
  /** Findings that no single field's schema can make. Values that are not known yet arrive as `UNKNOWN`. */
  readonly problems?: (args: JsonObject) => readonly Problem[];
  /**
   * Findings that stop nothing and that a preview tells. `olds`: the state, or the arguments of last time; empty at
   * creation. Values that are not known yet arrive as `UNKNOWN`.
   */
  readonly warnings?: (olds: JsonObject, news: JsonObject) => readonly Problem[];
  readonly samples: {
    readonly smallest: JsonObject;
    readonly fullest: JsonObject;
    /** Objects that the fullest sample refers to and the API looks for: bodies of creates, by the end of the list's path. */
    readonly beside?: Readonly<Record<string, readonly JsonObject[]>>;
  };
}

/** Declares a kind that programs read and never manage. */
export function defineObject<const D extends ObjectDefinition>(definition: D): D {
  return definition;
}

/** Declares a managed kind. */
export function defineResource<const D extends ResourceDefinition>(definition: D): D {
  return definition;
}

/** Names of the fields that a program may set, in the order of the definition. */
export function inputNames(definition: ObjectDefinition): string[] {
  return Object.keys(definition.fields).filter((name) => definition.fields[name]?.mode !== "output");
}

/** The API's name of a field. */
export function wireName(definition: ObjectDefinition, name: string): string {
  return definition.fields[name]?.facts.wire ?? name;
}

/** Names of the input fields that a route takes in its body; none when the body has a schema of its own. */
export function acceptedFields(definition: ObjectDefinition, route: Route): string[] {
  const body = route.body;
  if (body === undefined || "schema" in body) return [];
  if (body.only !== undefined) return [...body.only];
  const without = new Set([...(body.except ?? []), ...(body.refuses ?? [])]);
  return inputNames(definition).filter((name) => !without.has(name));
}

/** True where reads show when an object last changed, or how often: where it can be told from one that others made. */
export function showsChanges({ fields }: ObjectDefinition): boolean {
  return "version" in fields || "lastModifiedTime" in fields;
}

/** The route of that name; a missing one is a mistake in the definition. */
export function routeOf(definition: ObjectDefinition, name: string): Route {
  const route = definition.routes[name];
  if (route === undefined) throw new TypeError(`${definition.kind} has no route "${name}"`);
  return route;
}

/**
 * The id that the console will give for these arguments, as far as it can be told beforehand: good for looking, never
 * for state. Undefined where the console thinks one up. Source of the rules: console-api, section 8.
 */
export function expectedId(definition: ObjectDefinition, args: JsonObject): string | undefined {
  const { argument, derived } = definition.identity;
  const said = String(args[argument]);
  if (argument === "key" || derived === "same") return said;
  if (derived === "server") return undefined;
  if (derived === "slug") return said.toLowerCase().replaceAll(" ", "_");
  return derived.replace(/\{(\w+)\}/g, (_, name: string) => String(args[name]));
}
