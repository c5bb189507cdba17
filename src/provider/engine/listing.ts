import type { CallInput } from "../client/call";
import { type ObjectDefinition, type ResourceDefinition, routeOf } from "../schema/define";
import { equalJson, type JsonObject } from "../schema/json";
import { keptIn, memoized } from "../schema/memoized";
import { idMember } from "../schema/object-id";
import type { Route } from "../schema/verbs";
import type { EngineContext } from "./context";
import type { KindHere, ObjectHere } from "./subject";

/** A refresh whose reads pause for so long is another one, milliseconds: it reads a new list. */
const longestPauseMs = 1000;

/** Most requests by which listing may cost more than single reads would have: a project may hold far more than the stack. */
const patience = 3;

/** Reads of one kind that happen at the same time, and the list that answers them. */
export class KindListing {
  readonly #pages: AsyncIterator<JsonObject[]>;
  readonly #idMember: string;
  readonly #found = new Map<string, JsonObject>();
  readonly #disputed = new Set<string>();
  readonly #writes: number;
  #asked = 0;
  #served = 0;
  #done = false;
  #next: Promise<void> | undefined;
  #failure: unknown;

  constructor({ context, definition }: KindHere, list: string) {
    this.#pages = context.client.pages(...wholeList(definition, list))[Symbol.asyncIterator]();
    this.#idMember = idMember(definition);
    this.#writes = context.client.writes();
  }

  /** Why a page could not be had. */
  get failure(): unknown {
    return this.#failure;
  }

  /** True where all of its pages were read. */
  get isWhole(): boolean {
    return this.#done && this.#failure === undefined;
  }

  /** False when this process has written since, or a page could not be had. */
  isFresh(context: EngineContext): boolean {
    return this.#failure === undefined && this.#writes === context.client.writes();
  }

  /** The object of an id; undefined when the list does not show it or asking on would not pay. */
  async find(id: string, mustAsk: boolean): Promise<JsonObject | undefined> {
    for (;;) {
      const item = this.#found.get(id);
      if (this.#disputed.has(id)) return undefined;
      if (item !== undefined) {
        this.#served += 1;
        return item;
      }
      if (this.#failure !== undefined || this.#done || (!mustAsk && this.#asked > this.#served + patience))
        return undefined;
      this.#next ??= this.#ask().finally(() => {
        this.#next = undefined;
      });
      await this.#next;
    }
  }

  async #ask(): Promise<void> {
    this.#asked += 1;
    const page = await this.#pages.next().catch((error: unknown) => {
      // The walk ends here, but that is no reason to call the rest gone: they are asked for one by one.
      this.#failure = error;
      return { done: true, value: undefined } as const;
    });
    this.#done = page.done === true;
    for (const item of page.done ? [] : page.value) {
      const id = item[this.#idMember];
      if (typeof id !== "string") continue;
      // Two objects of one id: which is right, only a read of the object itself tells.
      const other = this.#found.get(id);
      if (other !== undefined && !equalJson(other, item)) this.#disputed.add(id);
      this.#found.set(id, item);
    }
  }
}

/** The route that lists a kind; undefined for a kind that no list shows. */
export function listOf({ lifecycle: { read } }: ResourceDefinition): string | undefined {
  return read.how === "remember" ? undefined : read.list;
}

/** Call of a list with all that it can show: one that can be asked for archived objects leaves them out otherwise. */
export function wholeList(definition: ObjectDefinition, list: string): [Route, CallInput] {
  const route = routeOf(definition, list);
  return [route, route.query?.includes("includeArchived") ? { query: { includeArchived: true } } : {}];
}

interface Reading {
  underWay: number;
  /** When the last read ended, milliseconds. */
  lastAt: number;
  /** Ids that were asked for since the list was begun: a second request for one is to show it anew. */
  readonly asked: Set<string>;
  listing: KindListing | undefined;
}

const begun = () => ({ underWay: 0, lastAt: 0, asked: new Set<string>(), listing: undefined });
const readings = memoized((_: EngineContext) => new Map<string, Reading>());

/**
 * Reads an object for a refresh. The first read of a kind asks for its object alone; once a second one is under way, pages
 * of the list answer as many as they hold, so that a refresh costs a request for each page and not for each object.
 * `isWhole`: whether the list shows of an object all that matters.
 */
export async function readFromList(
  { context, definition, id }: ObjectHere,
  single: () => Promise<JsonObject | undefined>,
  isWhole: (item: JsonObject) => boolean,
): Promise<JsonObject | undefined> {
  const { read } = definition.lifecycle;
  const list = listOf(definition);
  if (list === undefined || (read.how === "get" && read.listShowsLess)) return single();
  const reading = keptIn(readings(context), definition.name, begun);
  const hasPaused = reading.underWay === 0 && context.now() - reading.lastAt > longestPauseMs;
  if (hasPaused || reading.asked.has(id) || reading.listing?.isFresh(context) === false) {
    reading.listing = undefined;
    reading.asked.clear();
  }
  reading.asked.add(id);
  reading.underWay += 1;
  try {
    const mustAsk = read.how === "fromList";
    if (reading.listing === undefined && reading.underWay < 2 && !mustAsk) return await single();
    reading.listing ??= new KindListing({ context, definition }, list);
    const found = await reading.listing.find(id, mustAsk);
    // An object that the list does not show is asked for: it may show less, a page boundary may have moved, or the object is gone.
    return found !== undefined && (mustAsk || isWhole(found)) ? found : await single();
  } finally {
    reading.underWay -= 1;
    reading.lastAt = context.now();
  }
}

/** Longest age of a list by which deletes know their objects, milliseconds. */
const recentMs = 60_000;

/** Deletes of one kind, and the list that they look into. */
interface Deletes {
  listing: KindListing | undefined;
  /** When the list was begun, milliseconds. */
  listedAt: number;
}

const deletions = memoized((_: EngineContext) => new Map<string, Deletes>());

/**
 * The object of an id as a list of the last minute shows it; undefined where none does. A destroy of many asks a request for each page
 * and not for each object: what this run has written since changes no time of creation. The first object is not worth a list.
 */
export async function fromRecentList(object: ObjectHere): Promise<JsonObject | undefined> {
  const { context, definition, id } = object;
  const list = listOf(definition);
  if (list === undefined) return undefined;
  const kinds = deletions(context);
  const known = kinds.get(definition.name);
  if (known === undefined) {
    kinds.set(definition.name, { listing: undefined, listedAt: 0 });
    return undefined;
  }
  if (known.listing === undefined || context.now() - known.listedAt > recentMs) {
    known.listing = new KindListing({ context, definition }, list);
    known.listedAt = context.now();
  }
  return known.listing.find(id, false);
}
