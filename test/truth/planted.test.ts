import { expect, test } from "@jest/globals";
import { SourceCopy } from "../world/source-copy";
import { plantedSentences } from "./planted";
import { findPlanted } from "./run";
import { codeWith } from "./world";

// All of them are looked for by `npm run prove -- truth --planted`.

test("each planted sentence has its place in the source", () => {
  for (const { also = [], ...patch } of plantedSentences)
    expect(() => new SourceCopy([patch, ...also])).not.toThrow();
});

const code = codeWith([]);

/** By the seed of the first case that finds it. */
const soon: ReadonlyMap<string, number> = new Map([
  ["a running experiment that goes can be brought back", 5],
  ["rules count whatever rules are before them", 6],
  ["the points of a share are the new share", 6],
  ["all rules are unchanged", 6],
  ["a preview shows shares the wrong way round", 12],
]);

test.each(plantedSentences.filter(({ name }) => soon.has(name)).map((one) => [one.name, one] as const))(
  "it is found that %s",
  async (_, planted) => {
    const outcome = await findPlanted(planted, { count: 1, seed: soon.get(planted.name) ?? 1, code });
    expect(outcome?.untrue).toBeDefined();
  },
  60_000,
);
