import { proofOptions, wholeNumber } from "../../../scripts/prove-options.ts";
import { type KilledRun, killedRun, startOtherConsole } from "./rounds.ts";

const about = "Kills `feature-console verify --write` at random moments: the next run removes what is left.";

const {
  n: rounds,
  seed,
  objects,
} = proofOptions("verify", about, {
  n: wholeNumber(50, "How many runs are killed", 1),
  seed: wholeNumber(1, "The seed of all moments"),
  objects: wholeNumber(800, "How many objects of other people the console has", 4),
});

const columns = ["round", "answered", "killed after", "left by the kill", "left at the end", "result"];
const cells = ({ round, answered, isKilled, killedAfterMs, leftByKill, leftAfter, failures }: KilledRun) => [
  ...[round, answered].map(String),
  isKilled ? `${(killedAfterMs / 1000).toFixed(1)} s` : "ended before",
  ...[leftByKill, leftAfter].map(String),
  failures.length === 0 ? "ok" : `FAILED: ${failures.join("; ")}`,
];
const line = (values: readonly string[]) =>
  console.log(
    values
      .map((value, index) => value.padEnd((columns[index] ?? "").length + 2))
      .join("")
      .trimEnd(),
  );

const other = await startOtherConsole(objects);
try {
  line(columns);
  let failed = 0;
  for (let round = 1; round <= rounds; round += 1) {
    const outcome = await killedRun(other, seed, round);
    line(cells(outcome));
    if (outcome.failures.length > 0) failed += 1;
  }
  console.log(
    `${rounds - failed} of ${rounds} kills left nothing that the next run did not remove or report.`,
  );
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  await other.close();
}
