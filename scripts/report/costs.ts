import { existsSync, readFileSync } from "node:fs";

/** Seconds of processor time that a test file needs: those of its worker, and those of the processes that it starts. */
export interface FileCost {
  readonly file: string;
  readonly ownSeconds: number;
  readonly startedSeconds: number;
}

/** A run of the Pulumi CLI, in seconds on the clock. */
export interface CliRun {
  readonly cli: string;
  readonly seconds: number;
}

/** What the tests of a run cost. */
export interface Costs {
  readonly files: readonly FileCost[];
  readonly runs: readonly CliRun[];
}

/** A file that needs more is slow. */
const SLOW_SECONDS = 20;
/** CI refuses a slow file that is not listed from here on: a busy machine needs up to half as much again for the same work. */
const REFUSED_SECONDS = 30;
const SHOWN = 10;

/** Reads what the tests noted; nothing where they noted nothing. */
export function readCosts(file: string): Costs {
  const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  const entries = lines.map((line) => JSON.parse(line) as FileCost | CliRun);
  return {
    files: entries.filter((entry) => "file" in entry),
    runs: entries.filter((entry) => "cli" in entry),
  };
}

const total = ({ ownSeconds, startedSeconds }: FileCost) => ownSeconds + startedSeconds;

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

/**
 * The ten slowest files, and the cost of the CLI.
 * @param reasons why a file may be slow, by its path
 */
export function costLines({ files, runs }: Costs, reasons: Readonly<Record<string, string>>): string[] {
  if (files.length === 0) return [];
  const slowest = files.toSorted((one, other) => total(other) - total(one)).slice(0, SHOWN);
  const started = sum(files.map(({ startedSeconds }) => startedSeconds));
  return [
    "slowest files, in seconds of processor time:",
    ...slowest.map((cost) => {
      const note = total(cost) > SLOW_SECONDS ? `  ${reasons[cost.file] ?? "NOT LISTED"}` : "";
      return `  ${total(cost).toFixed(0).padStart(5)}  ${cost.file}${note}`;
    }),
    `all ${files.length} files: ${sum(files.map(total)).toFixed(0)} s, of them ${started.toFixed(0)} s in processes that they started`,
    `runs of the Pulumi CLI: ${runs.length}, ${sum(runs.map(({ seconds }) => seconds)).toFixed(0)} s on the clock (${countedBy(runs)})`,
  ];
}

function countedBy(runs: readonly CliRun[]): string {
  const counts = new Map<string, number>();
  for (const { cli } of runs) counts.set(cli, (counts.get(cli) ?? 0) + 1);
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([cli, count]) => `${count} ${cli}`)
    .join(", ");
}

/** One sentence for each file that CI refuses. */
export function slowComplaints({ files }: Costs, reasons: Readonly<Record<string, string>>): string[] {
  return files
    .filter((cost) => total(cost) > REFUSED_SECONDS && reasons[cost.file] === undefined)
    .map(
      (cost) =>
        `${cost.file} needs ${total(cost).toFixed(0)} s of processor time, more than ${SLOW_SECONDS}: make it a smaller sample, or add it to test/slow-files.json with its reason`,
    );
}
