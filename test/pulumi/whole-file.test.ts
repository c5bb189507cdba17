import {
  chmodSync,
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
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { writeWholeFile } from "../../src/provider/pulumi/runs/whole-file";

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
