import { isPathSegment } from "../../provider/client/route-path";
import { managedKind } from "../../provider/definitions";
import type { EngineContext } from "../../provider/engine";
import { routeTo } from "../../provider/engine/context";
import type { Unsaid } from "../../provider/engine/expressed/smallest-form";
import { wholeList } from "../../provider/engine/listing";
import { readItem, readLive } from "../../provider/engine/read";
import { idParts } from "../../provider/id-lists/changes";
import type { ResourceDefinition } from "../../provider/schema/define";
import { isConsoleError, messageOf } from "../../provider/schema/errors";
import { equalJson, type JsonObject, stableText } from "../../provider/schema/json";
import { programIdArgument, secretOf } from "../../provider/schema/object-id";
import { fromWire } from "../../provider/schema/wire-names";
import { pluralOf } from "../../provider/texts/count-text";
import { secretDigest } from "../../provider/texts/secret-texts";
import { askedIds } from "./addresses";
import { lostIn, wholeId } from "./program/not-storable";

/** An object of the console. */
export interface Found {
  readonly definition: ResourceDefinition;
  readonly id: string;
  /** Under the names used here. */
  readonly live: JsonObject;
  /** Why no request can name it. */
  readonly unaddressed?: string;
  /** Values of the answer that the arguments cannot hold. */
  readonly lost: readonly Unsaid[];
}

/** Progress of a reading of the console. */
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
  // A secret names the object: nothing more is asked.
  if (secretOf(definition) !== undefined) return items.map((one) => foundIn(definition, one));
  const [told, untold] = parted(items, ([, item]) => unaddressed(definition, item) === undefined);
  const isShort = await listShowsLess(context, definition, told);
  const needsRead = ([, item]: Listed) => isShort || partsRead(definition, item).length > 0;
  const [unread, whole] = parted(told, needsRead);
  const detailed = await inTurn(
    unread,
    (one) => readWhole(context, definition, one, isShort),
    (done) => progress.detailed(definition, done, unread.length),
  );
  return [...[...whole, ...untold].map((one) => foundIn(definition, one)), ...detailed];
}

/** An object of which the list shows all. */
function foundIn(definition: ResourceDefinition, [id, item]: Listed): Found {
  const why = unaddressed(definition, item);
  return {
    ...{ definition, id, live: fromWire(definition, item), lost: lostIn(definition, item) },
    ...(why === undefined ? {} : { unaddressed: why }),
  };
}

/** Parts of an object that a request of their own reads. */
function partsRead(definition: ResourceDefinition, item: JsonObject): string[] {
  return idParts(definition, fromWire(definition, item)).flatMap(({ field, read }) =>
    read === undefined ? [] : [field],
  );
}

/** An object with what the list leaves out; none where it is gone meanwhile. */
async function readWhole(
  context: EngineContext,
  definition: ResourceDefinition,
  [id, item]: Listed,
  isShort: boolean,
): Promise<Found[]> {
  let shown: JsonObject | undefined = item;
  const reader: typeof readItem = async (...asked) => {
    if (isShort) shown = await readItem(...asked);
    return shown;
  };
  try {
    const live = await readLive(context, definition, id, partsRead(definition, item), reader);
    if (live === undefined) return [];
    return [{ definition, id, live, lost: lostIn(definition, shown ?? {}, live) }];
  } catch (error) {
    throw reading(definition, error);
  }
}

/** Objects that no list shows: the one object of its kind in a project, or a part of each object of another kind. */
async function readAlone(
  context: EngineContext,
  definition: ResourceDefinition,
  wanted: (live: JsonObject) => boolean,
  progress: ReadProgress,
): Promise<Found[]> {
  const ids = await addressesOf(context, definition, progress);
  const own = programIdArgument(definition);
  const read = await inTurn(
    ids.map((id): Listed => [id, {}]),
    (one) => readWhole(context, definition, one, true),
    (done) => progress.detailed(definition, done, ids.length),
  );
  const whole = read.map((one) =>
    own === undefined || definition.identity.how === "address"
      ? one
      : { ...one, live: { ...one.live, [own]: one.id } },
  );
  return whole.filter(({ live }) => wanted(live));
}

/** Ids of what no list shows. A part of an object has the id of that. */
async function addressesOf(
  context: EngineContext,
  definition: ResourceDefinition,
  progress: ReadProgress,
): Promise<string[]> {
  const { identity, fields } = definition;
  if (identity.how === "singleton") return [identity.id];
  if (identity.how === "address")
    return askedIds(context, definition).catch((error) => Promise.reject(reading(definition, error)));
  const owner = fields[programIdArgument(definition) ?? ""]?.traits.refersTo;
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
    `The list of ${pluralOf(definition.title)} changes while it is read (${mostReadings} times). Run this again when the console is not in use.`,
  );
}

/** The id of an object; of what a list shows without one, or with a secret as such, a digest that nothing leads back from. */
function idOf(definition: ResourceDefinition, item: JsonObject): string {
  const id = wholeId(definition, item);
  if (id === undefined) return secretDigest(stableText(item));
  return secretOf(definition) === undefined ? id : secretDigest(id);
}

/** Why no request can name an object; undefined where one can. */
function unaddressed(definition: ResourceDefinition, item: JsonObject): string | undefined {
  const id = wholeId(definition, item);
  if (id === undefined) return "the console does not show what leads to it";
  return isPathSegment(id) ? undefined : `no request can name what is called ${JSON.stringify(id)}`;
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
  return new Error(`Cannot read the ${pluralOf(definition.title)}: ${messageOf(error)}`, { cause: error });
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
    return Object.entries(definition.fields).some(([name, { traits }]) => {
      const member = traits.wire ?? name;
      return traits.volatile !== true && item[member] === undefined && whole[member] !== undefined;
    });
  } catch (error) {
    if (isConsoleError(error, "not-found")) return false;
    throw reading(definition, error);
  }
}

/** Items that are read at a time: more than the client lets through, so that it never waits for one. */
const atATime = 32;

/** Does the work for every item, some at a time; the first failure ends it. `onDone`: told how many are done. */
async function inTurn<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<readonly R[]>,
  onDone: (done: number) => void,
): Promise<R[]> {
  const results: (readonly R[])[] = [];
  const left = items.entries();
  let done = 0;
  let hasFailed = false;
  const worker = async () => {
    for (const [index, item] of left) {
      if (hasFailed) return;
      results[index] = await work(item);
      onDone(++done);
    }
  };
  const stop = (error: unknown) => {
    hasFailed = true;
    throw error;
  };
  await Promise.all(Array.from({ length: Math.min(atATime, items.length) }, () => worker().catch(stop)));
  return results.flat();
}

/** The items that fit, and the others. */
function parted<T>(items: readonly T[], fits: (item: T) => boolean): [T[], T[]] {
  const yes: T[] = [];
  const no: T[] = [];
  for (const item of items) (fits(item) ? yes : no).push(item);
  return [yes, no];
}

/** Milliseconds between two lines, so that they can be read. */
const betweenLinesMs = 2000;

/** Progress in lines such as `gates: 300 listed` and `segments: 40 of 120 read, about 6 s left`. */
export function progressLines(report: (line: string) => void, now: () => number): ReadProgress {
  const begun = new Map<string, number>();
  let printedAt = now();
  const print = (line: string) => {
    if (now() - printedAt < betweenLinesMs) return;
    printedAt = now();
    report(line);
  };
  return {
    listed: (definition, count) => print(`${pluralOf(definition.title)}: ${count} listed`),
    detailed(definition, done, of) {
      const since = begun.get(definition.name) ?? now();
      begun.set(definition.name, since);
      const seconds = Math.ceil(((now() - since) / Math.max(done, 1)) * ((of - done) / 1000));
      print(`${pluralOf(definition.title)}: ${done} of ${of} read, about ${seconds} s left`);
    },
  };
}
