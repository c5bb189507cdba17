import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { withProgress } from "../process/progress.ts";
import { repositoryRoot } from "../pulumi-cli/environment.ts";
import { describeMachine } from "./machine.ts";
import { type BenchOptions, readOptions, usage } from "./options.ts";
import { plansOf } from "./plan.ts";
import { type Findings, reportText } from "./report.ts";
import { measureSeries, type Series, type SeriesPlan } from "./series.ts";
import { verdictsOf } from "./summary.ts";

const figures = path.join(repositoryRoot, "spec", "benchmarks.json");
const page = path.join(repositoryRoot, "spec", "benchmarks.md");

async function main(): Promise<number> {
  if (process.argv.includes("--help")) {
    console.log(usage);
    return 0;
  }
  const options = readOptions(process.argv.slice(2));
  if (options.render) {
    writeFileSync(page, reportText(JSON.parse(readFileSync(figures, "utf8")) as Findings));
    return 0;
  }
  const findings = await measure(options);
  if (options.write) writeFileSync(page, reportText(findings));
  else if (!options.json) console.log(reportText(findings));
  const failed = findings.series.flatMap((one) =>
    verdictsOf(one).flatMap(({ figure, limit, measured, holds }) =>
      holds ? [] : [`${labelOf(one)}: ${figure}: ${measured}, to be ${limit}`],
    ),
  );
  for (const text of failed) console.error(text);
  return failed.length === 0 ? 0 : 1;
}

/** Keeps what was measured after each series: the last may take long, and the machine may not last. */
async function measure(options: BenchOptions): Promise<Findings> {
  const machine = await describeMachine();
  const series: Series[] = [];
  for (const plan of plansOf(options)) {
    series.push(await withProgress(labelOf(plan), (note) => measureSeries(plan, note)));
    const files = [...(options.json ? [options.json] : []), ...(options.write ? [figures] : [])];
    for (const file of files) writeFileSync(file, `${JSON.stringify({ machine, series }, undefined, 2)}\n`);
  }
  return { machine, series };
}

function labelOf({ count, runs, checkpoints, latencyMs }: SeriesPlan): string {
  const network = latencyMs > 0 ? `, console that waits ${latencyMs} ms` : "";
  return `${count.toLocaleString("en")} gates, checkpoints ${checkpoints ? "on" : "off"}${network}, ${runs} run(s)`;
}

process.exitCode = await main();
