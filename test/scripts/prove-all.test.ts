import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeEach, expect, test } from "@jest/globals";
import { proofTable, proveAll } from "../../scripts/process/prove-all";

const folder = mkdtempSync(path.join(tmpdir(), "feature-console-proofs-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

let asked: string[];
beforeEach(() => {
  asked = [];
});

/** Two proofs, of which the second ends as told. */
function twoProofs(file: string, second: () => { code: number; stdout: string }) {
  return proveAll({
    names: ["dice", "kills"],
    file: path.join(folder, file),
    report: () => {},
    prove: async (name) => {
      asked.push(name);
      return name === "dice" ? { code: 0, stdout: "1: six\n600 throws, 0 wrong\nDone.\n" } : second();
    },
  });
}

test("the table has each proof with its counts, its result and the commit", async () => {
  const results = await twoProofs("table.json", () => ({ code: 1, stdout: "kill 7 | not mended\n" }));
  expect(proofTable(results, "0123abcd")).toBe(`Proofs of commit 0123abcd

| proof | result | seconds | counts |
|---|---|---:|---|
| dice | ok | 0 | 600 throws, 0 wrong |
| kills | FAILED | 0 | kill 7 \\| not mended |`);
});

test("an interrupted run goes on with the proof that it had not finished", async () => {
  const interrupted = twoProofs("resumed.json", () => {
    throw new Error("interrupted");
  });
  await expect(interrupted).rejects.toThrow("interrupted");
  const results = await twoProofs("resumed.json", () => ({ code: 0, stdout: "50 kills" }));
  expect(asked).toEqual(["dice", "kills", "kills"]);
  expect([...results.values()].map(({ counts }) => counts)).toEqual(["600 throws, 0 wrong", "50 kills"]);
});

test("a proof that failed runs again, one that passed does not", async () => {
  await twoProofs("failed.json", () => ({ code: 1, stdout: "" }));
  const results = await twoProofs("failed.json", () => ({ code: 0, stdout: "" }));
  expect(asked).toEqual(["dice", "kills", "kills"]);
  expect([...results.values()].every(({ passed }) => passed)).toBe(true);
});
