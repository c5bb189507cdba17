import { resolve } from "node:path";
import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import type { JsonObject } from "../../provider/schema/json";
import { keptIn } from "../../provider/schema/memoized";
import type { Store, World } from "./store";
import { checkpoint, fileProblem, madeAt, openFile, openMemory } from "./store-file";

/**
 * A store in one SQLite file, which several processes may use at once, or in the memory of this one: `:memory:`. The
 * file's folder is made when missing. Throws when the file cannot be opened, is no database, or was laid out by a later
 * version.
 */
export function openStore(file: string): Store {
  return file === ":memory:"
    ? storeOf(openMemory(), undefined)
    : storeOf(openFile(resolve(file)), resolve(file));
}

/** `file`: undefined where no one else writes between two reads. */
function storeOf(database: DatabaseSync, file: string | undefined): Store {
  const run = statements(database);
  const world = createWorld(run);
  const settle = file === undefined ? undefined : keepFileWhole(database);
  const within = <T>(begin: string, work: () => T): T => {
    try {
      run(begin).run();
      const result = work();
      run("COMMIT").run();
      return result;
    } catch (error) {
      if (database.isTransaction) run("ROLLBACK").run();
      throw file === undefined ? error : fileProblem(file, error);
    }
  };
  return {
    transaction(mode, work) {
      if (mode === "read" && file === undefined) return work(world);
      if (mode === "read") return within("BEGIN", () => work(world));
      // A write that starts as a read can fail half-way when another process writes in between: take the lock first.
      const result = within("BEGIN IMMEDIATE", () => work(world));
      settle?.soon();
      return result;
    },
    revision() {
      // The first tells of other connections to the file, the second of this one.
      const others = run("PRAGMA data_version").get()?.data_version;
      return `${String(others)} ${String(run("SELECT total_changes() AS own").get()?.own)}`;
    },
    canHaveHeld(created) {
      const made = madeAt(database);
      if (made !== undefined && created !== undefined && created < made) return false;
      // One record, the project itself, is in every file.
      return Number(run("SELECT seq FROM sqlite_sequence WHERE name = 'record'").get()?.seq ?? 0) > 1;
    },
    wipe: () =>
      within("BEGIN IMMEDIATE", () =>
        database.exec("DELETE FROM record; DELETE FROM reference; DELETE FROM member"),
      ),
    copy: () => storeOf(copyOf(run), undefined),
    close() {
      settle?.stop();
      if (database.isOpen) database.close();
    },
  };
}

/** A moment without a write, milliseconds: shorter than what Pulumi takes between the last write of a run and its end. */
const lullMs = 25;

const endOfProcess = new Set<() => void>();
process.once("exit", () => {
  for (const end of endOfProcess) end();
});

/**
 * Moves what was written into the file itself whenever nobody has written for a moment, and at the end of the process: whoever copies
 * the file alone gets everything. The provider's process is ended by Pulumi, which closes nothing.
 */
function keepFileWhole(database: DatabaseSync): { soon(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  const settle = (): void => {
    try {
      if (!checkpoint(database)) timer?.refresh();
    } catch {
      // The data stays stored, beside the file.
    }
  };
  endOfProcess.add(settle);
  return {
    soon() {
      timer = timer?.refresh() ?? setTimeout(settle, lullMs).unref();
    },
    stop() {
      clearTimeout(timer);
      endOfProcess.delete(settle);
    },
  };
}

/** Named, because a copy keeps the places that references point to. */
const columns = {
  record: ["place", "collection", "id", "listed", "content"],
  reference: ["place", "target", "collection"],
  member: ["place", "name", "id"],
};

function copyOf(run: Run): DatabaseSync {
  const copy = openMemory();
  copy.exec("BEGIN");
  for (const [table, names] of Object.entries(columns)) {
    const insert = copy.prepare(`INSERT INTO ${table} VALUES (${names.map(() => "?").join(", ")})`);
    for (const row of run(`SELECT ${names.join(", ")} FROM ${table}`).iterate())
      insert.run(...names.map((name) => row[name] ?? null));
  }
  copy.exec("COMMIT");
  return copy;
}

type Run = (sql: string) => StatementSync;
type Row = Readonly<Record<string, SQLOutputValue>>;

function statements(database: DatabaseSync): Run {
  const prepared = new Map<string, StatementSync>();
  return (sql) => keptIn(prepared, sql, () => database.prepare(sql));
}

function createWorld(run: Run): World {
  return { ...readsOf(run), ...writesOf(run), ...setsOf(run) };
}

type Reads = Pick<World, "get" | "count" | "list" | "referrers">;

function readsOf(run: Run): Reads {
  const parsed = ({ content }: Row): JsonObject => JSON.parse(String(content)) as JsonObject;
  const shown = (everything: boolean): string => (everything ? "" : "AND listed = 1");
  return {
    get(collection, id) {
      const row = run("SELECT content FROM record WHERE collection = ? AND id = ?").get(collection, id);
      return row && parsed(row);
    },
    count(collection, everything) {
      const sql = `SELECT count(*) AS n FROM record WHERE collection = ? ${shown(everything)}`;
      return Number(run(sql).get(collection)?.n);
    },
    list(collection, everything, span = { offset: 0, limit: -1 }) {
      const sql = `SELECT content FROM record WHERE collection = ? ${shown(everything)} ORDER BY place LIMIT ? OFFSET ?`;
      return run(sql).all(collection, span.limit, span.offset).map(parsed);
    },
    referrers(target, collection) {
      const from = "FROM reference JOIN record USING (place)";
      const sql = `SELECT record.id ${from} WHERE target = ? AND reference.collection = ? ORDER BY place`;
      return run(sql)
        .all(target, collection)
        .map(({ id }) => String(id));
    },
  };
}

type Writes = Pick<World, "put" | "change" | "rename" | "remove" | "clear">;

function writesOf(run: Run): Writes {
  return {
    put(collection, id, content, marks = {}) {
      const row = run(
        `INSERT INTO record (collection, id, listed, content) VALUES (?, ?, ?, ?)
         ON CONFLICT (collection, id) DO UPDATE SET listed = excluded.listed, content = excluded.content
         RETURNING place`,
      ).get(collection, id, (marks.listed ?? true) ? 1 : 0, JSON.stringify(content));
      const place = Number(row?.place);
      run("DELETE FROM reference WHERE place = ?").run(place);
      const refer = run("INSERT OR IGNORE INTO reference (place, target, collection) VALUES (?, ?, ?)");
      for (const target of marks.refersTo ?? []) refer.run(place, target, collection);
    },
    change(collection, id, content) {
      const sql = "UPDATE record SET content = ? WHERE collection = ? AND id = ?";
      run(sql).run(JSON.stringify(content), collection, id);
    },
    rename(collection, from, to) {
      run("UPDATE record SET id = ? WHERE collection = ? AND id = ?").run(to, collection, from);
    },
    remove(collection, id) {
      const where = "WHERE collection = ? AND id = ?";
      run(`DELETE FROM reference WHERE place = (SELECT place FROM record ${where})`).run(collection, id);
      run(`DELETE FROM record ${where}`).run(collection, id);
    },
    clear(collection) {
      const places = "SELECT place FROM record WHERE collection = ?";
      run(`DELETE FROM reference WHERE place IN (${places})`).run(collection);
      run("DELETE FROM record WHERE collection = ?").run(collection);
    },
  };
}

type Sets = Pick<World, "addMembers" | "removeMembers" | "clearMembers" | "members">;

function setsOf(run: Run): Sets {
  const each = (sql: string, name: string, ids: readonly string[]): number => {
    const statement = run(sql);
    return ids.reduce((changed, id) => changed + Number(statement.run(name, id).changes), 0);
  };
  return {
    addMembers: (name, ids) => each("INSERT OR IGNORE INTO member (name, id) VALUES (?, ?)", name, ids),
    removeMembers: (name, ids) => each("DELETE FROM member WHERE name = ? AND id = ?", name, ids),
    clearMembers(name) {
      run("DELETE FROM member WHERE name = ?").run(name);
    },
    members: (name) =>
      run("SELECT id FROM member WHERE name = ? ORDER BY place")
        .all(name)
        .map((row) => String(row.id)),
  };
}
