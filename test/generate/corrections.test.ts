import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { assumptionsFile, assumptionsText, correctionsTable } from "../../scripts/generate/corrections";

const root = path.join(__dirname, "..", "..");
const line = { id: "Z1", about: "reads", says: "so it is" };

test("the table on disk is what the generator makes", () => {
  expect(assumptionsText(root)).toBe(readFileSync(path.join(root, assumptionsFile), "utf8"));
});

test("a correction is shown with the tests that name it", () => {
  const tests = new Map([
    ["test/a.test.ts", 'test("[Z1] so", () => {})'],
    ["test/b.test.ts", 'test("[Z11] so", () => {})'],
  ]);
  expect(correctionsTable([line], tests).split("\n")[2]).toMatch(/Z1 .*so it is .*`test\/a\.test\.ts` +\|$/);
});

test("a correction that no test names is an error that names it", () => {
  expect(() => correctionsTable([line], new Map([["test/a.test.ts", "[Z2]"]]))).toThrow(/Z1 \(so it is\)/);
});
