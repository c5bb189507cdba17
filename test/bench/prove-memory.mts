/** Memory of a preview that finds nothing to do, by process: `npm run prove -- memory`, `--n 1000`. */
import { measureSeries, type Sample } from "../../scripts/bench/series.ts";
import { subjects } from "../../scripts/bench/subjects.ts";
import { withProgress } from "../../scripts/process/progress.ts";
import { flag, proofOptions, wholeNumber } from "../../scripts/prove-options.ts";

const about = `Creates gates, and measures the memory of a preview without a change: of this package, and of a dynamic provider that does nothing
(the floor).`;
const { n: count, state } = proofOptions("memory", about, {
  n: wholeNumber(5000, "How many gates", 1),
  state: flag("Measure the one that shows as much in state too"),
});

const plan = {
  count,
  runs: 1,
  checkpoints: false,
  latencyMs: 0,
  subjects: state ? subjects : subjects.slice(0, 2),
};
const { samples } = await withProgress(`${count} gates`, (tell) =>
  measureSeries(plan, tell, ["up of new", "no-op preview"]),
);
const megabytes = (bytes: number | undefined) =>
  bytes === undefined ? "" : Math.round(bytes / 2 ** 20).toLocaleString("en");
console.log("| operation | of | program, MB | provider, MB | whole command, MB | s |");
console.log("| --- | --- | ---: | ---: | ---: | ---: |");
for (const { operation, subject, ...one } of samples as readonly Sample[]) {
  const memory = [one.programPeakBytes, one.hostPeakBytes, one.sumPeakBytes].map(megabytes);
  console.log(`| ${[operation, subject, ...memory, one.seconds.toFixed(1)].join(" | ")} |`);
}
