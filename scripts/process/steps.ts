import { seconds } from "./progress";

/** One step of a longer command. */
export interface Step {
  headline: string;
  /** An exit code; 0 means that the step passed. */
  work(): Promise<number>;
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
  let interrupted = false;
  const interrupt = () => {
    interrupted = true;
  };
  process.on("SIGINT", interrupt);
  const results: StepResult[] = [];
  for (const step of steps) {
    if (interrupted || (!options.keepGoing && results.some(({ passed }) => !passed))) break;
    results.push(await runStep(step));
  }
  process.off("SIGINT", interrupt);
  return results;
}

async function runStep({ headline, work }: Step): Promise<StepResult> {
  console.log(`\n== ${headline}`);
  const started = Date.now();
  const code = await work().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    return 1;
  });
  const result = { headline, passed: code === 0, milliseconds: Date.now() - started };
  console.log(`-- ${result.passed ? "done" : "failed"} in ${seconds(result.milliseconds)}`);
  return result;
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
