/** Measures a segment with many ids: `npm run prove -- ids --n 1000000 --form array`. Ends with 1 when a bound is missed. */
import { parseArgs } from "node:util";
import { measureIds } from "./measure.ts";
import { misses, stepHead, stepLine } from "./report.ts";

const { values } = parseArgs({
  options: { n: { type: "string", default: "1000000" }, form: { type: "string", default: "array" } },
});
const count = Number(values.n);
if (!Number.isSafeInteger(count) || count < 100)
  throw new Error(`--n takes a whole number from 100, not "${values.n}".`);
if (values.form !== "array" && values.form !== "file") throw new Error('--form takes "array" or "file".');

console.log(
  `A segment with ${count.toLocaleString("en-US")} ids of 36 characters, given as ${values.form}\n\n${stepHead}`,
);
const measured = await measureIds(count, values.form, (step) => console.log(stepLine(step)));
console.log(
  `\nstate: ${measured.stateBytes} bytes, the segment ${measured.resourceBytes}; no id in it: ${!measured.stateHoldsId}`,
);
const said = measured.steps.flatMap(({ output }) => output.match(/segment "vip": ids .*$/m)?.[0] ?? []);
for (const line of new Set(said)) console.log(`said: ${line}`);
const missed = misses(measured);
console.log(missed.length === 0 ? "Every bound is kept." : missed.join("\n"));
process.exitCode = missed.length === 0 ? 0 : 1;
