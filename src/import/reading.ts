import { type ResourceDefinition, routeOf } from "../core/define";
import { isConsoleError, messageOf } from "../core/errors";
import { idParts } from "../core/id-changes";
import { equalJson, type JsonObject } from "../core/json";
import { idMember } from "../core/object-id";
import { fromWire } from "../core/wire-names";
import type { EngineContext } from "../engine";
import { wholeList } from "../engine/listing";
import { observe } from "../engine/read";

/** An object of the console. */
export interface Found {
  readonly definition: ResourceDefinition;
  readonly id: string;
  /** Under the names used here. */
  readonly live: JsonObject;
}

/** What a reading of the console tells while it goes on. */
export interface ReadProgress {
  /** Objects of that kind that lists have shown so far. */
  listed(definition: ResourceDefinition, count: number): void;
  /** One object more, of so many, was read by itself. */
  detailed(definition: ResourceDefinition, done: number, of: number): void;
}

/** Times that a list is read until two readings agree on which objects there are. */
const mostReadings = 4;

/**
 * Every object of a kind. Lists show most; where a read of one shows more than the list does, each is read by itself.
 * `wanted`: which objects matter, by what the list shows of them.
 * @throws ConsoleError where the console does not answer, or its list changes as fast as it is read.
 */
export async function readKind(
  context: EngineContext,
  definition: ResourceDefinition,
  wanted: (live: JsonObject) => boolean,
  progress: ReadProgress,
): Promise<Found[]> {
  const { read } = definition.lifecycle;
  if (read.how === "remember") return [];
  if (read.list === undefined) return readAlone(context, definition, wanted);
  const listed = await listOf(context, definition, read.list, progress);
  const items = [...listed].filter(([, item]) => wanted(fromWire(definition, item)));
  const isShort = await listShowsLess(context, definition, items);
  return inTurn(items, async ([id, item], done) => {
    const live = fromWire(definition, item);
    const parts = idParts(definition, live).filter((part) => part.read !== undefined);
    if (!isShort && parts.length === 0) return [{ definition, id, live }];
    const names = parts.map(({ field }) => field);
    const seen = await observe(context, definition, id, names, ...(isShort ? [] : [async () => item]));
    progress.detailed(definition, done, items.length);
    // Gone meanwhile: there is nothing to say of it.
    return seen === undefined ? [] : [{ definition, id, live: seen }];
  });
}

/** The one object of its kind in a project. */
async function readAlone(
  context: EngineContext,
  definition: ResourceDefinition,
  wanted: (live: JsonObject) => boolean,
): Promise<Found[]> {
  const { identity } = definition;
  if (identity.how !== "singleton") return [];
  try {
    const live = await observe(context, definition, identity.id, []);
    return live === undefined || !wanted(live) ? [] : [{ definition, id: identity.id, live }];
  } catch (error) {
    throw reading(definition, error);
  }
}

/** The objects of a list by their ids. Pages shift when somebody adds or removes one: then the list is read again. */
async function listOf(
  context: EngineContext,
  definition: ResourceDefinition,
  list: string,
  progress: ReadProgress,
): Promise<Map<string, JsonObject>> {
  const earlier: JsonObject[] = [];
  for (let readings = 0; readings < mostReadings; readings += 1) {
    const { items, pages, isTwice } = await pagesOf(context, definition, list, progress);
    const before = earlier.at(-1);
    if (pages < 2 || (!isTwice && (before === undefined || sameIds(before, items)))) return items;
    earlier.push(Object.fromEntries(items));
  }
  throw new Error(
    `The list of ${definition.title}s changes while it is read (${mostReadings} times). Run this again when nobody works in the console.`,
  );
}

function sameIds(before: JsonObject, items: ReadonlyMap<string, JsonObject>): boolean {
  return equalJson(Object.keys(before).sort(), [...items.keys()].sort());
}

async function pagesOf(
  context: EngineContext,
  definition: ResourceDefinition,
  list: string,
  progress: ReadProgress,
) {
  const items = new Map<string, JsonObject>();
  let pages = 0;
  let isTwice = false;
  try {
    for await (const page of context.client.pages(...wholeList(definition, list))) {
      pages += 1;
      for (const item of page) {
        const id = item[idMember(definition)];
        if (typeof id !== "string" || id === "") continue;
        isTwice ||= items.has(id);
        items.set(id, item);
      }
      progress.listed(definition, items.size);
    }
  } catch (error) {
    throw reading(definition, error);
  }
  return { items, pages, isTwice };
}

function reading(definition: ResourceDefinition, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return new Error(`Cannot read the ${definition.title}s: ${messageOf(error)}`, { cause: error });
}

/** True where a read of one object shows an argument that the list leaves out. One read tells for all. */
async function listShowsLess(
  context: EngineContext,
  definition: ResourceDefinition,
  items: readonly (readonly [string, JsonObject])[],
): Promise<boolean> {
  const { read } = definition.lifecycle;
  if (read.how !== "get" || items.length === 0) return false;
  if (read.listShowsLess) return true;
  const [id, item] = barest(items);
  const { route, params } = routeOfOne(definition, read.route, id);
  try {
    const whole = await context.client.item(route, { params });
    return Object.entries(definition.fields).some(([name, { mode, facts }]) => {
      const member = facts.wire ?? name;
      return mode === "input" && item[member] === undefined && whole[member] !== undefined;
    });
  } catch (error) {
    if (isConsoleError(error, "not-found")) return true;
    throw reading(definition, error);
  }
}

function routeOfOne(definition: ResourceDefinition, name: string, id: string) {
  const route = routeOf(definition, name);
  const [parameter = "id"] = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, one = ""]) => one);
  return { route, params: { [parameter]: id } };
}

/** The object of which the list shows least members: what it lacks tells most. */
function barest(items: readonly (readonly [string, JsonObject])[]): readonly [string, JsonObject] {
  const size = ([, item]: readonly [string, JsonObject]) => Object.keys(item).length;
  return items.reduce((one, other) => (size(other) < size(one) ? other : one));
}

/** Does the work for every item; the client lets through as many at a time as it may. */
async function inTurn<T, R>(
  items: readonly T[],
  work: (item: T, done: number) => Promise<readonly R[]>,
): Promise<R[]> {
  let done = 0;
  const found = await Promise.all(items.map((item) => work(item, ++done)));
  return found.flat();
}
