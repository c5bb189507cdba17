import { expect, test } from "@jest/globals";
import { isDecided, lossIn } from "../../src/provider/decisions/missing-objects";

const gates = { title: "gate", hasNoList: false };

test.each([
  ["more than half of them is a loss", 10, 4, 6, "most"],
  ["half of them is none", 10, 5, 5, undefined],
  ["more than half of five", 5, 2, 3, "most"],
  ["of fewer than five, all but one may go", 4, 1, 3, undefined],
  ["and all", 4, 0, 4, undefined],
  ["all of five", 5, 0, 5, "all"],
])("of gates in the state, missing in the console: %s", (_, stored, found, missing, why) => {
  expect(lossIn([{ ...gates, stored, found, missing }])?.why).toBe(why);
});

test.each([
  ["most are missing", 10, 0, 6, true],
  ["half of them may be", 10, 0, 5, false],
  ["half of them are there", 10, 5, 0, true],
  ["of few, one is there", 4, 1, 0, true],
  ["of few, one is missing", 4, 0, 1, false],
])(
  "the rest of a kind is not asked for when that changes nothing: %s",
  (_, stored, found, missing, decided) => {
    expect(isDecided({ ...gates, stored, found, missing })).toBe(decided);
  },
);
