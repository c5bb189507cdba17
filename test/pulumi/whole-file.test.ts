import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { writeWholeFile, writeWholeFiles } from "../../src/provider/pulumi/runs/whole-file";
import { requireWritableFiles } from "../../src/provider/pulumi/runs/writable";
import { freshFolder } from "../support/folders";

let folder: string;
beforeEach(() => {
  // A path with a space.
  folder = path.join(freshFolder(), "whole file");
  fs.mkdirSync(folder);
});

const at = (...names: string[]) => path.join(folder, ...names);
/** Writes a file, and the folders above it. */
const put = (name: string, text = "one") => {
  fs.mkdirSync(path.dirname(at(name)), { recursive: true });
  fs.writeFileSync(at(name), text);
};
const read = (name: string) => fs.readFileSync(at(name), "utf8");
const modeOf = (...names: string[]) => fs.statSync(at(...names)).mode & 0o777;

test("a file is written with the folders above it, and nothing stays beside it", () => {
  for (const text of ["one", "two"]) writeWholeFile(at("a b", "c.txt"), text);
  expect(read("a b/c.txt")).toBe("two");
  expect(fs.readdirSync(at("a b"))).toEqual(["c.txt"]);
});

test("what a file was stays: its mode, and that it is a link", () => {
  put("real.ts");
  fs.chmodSync(at("real.ts"), 0o600);
  fs.symlinkSync(at("real.ts"), at("link.ts"));
  writeWholeFile(at("link.ts"), "two");
  expect([read("real.ts"), modeOf("real.ts")]).toEqual(["two", 0o600]);
  expect(fs.lstatSync(at("link.ts")).isSymbolicLink()).toBe(true);
});

describe("what a killed process has left", () => {
  test("is removed by the next run, beside the file and in the package's own folder", () => {
    const dead = spawnSync(process.execPath, ["--version"]).pid;
    put("Pulumi.yaml", "name: shop\n");
    const left = [`.${dead}.part`, `.feature-console/.${dead}.2.part`];
    // Of somebody else, or of a process that runs.
    const others = [".notes.part", `.${process.ppid}.part`];
    for (const file of [...left, ...others]) put(file);
    writeWholeFile(at("index.ts"), "one");
    expect([...left, ...others].filter((file) => fs.existsSync(at(file)))).toEqual(others);
  });

  test("lies where git does not see it, for this user alone", () => {
    put("Pulumi.yaml", "name: shop\n");
    fs.mkdirSync(at("src"));
    // The process dies between the writing and the move.
    const script = `
      const fs = require("node:fs");
      fs.renameSync = () => process.kill(process.pid, "SIGKILL");
      require("tsx/cjs");
      const { writeWholeFile } = require(${JSON.stringify(require.resolve("../../src/provider/pulumi/runs/whole-file"))});
      writeWholeFile(${JSON.stringify(at("src", "index.ts"))}, "const secret = 1;");`;
    const { signal } = spawnSync(process.execPath, ["-e", script], { cwd: process.cwd() });
    expect([signal, fs.readdirSync(at("src"))]).toEqual(["SIGKILL", []]);
    const parts = fs.readdirSync(at(".feature-console")).filter((name) => name.endsWith(".part"));
    expect([parts.length, modeOf(".feature-console")]).toEqual([1, 0o700]);
    spawnSync("git", ["init", "-q"], { cwd: folder });
    const { stdout } = spawnSync("git", ["status", "--porcelain", "--untracked-files=all"], { cwd: folder });
    expect(String(stdout).trim()).toBe("?? Pulumi.yaml");
    writeWholeFile(at("src", "index.ts"), "two");
    expect(fs.readdirSync(at(".feature-console"))).toEqual([".gitignore"]);
  });
});

describe("a file that cannot be written", () => {
  test("is a folder: nothing is left behind", () => {
    fs.mkdirSync(at("taken", "inner"), { recursive: true });
    expect(() => writeWholeFile(at("taken"), "text")).toThrow();
    expect(fs.readdirSync(folder)).toEqual(["taken"]);
  });

  test("is read-only, for its owner alone: it is named, refused, and no other file is written either", () => {
    for (const file of ["flags.ts", "index.ts"]) put(file);
    fs.chmodSync(at("index.ts"), 0o400);
    const files = new Map(["flags.ts", "index.ts"].map((file) => [at(file), "two"]));
    expect(() => requireWritableFiles(files.keys())).toThrow(
      /index\.ts cannot be written: it is read-only; "chmod u\+w .*index\.ts" makes it writable\. Nothing was written$/,
    );
    expect(() => writeWholeFiles(files)).toThrow(/index\.ts was not written: .*None of the 2 files was$/);
    expect([read("flags.ts"), read("index.ts")]).toEqual(["one", "one"]);
    expect(fs.readdirSync(folder).sort()).toEqual(["flags.ts", "index.ts"]);
  });

  test("lies in a folder that is read-only: the file is named, and no file of ours", () => {
    put("src/index.ts");
    fs.chmodSync(at("src"), 0o555);
    const write = () => writeWholeFile(at("src/index.ts"), "two");
    expect(write).toThrow(/src\/index\.ts was not written: its folder is read-only; "chmod u\+w .*src"/);
    expect(write).not.toThrow(/part/);
    expect(() => writeWholeFile(at("src/new/flags.ts"), "two")).toThrow(/flags\.ts was not written/);
    fs.chmodSync(at("src"), 0o755);
    expect(read("src/index.ts")).toBe("one");
  });

  test("lies below a file", () => {
    put("src", "a file");
    expect(() => requireWritableFiles([at("src/index.ts")])).toThrow(
      /src\/index\.ts cannot be written: a part of its path is a file, not a folder\. Nothing was written$/,
    );
  });

  test("but a project whose own folder is a file is written in spite of it", () => {
    put("Pulumi.yaml", "name: shop\n");
    put(".feature-console", "a file");
    writeWholeFile(at("index.ts"), "one");
    expect(read("index.ts")).toBe("one");
    expect(fs.readdirSync(folder).sort()).toEqual([".feature-console", "Pulumi.yaml", "index.ts"]);
  });
});

test("what lies in the package's own folder is for this user alone, and what a user names where it is new", () => {
  put(".feature-console/import-dev.json", "{}");
  writeWholeFile(at(".feature-console", "import-dev.json"), "[]");
  writeWholeFile(at("verify.json"), "{}", { mode: 0o600 });
  const modes = [
    modeOf(".feature-console", "import-dev.json"),
    modeOf(".feature-console"),
    modeOf("verify.json"),
  ];
  expect(modes).toEqual([0o600, 0o700, 0o600]);
});
