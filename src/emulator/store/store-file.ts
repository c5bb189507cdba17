import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { makePrivateFolder } from "../../private-folder";
import { ConsoleError, messageOf } from "../../provider/schema/errors";

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

/** A database in the memory of this process. */
export function openMemory(): DatabaseSync {
  const database = new (loadSqlite().DatabaseSync)(":memory:");
  database.exec(layout);
  return database;
}

/**
 * The database of a file, which several processes may use at once. It may hold keys: file and folder are for this user alone.
 * @throws Error when the file cannot be opened, is no database, or was laid out by a later version.
 */
export function openFile(path: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    makePrivateFolder(dirname(path));
    keepPrivate(path);
    database = new (loadSqlite().DatabaseSync)(path);
    prepareFile(database);
    return database;
  } catch (error) {
    database?.close();
    throw new Error(`the console cannot keep its data in ${path}: ${problemOf(error)}`, { cause: error });
  }
}

/** SQLite gives the files beside it the mode of the file itself. */
function keepPrivate(path: string): void {
  closeSync(openSync(path, "a", 0o600));
  for (const one of [path, `${path}-wal`, `${path}-shm`].filter(existsSync)) {
    try {
      chmodSync(one, 0o600);
    } catch {
      // The file of another user, who shares it: that one decides.
    }
  }
}

function problemOf(error: unknown): string {
  // Node's text names the path a second time.
  const message = messageOf(error).includes("EISDIR") ? "this is a folder" : messageOf(error);
  return /not a database|unable to open|a folder|ENOTDIR/.test(message)
    ? `${message}; name another file`
    : message;
}

/** An error of the database while it is used, with its file and what to do; any other error as it is. */
export function fileProblem(path: string, error: unknown): unknown {
  const { code, errcode = 0 } = error as { readonly code?: string; readonly errcode?: number };
  if (code !== "ERR_SQLITE_ERROR") return error;
  const text = problemTexts[errcode % 256];
  const message = text?.(path) ?? `The console cannot use ${path}: ${messageOf(error)}. Nothing was stored.`;
  return new ConsoleError(message, { category: "unavailable" }, { cause: error });
}

/** By SQLite's result codes: 5 and 6 a lock, 8 read-only, 10 input or output, 11 and 26 damage, 13 full. */
const problemTexts: Readonly<Record<number, (path: string) => string>> = {
  5: lockedText,
  6: lockedText,
  8: (path) => `The console cannot write ${path}: it is read-only. Make the file and its folder writable.`,
  10: (path) =>
    `The console cannot use ${path}: the disk reports an error. Check the disk and the space on it, then run the same command again.`,
  11: damagedText,
  13: (path) =>
    `The console cannot write ${path}: the disk is full, and this change was not stored. Free some space and run the same command again.`,
  26: damagedText,
};

function damagedText(path: string): string {
  return `The console cannot read ${path}: the file is damaged. Put a copy of it in its place, with its -wal and -shm files removed.`;
}

function lockedText(path: string): string {
  return `The console cannot use ${path}: another process has held it for ${patience / 1000} s. End that process and run the same command again.`;
}

/** Moves what was written lately into the file itself, as far as nobody reads it right now. Never waits. */
export function checkpoint(database: DatabaseSync): boolean {
  if (!database.isOpen || database.isTransaction) return true;
  const {
    busy = 0,
    log = 0,
    checkpointed = 0,
  } = database.prepare("PRAGMA wal_checkpoint(PASSIVE)").get() ?? {};
  return busy === 0 && log === checkpointed;
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
  const now = layoutOf(database);
  database.exec(now === 1 ? fromFirstLayout : layout);
  if (now === 0) database.exec(`PRAGMA application_id = ${Math.floor(Date.now() / 1000)}`);
  database.exec("COMMIT");
}

/**
 * When a file was made, milliseconds since 1970 and to the second; undefined for one of an earlier version. It stands in the number
 * that SQLite keeps for whoever made a file, which fits until 2038.
 */
export function madeAt(database: DatabaseSync): number | undefined {
  const { application_id: seconds = 0 } = database.prepare("PRAGMA application_id").get() ?? {};
  return Number(seconds) > 0 ? Number(seconds) * 1000 : undefined;
}

/** True for a file with tables, none of which is a console's. */
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
