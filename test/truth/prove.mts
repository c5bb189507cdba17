import { flag, proofOptions, wholeNumber } from "../../scripts/prove-options.ts";
import type { Outcome } from "./run.ts";

const about = `Makes random programs, states and consoles, has each change previewed and reported, carries it out, and holds every sentence
against what happened. 900 users are asked before and after, in three environments, by the service's own SDK.`;

const {
  n: count,
  seed,
  planted,
} = proofOptions("truth", about, {
  n: wholeNumber(3000, "How many cases", 1),
  seed: wholeNumber(1, "The seed of the first; the others follow"),
  planted: flag("Puts untrue sentences into copies of the source and looks whether each is found"),
});

await (planted ? lookForPlanted() : judgeAll());

/** What a report does not say is held against what happened too, in brackets. */
function isSaid(sentence: string): boolean {
  return !sentence.startsWith("(");
}

async function judgeAll(): Promise<void> {
  const { playCases, conclude } = await import("../world/proof.ts");
  const { codeWith } = await import("./world.ts");
  const { judge, outcomeText, shrunk, sortOf } = await import("./run.ts");
  const code = codeWith([]);
  const reasons = new Map<string, number>();
  const found = { played: 0, sentences: 0, failed: 0 };
  const wrong = await playCases<Outcome>({
    ...{ what: "cases", n: count, seed },
    play: (one) => judge(one, code),
    isWrong: ({ untrue }) => untrue.length > 0,
    text: async (outcome) => outcomeText(await shrunk(outcome, code)),
    onOutcome({ played, sentences, untrue }) {
      found.played += 1;
      found.sentences += sentences.filter(isSaid).length;
      if (played.update.run.error !== undefined) found.failed += 1;
      for (const sort of untrue.map(({ sentence }) => sortOf(sentence)))
        reasons.set(sort, (reasons.get(sort) ?? 0) + 1);
    },
  });
  const { played, sentences, failed } = found;
  const sorted = [...reasons].sort(([, one], [, other]) => other - one);
  const lines = [
    `${played} cases, ${failed} of their updates failed, ${sentences} sentences, ${wrong} cases in which something is not so`,
    ...sorted.map(([sort, often]) => `  ${often} times: ${sort}`),
  ];
  conclude(lines.join("\n"), wrong);
}

async function lookForPlanted(): Promise<void> {
  const { findAll } = await import("../world/proof.ts");
  const { plantedSentences } = await import("./planted.ts");
  const { codeWith } = await import("./world.ts");
  const { findPlanted, outcomeText } = await import("./run.ts");
  const code = codeWith([]);
  await findAll(plantedSentences, async (one) => {
    const outcome = await findPlanted(one, { count, seed, code });
    return outcome && outcomeText(outcome);
  });
}
