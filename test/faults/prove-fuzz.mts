import { parseArgs } from "node:util";
import { fuzz } from "./fuzz.ts";
import { fuzzTable } from "./fuzz-report.ts";

const { values } = parseArgs({
  options: {
    n: { type: "string", default: "10000" },
    seed: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
  },
});
const count = Number(values.n);
const seed = Number(values.seed);
if (!Number.isSafeInteger(count) || count < 1 || !Number.isSafeInteger(seed))
  throw new Error("Use it like this: npm run prove -- fuzz --n 10000 --seed 1 --json");

const started = Date.now();
const seconds = () => Math.round((Date.now() - started) / 1000);
let told = 0;
const result = await fuzz({
  count,
  seed,
  progress({ faults, kind, verb, recipe }, given) {
    for (const fault of faults) console.error(`${kind} ${verb}, ${recipe.way}: ${fault}`);
    if (Date.now() - told < 5000 || values.json) return;
    told = Date.now();
    console.error(`${given} of ${count} wrong answers, ${seconds()} s`);
  },
});
const { text, summary, failed } = fuzzTable(result);
console.log(values.json ? JSON.stringify({ count, seed, seconds: seconds(), ...summary }, null, 2) : text);
process.exitCode = failed ? 1 : 0;
