import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { withProgress } from "../process/progress.ts";
import { repositoryRoot } from "../pulumi-cli/environment.ts";
import { describeMachine } from "./machine.ts";
import { nativeReportText } from "./native-report.ts";
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
  const findings = options.render ? keptFindings() : await measure(options);
  if (options.render || options.write) writeFileSync(page, reportText(findings));
  else if (options.native)
    for (const one of findings.native?.series ?? []) console.log(nativeReportText(one));
  else if (!options.json) console.log(reportText(findings));
  if (options.render || options.native) return 0;
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
  const kept = keptFindings();
  const series: Series[] = [];
  const findings = options.native ? { ...kept, native: { machine, series } } : { ...kept, machine, series };
  for (const plan of plansOf(options)) {
    series.push(await withProgress(labelOf(plan), (note) => measureSeries(plan, note)));
    const files = [...(options.json ? [options.json] : []), ...(options.write ? [figures] : [])];
    for (const file of files) writeFileSync(file, `${JSON.stringify(findings, undefined, 2)}\n`);
  }
  return findings;
}

function keptFindings(): Findings {
  return JSON.parse(readFileSync(figures, "utf8")) as Findings;
}

function labelOf({ count, runs, checkpoints, latencyMs }: SeriesPlan): string {
  const network = latencyMs > 0 ? `, console that waits ${latencyMs} ms` : "";
  return `${count.toLocaleString("en")} gates, checkpoints ${checkpoints ? "on" : "off"}${network}, ${runs} run(s)`;
}

process.exitCode = await main();
