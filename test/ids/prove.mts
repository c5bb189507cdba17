import { choice, proofOptions, wholeNumber } from "../../scripts/prove-options.ts";
import { measureIds, misses, stepLine } from "./measure.ts";

const about = "Measures a segment with many ids through the real CLI. Ends with 1 when a bound is missed.";

const { n: count, form } = proofOptions("ids", about, {
  n: wholeNumber(1_000_000, "How many ids", 100),
  form: choice(["array", "file"], "How the program gives them"),
});

console.log(`A segment with ${count.toLocaleString("en-US")} ids of 36 characters, given as ${form}`);
const measured = await measureIds(count, form, (step) => console.log(stepLine(step)));
console.log(
  `\nstate: ${measured.stateBytes} bytes, the segment ${measured.resourceBytes}; no id in it: ${!measured.stateHoldsId}`,
);
const said = measured.steps.flatMap(({ output }) => output.match(/segment "vip": .* ids?\b.*$/m)?.[0] ?? []);
for (const line of new Set(said)) console.log(`said: ${line}`);
const missed = misses(measured);
console.log(missed.length === 0 ? "Every bound is kept." : missed.join("\n"));
process.exitCode = missed.length === 0 ? 0 : 1;
