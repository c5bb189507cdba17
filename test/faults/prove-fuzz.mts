import { flag, proofOptions, wholeNumber } from "../../scripts/prove-options.ts";
import { fuzz } from "./fuzz.ts";
import { fuzzTable } from "./fuzz-report.ts";

const about = "Gives random answers of the console to every verb of every kind.";

const {
  n: count,
  seed,
  json,
} = proofOptions("fuzz", about, {
  n: wholeNumber(10_000, "How many wrong answers", 1),
  seed: wholeNumber(1, "The seed of all of them"),
  json: flag("The figures as JSON"),
});

const started = Date.now();
const seconds = () => Math.round((Date.now() - started) / 1000);
let told = 0;
const result = await fuzz({
  count,
  seed,
  progress({ faults, kind, verb, recipe }, given) {
    for (const fault of faults) console.error(`${kind} ${verb}, ${recipe.way}: ${fault}`);
    if (Date.now() - told < 5000 || json) return;
    told = Date.now();
    console.error(`${given} of ${count} wrong answers, ${seconds()} s`);
  },
});
const { text, summary, failed } = fuzzTable(result);
console.log(json ? JSON.stringify({ count, seed, seconds: seconds(), ...summary }, null, 2) : text);
process.exitCode = failed ? 1 : 0;
