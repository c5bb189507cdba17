import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { readQuestions } from "../../src/tools/verify/read-questions";
import { questions } from "../../src/tools/verify/verify";

const root = path.join(__dirname, "..", "..");
const page = readFileSync(path.join(root, "docs", "assumptions.md"), "utf8");

const rowsOf = (first: RegExp): string[][] =>
  page
    .split("\n")
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter(([cell = ""]) => first.test(cell));

const rows = rowsOf(/^\d+$/);
const askedOf = (row: readonly string[] = []) => [...(row[4] ?? "").matchAll(/`(\w+)`/g)].map(([, id]) => id);
const testsOf = (row: readonly string[]) =>
  [...(row[4] ?? "").matchAll(/`(test\/[^`]+)`/g)].map(([, file]) => String(file));

test("rows are numbered one after another, each with its strength and its question, its test or neither", () => {
  expect(rows.map(([number]) => Number(number))).toEqual(rows.map((_, index) => index + 1));
  expect(rows.length).toBeGreaterThanOrEqual(46);
  for (const row of rows) {
    expect(row).toHaveLength(5);
    expect(row[3]).toMatch(/published|seen|inferred/);
    const held = [...askedOf(row), ...testsOf(row)];
    expect([row[0], row[4] === "not asked" || held.length > 0]).toEqual([row[0], true]);
  }
});

test("every question and every test that a row names exists", () => {
  const files = rows.flatMap(testsOf);
  expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  const named = rows.flatMap(askedOf);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((id) => !questions.some((one) => one.id === id))).toEqual([]);
});

test.each(questions.filter(({ row }) => row !== undefined))(
  "the row that $id decides names it",
  ({ id, row }) => {
    expect(askedOf(rows.find(([number]) => number === String(row)))).toContain(id);
  },
);

test("the page about verify counts the questions", () => {
  const text = readFileSync(path.join(root, "docs", "verify.md"), "utf8");
  const [, reads] = /asks (\d+)\s+questions by reads/.exec(text) ?? [];
  const [, writes] = /: (\d+) questions take about/.exec(text) ?? [];
  expect([Number(reads), Number(writes)]).toEqual([
    readQuestions.length,
    questions.length - readQuestions.length,
  ]);
});

test("the README links the page that tells users what is assumed", () => {
  expect(readFileSync(path.join(root, "README.md"), "utf8")).toContain("(docs/unknowns.md)");
});
