import { parseArgs } from "node:util";

/** What a benchmark is to do. */
export interface BenchOptions {
  /** Numbers of gates, smallest first. */
  readonly sizes: readonly number[];
  /** How often each size is measured; left out: as often as {@link runsOf} says. */
  readonly runs: number | undefined;
  /** Milliseconds that the console waits in the series of a real network; 0: without that series. */
  readonly latencyMs: number;
  /** Compare the adapters: one run of the largest number, without checkpoints. */
  readonly native: boolean;
  /** File for all that was measured, written anew after each series. */
  readonly json: string | undefined;
  /** Keep what was measured, and the page made of it, in docs/. */
  readonly write: boolean;
  /** Make the page anew of what was kept, without measuring. */
  readonly render: boolean;
}

/** How to call it. */
export const usage = `npm run prove -- bench [options]

Measures whole commands of the Pulumi CLI with this package, against a dynamic provider that does nothing.

  --n LIST        Numbers of gates. Default: 100,1000,5000
  --runs K        How often each is measured. Default: 3 up to 1,000 gates, then 1; 1 at 1,000 with checkpoints
  --latency MS    Also measure with a console that waits so long, at 1,000 gates or the largest number below.
                  0: do not. Default: 50
  --native        Measure the native plugin, from TypeScript and from YAML, against the dynamic provider and a plugin that does
                  nothing, instead of all else: once, with the largest number, without checkpoints
  --json FILE     Keep all that was measured, each sample of each run, written anew after each series
  --write         Keep it as spec/benchmarks.json, and the page made of it as spec/benchmarks.md
  --render        Make that page anew of spec/benchmarks.json, without measuring
`;

/** Reads the options. @throws Error that says what is wrong. */
export function readOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      n: { type: "string", default: "100,1000,5000" },
      runs: { type: "string" },
      latency: { type: "string", default: "50" },
      native: { type: "boolean", default: false },
      json: { type: "string" },
      write: { type: "boolean", default: false },
      render: { type: "boolean", default: false },
    },
  });
  const sizes = values.n.split(",").map((text) => wholeNumber("n", text, 1));
  return {
    sizes: [...new Set(sizes)].sort((a, b) => a - b),
    runs: values.runs === undefined ? undefined : wholeNumber("runs", values.runs, 1),
    latencyMs: wholeNumber("latency", values.latency, 0),
    native: values.native,
    json: values.json,
    write: values.write,
    render: values.render,
  };
}

/** How often a size is measured when nothing is said: the smaller, the noisier and the cheaper. */
export function runsOf({ runs }: BenchOptions, size: number, checkpoints: boolean): number {
  return runs ?? (size < 1000 || (size === 1000 && !checkpoints) ? 3 : 1);
}

function wholeNumber(option: string, text: string, least: number): number {
  const number = Number(text);
  if (text.trim() !== "" && Number.isInteger(number) && number >= least) return number;
  throw new Error(`--${option} takes whole numbers from ${least}, not "${text}"`);
}
