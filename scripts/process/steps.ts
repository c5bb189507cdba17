import { seconds } from "./progress";

/** Keeps what a step prints. */
export type Print = (text: string) => void;

/** One step of a longer command. */
export interface Step {
  headline: string;
  /** An exit code; 0 means that the step passed. What it gives to `print` appears whole, even where other steps run beside it. */
  work(print: Print): Promise<number>;
}

/** How one step went. */
export interface StepResult {
  headline: string;
  passed: boolean;
  milliseconds: number;
}

/**
 * Does steps one after the other, each under a headline and with its time. Ctrl-C ends the running step, which the
 * terminal tells it, and the steps after it are left out; the caller still gets to clean up.
 */
export async function runSteps(
  steps: readonly Step[],
  options: { keepGoing: boolean },
): Promise<StepResult[]> {
  return untilInterrupted(async (interrupted) => {
    const results: StepResult[] = [];
    for (const step of steps) {
      if (interrupted() || (!options.keepGoing && results.some(({ passed }) => !passed))) break;
      console.log(`\n== ${step.headline}`);
      results.push(await runStep(step, write));
    }
    return results;
  });
}

/** Steps one after the other; the lanes of a stage side by side. */
export type Stage = readonly (readonly Step[])[];

/**
 * Does stages one after the other. A step that runs beside others is printed whole when it ends. A failed step stops
 * none; Ctrl-C does as in `runSteps`. The results stand in the order of the stages.
 */
export async function runStages(stages: readonly Stage[], show: Print = write): Promise<StepResult[]> {
  return untilInterrupted(async (interrupted) => {
    const results = new Map<Step, StepResult>();
    const runLane = async (lane: readonly Step[]) => {
      for (const step of lane) if (!interrupted()) results.set(step, await runWhole(step, show));
    };
    for (const stage of stages) await Promise.all(stage.map(runLane));
    return stages.flat(2).flatMap((step) => results.get(step) ?? []);
  });
}

async function runWhole(step: Step, show: Print): Promise<StepResult> {
  let printed = `\n== ${step.headline}\n`;
  const keep = (text: string) => {
    printed += text;
  };
  const result = await runStep(step, keep);
  show(printed);
  return result;
}

async function runStep({ headline, work }: Step, print: Print): Promise<StepResult> {
  const started = Date.now();
  const code = await work(print).catch((error: unknown) => {
    print(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  });
  const result = { headline, passed: code === 0, milliseconds: Date.now() - started };
  print(`-- ${result.passed ? "done" : "failed"} in ${seconds(result.milliseconds)}\n`);
  return result;
}

async function untilInterrupted<Result>(work: (interrupted: () => boolean) => Promise<Result>) {
  let interrupted = false;
  const interrupt = () => {
    interrupted = true;
  };
  process.on("SIGINT", interrupt);
  try {
    return await work(() => interrupted);
  } finally {
    process.off("SIGINT", interrupt);
  }
}

function write(text: string): void {
  process.stdout.write(text);
}

/** One aligned line per step. */
export function stepTable(results: readonly StepResult[]): string {
  const width = Math.max(...results.map(({ headline }) => headline.length));
  return results
    .map(({ headline, passed, milliseconds }) => {
      return `  ${headline.padEnd(width)}  ${passed ? "ok    " : "FAILED"}  ${seconds(milliseconds).padStart(6)}`;
    })
    .join("\n");
}
