import { type BenchOptions, runsOf } from "./options";
import type { SeriesPlan } from "./series";
import { nativeSubjects, subjects } from "./subjects";

/** Gates in the series of a real network, if there is a size as large. */
const networkCount = 1000;

/** With more, the checkpoints of the file backend alone take most of an hour; with as many, minutes. */
const mostWithCheckpoints = 1000;

/** Every series of a benchmark, the cheapest first. */
export function plansOf(options: BenchOptions): SeriesPlan[] {
  const { sizes, latencyMs } = options;
  const [smallest] = sizes;
  if (smallest === undefined) return [];
  const plan = (count: number, rest: Partial<SeriesPlan> = {}): SeriesPlan => ({
    count,
    runs: runsOf(options, count, rest.checkpoints === true),
    checkpoints: false,
    latencyMs: 0,
    subjects,
    ...rest,
  });
  if (options.native) {
    const count = sizes.at(-1) ?? smallest;
    return [plan(count, { runs: options.runs ?? 1, subjects: nativeSubjects })];
  }
  const network = sizes.filter((count) => count <= networkCount).at(-1) ?? smallest;
  return [
    ...sizes
      .filter((count) => count <= mostWithCheckpoints)
      .map((count) => plan(count, { checkpoints: true, subjects: ["ours", "floor"] })),
    ...sizes.map((count) => plan(count)),
    ...(latencyMs > 0 ? [plan(network, { latencyMs, runs: 1, subjects: ["ours"] })] : []),
  ];
}
