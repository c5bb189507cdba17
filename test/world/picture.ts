import type { RouteClient } from "../../src/provider/client/client";
import { everyKind } from "../../src/provider/definitions";
import { routeTo } from "../../src/provider/engine/context";
import type { ObjectDefinition, ResourceDefinition } from "../../src/provider/schema/define";
import { isConsoleError } from "../../src/provider/schema/errors";
import { isObject, type JsonObject, stableText } from "../../src/provider/schema/json";
import { expectedId, idMember } from "../../src/provider/schema/object-id";
import type { Route } from "../../src/provider/schema/verbs";
import { samplesOf } from "../samples";
import { allOf } from "../support/raw-client";

/** The log of a console tells how it came to its content: a request that is repeated has an entry of its own. */
const { auditLog: _log, ...kinds } = everyKind as Readonly<Record<string, ObjectDefinition>>;

/** Everything in a console: kind -> its objects, each as the raw API shows it. */
export type Contents = Readonly<Record<string, readonly JsonObject[]>>;

/** Everything that a console shows but what differs from run to run, one line for each object. */
export type Picture = readonly string[];

export async function contentsOf(client: RouteClient): Promise<Contents> {
  const found = Object.entries(kinds).map(
    async ([name, definition]) => [name, await objectsOf(client, definition)] as const,
  );
  return Object.fromEntries(await Promise.all(found));
}

async function objectsOf(client: RouteClient, definition: ObjectDefinition): Promise<JsonObject[]> {
  const routes: Readonly<Record<string, Route | undefined>> = definition.routes;
  const { list, get, getIdList } = routes;
  if (definition.identity.how === "address") return addressed(client, definition as ResourceDefinition);
  if (list === undefined)
    return get === undefined || get.path.includes("{") ? [] : [await client.item(get, {})];
  const query = list.query?.includes("includeArchived") ? { query: { includeArchived: true } } : {};
  const found = await allOf(client.items(list, query));
  const named = (route: Route, item: JsonObject) => {
    const [parameter = "id"] = /\{(\w+)\}/.exec(route.path)?.slice(1) ?? [];
    return client.item(route, { params: { [parameter]: String(item[idMember(definition)]) } });
  };
  const whole = async (item: JsonObject) => {
    const one = { ...item, ...(get && (await named(get, item))) };
    // The count that lags behind, and the ids that it is of.
    return one.type === "id_list" && getIdList
      ? { ...one, ...(await named(getIdList, item)), count: undefined }
      : one;
  };
  return Promise.all(found.map(whole));
}

/** What no list shows and no path names: the objects of the samples, under each of their names. */
async function addressed(client: RouteClient, definition: ResourceDefinition): Promise<JsonObject[]> {
  const { read } = definition.lifecycle;
  const { smallest, fullest } = samplesOf(definition);
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

/** Takes the picture: two consoles of the same content have the same. */
export function pictureOf(contents: Contents): Picture {
  const names = new Map<string, string>();
  collectIds(contents, names);
  const lines = Object.entries(contents).flatMap(([kind, objects]) =>
    objects.map((object) => `${kind} ${stableText(plain(withSortedSets(kind, object), names))}`),
  );
  return lines.sort();
}

/** An object whose sets stand in one order: which of their elements came first is chance. */
function withSortedSets(kind: string, object: JsonObject): JsonObject {
  const sets = Object.entries(kinds[kind]?.fields ?? {}).flatMap(([name, { traits }]) => {
    const value = object[traits.wire ?? name];
    return traits.unordered && Array.isArray(value)
      ? [[traits.wire ?? name, [...value].sort()] as const]
      : [];
  });
  return { ...object, ...Object.fromEntries(sets) };
}

const madeUpId = /^([A-Za-z0-9]{12}(:.*)?|0\.\d{8,}\w*)$/;
const madeUpPart = /\b(?:emulated_)?[A-Za-z0-9]{12}\b|\b0\.\d{8,}\w*/g;
const passing = /(time|timeMs|version|timestamp)$/i;

/** Ids as the console makes them up, beside the name of what they belong to. */
function collectIds(value: unknown, names: Map<string, string>): void {
  if (Array.isArray(value)) for (const one of value) collectIds(one, names);
  if (!isObject(value)) return;
  for (const id of [value.id, value.baseID])
    if (typeof id === "string" && madeUpId.test(id)) names.set(id, `(id of ${String(value.name)})`);
  for (const member of Object.values(value)) collectIds(member, names);
}

function plain(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((one) => plain(one, names));
  // What is replaced is renamed, with its version behind it.
  if (typeof value === "string")
    return (
      names.get(value) ?? value.replaceAll(madeUpPart, "(made up)").replace(/ replaced \d+$/, " replaced")
    );
  if (!isObject(value)) return value;
  const isPassing = (name: string, member: unknown) =>
    name.startsWith("lastModifier") || (passing.test(name) && typeof member === "number");
  const kept = Object.entries(value).filter(([name, member]) => !isPassing(name, member));
  return Object.fromEntries(kept.map(([name, member]) => [name, plain(member, names)]));
}

/** How one picture differs from another, in a few words; undefined when it does not. */
export function differenceOf(actual: Picture, expected: Picture): string | undefined {
  const surplus = less(actual, expected);
  const missing = less(expected, actual);
  if (surplus.length === 0 && missing.length === 0) return undefined;
  // Where two lines are about one object, they differ somewhere behind a long common beginning.
  const from = surplus.length === 1 && missing.length === 1 ? commonLength(surplus[0], missing[0]) - 60 : 0;
  const short = (lines: string[]) =>
    lines.map((line) => line.slice(Math.max(0, from)).slice(0, 200)).join(" | ");
  return `the console has ${surplus.length} that it should not (${short(surplus)}) and lacks ${missing.length} (${short(missing)})`;
}

function commonLength(one = "", other = ""): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

/** Lines of one picture that another has not, as often as they are more. */
function less(from: Picture, taken: Picture): string[] {
  const left = [...taken];
  return from.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
