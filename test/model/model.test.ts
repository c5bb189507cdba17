import { expect, test } from "@jest/globals";
import { codeWith } from "../world/provider";
import { drawHistory } from "./history";
import { plantedBugs } from "./planted";
import { historyText } from "./report";
import { findBug, playHistory } from "./run";

// All 5,000 histories are played by `npm run prove -- model`.

test("50 histories of two stacks and a person harm nothing that a preview did not name", async () => {
  const code = codeWith([]);
  const wrong: string[] = [];
  for (let seed = 1; seed <= 50; seed += 1) {
    const outcome = await playHistory(drawHistory(seed), code);
    if (outcome.violations.length > 0) wrong.push(historyText(outcome));
  }
  expect(wrong).toEqual([]);
}, 120_000);

test("updates by the native plugin come to their end", async () => {
  const { counts } = await playHistory(drawHistory(1, "native"), codeWith([]));
  expect(counts.commands["up done"]).toBeGreaterThan(2);
});

test("a history is the same for the same seed", async () => {
  const code = codeWith([]);
  const first = await playHistory(drawHistory(7), code);
  const second = await playHistory(drawHistory(7), code);
  expect(second.told).toEqual(first.told);
});

test.each(plantedBugs.map((bug) => [bug.name, bug] as const))(
  "it is found when %s",
  async (_, bug) => {
    const { outcome } = await findBug(bug, { count: 500, seed: bug.seed });
    expect(outcome?.violations).toBeDefined();
  },
  120_000,
);
