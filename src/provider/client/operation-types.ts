import type { ObjectDefinition } from "../schema/define";
import type { Field, TakenBy } from "../schema/field";
import type { JsonObject } from "../schema/json";
import type { Answer } from "../schema/verbs";

/** Members of a route that its method needs. The route's own type is not widened: the names in it become those of the method. */
interface AnyRoute {
  readonly path: string;
  readonly returns: Answer;
}

/** Names of the parameters of a path such as `/gates/{id}/rules/{ruleID}`. */
type ParametersOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParametersOf<Rest>
  : never;

/** Parameters of the query that a route names, and those of every list. */
type QueryOf<R extends AnyRoute> = {
  readonly [Name in FiltersOf<R> | "limit" | "page" | "dryRun"]?:
    | string
    | number
    | boolean
    | readonly string[]
    | undefined;
};
type FiltersOf<R> = R extends { readonly query: readonly (infer Name extends string)[] } ? Name : never;

/** The API's name of a field. */
type WireName<Name, F> =
  F extends Field<string, infer _Schema, infer Wire> ? (Wire extends string ? Wire : Name) : Name;

type FieldsOf<D extends ObjectDefinition> = D["fields"];
type InputNames<D extends ObjectDefinition> = {
  [Name in keyof FieldsOf<D>]: FieldsOf<D>[Name] extends { readonly mode: "output" } ? never : Name;
}[keyof FieldsOf<D>];

/** Names in a list of a body's description. */
type NamesIn<Body, List extends string> = Body extends { readonly [L in List]: readonly (infer Name)[] }
  ? Name
  : never;

type Accepted<D extends ObjectDefinition, Body> = Body extends { readonly only: readonly (infer Name)[] }
  ? Name
  : Exclude<InputNames<D>, NamesIn<Body, "except"> | NamesIn<Body, "refuses">>;

type ValueOf<D extends ObjectDefinition, Name extends keyof FieldsOf<D>> = TakenBy<
  FieldsOf<D>[Name]["schema"]
>;

/** A body of a kind's own fields, under the API's names. What this version does not know of may be given, too. */
type FieldsBodyOf<D extends ObjectDefinition, Body> = {
  readonly [Name in Accepted<D, Body> & keyof FieldsOf<D> as WireName<Name, FieldsOf<D>[Name]> & string]?:
    | ValueOf<D, Name>
    | undefined;
} & { readonly [member: string]: unknown };

type BodyOf<D extends ObjectDefinition, Body> = Body extends { readonly schema: infer S }
  ? TakenBy<S>
  : FieldsBodyOf<D, Body>;

/** Input of a method: parameters of the path by name, the query and the body, under the API's names. */
type MethodInput<D extends ObjectDefinition, R extends AnyRoute> = {
  readonly [Name in ParametersOf<R["path"]>]: string;
} & { readonly query?: QueryOf<R> | undefined } & (R extends { readonly body: infer Body }
    ? { readonly body?: BodyOf<D, Body> }
    : unknown);

/** An object of an answer, under the API's names. Consoles leave out what they do not know, and show what is newer. */
export type AnswerOf<D extends ObjectDefinition> = { readonly id?: string } & {
  readonly [Name in keyof FieldsOf<D> as WireName<Name, FieldsOf<D>[Name]> & string]?:
    | ValueOf<D, Name>
    | null
    | undefined;
} & JsonObject;

/** Objects of an answer: those of the kind, unless the route names others. */
type ItemOf<D extends ObjectDefinition, R extends AnyRoute> = R extends { readonly returnsKind: string }
  ? JsonObject
  : AnswerOf<D>;

/** The client's method for a route of a kind. */
export type MethodOf<D extends ObjectDefinition, R> = R extends AnyRoute ? Method<D, R> : never;

type Method<D extends ObjectDefinition, R extends AnyRoute> = (
  ...given: [ParametersOf<R["path"]>] extends [never]
    ? [input?: MethodInput<D, R>]
    : [input: MethodInput<D, R>]
) => R["returns"] extends "items"
  ? AsyncIterableIterator<ItemOf<D, R>>
  : Promise<R["returns"] extends "item" ? ItemOf<D, R> : void>;
