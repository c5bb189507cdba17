import type { Field } from "./field";
import type { JsonObject } from "./json";
import { memoized } from "./memoized";
import type { Identity } from "./object-id";
import type { InForce } from "./observations";
import type { Lifecycle, Route } from "./verbs";

/** A finding about an argument. */
export interface Problem {
  /** Place, for example `rules[0].conditions[1].operator`. */
  readonly path: readonly (string | number)[];
  /** Finding and advice. */
  readonly message: string;
  /** It matters to a new object alone: what is there already need not keep to it. */
  readonly ofCreation?: true;
  /** It matters to a new value alone: what the console has already, or may have, stays as it is. */
  readonly ofNewValue?: true;
}

/** A finding that stops nothing by itself. */
export interface Warning extends Problem {
  /** The question of `verify`: a console that answers it by "refuse" refuses a write of the value. */
  readonly refusedBy?: InForce;
}

/** A finding that matters only to a console that answers the question of `verify` by "refuse". An empty path stands for any write. */
export interface Refusable extends Warning {
  readonly refusedBy: InForce;
}

/** Place of the console's computations: in a warehouse of the account, or by itself. */
export type AccountType = "warehouse-native" | "hosted";

/** A kind of object of the console, as far as it can be read. `F`: names of its fields, `R` of its routes. */
export interface ObjectDefinition<F extends string = string, R extends string = string> {
  /** PascalCase, as in `new fc.Gate`. */
  readonly kind: string;
  /** camelCase, the name of the kind in the client and in stored provider texts: frozen for ever. */
  readonly name: string;
  /** PascalCase plural, where it is more than an s. */
  readonly plural?: string;
  /** As in a sentence: "dynamic config". */
  readonly title: string;
  readonly doc: string;
  /** Identity of its objects. */
  readonly identity: Identity<F>;
  readonly fields: Readonly<Record<F, Field<F>>>;
  readonly routes: Readonly<Record<R, Route<F>>>;
}

/** A parameter that an object defines, or gives a value to. */
export interface ParameterUse {
  readonly path: readonly (string | number)[];
  readonly name: string;
  /** JSON type; `UNKNOWN` where it is not known yet. */
  readonly type: unknown;
  readonly value: unknown;
}

/** Parameters of the objects of a kind. */
interface ParameterTraits {
  /** The argument that names the object which defines them; left out: this one does. */
  readonly of?: string;
  /** True for a state in which no parameter that has a value may go. */
  readonly isHeld?: (state: JsonObject) => boolean;
  /** Parameters whose values an update from `olds` makes the defaults of the object that defines them. */
  readonly shipped?: (olds: JsonObject, news: JsonObject) => readonly ParameterUse[];
  /** Undefined where not all are known. */
  list(args: JsonObject): readonly ParameterUse[] | undefined;
}

/** Everything that is particular to a managed kind; all else is derived. */
export interface ResourceDefinition<F extends string = string, R extends string = string>
  extends ObjectDefinition<F, R> {
  readonly lifecycle: Lifecycle<F, R>;
  /** Effect on units of an archive or a delete, in a sentence; left out where none gets anything by it. */
  readonly whenGone?: string;
  /** The accounts that have the kind, where not all do. */
  readonly account?: AccountType;
  /** Arguments of which a program sets at most one. */
  readonly exclusive?: readonly (readonly F[])[];
  /** Path pattern such as `rules[].conditions[]` -> the form in which such a value is sent and compared. */
  readonly forms?: Readonly<Record<string, (value: unknown) => unknown>>;
  /** True for an object that the console makes by itself, which no program manages. */
  readonly ofConsole?: (live: JsonObject) => boolean;
  /** True where the secret of such an object lets its holder write to the console. */
  readonly grantsWrites?: (args: JsonObject) => boolean;
  /** The live object as a program would have to say it, where one field of the API blurs what another tells. */
  readonly view?: (live: JsonObject) => JsonObject;
  /** Findings that no single field's schema can make. Values that are not known yet arrive as `UNKNOWN`. */
  readonly problems?: (args: JsonObject) => readonly Problem[];
  /**
   * Findings that stop nothing and that a preview tells. `olds`: the state, or the arguments of last time; empty at
   * creation. Values that are not known yet arrive as `UNKNOWN`.
   */
  readonly warnings?: (olds: JsonObject, news: JsonObject) => readonly Warning[];
  /** Parameters that its objects define, or give values to. */
  readonly parameters?: ParameterTraits;
  /** The same for what only some consoles refuse. */
  readonly refusable?: (olds: JsonObject, news: JsonObject) => readonly Refusable[];
}

/** Path patterns that begin with a field. What comes further down is checked by `npm run generate`. */
type PatternOf<F extends string> = F | `${F}[${string}` | `${F}.${string}`;

/** Names that must not be there; the compiler prints the type. */
type UnknownNames<Names> = { readonly [Name in Names & string]: `"${Name}" begins with no field` };

type FormsOf<D> = D extends { readonly forms: infer Forms } ? Forms : object;

/** A definition that names only fields and routes of its own. */
type CheckedNames<D extends ObjectDefinition> = D extends ResourceDefinition
  ? ResourceDefinition<keyof D["fields"] & string, keyof D["routes"] & string> & {
      readonly forms?: UnknownNames<Exclude<keyof FormsOf<D>, PatternOf<keyof D["fields"] & string>>>;
    }
  : ObjectDefinition<keyof D["fields"] & string, keyof D["routes"] & string>;

/** Declares a kind that programs read and never manage. */
export function defineObject<const D extends ObjectDefinition>(
  definition: D extends CheckedNames<D> ? D : CheckedNames<D>,
): D {
  return definition as D;
}

/** Declares a managed kind. */
export function defineResource<const D extends ResourceDefinition>(
  // A condition, and not an intersection, which doubled the time of the compiler.
  definition: D extends CheckedNames<D> ? D : CheckedNames<D>,
): D {
  return definition as D;
}

/** A kind, as far as its fields tell of it. */
export type Fielded = Pick<ObjectDefinition, "fields">;

/** Names of the fields that fit, in the order of the definition. */
export function fieldsWith({ fields }: Fielded, fits: (field: Field, name: string) => boolean): string[] {
  return Object.entries(fields).flatMap(([name, field]) => (fits(field, name) ? [name] : []));
}

/** Names of the fields of which a trait says something, by what it says. */
export function fieldsBy<Said extends string>(
  { fields }: Fielded,
  said: (traits: Field["traits"]) => Said | undefined,
): Partial<Record<Said, string>> {
  const named = Object.entries(fields).map(([name, { traits }]) => [said(traits), name]);
  return Object.fromEntries(named.filter(([what]) => what !== undefined));
}

/** Names of the fields that a program may set, in the order of the definition. */
export const inputNames = memoized((definition: ObjectDefinition): readonly string[] =>
  fieldsWith(definition, ({ mode }) => mode !== "output"),
);

/** Names of the lists whose parts others name by ids, which the console gives. */
export const namedPartLists = memoized(({ fields }: ObjectDefinition): readonly string[] => [
  ...new Set(Object.values(fields).flatMap(({ traits: { idOf } }) => idOf ?? [])),
]);

/** Names of the fields that are secrets whatever the program does. */
export const secretNames = memoized((definition: ObjectDefinition): readonly string[] =>
  fieldsWith(definition, ({ traits }) => traits.secret === true),
);

/** The API's name of a field. */
export function wireName(definition: ObjectDefinition, name: string): string {
  return definition.fields[name]?.traits.wire ?? name;
}

/** Names of the input fields that a route takes in its body; none when the body has a schema of its own. */
export function acceptedFields(definition: ObjectDefinition, route: Route): string[] {
  const body = route.body;
  if (body === undefined || "schema" in body) return [];
  if (body.only !== undefined) return [...body.only];
  const without = new Set([...(body.except ?? []), ...(body.refuses ?? [])]);
  return inputNames(definition).filter((name) => !without.has(name));
}

/**
 * Value in a body for a required field that the program does not set: the default of the console, or the empty form; undefined
 * where the body may leave it out.
 */
export function initialValue({ fields }: ObjectDefinition, { body }: Route, name: string): unknown {
  const isRequired = body !== undefined && !("schema" in body) && body.requires?.includes(name) === true;
  const traits = isRequired ? fields[name]?.traits : undefined;
  return traits?.serverDefault ?? traits?.clearWith;
}

/** The route of that name; a missing one is a mistake in the definition. */
export function routeOf(definition: ObjectDefinition, name: string): Route {
  const route = definition.routes[name];
  if (route === undefined) throw new TypeError(`${definition.kind} has no route "${name}"`);
  return route;
}
