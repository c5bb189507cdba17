import { expect, test } from "@jest/globals";
import { countIs, countOf, pluralOf } from "../../src/provider/texts/count-text";

test.each([
  [0, "0 rules", "0 rules are"],
  [1, "1 rule", "1 rule is"],
  [2, "2 rules", "2 rules are"],
  [48_000, "48,000 rules", "48,000 rules are"],
])("%d is counted in plain words", (count, of, is) => {
  expect(countOf(count, "rule")).toBe(of);
  expect(countIs(count, "rule")).toBe(is);
});

test("every kind has a plural that people say", () => {
  expect(["gate", "key", "entity property", "gate overrides"].map(pluralOf)).toEqual([
    "gates",
    "keys",
    "entity properties",
    "gate overrides",
  ]);
});
