import { type Bed, type Cost, makeBed, type StateSize } from "./bed";
import { type BenchConsole, type Requests, startConsole } from "./console";
import { type OperationName, operations } from "./operations";
import type { SubjectName } from "./subjects";

/** One measured command. */
export interface Sample extends Cost {
  readonly subject: SubjectName;
  readonly operation: OperationName;
  /** Number of the run, from 0: samples of one run are pairs. */
  readonly run: number;
  readonly requests: Requests;
}

/** What a series measures. */
export interface SeriesPlan {
  readonly count: number;
  readonly runs: number;
  /** Whether the backend writes the state at each step, as Pulumi does unless it is told otherwise. */
  readonly checkpoints: boolean;
  /** How long the console waits before each answer. */
  readonly latencyMs: number;
  /** Who is measured. */
  readonly subjects: readonly SubjectName[];
}

/** The figures of a series. */
export interface Series extends SeriesPlan {
  readonly samples: readonly Sample[];
  readonly stateSizes: Readonly<Partial<Record<SubjectName, StateSize>>>;
}

/**
 * Measures operations for all subjects in turn, so that a machine whose speed drifts slows all. Tells of every command before it
 * runs. `measured`: names of the operations; each needs what those before it leave.
 */
export async function measureSeries(
  plan: SeriesPlan,
  tell: (text: string) => void,
  measured: readonly OperationName[] = operations.map(({ name }) => name),
): Promise<Series> {
  const console = await startConsole(plan.latencyMs);
  const samples: Sample[] = [];
  const stateSizes: Partial<Record<SubjectName, StateSize>> = {};
  try {
    for (let run = 0; run < plan.runs; run += 1) {
      // Whoever comes first finds a colder machine: they take turns.
      const order = inTurn(plan.subjects, run);
      samples.push(...(await measureRun(plan, { run, order, measured, console, stateSizes, tell })));
    }
  } finally {
    console.stop();
  }
  return { ...plan, samples, stateSizes };
}

interface Run {
  readonly run: number;
  readonly order: readonly SubjectName[];
  readonly measured: readonly OperationName[];
  readonly console: BenchConsole;
  readonly stateSizes: Partial<Record<SubjectName, StateSize>>;
  readonly tell: (text: string) => void;
}

async function measureRun(plan: SeriesPlan, context: Run): Promise<Sample[]> {
  const { run, order, measured, console, stateSizes, tell } = context;
  const samples: Sample[] = [];
  const beds: [SubjectName, Bed][] = [];
  await console.ask("empty");
  try {
    for (const subject of order) beds.push([subject, await makeBed({ ...plan, subject, console })]);
    for (const operation of operations.filter(({ name }) => measured.includes(name))) {
      for (const [subject, bed] of beds) {
        tell(`run ${run + 1}: ${operation.name}, ${subject}`);
        const cost = await bed.measure(operation);
        samples.push({
          ...cost,
          subject,
          operation: operation.name,
          run,
          requests: await console.ask("take"),
        });
        if (operation.name === "up of new") stateSizes[subject] = await bed.stateSize();
      }
    }
  } finally {
    for (const [, bed] of beds) await bed.remove();
  }
  return samples;
}

function inTurn<Item>(items: readonly Item[], turn: number): readonly Item[] {
  return turn % 2 === 0 ? items : items.toReversed();
}
