import type { Requests } from "./console";
import { type OperationName, operations } from "./operations";
import type { Sample, Series } from "./series";
import type { SubjectName } from "./subjects";

/** The middle of what several runs gave; undefined where nothing could be measured. */
export interface Middle {
  readonly seconds: number;
  readonly cpuSeconds: number | undefined;
  readonly hostPeakBytes: number | undefined;
  /** Of the process that runs the program. */
  readonly programCpuSeconds: number | undefined;
  readonly programPeakBytes: number | undefined;
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

/** What an operation cost a subject of a series: the middle of its runs. */
export function costOf({ samples }: Series, name: OperationName, subject: SubjectName): Middle {
  return middle(samples.filter((one) => one.operation === name && one.subject === subject));
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
    programCpuSeconds: median(samples.map(({ programCpuSeconds }) => programCpuSeconds)),
    programPeakBytes: median(samples.map(({ programPeakBytes }) => programPeakBytes)),
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

/** A figure that has to hold. */
export interface Verdict {
  readonly figure: string;
  readonly limit: string;
  readonly measured: string;
  readonly holds: boolean;
}

interface Limit {
  readonly figure: string;
  readonly limit: string;
  /** The limit for so many gates. */
  most(count: number): number;
  /** Undefined: nothing is promised of this series. */
  measure(series: Series): number | undefined;
  /** Decimal places. */
  readonly digits?: number;
}

const limits: readonly Limit[] = [
  ...operations.map(({ name }): Limit => {
    // With fewer gates, start-up weighs too much; with more, one run is too few.
    const measure = (series: Series) => (series.count === 1000 ? rowOf(name)(series)?.ratio : undefined);
    return { figure: `${name}: time / floor`, limit: "1.10", most: () => 1.1, measure, digits: 2 };
  }),
  requestLimit("no-op preview", ["reads", "writes"], "0", () => 0),
  requestLimit("up of new", ["writes"], "gates + 2", (count) => count + 2),
  requestLimit("up of new", ["reads"], "30", () => 30),
  requestLimit("refresh", ["reads", "writes"], "gates / 100 + 3", (count) => Math.ceil(count / 100) + 3),
  {
    figure: "update of all: memory of the program / floor",
    limit: "1.10",
    most: () => 1.1,
    measure(series) {
      const { ours, floor } = rowOf("update of all")(series) ?? {};
      return series.count < 1000 ? undefined : ratio(ours?.programPeakBytes, floor?.programPeakBytes);
    },
    digits: 2,
  },
  {
    figure: "state: bytes / floor",
    limit: "2.00",
    most: () => 2,
    measure: ({ stateSizes: { ours, floor } }) => ours && floor && ours.gate / floor.gate,
    digits: 2,
  },
];

function rowOf(name: OperationName): (series: Series) => Row | undefined {
  return (series) => rowsOf(series).find(({ operation }) => operation === name);
}

function requestLimit(
  name: OperationName,
  which: readonly (keyof Requests)[],
  limit: string,
  most: Limit["most"],
): Limit {
  const measure = (series: Series) =>
    which.reduce((sum, one) => sum + (rowOf(name)(series)?.requests[one] ?? Number.NaN), 0);
  return { figure: `${name}: ${which.length > 1 ? "requests" : which[0]}`, limit, most, measure };
}

/** Whether the figures that this package promises hold in a series; a slow network promises nothing. */
export function verdictsOf(series: Series): Verdict[] {
  if (series.latencyMs > 0) return [];
  return limits.flatMap(({ figure, limit, most, measure, digits = 0 }) => {
    const value = measure(series);
    if (value === undefined) return [];
    const places = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    const measured = value.toLocaleString("en", places);
    return [{ figure, limit: `≤ ${limit}`, measured, holds: value <= most(series.count) }];
  });
}
