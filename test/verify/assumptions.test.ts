import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { switches } from "../../src/emulator/console/rules/switches";
import { questions } from "../../src/tools/verify";
import { readQuestions } from "../../src/tools/verify/read-questions";

const root = path.join(__dirname, "..", "..");
const page = readFileSync(path.join(root, "docs", "assumptions.md"), "utf8");

/** The cells of the rows whose first cell fits. */
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

test("rows are numbered one after another, each with its strength and its question or none", () => {
  expect(rows.map(([number]) => Number(number))).toEqual(rows.map((_, index) => index + 1));
  expect(rows.length).toBeGreaterThanOrEqual(46);
  for (const row of rows) {
    expect(row).toHaveLength(5);
    expect(row[3]).toMatch(/published|seen|inferred/);
    expect([row[0], row[4] === "not asked" || askedOf(row).length > 0]).toEqual([row[0], true]);
  }
});

test("every question that a row names exists", () => {
  const named = rows.flatMap(askedOf);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((id) => !questions.some((one) => one.id === id))).toEqual([]);
});

test.each(questions)("the row or the switch that $id decides names it", ({ id, decides }) => {
  if ("switch" in decides) expect(rowsOf(/^`\w+`$/).map(([name]) => name)).toContain(`\`${decides.switch}\``);
  else expect(askedOf(rows.find(([number]) => number === String(decides.row)))).toContain(id);
});

test("every switch of the emulator has its row, with its values", () => {
  for (const [name, values] of Object.entries(switches)) {
    const row = rowsOf(/^`\w+`$/).find(([cell]) => cell === `\`${name}\``);
    expect([name, row?.[1]]).toEqual([name, values.map((value) => `\`${value}\``).join(", ")]);
  }
});

test("the page about verify counts the questions", () => {
  const text = readFileSync(path.join(root, "docs", "verify.md"), "utf8");
  const [, reads] = /asks (\d+)\s+questions by reads/.exec(text) ?? [];
  const [, writes] = /: (\d+) questions take about/.exec(text) ?? [];
  expect([Number(reads), Number(writes)]).toEqual([
    readQuestions.length,
    questions.length - readQuestions.length,
  ]);
});

test("the README links the page", () => {
  expect(readFileSync(path.join(root, "README.md"), "utf8")).toContain("(docs/assumptions.md)");
});
