import { expect, test } from "@jest/globals";
import { numberProblems } from "../../src/provider/schema/number-problems";
import { pathText } from "../../src/provider/schema/path";

test("numbers that no JSON can say are found wherever they stand", () => {
  const args = {
    key: "limits",
    defaultValue: { a: Number.NaN, b: [1, { c: Number.POSITIVE_INFINITY }], d: null, e: "NaN" },
    rules: [{ passPercentage: Number.NEGATIVE_INFINITY, conditions: [] }],
    off: undefined,
  };
  expect(numberProblems(args).map(({ path, message }) => `${pathText(path)}: ${message}`)).toEqual([
    "defaultValue.a: found NaN; JSON has no such number",
    "defaultValue.b[1].c: found Infinity; JSON has no such number",
    "rules[0].passPercentage: found -Infinity; JSON has no such number",
  ]);
});

test("all others are fine", () => {
  expect(numberProblems({ a: [0, -0, 1e308, Number.MAX_SAFE_INTEGER, 0.1] })).toEqual([]);
});
