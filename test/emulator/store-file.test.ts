import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { removeTree } from "../../scripts/process/atomic-folder";
import { openStore } from "../../src/emulator/store/sqlite-store";
import type { Store } from "../../src/emulator/store/store";
import { fileProblem } from "../../src/emulator/store/store-file";

let folder: string;
let file: string;
let store: Store | undefined;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "store-file-"));
  file = path.join(folder, ".feature-console", "console.db");
});
afterEach(async () => {
  store?.close();
  store = undefined;
  await removeTree(folder);
});

const write = (n = 1) => store?.transaction("write", (world) => world.put("gate", `g${n}`, { n }));
const modeOf = (one: string) => (statSync(one).mode & 0o777).toString(8);
const idle = () => new Promise((resolve) => setTimeout(resolve, 300));
/** How many gates a file has by itself, without the files beside it. */
const inCopy = (): number => {
  const copy = path.join(folder, "copy.db");
  copyFileSync(file, copy);
  const database = new DatabaseSync(copy);
  try {
    return Number(database.prepare("SELECT count(*) AS n FROM record").get()?.n);
  } finally {
    database.close();
  }
};

describe("a console holds keys", () => {
  test("so that its files are for this user alone, in a folder of this user alone", () => {
    const before = process.umask(0o022);
    try {
      store = openStore(file);
      write();
    } finally {
      process.umask(before);
    }
    expect(modeOf(path.dirname(file))).toBe("700");
    for (const end of ["", "-wal", "-shm"]) expect([end, modeOf(`${file}${end}`)]).toEqual([end, "600"]);
  });

  test("so that files of an earlier version are closed too, and a folder of somebody else's stays", () => {
    mkdirSync(path.dirname(file));
    chmodSync(path.dirname(file), 0o755);
    writeFileSync(file, "");
    chmodSync(file, 0o644);
    store = openStore(file);
    expect([modeOf(path.dirname(file)), modeOf(file)]).toEqual(["700", "600"]);
    store.close();
    chmodSync(folder, 0o755);
    const other = path.join(folder, "desk.db");
    store = openStore(other);
    expect([modeOf(folder), modeOf(other)]).toEqual(["755", "600"]);
  });
});

describe("a copy of the file alone", () => {
  test("has everything once nobody has written for a moment, although a reader held the first writer up", async () => {
    store = openStore(file);
    write();
    const reader = new DatabaseSync(file);
    reader.exec("BEGIN; SELECT count(*) FROM record");
    write(2);
    await idle();
    reader.close();
    write(3);
    await idle();
    expect(inCopy()).toBe(3);
  });
});

describe("a file tells whether it can have held an object", () => {
  test("one that was just made cannot; one that held anything can, of the time since it was made", () => {
    store = openStore(file);
    const start = Date.now();
    // The project, which a console keeps in every file.
    write(0);
    expect(store.canHaveHeld(undefined)).toBe(false);
    expect(store.canHaveHeld(start)).toBe(false);
    write();
    store.transaction("write", (world) => world.remove("gate", "g1"));
    expect(store.canHaveHeld(undefined)).toBe(true);
    expect(store.canHaveHeld(start)).toBe(true);
    expect(store.canHaveHeld(start - 60_000)).toBe(false);
    store.close();
    store = openStore(file);
    expect([store.canHaveHeld(start), store.canHaveHeld(start - 60_000)]).toEqual([true, false]);
  });

  test("one of an earlier version, which does not tell when it was made, can", () => {
    store = openStore(file);
    write(0);
    write();
    store.close();
    const database = new DatabaseSync(file);
    database.exec("PRAGMA application_id = 0");
    database.close();
    store = openStore(file);
    expect(store.canHaveHeld(1)).toBe(true);
  });
});

describe("a file that cannot be used any more is named, with what to do", () => {
  test("a full disk", () => {
    const database = new DatabaseSync(path.join(folder, "small.db"));
    const filling = "CREATE TABLE t (x); PRAGMA max_page_count = 2; INSERT INTO t VALUES (zeroblob(90000))";
    const message = `The console cannot write ${file}: the disk is full, and this change was not stored. Free some space and run the same command again.`;
    expect.assertions(2);
    try {
      database.exec(filling);
    } catch (full) {
      expect(fileProblem(file, full)).toMatchObject({ category: "unavailable", message });
    }
    database.close();
    expect(fileProblem(file, "another")).toBe("another");
  });

  test("a damaged file", async () => {
    store = openStore(file);
    for (let n = 0; n < 500; n += 1) write(n);
    store.close();
    const bytes = readFileSync(file);
    bytes.fill(0xab, 4096 * 2, bytes.length);
    writeFileSync(file, bytes);
    store = openStore(file);
    const open = store;
    expect(() => open.transaction("read", (world) => world.list("gate", true))).toThrow(
      `The console cannot read ${file}: the file is damaged. Put a copy of it in its place, with its -wal and -shm files removed.`,
    );
  });
});
