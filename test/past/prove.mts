/**
 * Proves `feature-console rollback`: `npm run prove -- rollback`, `--n 40 --seed 7`. Ends with 1 where an object is not as it was, and
 * the plan had not named that.
 */
import { proofOptions, wholeNumber } from "../../scripts/prove-options.ts";
import { playHistory } from "./histories.ts";

const about = `Plays random lives of gates, dynamic configs and experiments by their program and by people, brings a random version back, and
compares the object with that version by the raw API.`;
const { n, seed } = proofOptions("rollback", about, {
  n: wholeNumber(1000, "How many histories", 1),
  seed: wholeNumber(1, "The seed of the first; the others follow"),
});

const counts = { histories: 0, wholly: 0, named: 0, faults: 0, noPreview: 0, settings: 0, interrupted: 0 };
for (let next = seed; next < seed + n; next += 1) {
  const { named, faults, hasNoPreview, wroteSettings, isInterrupted } = await playHistory(next);
  counts.histories += 1;
  counts[hasNoPreview ? "noPreview" : faults.length > 0 ? "faults" : named.length > 0 ? "named" : "wholly"] +=
    1;
  if (wroteSettings) counts.settings += 1;
  if (isInterrupted) counts.interrupted += 1;
  for (const fault of faults) process.stdout.write(`seed ${next}: ${fault.slice(0, 300)}\n`);
  if (counts.histories % 100 === 0) process.stderr.write(`${counts.histories} of ${n}\n`);
}
process.stdout.write(
  `${counts.histories} histories: ${counts.wholly} wholly as they were, ${counts.named} but for what was named, ${counts.noPreview} without a preview to begin with, ${counts.faults} faults; ${counts.settings} changed settings that the program reads, ${counts.interrupted} ended between two files and were carried on\n`,
);
process.exitCode = counts.faults > 0 ? 1 : 0;
