/**
 * Measures `feature-console drift` and proves `--accept`: `npm run prove -- drift --gates 5000 --changes 300`, or over a messy console
 * with `--n 800 --seed 14`. Ends with 1 on any fault.
 */
import { parseArgs } from "node:util";
import { planManyGates, planMessyConsole } from "../import/console/messy-console.ts";
import { driftLines, proveDrift } from "./proof.ts";

const { values } = parseArgs({
  options: {
    gates: { type: "string" },
    n: { type: "string", default: "800" },
    seed: { type: "string", default: "14" },
    changes: { type: "string", default: "300" },
  },
});
const started = Date.now();
const tell = (text: string) =>
  process.stderr.write(`${String(Math.round((Date.now() - started) / 1000)).padStart(5)} s  ${text}\n`);
const plan =
  values.gates === undefined
    ? planMessyConsole({ seed: Number(values.seed), count: Number(values.n) })
    : planManyGates(Number(values.gates));
const proof = await proveDrift(plan, Number(values.changes), tell);
console.log(driftLines(proof).join("\n"));
process.exitCode = proof.faults.length === 0 ? 0 : 1;
