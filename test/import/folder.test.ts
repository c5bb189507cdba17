import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { addingPlan, planFolder, writeFolder } from "../../src/tools/import/folder";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "import-folder-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const filesOf = (files: Record<string, string>) => new Map(Object.entries(files));
const write = (files: Record<string, string>, overwrite = false) => {
  const plan = planFolder(folder, filesOf(files));
  writeFolder(folder, filesOf(files), plan, overwrite);
  return plan;
};
const textOf = (file: string) => readFileSync(path.join(folder, file), "utf8");

test("what it wrote it writes again, and what it writes no more goes", () => {
  expect(write({ "gates.ts": "one", "ids/a.txt": "a" }).write).toEqual(["gates.ts", "ids/a.txt"]);
  const again = write({ "gates.ts": "two" });
  expect(again).toMatchObject({ write: ["gates.ts"], remove: ["ids/a.txt"], foreign: [] });
  expect(textOf("gates.ts")).toBe("two");
  expect(existsSync(path.join(folder, "ids/a.txt"))).toBe(false);
});

test("a file that somebody else wrote, or changed since, is left alone", () => {
  writeFileSync(path.join(folder, "index.ts"), "mine");
  write({ "gates.ts": "one" });
  writeFileSync(path.join(folder, "gates.ts"), "one, and more");
  const plan = planFolder(folder, filesOf({ "index.ts": "new", "gates.ts": "two" }));
  expect(plan).toMatchObject({ write: [], foreign: ["index.ts", "gates.ts"] });
  writeFolder(folder, filesOf({ "index.ts": "new", "gates.ts": "two" }), plan, true);
  expect([textOf("index.ts"), textOf("gates.ts")]).toEqual(["new", "two"]);
});

test("a file that has the wanted text already is as it was", () => {
  writeFileSync(path.join(folder, "index.ts"), "same");
  expect(planFolder(folder, filesOf({ "index.ts": "same" }))).toMatchObject({
    same: ["index.ts"],
    foreign: [],
  });
});

test("after a kill in the middle of writing the next run knows each file that was begun", () => {
  write({ "a.ts": "1", "b.ts": "1" });
  const files = filesOf({ "a.ts": "2", "b.ts": "2", "c.ts": "2" });
  const cut = new Map([...files]);
  // The first of two files is written, then the process is gone.
  const plan = planFolder(folder, files);
  const failing = { ...plan, write: ["a.ts", "nowhere/\0"] };
  expect(() => writeFolder(folder, cut, failing, false)).toThrow();
  expect([textOf("a.ts"), textOf("b.ts")]).toEqual(["2", "1"]);
  expect(planFolder(folder, files)).toMatchObject({ foreign: [], write: ["b.ts", "c.ts"], same: ["a.ts"] });
});

test("a file is added to, and what its owner made of it stays its owner's", () => {
  write({ "gates.ts": "one", "tags.ts": "one" });
  writeFileSync(path.join(folder, "gates.ts"), "one, and more");
  const files = filesOf({ "gates.ts": "one, and more, and new", "tags.ts": "one, and new" });
  const plan = addingPlan(planFolder(folder, files), ["gates.ts", "tags.ts"]);
  expect(plan).toMatchObject({ foreign: [], remove: [], appended: ["gates.ts"], write: ["tags.ts"] });
  writeFolder(folder, files, plan, false);
  expect([textOf("gates.ts"), textOf("tags.ts")]).toEqual(["one, and more, and new", "one, and new"]);
  expect(planFolder(folder, filesOf({ "gates.ts": "other", "tags.ts": "other" }))).toMatchObject({
    foreign: ["gates.ts"],
    write: ["tags.ts"],
  });
});

test("line ends that a checkout has changed are no change", () => {
  write({ "gates.ts": "one\ntwo\n" });
  writeFileSync(path.join(folder, "gates.ts"), "one\r\ntwo\r\n");
  expect(planFolder(folder, filesOf({ "gates.ts": "one\ntwo\n" })).same).toEqual(["gates.ts"]);
  expect(planFolder(folder, filesOf({ "gates.ts": "three\n" }))).toMatchObject({
    write: ["gates.ts"],
    foreign: [],
  });
});

test("a note of what was written that leads out of the folder removes nothing", () => {
  const [inner, outside] = [path.join(folder, "inner"), path.join(folder, "mine.ts")];
  writeFileSync(outside, "mine");
  const own = filesOf({ "a.ts": "1" });
  writeFolder(inner, own, planFolder(inner, own), false);
  const noteFile = path.join(inner, ".feature-console/import.json");
  const note = JSON.parse(readFileSync(noteFile, "utf8")) as { files: Record<string, string[]> };
  write({ "mine.ts": "mine" });
  const digest = (JSON.parse(textOf(".feature-console/import.json")) as typeof note).files["mine.ts"] ?? [];
  writeFileSync(noteFile, JSON.stringify({ files: { ...note.files, "../mine.ts": digest } }));
  expect(planFolder(inner, own).remove).toEqual([]);
});
