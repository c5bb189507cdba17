import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeTree } from "../../scripts/process/atomic-folder";
import { lookups } from "../../src/provider/engine";
import type { Adapter } from "../laws/subject";
import { createPackedProject, type PackedProject } from "../support/packed-project";
import { type Around, type Cell, type CellResult, runCell, type Undisturbed, undisturbed } from "./cell";
import { faultRows } from "./faults";
import { probe, startHost, startNativeHost } from "./host";
import { drawRecipes } from "./recipes";
import { createScanner, matrixKey } from "./secrets";
import { type FaultSubject, subjects, type Verb } from "./subjects";

export interface MatrixOptions {
  /** Kinds by their class name; all when left out. */
  readonly kinds?: readonly string[];
  /** Faults whose name holds one of these texts; all when left out. */
  readonly faults?: readonly string[];
  /** How Pulumi reaches the provider. Default: dynamic, by Pulumi's own host. */
  readonly adapter?: Adapter;
  /** The first so many requests of a verb are met, each in a cell of its own. Default: 3. */
  readonly requests?: number;
  /** A fault comes so often in a row. Default: once and twice, in a cell each. */
  readonly inARow?: 1 | 2;
  /** Random answers instead of the faults: so many cells, each with one that decides the kind, the verb and the request. */
  readonly random?: { readonly count: number; readonly seed: number };
  /** Cells at the same time. Default: 48. */
  readonly atOnce?: number;
  readonly onCell?: (result: CellResult, done: number, all: number) => void;
}

/** A verb that makes no request, so that no fault can meet it. */
export interface Silent {
  readonly kind: string;
  readonly verb: Verb | "check and diff";
}

export type MatrixResult = Awaited<ReturnType<typeof runMatrix>>;

/** Most cells that one pair of hosts serves: each leaves a client behind in them. */
const cellsPerHost = 600;

/** Runs the matrix with the real dynamic-provider host, two processes at a time. */
export async function runMatrix(options: MatrixOptions = {}) {
  const project = await projectFor(options.adapter);
  const scanner = createScanner(matrixKey);
  /** Lines of the hosts' standard error that belong to a stack, or tell of another accident. */
  const stacks: string[] = [];
  const inHosts = async <T>(work: (around: Around) => Promise<T>): Promise<T> => {
    const start = options.adapter === "native" ? startNativeHost : startHost;
    const [first, second] = await Promise.all([start(project.folder), start(project.folder)]);
    try {
      return await work({ first, second, scanner });
    } finally {
      for (const host of [first, second]) {
        scanner.look("standard output", host.stdout());
        scanner.look("standard error", host.stderr());
        stacks.push(
          ...host
            .stderr()
            .split("\n")
            .filter((line) => /^\s+at |CHANGED PROTOTYPE|unhandled/i.test(line)),
        );
      }
      await Promise.all([first.stop(), second.stop()]);
    }
  };
  try {
    const results: CellResult[] = [];
    const runPart = (around: Around, { cells }: Plan) => {
      const part = cells.slice(results.length, results.length + cellsPerHost);
      return atOnce(options.atOnce ?? 48, part, async ([cell, expected]) => {
        const result = await runCell(around, cell, expected).catch((error: unknown) =>
          brokenCell(cell, error),
        );
        results.push(result);
        options.onCell?.(result, results.length, cells.length);
      });
    };
    const plan = await inHosts(async (around) => {
      const planned = await planCells(around, options);
      await runPart(around, planned);
      return planned;
    });
    while (results.length < plan.cells.length) await inHosts((around) => runPart(around, plan));
    return { results, silent: plan.silent, scan: scanner.result(), stacks };
  } finally {
    await project.remove();
  }
}

/** Where hosts run: the native plugin, which is in this process, needs no package. */
async function projectFor(adapter: Adapter | undefined): Promise<Pick<PackedProject, "folder" | "remove">> {
  if (adapter !== "native") return createPackedProject({ program: "", files: { "probe.cjs": probe } });
  const folder = await mkdtemp(path.join(tmpdir(), "feature-console-faults-"));
  return { folder, remove: () => removeTree(folder) };
}

function brokenCell(cell: Cell, error: unknown): CellResult {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { cell, problems: [`the cell itself broke: ${text}`], typed: false, said: [] };
}

type Planned = readonly [Cell, Undisturbed];

interface Plan {
  readonly cells: readonly Planned[];
  readonly silent: readonly Silent[];
}

async function planCells(around: Around, options: MatrixOptions): Promise<Plan> {
  const wanted = subjects.filter(({ kind }) => options.kinds?.includes(kind) ?? true);
  const silent: Silent[] = [];
  const cells =
    options.random === undefined
      ? await everyCell(around, wanted, options, silent)
      : await randomCells(around, wanted, options.random);
  // Those that wait longest come first, so that the others fill the time.
  cells.sort(([a], [b]) => waiting(b) - waiting(a));
  return {
    cells: cells.map(([cell, expected], at) => [{ ...cell, sameProcess: at % 4 === 3 }, expected] as const),
    silent,
  };
}

async function everyCell(
  around: Around,
  wanted: readonly FaultSubject[],
  options: MatrixOptions,
  silent: Silent[],
): Promise<Planned[]> {
  const cells: Planned[] = [];
  for (const subject of wanted) {
    for (const verb of Object.keys(subject.scenes) as Verb[]) {
      const expected = await undisturbed(around, subject, verb);
      if (expected.methods.length === 0) silent.push({ kind: subject.kind, verb });
      cells.push(...cellsOf(subject, verb, expected, options).map((cell) => [cell, expected] as const));
    }
    silent.push({ kind: subject.kind, verb: "check and diff" });
  }
  return cells;
}

async function randomCells(
  around: Around,
  wanted: readonly FaultSubject[],
  { count, seed }: NonNullable<MatrixOptions["random"]>,
): Promise<Planned[]> {
  const known = new Map<string, Undisturbed>();
  const cells: Planned[] = [];
  // Some verbs ask nothing: more are drawn than are needed.
  for (const wrong of drawRecipes(count * 3, seed)) {
    if (cells.length === count) break;
    const subject = wanted[wrong.kind % wanted.length] as FaultSubject;
    const isRead = lookups.some(
      ({ kind, routeName }) => kind === subject.definition.name && /^(get|list)$/.test(routeName),
    );
    const verbs = [
      ...(Object.keys(subject.scenes) as Verb[]),
      ...(isRead && subject.scenes.read ? (["look up"] as const) : []),
    ];
    const verb = verbs[wrong.verb % verbs.length] as Verb;
    const place = `${subject.kind} ${verb}`;
    const expected = known.get(place) ?? (await undisturbed(around, subject, verb));
    known.set(place, expected);
    if (expected.aboutObjects === 0) continue;
    const at = 1 + (wrong.request % expected.aboutObjects);
    const row = { name: wrong.way, form: {}, wrong };
    cells.push([{ subject, verb, row, at, times: 1, sameProcess: false }, expected]);
  }
  return cells;
}

const waiting = ({ row, times }: Cell): number => (row.timeoutMs === undefined ? 0 : 2) + times;

function cellsOf(
  subject: FaultSubject,
  verb: Verb,
  { methods }: Undisturbed,
  { faults, requests = 3, inARow }: MatrixOptions,
): Cell[] {
  const rows = faultRows.filter((row) => faults?.some((part) => row.name.includes(part)) ?? true);
  return rows.flatMap((row) => {
    const met = methods.filter((method) => row.method === undefined || row.method === method).length;
    const places = Array.from({ length: Math.min(met, requests) }, (_, index) => index + 1);
    const often = row.once ? [1] : inARow === undefined ? [1, 2] : [inARow];
    return places.flatMap((at) =>
      often.map((times): Cell => ({ subject, verb, row, at, times, sameProcess: false })),
    );
  });
}

async function atOnce<T>(many: number, items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: many }, worker));
}
