import type { JsonObject } from "../../provider/schema/json";

/** A range of a collection's records. */
export interface Span {
  readonly offset: number;
  readonly limit: number;
}

/** Marks of a record beside its content. */
export interface Marks {
  /** False: left out of lists unless they ask for everything. */
  readonly listed?: boolean;
  /** Objects that this record refers to, such as `gate:checkout`. */
  readonly refersTo?: readonly string[];
}

/**
 * Everything the console remembers: collections of records in the order of their creation, and sets of ids apart from
 * them, because a set may hold a million ids and must not be read to read its owner. What `get` and `list` return is
 * the caller's own copy.
 */
export interface World {
  get(collection: string, id: string): JsonObject | undefined;
  /** Adds the record at the end, or changes it where it stands. */
  put(collection: string, id: string, content: JsonObject, marks?: Marks): void;
  /** Changes the content of a record that is there; its marks stay. */
  change(collection: string, id: string, content: JsonObject): void;
  /** Gives a record another id; its place stays. */
  rename(collection: string, from: string, to: string): void;
  remove(collection: string, id: string): void;
  /** Removes every record of the collection. */
  clear(collection: string): void;
  count(collection: string, everything: boolean): number;
  /** A part of a collection, oldest first; without a span all of it. */
  list(collection: string, everything: boolean, span?: Span): JsonObject[];
  /** Ids of the records of a collection that refer to an object, oldest first. */
  referrers(target: string, collection: string): string[];
  /** Adds ids to a set; returns how many are new. */
  addMembers(set: string, ids: readonly string[]): number;
  /** Removes ids from a set; returns how many were in it. */
  removeMembers(set: string, ids: readonly string[]): number;
  clearMembers(set: string): void;
  /** The ids of a set, in the order in which they came. */
  members(set: string): string[];
}

/** Collection of the keys that were deleted or rotated, by the key itself: none of them opens anything again. */
export const endedKeys = "ended keys";

/** A world that survives the work done on it, or none of that work. */
export interface Store {
  /** Runs the work in one piece: when it throws, nothing of it stays. "read" promises to change nothing. */
  transaction<T>(mode: "read" | "write", work: (world: World) => T): T;
  /**
   * A text that is another after every change, by whomever, and stays the same where nothing changed. Inside a transaction too.
   */
  revision(): string;
  /**
   * True where an object of that time can have been here: not in a file that was made later, nor in one that never held anything.
   * `created`: milliseconds since 1970; undefined where the object does not tell.
   */
  canHaveHeld(created: number | undefined): boolean;
  /** Forgets everything. */
  wipe(): void;
  /** Everything as it is now, in memory and apart from what happens here later. */
  copy(): Store;
  /** Lets go of the file; a second time it does nothing. */
  close(): void;
}
