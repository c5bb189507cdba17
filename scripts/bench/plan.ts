import { type BenchOptions, runsOf } from "./options";
import type { SeriesPlan } from "./series";

/** Gates in the series of a real network, if there is a size as large. */
const networkCount = 1000;

/** Every series of a benchmark, the cheapest first. */
export function plansOf(options: BenchOptions): SeriesPlan[] {
  const { sizes, latencyMs } = options;
  const [smallest] = sizes;
  if (smallest === undefined) return [];
  const plan = (count: number, rest: Partial<SeriesPlan> = {}): SeriesPlan => ({
    count,
    runs: runsOf(options, count),
    checkpoints: false,
    latencyMs: 0,
    ...rest,
  });
  const network = sizes.filter((count) => count <= networkCount).at(-1) ?? smallest;
  return [
    // The backend rewrites the whole state at each checkpoint: with thousands of gates that alone takes most of an hour.
    plan(smallest, { checkpoints: true }),
    ...sizes.map((count) => plan(count)),
    ...(latencyMs > 0 ? [plan(network, { latencyMs, runs: 1 })] : []),
  ];
}
