import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeTree } from "../../scripts/process/atomic-folder";
import type { Adapter } from "../laws/subject";
import { codeWith } from "../world/provider";
import {
  type Cell,
  type CellResult,
  runCell,
  type Surroundings,
  type Undisturbed,
  undisturbed,
} from "./cell";
import { faultRows, isStale } from "./faults";
import { createScanner, matrixKey, type ScanResult } from "./secrets";
import { type FaultSubject, subjects, type Verb } from "./subjects";

/** Which part of the matrix to run. */
export interface MatrixOptions {
  /** Kinds by their class name; all when left out. */
  readonly kinds?: readonly string[];
  /** Faults whose name holds one of these texts; all when left out. */
  readonly faults?: readonly string[];
  /** Who makes the faults. Default: the emulator. A proxy knows no stale reads: those rows are left out. */
  readonly by?: "emulator" | "proxy";
  /** How Pulumi reaches the provider. Default: dynamic. */
  readonly adapter?: Adapter;
  /** The first so many requests of a verb are met, each in a cell of its own. Default: 3. */
  readonly requests?: number;
  /** Cells at the same time. Default: 48. */
  readonly atOnce?: number;
  /** Told of every finished cell. */
  readonly onCell?: (result: CellResult, done: number, all: number) => void;
}

/** A verb that makes no request, so that no fault can meet it. */
export interface Silent {
  readonly kind: string;
  readonly verb: Verb | "check and diff";
}

/** What a matrix found. */
export interface MatrixResult {
  readonly results: readonly CellResult[];
  readonly silent: readonly Silent[];
  readonly scan: ScanResult;
  /** Reported lines that belong to a stack. */
  readonly stacks: readonly string[];
}

/** Runs the matrix. */
export async function runMatrix(options: MatrixOptions = {}): Promise<MatrixResult> {
  const folder = await mkdtemp(path.join(tmpdir(), "feature-console-faults-"));
  const scanner = createScanner(matrixKey);
  const stacks: string[] = [];
  const around: Surroundings = {
    ...{ code: codeWith([]), adapter: options.adapter ?? "dynamic", folder, scanner },
    onLine(line) {
      scanner.look("reported line", line);
      if (/^\s+at /m.test(line)) stacks.push(line);
    },
  };
  try {
    const { cells, silent } = await planCells(around, options);
    const results: CellResult[] = [];
    await atOnce(options.atOnce ?? 48, cells, async ([cell, expected]) => {
      const result = await runCell(around, cell, expected).catch((error: unknown) => brokenCell(cell, error));
      results.push(result);
      options.onCell?.(result, results.length, cells.length);
    });
    return { results, silent, scan: scanner.result(), stacks };
  } finally {
    await removeTree(folder);
  }
}

function brokenCell(cell: Cell, error: unknown): CellResult {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { cell, problems: [`the cell itself broke: ${text}`], typed: false };
}

type Planned = readonly [Cell, Undisturbed];

interface Plan {
  readonly cells: readonly Planned[];
  readonly silent: readonly Silent[];
}

async function planCells(around: Surroundings, options: MatrixOptions): Promise<Plan> {
  const wanted = subjects.filter(({ kind }) => options.kinds?.includes(kind) ?? true);
  const cells: Planned[] = [];
  const silent: Silent[] = [];
  for (const subject of wanted) {
    for (const verb of Object.keys(subject.scenes) as Verb[]) {
      const expected = await undisturbed(around, subject, verb);
      if (expected.methods.length === 0) silent.push({ kind: subject.kind, verb });
      cells.push(...cellsOf(subject, verb, expected, options).map((cell) => [cell, expected] as const));
    }
    silent.push({ kind: subject.kind, verb: "check and diff" });
  }
  // Those that wait longest come first, so that the others fill the time.
  cells.sort(([a], [b]) => waiting(b) - waiting(a));
  return {
    cells: cells.map(
      ([cell, expected], index) => [{ ...cell, sameProcess: index % 4 === 3 }, expected] as const,
    ),
    silent,
  };
}

const waiting = ({ row, times }: Cell): number => (row.timeoutMs === undefined ? 0 : 2) + times;

function cellsOf(
  subject: FaultSubject,
  verb: Verb,
  { methods }: Undisturbed,
  { faults, by = "emulator", requests = 3 }: MatrixOptions,
): Cell[] {
  const rows = faultRows.filter(
    (row) => (faults?.some((part) => row.name.includes(part)) ?? true) && !(by === "proxy" && isStale(row)),
  );
  return rows.flatMap((row) => {
    const met = methods.filter((method) => row.method === undefined || row.method === method).length;
    const places = Array.from({ length: Math.min(met, requests) }, (_, index) => index + 1);
    return places.flatMap((at) =>
      (row.once ? [1] : [1, 2]).map(
        (times): Cell => ({ subject, verb, row, at, times, by, sameProcess: false }),
      ),
    );
  });
}

/** Does some work for each item, so many at the same time. */
async function atOnce<T>(many: number, items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: many }, worker));
}
