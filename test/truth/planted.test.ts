import { expect, test } from "@jest/globals";
import { SourceCopy } from "../world/source-copy";
import { plantedSentences } from "./planted";
import { findPlanted } from "./run";
import { codeWith } from "./world";

// All of them are looked for by `npm run prove -- truth --planted`.

test("each planted sentence has its place in the source", () => {
  for (const { patches } of plantedSentences) expect(() => new SourceCopy(patches)).not.toThrow();
});

const code = codeWith([]);

const soon: ReadonlySet<string> = new Set([
  "a running experiment that goes can be brought back",
  "rules count whatever rules are before them",
  "the points of a share are the new share",
  "all rules are unchanged",
  "a preview shows shares the wrong way round",
]);

test.each(plantedSentences.filter(({ name }) => soon.has(name)).map((one) => [one.name, one] as const))(
  "it is found that %s",
  async (_, planted) => {
    const outcome = await findPlanted(planted, { count: 20, seed: 1, code });
    expect(outcome?.untrue).toBeDefined();
  },
  60_000,
);
