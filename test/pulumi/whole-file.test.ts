import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { writeWholeFile, writeWholeFiles } from "../../src/provider/pulumi/runs/whole-file";
import { requireWritableFiles } from "../../src/provider/pulumi/runs/writable";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "whole file "));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a file is written with the folders above it, and nothing stays beside it", () => {
  const file = path.join(folder, "a b", "c.txt");
  writeWholeFile(file, "one");
  writeWholeFile(file, "two");
  expect(readFileSync(file, "utf8")).toBe("two");
  expect(readdirSync(path.dirname(file))).toEqual(["c.txt"]);
});

test("what a file was stays: its mode, and that it is a link", () => {
  const [file, link] = [path.join(folder, "real.ts"), path.join(folder, "link.ts")];
  writeFileSync(file, "one");
  chmodSync(file, 0o600);
  symlinkSync(file, link);
  writeWholeFile(link, "two");
  expect(readFileSync(file, "utf8")).toBe("two");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
});

test("a file that cannot be written leaves nothing behind", () => {
  mkdirSync(path.join(folder, "taken", "inner"), { recursive: true });
  expect(() => writeWholeFile(path.join(folder, "taken"), "text")).toThrow();
  expect(readdirSync(folder)).toEqual(["taken"]);
});

describe("what a killed process has left", () => {
  /** A process that has ended. */
  const dead = () => spawnSync(process.execPath, ["--version"]).pid;

  test("is removed by the next run, beside the file and in the package's own folder", () => {
    writeFileSync(path.join(folder, "Pulumi.yaml"), "name: shop\n");
    const own = path.join(folder, ".feature-console");
    mkdirSync(own);
    const left = [path.join(folder, `.${dead()}.part`), path.join(own, `.${dead()}.2.part`)];
    for (const file of left) writeFileSync(file, "half a source");
    const others = [path.join(folder, ".notes.part"), path.join(folder, `.${process.ppid}.part`)];
    for (const file of others) writeFileSync(file, "of somebody else, or of a process that runs");
    writeWholeFile(path.join(folder, "index.ts"), "one");
    expect(left.filter(existsSync)).toEqual([]);
    expect(others.filter(existsSync)).toEqual(others);
  });

  test("lies where git does not see it, for this user alone", () => {
    writeFileSync(path.join(folder, "Pulumi.yaml"), "name: shop\n");
    mkdirSync(path.join(folder, "src"));
    // A folder in the place of the file stops the run between the writing and the move.
    const script = `
      const fs = require("node:fs");
      fs.renameSync = () => process.kill(process.pid, "SIGKILL");
      require("tsx/cjs");
      const { writeWholeFile } = require(${JSON.stringify(require.resolve("../../src/provider/pulumi/runs/whole-file"))});
      writeWholeFile(${JSON.stringify(path.join(folder, "src", "index.ts"))}, "const secret = 1;");`;
    const { signal } = spawnSync(process.execPath, ["-e", script], { cwd: process.cwd() });
    expect(signal).toBe("SIGKILL");
    expect(readdirSync(path.join(folder, "src"))).toEqual([]);
    const own = path.join(folder, ".feature-console");
    const parts = readdirSync(own).filter((name) => name.endsWith(".part"));
    expect(parts).toHaveLength(1);
    expect(statSync(own).mode & 0o777).toBe(0o700);
    spawnSync("git", ["init", "-q"], { cwd: folder });
    const { stdout } = spawnSync("git", ["status", "--porcelain", "--untracked-files=all"], { cwd: folder });
    expect(String(stdout).trim()).toBe("?? Pulumi.yaml");
    writeWholeFile(path.join(folder, "src", "index.ts"), "two");
    expect(readdirSync(own)).toEqual([".gitignore"]);
  });
});

describe("a file that cannot be written", () => {
  const at = (name: string) => path.join(folder, name);

  test.each([
    ["read-only", 0o444, /is read-only; "chmod u\+w .*index\.ts" makes it writable/],
    ["read-only for its owner alone", 0o400, /is read-only/],
  ])("%s: it is named, refused, and no other file is written either", (_, mode, why) => {
    writeFileSync(at("flags.ts"), "one");
    writeFileSync(at("index.ts"), "one");
    chmodSync(at("index.ts"), mode);
    const files = new Map([
      [at("flags.ts"), "two"],
      [at("index.ts"), "two"],
    ]);
    expect(() => requireWritableFiles(files.keys())).toThrow(why);
    expect(() => requireWritableFiles(files.keys())).toThrow(
      /index\.ts cannot be written: .*\. Nothing was written$/,
    );
    expect(() => writeWholeFiles(files)).toThrow(/index\.ts was not written: .*None of the 2 files was$/);
    expect([at("flags.ts"), at("index.ts")].map((file) => readFileSync(file, "utf8"))).toEqual([
      "one",
      "one",
    ]);
    expect(readdirSync(folder).sort()).toEqual(["flags.ts", "index.ts"]);
  });

  test("in a folder that is read-only: the file is named, and no file of ours", () => {
    mkdirSync(at("src"));
    writeFileSync(at("src/index.ts"), "one");
    chmodSync(at("src"), 0o555);
    const write = () => writeWholeFile(at("src/index.ts"), "two");
    expect(write).toThrow(/src\/index\.ts was not written: its folder is read-only; "chmod u\+w .*src"/);
    expect(write).not.toThrow(/part/);
    expect(() => writeWholeFile(at("src/new/flags.ts"), "two")).toThrow(/flags\.ts was not written/);
    chmodSync(at("src"), 0o755);
    expect(readFileSync(at("src/index.ts"), "utf8")).toBe("one");
  });

  test("below a file", () => {
    writeFileSync(at("src"), "a file");
    expect(() => requireWritableFiles([at("src/index.ts")])).toThrow(
      /src\/index\.ts cannot be written: a part of its path is a file, not a folder\. Nothing was written$/,
    );
  });

  test("a project whose own folder is a file, or elsewhere, is written in spite of it", () => {
    writeFileSync(at("Pulumi.yaml"), "name: shop\n");
    writeFileSync(at(".feature-console"), "a file");
    writeWholeFile(at("index.ts"), "one");
    expect(readFileSync(at("index.ts"), "utf8")).toBe("one");
    expect(readdirSync(folder).sort()).toEqual([".feature-console", "Pulumi.yaml", "index.ts"]);
  });
});

test("what lies in the package's own folder is for this user alone, and what a user names where it is new", () => {
  const own = path.join(folder, ".feature-console", "import-dev.json");
  mkdirSync(path.dirname(own));
  writeFileSync(own, "{}", { mode: 0o644 });
  writeWholeFile(own, "[]");
  expect(statSync(own).mode & 0o777).toBe(0o600);
  expect(statSync(path.dirname(own)).mode & 0o777).toBe(0o700);
  const named = path.join(folder, "verify.json");
  writeWholeFile(named, "{}", { mode: 0o600 });
  expect(statSync(named).mode & 0o777).toBe(0o600);
});
