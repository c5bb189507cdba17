import { expect, test } from "@jest/globals";
import { codeWith } from "../world/provider";
import { drawHistory } from "./history";
import { findBug, plantedBugs } from "./planted";
import { playHistory } from "./play";
import { historyText } from "./report";

// All 5,000 histories are played by `npm run prove -- model`, and all planted mistakes are looked for with `--planted`.

const code = codeWith([]);

/** Seeds of histories: each planted mistake would be found by one of them. One was not chosen. */
const sample = [...new Set([...plantedBugs.map(({ seed }) => seed), 7])];

test("histories of two stacks and a person harm nothing that a preview did not name", async () => {
  const wrong: string[] = [];
  for (const seed of sample) {
    const outcome = await playHistory(drawHistory(seed), code);
    if (outcome.violations.length > 0) wrong.push(historyText(outcome));
  }
  expect(wrong).toEqual([]);
}, 120_000);

test("updates by the native plugin come to their end", async () => {
  const { counts } = await playHistory(drawHistory(1, "native"), code);
  expect(counts["command: up done"]).toBeGreaterThan(2);
});

test("a history is the same for the same seed", async () => {
  const first = await playHistory(drawHistory(7), code);
  const second = await playHistory(drawHistory(7), code);
  expect(second.told).toEqual(first.told);
});

/** One mistake for each place that decides: the guard of consoles, the claim, the update and the delete. */
const soon: ReadonlySet<string> = new Set([
  "the key of another project may do everything there",
  "what is equal is taken over without evidence that this stack made it",
  "an update writes over what somebody changed at the same place",
  "a resource that goes takes the object along that another one has",
]);

test.each(plantedBugs.filter(({ name }) => soon.has(name)).map((bug) => [bug.name, bug] as const))(
  "it is found when %s",
  async (_, bug) => {
    const { outcome } = await findBug(bug, { count: 1, seed: bug.seed }, code);
    expect(outcome?.violations).toBeDefined();
  },
  120_000,
);
