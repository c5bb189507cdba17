import { expect, test } from "@jest/globals";
import { playCase } from "./truth";

// 200 changes of 50 flags are played by `npm run prove -- users`.

test("random changes: each user gets what was foretold, by both SDKs", async () => {
  const outcomes: Awaited<ReturnType<typeof playCase>>[] = [];
  for (const seed of [3, 4]) outcomes.push(await playCase(seed, { flags: 12, users: 300 }));
  const sum = (count: (one: Awaited<ReturnType<typeof playCase>>) => number): number =>
    outcomes.reduce((total, one) => total + count(one), 0);
  expect(outcomes.flatMap(({ wrong, notes }) => (notes.length === 0 ? wrong : []))).toEqual([]);
  expect(sum(({ disagreements }) => disagreements)).toBe(0);
  expect(sum(({ moves }) => moves)).toBeGreaterThan(100);
  expect(outcomes.filter(({ notes }) => notes.length > 0)).toEqual([]);
}, 300_000);
