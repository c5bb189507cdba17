import { type ParseArgsConfig, parseArgs } from "node:util";
import { seconds } from "../../scripts/process/progress.ts";

const options = {
  n: { type: "string", default: "3000" },
  seed: { type: "string", default: "1" },
  planted: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const satisfies ParseArgsConfig["options"];

const help = `Usage: npm run prove -- truth [options]

Makes random programs, states and consoles, has each change previewed and reported, carries it out, and holds every sentence
against what happened. 900 users are asked before and after, in three environments, by the service's own SDK.

  --n NUMBER      How many cases. Default: 3000
  --seed NUMBER   The seed of the first; the others follow. Default: 1
  --planted       Puts untrue sentences into copies of the source and looks whether each is found
  --help          This text
`;

/** Most cases that are shown. */
const mostShown = 8;

const { values } = parseArgs({ options });
const count = Number(values.n);
const seed = Number(values.seed);
if (values.help) process.stdout.write(help);
else if (!Number.isSafeInteger(count) || count < 1 || !Number.isSafeInteger(seed)) {
  process.stderr.write(help);
  process.exitCode = 2;
} else if (values.planted) await lookForPlanted();
else await judgeAll();

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
  for (const planted of plantedSentences) {
    const outcome = await findPlanted(planted, { count, seed, code });
    if (outcome === undefined) missed += 1;
    process.stdout.write(
      outcome === undefined
        ? `not found: ${planted.name}\n`
        : `found by seed ${outcome.seed}: ${planted.name}\n${outcomeText(outcome)}\n`,
    );
  }
  process.exitCode = missed > 0 ? 1 : 0;
}
