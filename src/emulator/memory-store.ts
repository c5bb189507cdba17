import type { JsonObject } from "../core/json";
import type { Marks, Span, Store, World } from "./store";

interface Row {
  readonly place: number;
  readonly id: string;
  /** Text, so that nobody can change a stored object through a reference to it. */
  readonly text: string;
  readonly listed: boolean;
  readonly refersTo: readonly string[];
}

interface Collection {
  readonly rows: Map<string, Row>;
  /** Rows in the order of creation; undefined after a change. */
  ordered?: Row[] | undefined;
}

/** A store that ends with the process. A failed transaction is undone step by step. */
export function createMemoryStore(): Store {
  return storeOf(createMemory());
}

function storeOf(first: Memory): Store {
  let memory = first;
  return {
    transaction(_mode, work) {
      const mark = memory.undo.length;
      try {
        return work(memory.world);
      } catch (error) {
        while (memory.undo.length > mark) memory.undo.pop()?.();
        throw error;
      } finally {
        if (mark === 0) memory.undo.length = 0;
      }
    },
    wipe() {
      memory = createMemory();
    },
    copy: () => storeOf(memory.copy()),
    close() {},
  };
}

interface Memory {
  readonly world: World;
  readonly undo: (() => void)[];
  copy(): Memory;
}

function createMemory(collections: Rows = new Map(), members: Members = new Map()): Memory {
  const undo: (() => void)[] = [];
  return {
    undo,
    world: { ...createRecords(undo, collections), ...createSets(undo, members) },
    copy() {
      const rows = [...collections].map(([name, held]) => [name, { rows: new Map(held.rows) }] as const);
      const sets = [...members].map(([name, ids]) => [name, new Set(ids)] as const);
      return createMemory(new Map(rows), new Map(sets));
    },
  };
}

/** Collections by name, and sets of ids by name. */
type Rows = Map<string, Collection>;
type Members = Map<string, Set<string>>;

type Records = Pick<
  World,
  "get" | "put" | "change" | "rename" | "remove" | "clear" | "count" | "list" | "referrers"
>;

function createRecords(undo: (() => void)[], collections: Rows): Records {
  const table = createTable(undo, collections);
  const { find, swap, ordered } = table;
  let places = Math.max(
    0,
    ...[...collections.values()].flatMap(({ rows }) => [...rows.values()].map((row) => row.place)),
  );
  const visible = (name: string, everything: boolean): readonly Row[] =>
    everything ? ordered(name) : ordered(name).filter((row) => row.listed);
  return {
    get: (name, id) => parse(find(name, id)),
    put(name, id, content, marks: Marks = {}) {
      const place = find(name, id)?.place ?? ++places;
      const { listed = true, refersTo = [] } = marks;
      swap(name, id, { place, id, text: JSON.stringify(content), listed, refersTo });
    },
    change(name, id, content) {
      const row = find(name, id);
      if (row !== undefined) swap(name, id, { ...row, text: JSON.stringify(content) });
    },
    rename(name, from, to) {
      const row = find(name, from);
      if (row === undefined || from === to) return;
      swap(name, from, undefined);
      swap(name, to, { ...row, id: to });
    },
    remove: (name, id) => swap(name, id, undefined),
    clear(name) {
      for (const { id } of [...ordered(name)]) swap(name, id, undefined);
    },
    count: (name, everything) => visible(name, everything).length,
    list(name, everything, span?: Span) {
      const rows = visible(name, everything);
      const part = span === undefined ? rows : rows.slice(span.offset, span.offset + span.limit);
      return part.map((row) => parse(row) as JsonObject);
    },
    referrers: (target, name) => table.referring(name, target).map((row) => row.id),
  };
}

interface Table {
  find(name: string, id: string): Row | undefined;
  ordered(name: string): readonly Row[];
  referring(name: string, target: string): readonly Row[];
  /** Puts a row in the place of another; the only way in which rows change, so the only one that has to be undone. */
  swap(name: string, id: string, next: Row | undefined): void;
}

function createTable(undo: (() => void)[], collections: Rows): Table {
  const referring = new Map<string, Set<Row>>();
  for (const [name, { rows }] of collections)
    for (const row of rows.values())
      for (const target of row.refersTo) setOf(referring, `${name} ${target}`).add(row);
  const collectionOf = (name: string): Collection => {
    const known = collections.get(name) ?? { rows: new Map<string, Row>() };
    collections.set(name, known);
    return known;
  };
  const exchange = (name: string, id: string, out: Row | undefined, into: Row | undefined): void => {
    const collection = collectionOf(name);
    if (out !== undefined) for (const target of out.refersTo) referring.get(`${name} ${target}`)?.delete(out);
    if (into !== undefined)
      for (const target of into.refersTo) setOf(referring, `${name} ${target}`).add(into);
    if (into === undefined) collection.rows.delete(id);
    else collection.rows.set(id, into);
    collection.ordered = undefined;
  };
  const byPlace = (rows: Iterable<Row>): Row[] => [...rows].sort((a, b) => a.place - b.place);
  return {
    find: (name, id) => collections.get(name)?.rows.get(id),
    ordered(name) {
      const collection = collectionOf(name);
      collection.ordered ??= byPlace(collection.rows.values());
      return collection.ordered;
    },
    referring: (name, target) => byPlace(referring.get(`${name} ${target}`) ?? []),
    swap(name, id, next) {
      const former = collections.get(name)?.rows.get(id);
      if (former === undefined && next === undefined) return;
      exchange(name, id, former, next);
      undo.push(() => exchange(name, id, next, former));
    },
  };
}

type Sets = Pick<World, "addMembers" | "removeMembers" | "clearMembers" | "members">;

function createSets(undo: (() => void)[], sets: Members): Sets {
  return {
    addMembers(name, ids) {
      const set = setOf(sets, name);
      const added = [...new Set(ids)].filter((id) => !set.has(id));
      for (const id of added) set.add(id);
      undo.push(() => {
        for (const id of added) set.delete(id);
      });
      return added.length;
    },
    removeMembers(name, ids) {
      const set = setOf(sets, name);
      const removed = [...new Set(ids)].filter((id) => set.delete(id));
      undo.push(() => {
        for (const id of removed) set.add(id);
      });
      return removed.length;
    },
    clearMembers(name) {
      const former = sets.get(name);
      if (former === undefined) return;
      sets.delete(name);
      undo.push(() => sets.set(name, former));
    },
    members: (name) => [...(sets.get(name) ?? [])],
  };
}

function setOf<T>(sets: Map<string, Set<T>>, name: string): Set<T> {
  const known = sets.get(name) ?? new Set<T>();
  sets.set(name, known);
  return known;
}

function parse(row: Row | undefined): JsonObject | undefined {
  return row === undefined ? undefined : (JSON.parse(row.text) as JsonObject);
}
