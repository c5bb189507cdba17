/**
 * Proves `feature-console promote`: `npm run prove -- promote`, `--n 100 --rounds 3 --seed 7`. Ends with 1 where stacks differ in what
 * was neither kept nor listed.
 */
import { seconds } from "../../scripts/process/progress.ts";
import { proofOptions, wholeNumber } from "../../scripts/prove-options.ts";
import { conclude, tell } from "../world/proof.ts";
import { playFleet } from "./promotions.ts";

const about = `Promotes random changes of flags from dev to staging, and without percentages and ids to prod, over consoles with other ids. Each
promotion ends after one of its files and begins again; then the stacks are compared, also by the raw API.`;
const { n, rounds, seed } = proofOptions("promote", about, {
  n: wholeNumber(500, "How many flags each stack has", 1),
  rounds: wholeNumber(20, "How many changes of dev; each goes through two promotions", 1),
  seed: wholeNumber(1, "The seed of the values"),
});

const start = Date.now();
const { promotions, interrupted, refused, faults } = await playFleet({ flags: n, rounds, seed }, tell);
for (const fault of faults) tell(fault.slice(0, 300));
conclude(
  `${promotions} promotions of ${n} flags, ${interrupted} interrupted and carried on; ${refused} places refused and listed, ${faults.length} faults; ${seconds(Date.now() - start)}`,
  faults.length,
);
