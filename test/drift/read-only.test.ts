import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import ts from "typescript";
import { sourcesIn } from "../../src/tools/rewrite/compiler";
import { writeProgram } from "../../src/tools/rewrite/into-program";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "read-only-"));
  for (const file of ["flags.ts", "index.ts", "Pulumi.dev.yaml"])
    writeFileSync(path.join(folder, file), "one");
});
afterEach(() => {
  chmodSync(folder, 0o755);
  rmSync(folder, { recursive: true });
});

/** What `drift --accept`, `promote` and `rollback` write with. */
const write = (...files: string[]) =>
  writeProgram(
    folder,
    { compiler: ts, sources: sourcesIn(folder) },
    { outcomes: [], changes: new Map(files.map((file) => [file, { before: "one", after: "two" }])) },
  );

const texts = () => readdirSync(folder).map((file) => readFileSync(path.join(folder, file), "utf8"));

test.each(["index.ts", "Pulumi.dev.yaml"])("%s is read-only: it is named, and nothing is written", (file) => {
  chmodSync(path.join(folder, file), 0o444);
  expect(() => write("flags.ts", file)).toThrow(
    new RegExp(
      `${file} cannot be written: it is read-only; "chmod u\\+w .*${file}" makes it writable\\. Nothing was written$`,
    ),
  );
  expect(texts()).toEqual(["one", "one", "one"]);
});

test("the folder is read-only: the file is named, and none of ours", () => {
  chmodSync(folder, 0o555);
  expect(() => write("flags.ts", "index.ts")).toThrow(
    /flags\.ts cannot be written: its folder is read-only.*Nothing was written$/,
  );
  expect(() => write("flags.ts")).not.toThrow(/\.part/);
  expect(texts()).toEqual(["one", "one", "one"]);
});

test("otherwise all of them are written, and nothing else is there", () => {
  chmodSync(path.join(folder, "index.ts"), 0o600);
  write("flags.ts", "index.ts", "Pulumi.dev.yaml");
  expect(texts()).toEqual(["two", "two", "two"]);
});
