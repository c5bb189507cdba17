import type { Requests } from "./console";
import { type OperationName, operations } from "./operations";
import type { Sample, Series, SeriesPlan } from "./series";
import type { SubjectName } from "./subjects";

/** The middle of what several runs gave; undefined where nothing could be measured. */
export interface Middle {
  readonly seconds: number;
  readonly cpuSeconds: number | undefined;
  readonly hostPeakBytes: number | undefined;
}

/** One operation of a series. */
export interface Row {
  readonly operation: OperationName;
  readonly ours: Middle;
  readonly floor: Middle | undefined;
  /** Ours / floor, of the whole command: the middle of the ratios of pairs of one run. */
  readonly ratio: number | undefined;
  /** The same of processor time, the console's left out. */
  readonly cpuRatio: number | undefined;
  /** Like `ratio`, but to the provider that does nothing and has the same state. */
  readonly sameStateRatio: number | undefined;
  readonly requests: Requests;
}

/** The rows of a series, in the order of the operations. */
export function rowsOf({ samples }: Series): Row[] {
  return operations.map(({ name }) => {
    const own = samples.filter(({ operation }) => operation === name);
    const of = (subject: SubjectName) => own.filter((sample) => sample.subject === subject);
    const [ours, floor] = [of("ours"), of("floor")];
    const ratios = (others: readonly Sample[], figure: (sample: Sample) => number | undefined) =>
      median(ours.map((one) => ratio(figure(one), partner(others, one, figure))));
    return {
      operation: name,
      ours: middle(ours),
      floor: floor.length === 0 ? undefined : middle(floor),
      ratio: ratios(floor, ({ seconds }) => seconds),
      cpuRatio: ratios(floor, ({ cpuSeconds }) => cpuSeconds),
      sameStateRatio: ratios(of("same state"), ({ seconds }) => seconds),
      requests: ours.at(-1)?.requests ?? { reads: 0, writes: 0 },
    };
  });
}

/** The middle value; of an even number the mean of the two in the middle; undefined of none. */
function median(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined).sort((a, b) => a - b);
  const [low, high] = [known[Math.ceil(known.length / 2) - 1], known[Math.floor(known.length / 2)]];
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}

function middle(samples: readonly Sample[]): Middle {
  return {
    seconds: median(samples.map(({ seconds }) => seconds)) ?? Number.NaN,
    cpuSeconds: median(samples.map(({ cpuSeconds }) => cpuSeconds)),
    hostPeakBytes: median(samples.map(({ hostPeakBytes }) => hostPeakBytes)),
  };
}

function partner(
  others: readonly Sample[],
  { run }: Sample,
  figure: (sample: Sample) => number | undefined,
): number | undefined {
  const found = others.find((sample) => sample.run === run);
  return found === undefined ? undefined : figure(found);
}

function ratio(ours: number | undefined, floor: number | undefined): number | undefined {
  return ours === undefined || !floor ? undefined : ours / floor;
}

/** True for a series without checkpoints and with a console that answers at once. */
export function isPlain({ checkpoints, latencyMs }: SeriesPlan): boolean {
  return !checkpoints && latencyMs === 0;
}

/** A figure that has to hold. */
export interface Verdict {
  readonly figure: string;
  readonly limit: string;
  readonly measured: string;
  readonly holds: boolean;
}

/** Most that an operation of so many gates may take, as a multiple of the floor. With fewer, start-up weighs too much. */
const mostRatio = { gates: 1000, is: 1.1 };

/** Whether the figures that this package promises hold in a series; a slow network promises nothing. */
export function verdictsOf(series: Series): Verdict[] {
  if (series.latencyMs > 0) return [];
  const { count, stateSizes, checkpoints } = series;
  const rows = rowsOf(series);
  const requestsOf = (name: OperationName) =>
    rows.find(({ operation }) => operation === name)?.requests ?? { reads: Number.NaN, writes: Number.NaN };
  const backend = checkpoints ? ", checkpoints" : "";
  const at = (name: string) => `${name}, ${count.toLocaleString("en")} gates${backend}`;
  const atMost = (figure: string, measured: number, limit: number, digits = 0): Verdict => ({
    figure,
    limit: `≤ ${limit.toLocaleString("en", { minimumFractionDigits: digits })}`,
    measured: measured.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }),
    holds: measured <= limit,
  });
  const [preview, up, refresh] = (["no-op preview", "up of new", "refresh"] as const).map(requestsOf);
  const ratios = rows.flatMap(({ operation, ratio: measured }) =>
    measured === undefined || count !== mostRatio.gates
      ? []
      : [atMost(`${at(operation)}: time / floor`, measured, mostRatio.is, 2)],
  );
  const { ours, floor } = stateSizes;
  const state =
    ours === undefined || floor === undefined
      ? []
      : [atMost(`${at("state")}: bytes / floor`, ours.gate / floor.gate, 2, 2)];
  return [
    ...ratios,
    ...(preview ? [atMost(`${at("no-op preview")}: requests`, preview.reads + preview.writes, 0)] : []),
    ...(up ? [atMost(`${at("up of new")}: writes`, up.writes, count + 2)] : []),
    ...(up ? [atMost(`${at("up of new")}: reads`, up.reads, 30)] : []),
    ...(refresh
      ? [atMost(`${at("refresh")}: requests`, refresh.reads + refresh.writes, Math.ceil(count / 100) + 2)]
      : []),
    ...state,
  ];
}
