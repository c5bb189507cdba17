import { table } from "../../scripts/generate/markdown";
import { switchNames } from "../../src/provider/pulumi/provider-settings";
import type { CellResult } from "./cell";
import { faultRows } from "./faults";
import type { MatrixResult } from "./matrix";
import { ways } from "./recipes";
import type { Verb } from "./subjects";

/** A matrix as figures: what a report and `--json` are made of. */
export interface Summary {
  readonly run: number;
  readonly failed: number;
  /** Cells that were refused until FEATURE_CONSOLE_TAKE_OVER=1 was typed, and came right then. */
  readonly typed: number;
  readonly byFault: readonly Tally[];
  readonly byKind: readonly Tally[];
  readonly problems: readonly { readonly cell: string; readonly problems: readonly string[] }[];
  readonly silent: readonly string[];
  readonly scan: MatrixResult["scan"];
  readonly stacks: number;
}

/** A row of figures. */
export interface Tally {
  readonly name: string;
  readonly typed: number;
  readonly verbs: Readonly<Partial<Record<Verb, { readonly run: number; readonly failed: number }>>>;
}

const typedTitle = "typed";

/** Why such cells exist. */
const whyTyped =
  "Such a create was answered that its key is taken, and nothing the console shows tells whether its own double on the way took it " +
  "or another stack, a moment before: the run and the next one refuse, change nothing, and name the switch.";

const verbs: readonly Verb[] = ["create", "read", "update", "delete", "purge", "look up"];

/** Counts what a matrix found. */
export function summarise({ results, silent, scan, stacks }: MatrixResult): Summary {
  const failed = results.filter(({ problems }) => problems.length > 0);
  const met = new Set(results.map(({ cell }) => cell.row.name));
  const faults = [...faultRows.map(({ name }) => name), ...ways].filter((name) => met.has(name));
  const kinds = [...new Set(results.map(({ cell }) => cell.subject.kind))].sort();
  return {
    run: results.length,
    failed: failed.length,
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

function tally(name: string, results: readonly CellResult[]): Tally {
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

/** Which cell it is, in words. */
export function titleOf(one: CellResult): string {
  const { at, times, sameProcess } = one.cell;
  return `${placeOf(one)}: request ${at}, ${times} in a row${sameProcess ? ", same process" : ""}`;
}

/** True when nothing failed, nothing leaked and no stack was printed. */
export function isClean({ failed, scan, stacks, run }: Summary): boolean {
  return run > 0 && failed === 0 && scan.hits.length === 0 && stacks === 0;
}

/** The report as Markdown; its last line is the count. */
export function reportOf(summary: Summary): string {
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
    ...problems.flatMap((one) => [
      `- FAILED ${one.cell}`,
      ...one.problems.map((problem) => `  - ${problem}`),
    ]),
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
