import { pathParameters } from "../client/route-path";
import { answeredKind, everyKind } from "../definitions";
import { answeredType } from "../definitions/flags/answers";
import { type ObjectDefinition, routeOf } from "../schema/define";
import { bug } from "../schema/errors";
import { type JsonObject, kept, mapped } from "../schema/json";
import { expectedId, idMember } from "../schema/object-id";
import type { Route } from "../schema/verbs";
import { fromWire } from "../schema/wire-names";
import { requireSameObject } from "./claims/answered-object";
import { attempting, type EngineContext } from "./context";

/** A read of the API that programs may make. */
export interface Lookup {
  /** Name of a kind. */
  readonly kind: string;
  readonly routeName: string;
}

/** A lookup with the name of its function: `getGate`, `listGates`, `listGateVersions`. */
export interface NamedLookup extends Lookup {
  readonly name: string;
  readonly returnsList: boolean;
  /** Nothing is known of the members of what it returns. */
  readonly isUntyped: boolean;
}

/** The lookups of a kind. What a lookup finds is no secret in a program, so kinds with secrets have none. */
export function lookupsOf(definition: ObjectDefinition): NamedLookup[] {
  const { name: kind, fields, routes } = definition;
  if (Object.values(fields).some(({ mode, traits }) => traits.secret === true && mode !== "writeOnly"))
    return [];
  return Object.entries(routes)
    .filter(([, { method }]) => method === "GET")
    .map(([routeName, route]) => ({
      ...{ kind, routeName, name: functionName(definition, routeName) },
      returnsList: route.returns === "items",
      isUntyped: answeredKind(definition, route) === undefined && answeredType(route) === undefined,
    }));
}

function functionName({ kind, plural }: ObjectDefinition, routeName: string): string {
  if (routeName === "get") return `get${kind}`;
  if (routeName === "list") return `list${plural ?? `${kind}s`}`;
  return routeName.replace(/^(get|list)/, (verb) => `${verb}${kind}`);
}

/** Every lookup of every kind. */
export const lookups: readonly NamedLookup[] = Object.values(everyKind).flatMap(lookupsOf);

type AskedConsole = () => EngineContext | Promise<EngineContext>;

/** One object. @throws ConsoleError. `context`: of the console to ask, which only this call needs. */
export function lookUpItem(
  lookup: Lookup,
  args: JsonObject | undefined,
  context: AskedConsole,
): Promise<JsonObject> {
  return asking(lookup, async (definition, route) => {
    const { client } = await context();
    const input = inputOf(route, args);
    const answer = await client.item(route, input);
    // An answer need not repeat what the query named.
    const item = definition.identity.how === "address" ? { ...answer, ...input.query } : answer;
    // A single parameter of a path is the id; an object of a kind of its own has an id of its own.
    const [id, ...more] = Object.values(input.params);
    const about = route.returnsKind === undefined && id !== undefined && more.length === 0;
    return shown(definition, route, about ? requireSameObject(definition, id, item) : item);
  });
}

/** Every object on every page of a list. @throws ConsoleError. `context`: of the console to ask, which only this call needs. */
export function lookUpList(
  lookup: Lookup,
  args: JsonObject | undefined,
  context: AskedConsole,
): Promise<JsonObject[]> {
  return asking(lookup, async (definition, route) => {
    const { client } = await context();
    const items = client.items(route, inputOf(route, args));
    return Array.fromAsync(items, (item) => shown(definition, route, item));
  });
}

function asking<T>(
  { kind, routeName }: Lookup,
  work: (definition: ObjectDefinition, route: Route) => Promise<T>,
): Promise<T> {
  const kinds: Readonly<Record<string, ObjectDefinition>> = everyKind;
  const definition = kinds[kind];
  if (definition === undefined) throw bug(`There is no kind "${kind}".`);
  const route = routeOf(definition, routeName);
  return attempting(`look up ${definition.title} (${routeName})`, () => work(definition, route));
}

function inputOf(route: Route, args: JsonObject = {}) {
  const parameters = pathParameters(route.path);
  const entries = Object.entries(args).filter(([, value]) => value !== undefined);
  const { params = [], query = [] } = Object.groupBy(entries, ([name]) =>
    parameters.includes(name) ? "params" : "query",
  );
  return {
    params: mapped(Object.fromEntries(params), String),
    query: Object.fromEntries(query) as Record<string, string>,
  };
}

/** An object under the names used here, with its id; what has no definition is shown as it came. */
function shown(definition: ObjectDefinition, route: Route, item: JsonObject): JsonObject {
  const of = answeredKind(definition, route);
  if (of === undefined) return item;
  const known = kept(fromWire(of, item), (_, value) => value !== null);
  return { id: idOf(of, item), ...filledIn(of), ...known };
}

/** Arguments that an answer may leave out, with the values that this means. */
function filledIn({ fields }: ObjectDefinition): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, { mode, traits }]) =>
      mode === "input" && traits.remembered !== true && (traits.serverDefault ?? null) !== null
        ? [[name, traits.serverDefault]]
        : [],
    ),
  );
}

/** An object of which every project has one has no id in the console, nor has what several arguments lead to. */
function idOf(definition: ObjectDefinition, item: JsonObject): unknown {
  const { how } = definition.identity;
  const isKnown = how === "singleton" || how === "address";
  return isKnown ? expectedId(definition, fromWire(definition, item)) : item[idMember(definition)];
}
