import { writeFileSync } from "node:fs";
import path from "node:path";
import { describeMachine } from "./bench/machine.ts";
import { readOptions, usage } from "./bench/options.ts";
import { plansOf } from "./bench/plan.ts";
import { plotSvg } from "./bench/plot.mts";
import { type Findings, reportText } from "./bench/report.ts";
import { measureSeries, type Series, type SeriesPlan } from "./bench/series.ts";
import { verdictsOf } from "./bench/summary.ts";
import { withProgress } from "./process/progress.ts";
import { repositoryRoot } from "./pulumi-cli/environment.ts";

async function main(): Promise<number> {
  if (process.argv.includes("--help")) {
    console.log(usage);
    return 0;
  }
  const options = readOptions(process.argv.slice(2));
  const machine = await describeMachine();
  const series: Series[] = [];
  for (const plan of plansOf(options)) {
    series.push(await withProgress(labelOf(plan), (note) => measureSeries(plan, note)));
    if (options.json) writeFileSync(options.json, `${JSON.stringify({ machine, series }, undefined, 2)}\n`);
  }
  const findings: Findings = { machine, series };
  if (options.write) {
    const target = (name: string) => path.join(repositoryRoot, "docs", name);
    writeFileSync(target("benchmarks.md"), reportText(findings));
    writeFileSync(target("benchmarks.svg"), await plotSvg(series));
    console.error("Kept as docs/benchmarks.md and docs/benchmarks.svg.");
  }
  if (!options.json && !options.write) console.log(reportText(findings));
  const failed = series.flatMap(verdictsOf).filter(({ holds }) => !holds);
  for (const { figure, limit, measured } of failed) console.error(`${figure}: ${measured}, to be ${limit}`);
  return failed.length === 0 ? 0 : 1;
}

function labelOf({ count, runs, checkpoints, latencyMs }: SeriesPlan): string {
  const network = latencyMs > 0 ? `, console that waits ${latencyMs} ms` : "";
  return `${count.toLocaleString("en")} gates, checkpoints ${checkpoints ? "on" : "off"}${network}, ${runs} run(s)`;
}

process.exitCode = await main();
