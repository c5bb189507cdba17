import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import { messageOf } from "../core/errors";
import type { JsonObject } from "../core/json";
import type { Store, World } from "./store";

/** Milliseconds that a process waits for another one's transaction on the same file. */
const patience = 15_000;

/** Raised when a later version of this package lays out the file differently. */
const layoutVersion = 2;

const layout = `
  CREATE TABLE IF NOT EXISTS record (
    place INTEGER PRIMARY KEY AUTOINCREMENT, collection TEXT NOT NULL, id TEXT NOT NULL,
    listed INTEGER NOT NULL, content TEXT NOT NULL, UNIQUE (collection, id));
  CREATE INDEX IF NOT EXISTS record_listed ON record (collection, listed, place);
  CREATE INDEX IF NOT EXISTS record_place ON record (collection, place);
  CREATE TABLE IF NOT EXISTS reference (
    place INTEGER NOT NULL, target TEXT NOT NULL, collection TEXT NOT NULL,
    PRIMARY KEY (target, collection, place)) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS reference_place ON reference (place);
  CREATE TABLE IF NOT EXISTS member (
    place INTEGER PRIMARY KEY, name TEXT NOT NULL, id TEXT NOT NULL, UNIQUE (name, id));
  PRAGMA user_version = ${layoutVersion};`;

/** Layout 1 did not remember in which order members came. */
const fromFirstLayout = `
  ALTER TABLE member RENAME TO member_1;
  ${layout}
  INSERT INTO member (name, id) SELECT name, id FROM member_1;
  DROP TABLE member_1;`;

/**
 * A store in one SQLite file, which several processes may use at once, or in the memory of this one: `:memory:`. The
 * file's folder is made when missing. Throws when the file cannot be opened, is no database, or was laid out by a later
 * version.
 */
export function openStore(file: string): Store {
  return file === ":memory:" ? storeOf(openMemory(), true) : storeOf(openFile(resolve(file)), false);
}

function openMemory(): DatabaseSync {
  const database = new (loadSqlite().DatabaseSync)(":memory:");
  database.exec(layout);
  return database;
}

function openFile(path: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true });
    database = new (loadSqlite().DatabaseSync)(path);
    prepareFile(database);
    return database;
  } catch (error) {
    database?.close();
    throw new Error(`the console cannot keep its data in ${path}: ${problemOf(error)}`, { cause: error });
  }
}

function problemOf(error: unknown): string {
  const message = messageOf(error);
  return /not a database|unable to open/.test(message) ? `${message}; name another file` : message;
}

/** `isAlone`: no one else writes between two reads. */
function storeOf(database: DatabaseSync, isAlone: boolean): Store {
  const run = statements(database);
  const world = createWorld(run);
  const within = <T>(begin: string, work: () => T): T => {
    run(begin).run();
    try {
      const result = work();
      run("COMMIT").run();
      return result;
    } catch (error) {
      if (database.isTransaction) run("ROLLBACK").run();
      throw error;
    }
  };
  return {
    transaction(mode, work) {
      if (mode === "read" && isAlone) return work(world);
      // A write that starts as a read can fail half-way when another process writes in between: take the lock first.
      return within(mode === "write" ? "BEGIN IMMEDIATE" : "BEGIN", () => work(world));
    },
    revision() {
      // The first tells of other connections to the file, the second of this one.
      const others = run("PRAGMA data_version").get()?.data_version;
      return `${String(others)} ${String(run("SELECT total_changes() AS own").get()?.own)}`;
    },
    wipe: () =>
      within("BEGIN IMMEDIATE", () =>
        database.exec("DELETE FROM record; DELETE FROM reference; DELETE FROM member"),
      ),
    copy: () => storeOf(copyOf(run), true),
    close() {
      if (database.isOpen) database.close();
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

/** `node:sqlite` prints a warning when it is first loaded; that one is held back, every other one is not. */
function loadSqlite(): typeof import("node:sqlite") {
  const emitWarning = process.emitWarning;
  const quiet = (warning: string | Error, ...rest: unknown[]): void => {
    if (rest[0] === "ExperimentalWarning" && /sqlite/i.test(String(warning))) return;
    (emitWarning as (...all: unknown[]) => void).call(process, warning, ...rest);
  };
  process.emitWarning = quiet as typeof process.emitWarning;
  try {
    return process.getBuiltinModule("node:sqlite") as typeof import("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}

function prepareFile(database: DatabaseSync): void {
  database.exec(`PRAGMA busy_timeout = ${patience}`);
  const found = layoutOf(database);
  if (isForeign(database)) throw new Error("it is the database of something else; name another file");
  if (found > layoutVersion)
    throw new Error(
      `a later version of pulumi-feature-console has written it (layout ${found}); install that version`,
    );
  enterWal(database);
  database.exec("PRAGMA synchronous = NORMAL");
  if (found === layoutVersion) return;
  database.exec("BEGIN IMMEDIATE");
  // Another process may have been first.
  database.exec(layoutOf(database) === 1 ? fromFirstLayout : layout);
  database.exec("COMMIT");
}

/** Whether it has tables, and none of a console. */
function isForeign(database: DatabaseSync): boolean {
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  return tables.length > 0 && !tables.some(({ name }) => name === "record");
}

/** The version of the layout of a file; 0 for a new one. */
function layoutOf(database: DatabaseSync): number {
  const row = database.prepare("PRAGMA user_version").get() as { user_version: number };
  return row.user_version;
}

/** The change of the journal mode does not wait for other processes as transactions do, so it is tried again. */
function enterWal(database: DatabaseSync): void {
  const end = Date.now() + patience;
  for (;;) {
    try {
      database.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      if (!/locked|busy/i.test(String(error)) || Date.now() > end) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

type Run = (sql: string) => StatementSync;
type Row = Readonly<Record<string, SQLOutputValue>>;

function statements(database: DatabaseSync): Run {
  const prepared = new Map<string, StatementSync>();
  return (sql) => {
    const known = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, known);
    return known;
  };
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
      const row = run(`SELECT count(*) AS n FROM record WHERE collection = ? ${shown(everything)}`).get(
        collection,
      );
      return Number(row?.n);
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
      for (const target of marks.refersTo ?? []) {
        run("INSERT OR IGNORE INTO reference (place, target, collection) VALUES (?, ?, ?)").run(
          place,
          target,
          collection,
        );
      }
    },
    change(collection, id, content) {
      run("UPDATE record SET content = ? WHERE collection = ? AND id = ?").run(
        JSON.stringify(content),
        collection,
        id,
      );
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
      run("DELETE FROM reference WHERE place IN (SELECT place FROM record WHERE collection = ?)").run(
        collection,
      );
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
