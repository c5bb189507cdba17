import type { RouteClient } from "../../src/provider/client/client";
import { everyKind } from "../../src/provider/definitions";
import { routeTo } from "../../src/provider/engine/context";
import type { ObjectDefinition, ResourceDefinition } from "../../src/provider/schema/define";
import { isConsoleError } from "../../src/provider/schema/errors";
import { isObject, type JsonObject, stableText } from "../../src/provider/schema/json";
import { expectedId, idMember } from "../../src/provider/schema/object-id";
import type { Route } from "../../src/provider/schema/verbs";
import { allOf } from "../support/raw-client";

/** The log of a console tells how it came to its content: a request that is repeated has an entry of its own. */
const { auditLog: _log, ...contents } = everyKind;

/** Everything that a console shows, one line for each object: two consoles of the same content have the same picture. */
export type Picture = readonly string[];

/** Takes the picture of a console by its raw API. What differs from run to run is left out: times, versions, made-up ids. */
export async function pictureOf(client: RouteClient): Promise<Picture> {
  const lines: string[] = [];
  for (const definition of Object.values(contents as Record<string, ObjectDefinition>)) {
    for (const item of await objectsOf(client, definition))
      lines.push(`${definition.name} ${stableText(stripped(item))}`);
  }
  return lines.sort();
}

async function objectsOf(client: RouteClient, definition: ObjectDefinition): Promise<JsonObject[]> {
  const routes: Readonly<Record<string, Route | undefined>> = definition.routes;
  const { list, get } = routes;
  if (definition.identity.how === "address") return addressed(client, definition as ResourceDefinition);
  if (list === undefined)
    return get === undefined || get.path.includes("{") ? [] : [await client.item(get, {})];
  const query = list.query?.includes("includeArchived") ? { query: { includeArchived: true } } : {};
  const found = await allOf(client.items(list, query));
  if (get === undefined) return found;
  const [parameter = "id"] = /\{(\w+)\}/.exec(get.path)?.slice(1) ?? [];
  const one = async (item: JsonObject) => ({
    ...item,
    ...(await client.item(get, { params: { [parameter]: String(item[idMember(definition)]) } })),
  });
  return Promise.all(found.map(one));
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

const passing = /(time|timeMs|version|timestamp)$/i;
const madeUp = /\b[A-Za-z0-9]{12}\b|\b0\.\d{8,}\w*/g;

function stripped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripped);
  if (typeof value === "string") return value.replaceAll(madeUp, "(made up)");
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(
    ([name, member]) => !passing.test(name) || typeof member !== "number",
  );
  return Object.fromEntries(kept.map(([name, member]) => [name, stripped(member)]));
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
