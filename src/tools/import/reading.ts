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
import { type JsonObject, stableText } from "../../provider/schema/json";
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
  readonly unaddressed?: string | undefined;
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

/** The objects of one kind, and the console that has them. */
interface Kind {
  readonly context: EngineContext;
  readonly definition: ResourceDefinition;
  readonly progress: ReadProgress;
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
  const kind: Kind = { context, definition, progress };
  const { read } = definition.lifecycle;
  if (read.how === "remember") return [];
  if (read.list === undefined) return (await readAlone(kind)).filter(({ live }) => wanted(live));
  const listed = await listOf(kind, read.list);
  const items = [...listed].filter(([, item]) => wanted(fromWire(definition, item)));
  // A secret names the object: nothing more is asked.
  if (secretOf(definition) !== undefined) return items.map((one) => foundIn(definition, one));
  const addressed = items.filter(([, item]) => unaddressed(definition, item) === undefined);
  const isShort = await listShowsLess(kind, addressed);
  const unread = addressed.filter(([, item]) => isShort || partsRead(definition, item).length > 0);
  const detailed = await readEach(kind, unread, isShort);
  const isWhole = new Set(unread);
  return [...items.filter((one) => !isWhole.has(one)).map((one) => foundIn(definition, one)), ...detailed];
}

/** An object of which the list shows all. */
function foundIn(definition: ResourceDefinition, [id, item]: Listed): Found {
  return {
    ...{ definition, id, live: fromWire(definition, item), lost: lostIn(definition, item) },
    unaddressed: unaddressed(definition, item),
  };
}

/** Parts of an object that a request of their own reads. */
function partsRead(definition: ResourceDefinition, item: JsonObject): string[] {
  return idParts(definition, fromWire(definition, item)).flatMap(({ field, read }) =>
    read === undefined ? [] : [field],
  );
}

/** Objects that no list shows: the one object of its kind in a project, or a part of each object of another kind. */
async function readAlone(kind: Kind): Promise<Found[]> {
  const { definition } = kind;
  const ids = await addressesOf(kind);
  const read = await readEach(
    kind,
    ids.map((id): Listed => [id, {}]),
    true,
  );
  const own = programIdArgument(definition);
  if (own === undefined || definition.identity.how === "address") return read;
  return read.map((one) => ({ ...one, live: { ...one.live, [own]: one.id } }));
}

/** Ids of what no list shows. A part of an object has the id of that. */
async function addressesOf(kind: Kind): Promise<string[]> {
  const { context, definition } = kind;
  const { identity, fields } = definition;
  if (identity.how === "singleton") return [identity.id];
  if (identity.how === "address") return askedIds(context, definition).catch(failed(definition));
  const owner = fields[programIdArgument(definition) ?? ""]?.traits.refersTo;
  if (typeof owner !== "string") return [];
  const whole = managedKind(owner);
  const { read } = whole.lifecycle;
  if (read.how === "remember" || read.list === undefined) return [];
  return [...(await listOf({ ...kind, definition: whole }, read.list)).keys()];
}

/** The objects of a list by their ids. Pages shift when somebody adds or removes one: then the list is read again. */
async function listOf(kind: Kind, list: string): Promise<Map<string, JsonObject>> {
  let before: string | undefined;
  for (let readings = 0; readings < mostReadings; readings += 1) {
    const { items, pages, hasMoved } = await pagesOf(kind, list).catch(failed(kind.definition));
    const ids = JSON.stringify([...items.keys()].sort());
    if (pages < 2 || (!hasMoved && (before === undefined || before === ids))) return items;
    before = ids;
  }
  throw new Error(
    `The list of ${pluralOf(kind.definition.title)} changes while it is read (${mostReadings} times). Run this again when the console is not in use.`,
  );
}

async function pagesOf({ context, definition, progress }: Kind, list: string) {
  const items = new Map<string, JsonObject>();
  let pages = 0;
  let isTwice = false;
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

/** Handler of a failure that names the kind whose objects were to be read. */
function failed({ title }: ResourceDefinition): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Error)) throw error;
    throw new Error(`Cannot read the ${pluralOf(title)}: ${messageOf(error)}`, { cause: error });
  };
}

/**
 * True where a read of one object shows anything lasting that the list leaves out: then the list may leave out arguments of
 * others as well. The objects of which the list shows least and most tell for all.
 */
async function listShowsLess({ context, definition }: Kind, items: readonly Listed[]): Promise<boolean> {
  const { read } = definition.lifecycle;
  if (read.how !== "get" || items.length === 0) return false;
  if (read.listShowsLess) return true;
  const sizes = new Map(items.map((one) => [one, JSON.stringify(one[1]).length]));
  const sorted = [...sizes].sort(([, a], [, b]) => a - b).map(([one]) => one);
  const probes = new Set([...sorted.slice(0, 1), ...sorted.slice(-1)]);
  const found = [...probes].map(async ([id, item]) => {
    const { route, params } = routeTo(definition, read.route, id);
    const whole = await context.client.item(route, { params }).catch((error: unknown) => {
      if (!isConsoleError(error, "not-found")) return failed(definition)(error);
    });
    return Object.entries(definition.fields).some(([name, { traits }]) => {
      const member = traits.wire ?? name;
      return traits.volatile !== true && item[member] === undefined && whole?.[member] !== undefined;
    });
  });
  return (await Promise.all(found)).includes(true);
}

/** Objects that are read at a time: more than the client lets through, so that it never waits for one. */
const atATime = 32;

/** Reads objects by themselves, some at a time, and leaves out those that are gone meanwhile; the first failure ends it. */
async function readEach(kind: Kind, items: readonly Listed[], isShort: boolean): Promise<Found[]> {
  const results: (Found | undefined)[] = [];
  const left = items.entries();
  let done = 0;
  let hasFailed = false;
  const worker = async () => {
    for (const [index, item] of left) {
      if (hasFailed) return;
      results[index] = await readWhole(kind, item, isShort);
      kind.progress.detailed(kind.definition, ++done, items.length);
    }
  };
  const stop = (error: unknown) => {
    hasFailed = true;
    return failed(kind.definition)(error);
  };
  await Promise.all(Array.from({ length: Math.min(atATime, items.length) }, () => worker().catch(stop)));
  return results.filter((one) => one !== undefined);
}

/** An object with what the list leaves out; undefined where it is gone. */
async function readWhole({ context, definition }: Kind, [id, item]: Listed, isShort: boolean) {
  let shown: JsonObject | undefined = item;
  const reader: typeof readItem = async (...asked) => {
    if (isShort) shown = await readItem(...asked);
    return shown;
  };
  const live = await readLive({ context, definition, id }, partsRead(definition, item), reader);
  return live && { definition, id, live, lost: lostIn(definition, shown ?? {}, live) };
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
