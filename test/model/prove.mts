import { seconds } from "../../scripts/process/progress.ts";
import { choice, flag, proofOptions, wholeNumber } from "../../scripts/prove-options.ts";
import type { Outcome } from "./play.ts";

const about = `Plays random histories of two stacks and a person over one console, of every kind, and looks after each command whether
anything was changed, taken or lost that the preview had not named or that another stack or person holds.`;

const {
  n: count,
  seed,
  adapter,
  planted,
  json,
} = proofOptions("model", about, {
  n: wholeNumber(5000, "How many histories", 1),
  seed: wholeNumber(1, "The seed of the first; the others follow"),
  adapter: choice(["both", "dynamic", "native"], "The adapter of the stacks; both: drawn by chance"),
  planted: flag("Puts known mistakes into copies of the source and looks whether each is found"),
  json: flag("The figures as JSON"),
});

/** Most histories that are made shorter and shown. */
const mostShown = 5;

await (planted ? findPlanted() : playAll());

async function playAll(): Promise<void> {
  const { codeWith } = await import("../world/provider.ts");
  const { playHistory, playMany } = await import("./run.ts");
  const { historyText, Summing, summaryText } = await import("./report.ts");
  const { shrink } = await import("./shrink.ts");
  const started = Date.now();
  const code = codeWith([]);
  const sum = new Summing();
  const broken: Outcome[] = [];
  let told = started;
  await playMany(code, { count, seed, adapters: adapter }, (outcome) => {
    sum.add(outcome);
    if (outcome.violations.length > 0 && broken.length < mostShown) broken.push(outcome);
    if (Date.now() - told < 10_000) return;
    told = Date.now();
    const { histories, violated } = sum.summary();
    process.stderr.write(
      `${histories} of ${count} histories, ${violated} not right, ${seconds(told - started)}\n`,
    );
  });
  for (const outcome of broken) {
    const short = await shrink(outcome, (history) => playHistory(history, code));
    process.stderr.write(`\n${historyText(short)}\n`);
  }
  const summary = sum.summary();
  const figures = { count, seed, seconds: Math.round((Date.now() - started) / 1000), ...summary };
  process.stdout.write(`${json ? JSON.stringify(figures, null, 2) : summaryText(summary)}\n`);
  process.exitCode = summary.violated > 0 ? 1 : 0;
}

async function findPlanted(): Promise<void> {
  const { plantedBugs } = await import("./planted.ts");
  const { codeWith } = await import("../world/provider.ts");
  const { findBug, playHistory } = await import("./run.ts");
  const { shrink } = await import("./shrink.ts");
  const { historyText } = await import("./report.ts");
  const found = [];
  const sound = codeWith([]);
  for (const bug of plantedBugs) {
    const { histories, outcome: whole, code } = await findBug(bug, { count, seed }, sound);
    const outcome = whole && (await shrink(whole, (history) => playHistory(history, code)));
    found.push({ name: bug.name, histories, seed: outcome?.history.seed, violations: outcome?.violations });
    if (!json)
      process.stdout.write(
        outcome === undefined
          ? `not found in ${histories} histories: ${bug.name}\n`
          : `found after ${histories}: ${bug.name}\n${historyText(outcome)}\n`,
      );
  }
  if (json) process.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
  process.exitCode = found.every((one) => one.violations !== undefined) ? 0 : 1;
}
