import { managedKind } from "../catalog";
import type { ResourceDefinition } from "../core/define";
import { isConsoleError, messageOf } from "../core/errors";
import { equalJson, type JsonObject, stableText } from "../core/json";
import { callingArgument, idMember, secretOf } from "../core/object-id";
import { secretDigest } from "../core/text-digest";
import { fromWire } from "../core/wire-names";
import type { EngineContext } from "../engine";
import { routeTo } from "../engine/context";
import { wholeList } from "../engine/listing";
import { readLive } from "../engine/read";
import { idParts } from "../id-lists/changes";

/** An object of the console. */
export interface Found {
  readonly definition: ResourceDefinition;
  readonly id: string;
  /** Under the names used here. */
  readonly live: JsonObject;
  /** The list shows it without what leads to it. */
  readonly isUnaddressed?: true;
}

/** What a reading of the console tells while it goes on. */
export interface ReadProgress {
  /** Objects of that kind that lists have shown so far. */
  listed(definition: ResourceDefinition, count: number): void;
  /** One object more, of so many, was read by itself. */
  detailed(definition: ResourceDefinition, done: number, of: number): void;
}

/** An object as a list shows it, with its id. */
type Listed = readonly [id: string, item: JsonObject];

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
  if (read.list === undefined) return readAlone(context, definition, wanted, progress);
  const listed = await listOf(context, definition, read.list, progress);
  const items = [...listed].filter(([, item]) => wanted(fromWire(definition, item)));
  // What leads to it is a secret: nothing more is asked.
  if (secretOf(definition) !== undefined)
    return items.map(([id, item]) => ({ definition, id, live: fromWire(definition, item) }));
  const told = items.filter(([, item]) => hasId(definition, item));
  const untold = items.filter((one) => !told.includes(one));
  const lost = untold.map(([id, item]) => ({
    definition,
    id,
    live: fromWire(definition, item),
    isUnaddressed: true as const,
  }));
  const isShort = await listShowsLess(context, definition, told);
  const found = await inTurn(told, async ([id, item], done): Promise<Found[]> => {
    const live = fromWire(definition, item);
    const parts = idParts(definition, live).filter((part) => part.read !== undefined);
    if (!isShort && parts.length === 0) return [{ definition, id, live }];
    const names = parts.map(({ field }) => field);
    const seen = await readLive(context, definition, id, names, ...(isShort ? [] : [async () => item]));
    progress.detailed(definition, done, items.length);
    // Gone meanwhile: there is nothing to say of it.
    return seen === undefined ? [] : [{ definition, id, live: seen }];
  });
  return [...found, ...lost];
}

/** What no list shows: the one object of its kind in a project, or a part of each object of another kind. */
async function readAlone(
  context: EngineContext,
  definition: ResourceDefinition,
  wanted: (live: JsonObject) => boolean,
  progress: ReadProgress,
): Promise<Found[]> {
  const ids = await addressesOf(context, definition, progress);
  return inTurn(ids, async (id, done) => {
    progress.detailed(definition, done, ids.length);
    try {
      const live = await readLive(context, definition, id, []);
      if (live === undefined) return [];
      const own = callingArgument(definition);
      const whole = own === undefined ? live : { ...live, [own]: id };
      return wanted(whole) ? [{ definition, id, live: whole }] : [];
    } catch (error) {
      throw reading(definition, error);
    }
  });
}

/** Ids of what no list shows. A part of an object has the id of that. */
async function addressesOf(
  context: EngineContext,
  definition: ResourceDefinition,
  progress: ReadProgress,
): Promise<string[]> {
  const { identity, fields } = definition;
  if (identity.how === "singleton") return [identity.id];
  const owner = fields[callingArgument(definition) ?? ""]?.facts.refersTo;
  if (typeof owner !== "string") return [];
  const kind = managedKind(owner);
  const { read } = kind.lifecycle;
  if (read.how === "remember" || read.list === undefined) return [];
  return [...(await listOf(context, kind, read.list, progress)).keys()];
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
    const { items, pages, hasMoved } = await pagesOf(context, definition, list, progress);
    const before = earlier.at(-1);
    if (pages < 2 || (!hasMoved && (before === undefined || sameIds(before, items)))) return items;
    earlier.push(Object.fromEntries(items));
  }
  throw new Error(
    `The list of ${definition.title}s changes while it is read (${mostReadings} times). Run this again when nobody works in the console.`,
  );
}

/** The id of an object; of what a list shows without one, or with a secret as such, a digest that nothing leads back from. */
function idOf(definition: ResourceDefinition, item: JsonObject): string {
  const id = item[idMember(definition)];
  if (!hasId(definition, item)) return secretDigest(stableText(item));
  return secretOf(definition) === undefined ? String(id) : secretDigest(String(id));
}

function hasId(definition: ResourceDefinition, item: JsonObject): boolean {
  const id = item[idMember(definition)];
  return typeof id === "string" && id !== "";
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
    const walk = context.client.pages(...wholeList(definition, list));
    let step = await walk.next();
    for (; step.done !== true; step = await walk.next()) {
      pages += 1;
      for (const item of step.value) {
        const id = idOf(definition, item);
        isTwice ||= items.has(id);
        items.set(id, item);
      }
      progress.listed(definition, items.size);
    }
    return { items, pages, hasMoved: isTwice || step.value === true };
  } catch (error) {
    throw reading(definition, error);
  }
}

function reading(definition: ResourceDefinition, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return new Error(`Cannot read the ${definition.title}s: ${messageOf(error)}`, { cause: error });
}

/**
 * True where a read of one object shows anything lasting that the list leaves out: then the list may leave out arguments of
 * others as well. The objects of which the list shows least and most tell for all.
 */
async function listShowsLess(
  context: EngineContext,
  definition: ResourceDefinition,
  items: readonly Listed[],
): Promise<boolean> {
  const { read } = definition.lifecycle;
  if (read.how !== "get" || items.length === 0) return false;
  if (read.listShowsLess) return true;
  const sized = items.map((one) => ({ one, size: JSON.stringify(one[1]).length }));
  sized.sort((a, b) => a.size - b.size);
  const probes = new Set([sized[0]?.one, sized.at(-1)?.one].filter((one) => one !== undefined));
  const found = await Promise.all(
    [...probes].map((probe) => showsLess(context, definition, read.route, probe)),
  );
  return found.includes(true);
}

async function showsLess(
  context: EngineContext,
  definition: ResourceDefinition,
  readRoute: string,
  [id, item]: Listed,
): Promise<boolean> {
  const { route, params } = routeTo(definition, readRoute, id);
  try {
    const whole = await context.client.item(route, { params });
    return Object.entries(definition.fields).some(([name, { facts }]) => {
      const member = facts.wire ?? name;
      return facts.volatile !== true && item[member] === undefined && whole[member] !== undefined;
    });
  } catch (error) {
    if (isConsoleError(error, "not-found")) return false;
    throw reading(definition, error);
  }
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
