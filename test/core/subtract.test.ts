import { expect, test } from "@jest/globals";
import { subtract } from "../../src/provider/values/subtract";

test("equal elements go, the others stay in their order", () => {
  expect(subtract(["a", "b", "c"], ["c", "a", "z"])).toEqual(["b"]);
  expect(
    subtract(
      [
        { type: "gate", id: "g" },
        { type: "segment", id: "g" },
      ],
      [{ type: "gate", id: "g" }],
    ),
  ).toEqual([{ type: "segment", id: "g" }]);
});

test("of an object that says the same, our elements go, and it goes when nothing is left", () => {
  const live = [
    { groupID: "one", ids: ["a", "b"], environment: null },
    { groupID: "two", ids: ["a"] },
  ];
  expect(subtract(live, [{ groupID: "one", ids: ["a"] }])).toEqual([
    { groupID: "one", ids: ["b"], environment: null },
    { groupID: "two", ids: ["a"] },
  ]);
  expect(subtract(live, [{ groupID: "two", ids: ["a"] }])).toEqual([live[0]]);
});

test("an object with two lists stays while one of them has something", () => {
  const live = [{ environment: "staging", passingIDs: ["a"], failingIDs: ["b"] }];
  expect(subtract(live, [{ environment: "staging", passingIDs: ["a"], failingIDs: [] }])).toEqual([
    { environment: "staging", passingIDs: [], failingIDs: ["b"] },
  ]);
  expect(subtract(live, [{ environment: "production", passingIDs: ["a"], failingIDs: ["b"] }])).toEqual(live);
});
