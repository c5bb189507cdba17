import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { run } from "../../scripts/process/run";
import { behaviourLaws } from "./behaviour-laws";
import { observed } from "./consoles";

jest.setTimeout(120_000);

const root = path.join(__dirname, "..", "..");
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "observed-laws-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function prove(file: string) {
  const args = ["--import", "tsx", "scripts/prove.mts", "laws", "--kind", "Gate", "--json"];
  return run(process.execPath, [...args, "--observations", file], { cwd: root });
}

test("the laws run over a console of the answers in a file", async () => {
  const file = path.join(folder, "observations.json");
  const questions = [
    { id: "emptyMembers", as: "otherwise", answer: "null" },
    { id: "listedMembers", as: "otherwise", answer: "fewer" },
    { id: "patchedLists", as: "assumed", answer: "replaced" },
    { id: "unknownTags", as: "undecided", answer: "forbidden (403)" },
  ];
  writeFileSync(file, JSON.stringify({ format: 1, console: "0", questions }));
  const { code, stdout } = await prove(file);
  expect(JSON.parse(stdout)).toEqual({ consoles: 1, cases: behaviourLaws.length, failures: 0, failed: [] });
  expect(code).toBe(0);
});

test("a file that verify did not write is one line, and no law runs", async () => {
  const file = path.join(folder, "package.json");
  writeFileSync(file, "{}");
  const { code, stdout, stderr } = await prove(file);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("not written by feature-console verify --out");
});

test("answers to policies are left out: they refuse some samples whatever the provider does", () => {
  const { behaviour } = observed("one", { suddenRises: "refuse", unknownTags: "refuse" });
  expect(behaviour).toMatchObject({ suddenRises: "accept", unknownTags: "refuse" });
});
