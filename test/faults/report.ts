import { table } from "../../scripts/generate/markdown";
import { seconds } from "../../scripts/process/progress";
import { switchNames } from "../../src/provider/pulumi/provider-settings";
import type { CellResult } from "./cell";
import { faultRows } from "./faults";
import { type MatrixOptions, type MatrixResult, runMatrix } from "./matrix";
import { ways } from "./recipes";
import type { Verb } from "./subjects";

/** A matrix as figures: what a report and `--json` are made of. */
export type Summary = ReturnType<typeof summarise>;

type Tally = ReturnType<typeof tally>;

const typedTitle = "typed";

/** Why such cells exist. */
const whyTyped =
  "Such a create was answered that its key is taken, and nothing the console shows tells whether its own double on the way took it " +
  "or another stack, a moment before: the run and the next one refuse, change nothing, and name the switch.";

const verbs: readonly Verb[] = ["create", "read", "update", "delete", "purge", "look up"];

export function summarise({ results, silent, scan, stacks }: MatrixResult) {
  const failed = results.filter(({ problems }) => problems.length > 0);
  const met = new Set(results.map(({ cell }) => cell.row.name));
  const faults = [...faultRows.map(({ name }) => name), ...ways].filter((name) => met.has(name));
  const kinds = [...new Set(results.map(({ cell }) => cell.subject.kind))].sort();
  return {
    run: results.length,
    failed: failed.length,
    /** Cells that were refused until FEATURE_CONSOLE_TAKE_OVER=1 was typed, and came right then. */
    typed: results.filter(cameRightTyped).length,
    byFault: faults.map((name) =>
      tally(
        name,
        results.filter(({ cell }) => cell.row.name === name),
      ),
    ),
    byKind: kinds.map((name) =>
      tally(
        name,
        results.filter(({ cell }) => cell.subject.kind === name),
      ),
    ),
    problems: failed.map((one) => ({ cell: titleOf(one), problems: one.problems })),
    silent: silent.map(({ kind, verb }) => `${kind} ${verb}`),
    scan,
    stacks: stacks.length,
  };
}

const cameRightTyped = ({ typed, problems }: CellResult): boolean => typed && problems.length === 0;

function tally(name: string, results: readonly CellResult[]) {
  const of = (verb: Verb) => {
    const some = results.filter(({ cell }) => cell.verb === verb);
    return { run: some.length, failed: some.filter(({ problems }) => problems.length > 0).length };
  };
  return {
    name,
    typed: results.filter(cameRightTyped).length,
    verbs: Object.fromEntries(verbs.map((verb) => [verb, of(verb)])),
  };
}

const placeOf = ({ cell }: CellResult): string => `${cell.subject.kind} ${cell.verb}, ${cell.row.name}`;

function titleOf(one: CellResult): string {
  const { at, times, sameProcess } = one.cell;
  return `${placeOf(one)}: request ${at}, ${times} in a row${sameProcess ? ", same process" : ""}`;
}

/** True when nothing failed, nothing leaked and no stack was printed. */
function isClean({ failed, scan, stacks, run }: Summary): boolean {
  return run > 0 && failed === 0 && scan.hits.length === 0 && stacks === 0;
}

/** The report as Markdown; its last line is the count. */
function reportOf(summary: Summary): string {
  const { problems, silent, scan, stacks, run, failed, typed } = summary;
  const artefacts = Object.entries(scan.artefacts).map(([what, count]) => `${count} of ${what}`);
  const quiet = silent.filter((one) => !one.endsWith("check and diff"));
  return [
    tableOf("fault", summary.byFault),
    tableOf("kind", summary.byKind),
    `Cells run; \`n!\`: n of them failed. \`${typedTitle}\`: how many of them came right only when a person typed \`${switchNames.takeOver}=1\`. ${whyTyped}`,
    "",
    `No request at all, so no fault: check and diff of ${silent.length - quiet.length} kinds${quiet.length > 0 ? `; ${quiet.join(", ")}` : ""}.`,
    "",
    ...problems.flatMap((one) => [`- FAILED ${one.cell}`, ...one.problems.map((why) => `  - ${why}`)]),
    ...(problems.length > 0 ? [""] : []),
    `Stacks printed: ${stacks}.`,
    `Looked for the key in ${artefacts.join(", ")}: ${scan.bytes.toLocaleString("en")} bytes, ${scan.hits.length} hits.`,
    ...scan.hits.slice(0, 20).map((hit) => `  - ${hit}`),
    "",
    `cells: ${run} run, ${typed} refused until ${switchNames.takeOver}=1 was typed, ${failed} failed`,
  ].join("\n");
}

function tableOf(title: string, rows: readonly Tally[]): string {
  const cells = rows.map((row) => [
    row.name,
    ...verbs.map((verb) => figure(row, verb)),
    String(row.typed || ""),
  ]);
  return table([title, ...verbs, typedTitle], cells);
}

function figure(row: Tally, verb: Verb): string {
  const { run = 0, failed = 0 } = row.verbs[verb] ?? {};
  if (run === 0) return "";
  return `${run}${failed > 0 ? ` ${failed}!` : ""}`;
}

/** Runs cells for a proof: tells what is not right as it comes, and ends with the report, or the figures as JSON. @returns the report. */
export async function proved(matrix: MatrixOptions, json: boolean): Promise<string> {
  const started = Date.now();
  let failed = 0;
  let said = 0;
  const result = await runMatrix({
    ...matrix,
    onCell(one, done, all) {
      if (one.problems.length > 0) {
        failed += 1;
        process.stderr.write(`${titleOf(one)}\n${one.problems.map((problem) => `  ${problem}\n`).join("")}`);
      }
      if (Date.now() - said < 10_000 && done < all) return;
      said = Date.now();
      process.stderr.write(`${done} of ${all} cells, ${failed} not right, ${seconds(said - started)}\n`);
    },
  });
  const summary = summarise(result);
  const report = reportOf(summary);
  process.stdout.write(json ? `${JSON.stringify(summary, null, 2)}\n` : `${report}\n`);
  process.exitCode = isClean(summary) ? 0 : 1;
  return report;
}
