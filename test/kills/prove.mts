import { parseArgs } from "node:util";
import { runMatrix } from "./matrix.ts";
import { lineOf, summaryOf } from "./report.ts";

const { values } = parseArgs({
  options: {
    n: { type: "string", default: "200" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
    checkpoints: { type: "string", default: "both" },
    resources: { type: "string", default: "100" },
    first: { type: "string", default: "0" },
    only: { type: "string" },
    "at-once": { type: "string", default: "2" },
    json: { type: "boolean", default: false },
  },
});

const { checkpoints } = values;
if (checkpoints !== "on" && checkpoints !== "off" && checkpoints !== "both")
  throw new Error("--checkpoints takes on, off or both.");

const rounds = Number(values.n);
const seed = Number(values.seed);
let done = 0;
// Ctrl-C ends it after the rounds that are under way, with the table of those that were played.
const stop = new AbortController();
process.once("SIGINT", () => stop.abort());
const tell = (text: string) => process.stderr.write(`${text}\n`);

tell(
  `${rounds} rounds, seed ${seed}; a round again: npm run prove -- kills --seed ${seed} --n ${rounds} --only ROUND`,
);
const outcomes = await runMatrix({
  ...{ rounds, seed, checkpoints, resources: Number(values.resources), atOnce: Number(values["at-once"]) },
  first: Number(values.first),
  ...(values.only === undefined ? {} : { only: Number(values.only) }),
  signal: stop.signal,
  onStep: tell,
  onRound(outcome, folder) {
    done += 1;
    tell(`${String(done).padStart(4)}/${rounds}  ${lineOf(outcome, folder)}`);
  },
});
console.log(values.json ? JSON.stringify(outcomes, null, 2) : summaryOf(outcomes));
process.exitCode = outcomes.every(({ failures }) => failures.length === 0) ? 0 : 1;
