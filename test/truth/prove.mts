import { seconds } from "../../scripts/process/progress.ts";
import { flag, proofOptions, wholeNumber } from "../../scripts/prove-options.ts";

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

/** Most cases that are shown. */
const mostShown = 8;

await (planted ? lookForPlanted() : judgeAll());

/** What a report does not say is held against what happened too, in brackets. */
function isSaid(sentence: string): boolean {
  return !sentence.startsWith("(");
}

async function judgeAll(): Promise<void> {
  const { codeWith } = await import("./world.ts");
  const { judge, outcomeText, shrunk } = await import("./run.ts");
  const { sortOf } = await import("./shrink.ts");
  const code = codeWith([]);
  const reasons = new Map<string, number>();
  const found = { played: 0, sentences: 0, failed: 0, untrue: 0 };
  let told = Date.now();
  for (let number = 0; number < count; number += 1) {
    const outcome = await judge(seed + number, code);
    if (outcome === undefined) continue;
    const { played, sentences, untrue } = outcome;
    found.played += 1;
    found.sentences += sentences.filter(isSaid).length;
    if (played.update.run.error !== undefined) found.failed += 1;
    if (untrue.length > 0) {
      found.untrue += 1;
      if (found.untrue <= mostShown) process.stderr.write(`\n${outcomeText(await shrunk(outcome, code))}\n`);
      for (const { sentence } of untrue) {
        const sort = sortOf(sentence);
        reasons.set(sort, (reasons.get(sort) ?? 0) + 1);
      }
    }
    if (Date.now() - told < 10_000) continue;
    process.stderr.write(
      `${number + 1} of ${count} cases, ${found.untrue} not so, ${seconds(Date.now() - told)}\n`,
    );
    told = Date.now();
  }
  const { played, sentences, failed, untrue } = found;
  const sorted = [...reasons].sort(([, one], [, other]) => other - one);
  process.stdout.write(
    `${played} cases, ${failed} of their updates failed, ${sentences} sentences, ${untrue} cases in which something is not so\n` +
      sorted.map(([sort, often]) => `  ${often} times: ${sort}\n`).join(""),
  );
  process.exitCode = untrue > 0 ? 1 : 0;
}

async function lookForPlanted(): Promise<void> {
  const { plantedSentences } = await import("./planted.ts");
  const { codeWith } = await import("./world.ts");
  const { findPlanted, outcomeText } = await import("./run.ts");
  const code = codeWith([]);
  let missed = 0;
  for (const one of plantedSentences) {
    const outcome = await findPlanted(one, { count, seed, code });
    if (outcome === undefined) missed += 1;
    process.stdout.write(
      outcome === undefined
        ? `not found: ${one.name}\n`
        : `found by seed ${outcome.seed}: ${one.name}\n${outcomeText(outcome)}\n`,
    );
  }
  process.exitCode = missed > 0 ? 1 : 0;
}
