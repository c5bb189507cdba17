import { createRouteClient } from "../../src/provider/client/client";
import { catalog } from "../../src/provider/definitions";
import { type ResourceDefinition, routeOf } from "../../src/provider/schema/define";
import { isObject, type JsonObject } from "../../src/provider/schema/json";
import { idMember } from "../../src/provider/schema/object-id";
import type { Route } from "../../src/provider/schema/verbs";
import { allOf } from "../support/raw-client";
import { shownKinds } from "../support/shown-kinds";

/** Everything in a console: kind -> its objects, each as the raw API shows it. */
export type Dump = Readonly<Record<string, readonly JsonObject[]>>;

/** Reads everything in a console through the raw API. */
export async function dumpOf(url: string, apiKey: string): Promise<Dump> {
  const client = createRouteClient({ profile: "custom", baseUrl: url, apiKey });
  const kinds = shownKinds.map(async (kind) => {
    const definition: ResourceDefinition = catalog[kind];
    const { read } = definition.lifecycle;
    const objects: JsonObject[] = [];
    for (const item of await listed(client, definition)) {
      const id = String(item[idMember(definition)]);
      const whole =
        read.how === "get"
          ? await client.item(routeOf(definition, read.route), only(definition, read.route, id))
          : item;
      const ids =
        item.type === "id_list"
          ? await client.item(routeOf(definition, "getIdList"), { params: { id } })
          : {};
      objects.push({ ...whole, ...ids });
    }
    return [definition.kind, objects] as const;
  });
  return Object.fromEntries(await Promise.all(kinds));
}

type Client = ReturnType<typeof createRouteClient>;

async function listed(client: Client, definition: ResourceDefinition): Promise<JsonObject[]> {
  const { list } = definition.routes;
  if (list === undefined) return [{}];
  const query = list.query?.includes("includeArchived") ? { query: { includeArchived: "true" } } : {};
  return allOf(client.items(list as Route, query as never));
}

function only(definition: ResourceDefinition, route: string, id: string) {
  const [, parameter] = /\{(\w+)\}/.exec(routeOf(definition, route).path) ?? [];
  return parameter === undefined ? {} : { params: { [parameter]: id } };
}

/** What the console makes up or counts: times, versions, and how much it changed. */
const madeUp = /^(version|.*[tT]ime|count|lastModifier.*)$/;

/** A dump in which only what a program says is left: ids that the console generates stand for the name beside them. */
export function comparable(dump: Dump): Dump {
  const names = new Map<string, string>();
  collectIds(dump, names);
  const kinds = Object.entries(dump).map(([kind, objects]) => {
    const plain = objects.map((object) => plainly(withSortedSets(kind, object), names) as JsonObject);
    return [kind, plain.sort((a, b) => compare(JSON.stringify(a), JSON.stringify(b)))] as const;
  });
  return Object.fromEntries(kinds);
}

/** An object whose sets stand in one order: which of their elements came first is chance. */
function withSortedSets(kind: string, object: JsonObject): JsonObject {
  const definition: ResourceDefinition | undefined = Object.values(catalog).find((one) => one.kind === kind);
  const sets = Object.entries(definition?.fields ?? {}).flatMap(([name, { facts }]) => {
    const value = object[facts.wire ?? name];
    return facts.unordered && Array.isArray(value) ? [[facts.wire ?? name, [...value].sort()] as const] : [];
  });
  return { ...object, ...Object.fromEntries(sets) };
}

/** Ids as the console makes them up, beside the name of what they belong to. */
function collectIds(value: unknown, names: Map<string, string>): void {
  if (Array.isArray(value)) for (const one of value) collectIds(one, names);
  if (!isObject(value)) return;
  for (const id of [value.id, value.baseID])
    if (typeof id === "string" && /^([A-Za-z0-9]{12}(:.*)?|0\.\d{10,}\w*)$/.test(id))
      names.set(id, `<id of ${String(value.name)}>`);
  for (const member of Object.values(value)) collectIds(member, names);
}

function plainly(value: unknown, names: Map<string, string>): unknown {
  // What is replaced is renamed, with its version behind it.
  if (typeof value === "string") return names.get(value) ?? value.replace(/ replaced \d+$/, " replaced");
  if (Array.isArray(value)) return value.map((one) => plainly(one, names));
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => !madeUp.test(name));
  return Object.fromEntries(
    members.sort(([a], [b]) => compare(a, b)).map(([name, one]) => [name, plainly(one, names)]),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Where two dumps differ, a line for each object; empty when they are the same. */
export function differencesOf(expected: Dump, found: Dump): string[] {
  return Object.keys(expected).flatMap((kind) => {
    const texts = (dump: Dump) => (dump[kind] ?? []).map((object) => JSON.stringify(object));
    const [should, is] = [texts(expected), texts(found)];
    return [
      ...without(should, is).map((text) => `${kind} missing: ${text}`),
      ...without(is, should).map((text) => `${kind} too much: ${text}`),
    ];
  });
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
