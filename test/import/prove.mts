/**
 * Proves `feature-console import` on a messy console: `npm run prove -- import --n 800 --seed 14`; `--kills 20` kills imports at so
 * many moments instead, `--gates 5000` reads so many gates twice. Ends with 1 on any fault.
 */
import { parseArgs } from "node:util";
import { planMessyConsole } from "./console/messy-console.ts";
import { interruptImports, interruptionLine } from "./interruptions.ts";
import { readManyGates } from "./many-gates.ts";
import { proofLines, proveRoundTrip } from "./proof.ts";

const { values } = parseArgs({
  options: {
    n: { type: "string", default: "800" },
    seed: { type: "string", default: "14" },
    kills: { type: "string" },
    gates: { type: "string" },
  },
});
const started = Date.now();
const tell = (text: string) =>
  process.stderr.write(`${String(Math.round((Date.now() - started) / 1000)).padStart(5)} s  ${text}\n`);
const plan = planMessyConsole({ seed: Number(values.seed), count: Number(values.n) });

async function faultsSeen(): Promise<number> {
  if (values.gates !== undefined) {
    const read = await readManyGates(Number(values.gates));
    console.log(read.told.join("\n"));
    return read.faults.length;
  }
  if (values.kills !== undefined) {
    const rounds = await interruptImports(plan, Number(values.kills), (round, number) =>
      tell(interruptionLine(round, number)),
    );
    const bad = rounds.filter(({ faults }) => faults.length > 0);
    console.log(`${rounds.length} imports killed, ${bad.length} that the next run did not finish.`);
    return bad.length;
  }
  const proof = await proveRoundTrip(plan, { onStep: tell });
  console.log(proofLines(`${values.n} objects, seed ${values.seed}`, proof).join("\n"));
  return proof.faults.length;
}

process.exitCode = (await faultsSeen()) === 0 ? 0 : 1;
