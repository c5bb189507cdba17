import { choice, flag, proofOptions, wholeNumber } from "../../scripts/prove-options.ts";
import { runMatrix } from "./matrix.ts";
import { lineOf, summaryOf } from "./report.ts";

const about = "Kills real `pulumi up` runs and checks what the next one makes of it.";

const {
  n: rounds,
  seed,
  checkpoints,
  resources,
  adapter,
  first,
  only,
  "at-once": atOnce,
  json,
} = proofOptions("kills", about, {
  n: wholeNumber(200, "How many rounds", 1),
  seed: wholeNumber(Math.floor(Math.random() * 1_000_000), "The seed of all rounds"),
  checkpoints: choice(["both", "on", "off"], "Whether Pulumi keeps its state while it runs"),
  resources: wholeNumber(100, "How many resources a program has", 1),
  adapter: choice(["dynamic", "native"], "Where the program has its classes from"),
  first: wholeNumber(0, "The round to begin with"),
  only: wholeNumber(-1, "Only this round; -1: all"),
  "at-once": wholeNumber(2, "How many rounds run at the same time", 1),
  json: flag("The outcomes as JSON"),
});
let done = 0;
// Ctrl-C ends it after the rounds that are under way, with the table of those that were played.
const stop = new AbortController();
process.once("SIGINT", () => stop.abort());
const tell = (text: string) => process.stderr.write(`${text}\n`);

tell(
  `${rounds} rounds, seed ${seed}; a round again: npm run prove -- kills --adapter ${adapter} --seed ${seed} --n ${rounds} --only ROUND`,
);
const outcomes = await runMatrix({
  ...{ rounds, seed, checkpoints, resources, adapter, atOnce, first },
  ...(only < 0 ? {} : { only }),
  signal: stop.signal,
  onStep: tell,
  onRound(outcome, folder) {
    done += 1;
    tell(`${String(done).padStart(4)}/${rounds}  ${lineOf(outcome, folder)}`);
  },
});
console.log(json ? JSON.stringify(outcomes, null, 2) : summaryOf(outcomes));
process.exitCode = outcomes.every(({ failures }) => failures.length === 0) ? 0 : 1;
