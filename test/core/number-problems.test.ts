import { expect, test } from "@jest/globals";
import { numberProblems, roundedNumbers } from "../../src/provider/schema/number-problems";
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

test.each([
  ["what Python's 9007199254740993 is on Pulumi's wire", 9007199254740992, "9007199254740992"],
  ["an id of many digits", 1234567890123456789n, "1234567890123456800"],
  ["one below zero", -9007199254740994, "-9007199254740994"],
])("%s may be rounded", (_, number, shown) => {
  expect(roundedNumbers({ defaultValue: { shops: [Number(number)] } })).toEqual([
    {
      path: ["defaultValue", "shops", 0],
      message: `${shown} may be rounded: whole numbers are exact up to 2^53. If each digit counts, set it in the console: an update keeps the digits that the console has`,
    },
  ]);
});

test("the advice names the argument that keeps each digit, and a number that stays is not said to be rounded", () => {
  const values = { defaultValue: { shops: [9007199254740992] } };
  const [warning] = roundedNumbers(values, {}, () => "defaultValueJson5");
  expect(warning?.message).toBe(
    "9007199254740992 may be rounded: whole numbers are exact up to 2^53. If each digit counts, set defaultValueJson5",
  );
  expect(roundedNumbers(values, { ...values, more: 1 })).toEqual([]);
});

test("numbers that are exact, and those of few digits, are not said to be rounded", () => {
  const numbers = [0, -1, 0.1, Number.MAX_SAFE_INTEGER, 1e20, -5e30, 1.5e300, 123456789012345000000];
  expect(roundedNumbers({ numbers })).toEqual([]);
});
