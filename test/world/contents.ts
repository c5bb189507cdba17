import type { RouteClient } from "../../src/provider/client/client";
import { everyKind } from "../../src/provider/definitions";
import { routeTo } from "../../src/provider/engine/context";
import { type ObjectDefinition, type ResourceDefinition, routeOf } from "../../src/provider/schema/define";
import { isConsoleError } from "../../src/provider/schema/errors";
import { isObject, type JsonObject } from "../../src/provider/schema/json";
import { expectedId, idMember } from "../../src/provider/schema/object-id";
import type { Route } from "../../src/provider/schema/verbs";
import { allOf } from "../support/raw-client";

/** Objects of a console by the name of their kind, each as the raw API shows it. */
export type Contents = Readonly<Record<string, readonly JsonObject[]>>;

/** The log of a console tells how it came to its content: a request that is repeated has an entry of its own. */
const { auditLog: _log, ...kinds } = everyKind;

/** Everything that a console shows, archived objects too. */
export async function contentsOf(
  client: RouteClient,
  definitions: readonly ObjectDefinition[] = Object.values(kinds as Record<string, ObjectDefinition>),
): Promise<Contents> {
  const read = async (one: ObjectDefinition) => [one.name, await objectsOf(client, one)] as const;
  return Object.fromEntries(await Promise.all(definitions.map(read)));
}

async function objectsOf(client: RouteClient, definition: ObjectDefinition): Promise<JsonObject[]> {
  const routes: Readonly<Record<string, Route | undefined>> = definition.routes;
  const { list, get } = routes;
  if (definition.identity.how === "address") return addressed(client, definition as ResourceDefinition);
  if (list === undefined)
    return get === undefined || get.path.includes("{") ? [] : [await client.item(get, {})];
  const query = list.query?.includes("includeArchived") ? { query: { includeArchived: true } } : {};
  const found = await allOf(client.items(list, query));
  const whole = async (item: JsonObject) => {
    const id = String(item[idMember(definition)]);
    const [, parameter = "id"] = /\{(\w+)\}/.exec(get?.path ?? "") ?? [];
    const shown = get === undefined ? {} : await client.item(get, { params: { [parameter]: id } });
    const ids =
      item.type === "id_list" ? await client.item(routeOf(definition, "getIdList"), { params: { id } }) : {};
    return { ...item, ...shown, ...ids };
  };
  return Promise.all(found.map(whole));
}

/** What no list shows and no path names: the objects of the samples, under each of their names. */
async function addressed(client: RouteClient, definition: ResourceDefinition): Promise<JsonObject[]> {
  const { read } = definition.lifecycle;
  const { smallest, fullest } = definition.samples;
  const ids = new Set([smallest, fullest].map((args) => String(expectedId(definition, args))));
  if (read.how !== "get") return [];
  const found = [...ids].map(async (id) => {
    const { route, params } = routeTo(definition, read.route, id);
    return client.maybeItem(route, { params }).catch((error: unknown) => {
      if (!isConsoleError(error, "not-found")) throw error;
      return undefined;
    });
  });
  return (await Promise.all(found)).filter((item) => item !== undefined);
}

/** What the console makes up or counts: versions, times, and who changed it. */
const counted = /^(version|count|lastModifier.*)$/;
const timed = /(time|timeMs|timestamp)$/i;
const madeUp = /\bemulated_\w+|\b[A-Za-z0-9]{12}\b|\b0\.\d{8,}\w*/g;

/**
 * Contents as lines, in which only what somebody set is left: two consoles that were brought to the same have the same lines.
 * Ids that the console generates stand for the name beside them, and sets in one order: which came first is chance.
 */
export function linesOf(contents: Contents): string[] {
  const names = new Map<string, string>();
  collectIds(contents, names);
  const lines = Object.entries(contents).flatMap(([kind, objects]) =>
    objects.map((object) => `${kind} ${JSON.stringify(plain(withSortedSets(kind, object), names))}`),
  );
  return lines.sort();
}

function withSortedSets(kind: string, object: JsonObject): JsonObject {
  const { fields } = (kinds as Record<string, ObjectDefinition>)[kind] ?? {};
  const sets = Object.entries(fields ?? {}).flatMap(([name, { facts }]) => {
    const value = object[facts.wire ?? name];
    return facts.unordered && Array.isArray(value) ? [[facts.wire ?? name, [...value].sort()] as const] : [];
  });
  return { ...object, ...Object.fromEntries(sets) };
}

function collectIds(value: unknown, names: Map<string, string>): void {
  if (Array.isArray(value)) for (const one of value) collectIds(one, names);
  if (!isObject(value)) return;
  for (const id of [value.id, value.baseID])
    if (typeof id === "string" && /^([A-Za-z0-9]{12}(:.*)?|0\.\d{10,}\w*)$/.test(id))
      names.set(id, `<id of ${String(value.name)}>`);
  for (const member of Object.values(value)) collectIds(member, names);
}

function plain(value: unknown, names: ReadonlyMap<string, string>): unknown {
  // What is replaced is renamed, with its version behind it.
  if (typeof value === "string")
    return names.get(value) ?? value.replaceAll(madeUp, "(made up)").replace(/ replaced \d+$/, " replaced");
  if (Array.isArray(value)) return value.map((one) => plain(one, names));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(
    ([name, one]) => !counted.test(name) && !(timed.test(name) && typeof one === "number"),
  );
  return Object.fromEntries(
    kept.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => [name, plain(one, names)]),
  );
}

/** Where a console is not as it should be, a line for each object; empty where it is. */
export function differencesOf(expected: readonly string[], found: readonly string[]): string[] {
  return [
    ...without(expected, found).map((line) => `missing: ${line}`),
    ...without(found, expected).map((line) => `too much: ${line}`),
  ];
}

/** Elements of a list that another has not, as often as it lacks them. */
function without(list: readonly string[], other: readonly string[]): string[] {
  const left = [...other];
  return list.filter((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
