import { expect, test } from "@jest/globals";
import { SourceCopy } from "../world/source-copy";
import { plantedSentences } from "./planted";
import { findPlanted, judge, outcomeText } from "./run";
import { codeWith } from "./world";

// 3,000 cases are judged by `npm run prove -- truth`.

/** Of the cases of seeds 20,000 to 20,129 those that show most sorts of sentences for their time. */
const seeds = [
  ...[2, 8, 10, 11, 13, 14, 17, 24, 37, 39, 43, 46, 48, 49, 51, 53, 54, 61, 65, 66, 67, 68, 70],
  ...[73, 77, 81, 83, 84, 88, 89, 90, 95, 96, 105, 106, 109, 113, 116, 120, 125, 126, 129],
].map((number) => 20_000 + number);

/** Sentences of each kind, and how many of them must be among those judged at least: else nothing would be tested. */
const least: readonly (readonly [string, number, RegExp])[] = [
  ["what becomes of an object", 40, /^(?:create|update|adopt|archive|delete|restore)$/],
  ["a preview's line about rules", 20, /^(?:gate|dynamic config) ".+": rules: /],
  ["shares before and after", 8, / % → [\d.]+ % of /],
  ["points more or fewer", 8, /^(?:down to nobody: )?[+−][\d.]+ percentage points? for /],
  ["who passes the whole gate", 3, /^(?:who is let in: |is switched (?:on|off): ).+ → /],
  ["a rule that nobody reaches", 5, /^nobody (?:reaches|can match) rule /],
  ["rules that stay", 10, / unchanged$/],
  ["what is off", 5, /^no effect while it is off/],
  ["the archive", 6, /^it goes to the archive|^(?:it comes )?back from the archive$/],
  ["whether it is new", 1, /^new$/],
  ["users of whom a report does not speak", 20, /^\(nothing of these users\)$/],
  ["an update that goes well", 20, /^\(nothing of a failure\)$/],
  ["a preview after it that is empty", 20, /^\(nothing is left to do\)$/],
  ["places of `explain`", 20, /^explain .+: sends /],
];

test("no sentence of a preview or a report is untrue", async () => {
  const code = codeWith([]);
  const sentences: string[] = [];
  const untrue: string[] = [];
  for (const seed of seeds) {
    const outcome = await judge(seed, code);
    sentences.push(...(outcome?.sentences ?? []));
    if (outcome !== undefined && outcome.untrue.length > 0) untrue.push(outcomeText(outcome));
  }
  expect(untrue).toEqual([]);
  const rare = least.filter(([, n, pattern]) => sentences.filter((one) => pattern.test(one)).length < n);
  expect(rare.map(([what]) => what)).toEqual([]);
}, 120_000);

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
