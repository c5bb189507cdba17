import { operations } from "./operations";
import type { Series } from "./series";
import type { nativeSubjects } from "./subjects";
import { costOf, type Middle } from "./summary";

type NativeSubject = (typeof nativeSubjects)[number];

/** The most that the plugin may take, as a ratio to the plugin that does nothing. */
const mostOfFloor = 1.15;

/** The most that these operations may take, as a ratio to the dynamic provider. */
const mostOfDynamic = { refresh: 0.5, destroy: 0.5 } as const;

/** How the native plugin compares in a series of {@link nativeSubjects}. A ratio above what was wanted is bold. */
export function nativeReportText(series: Series): string {
  const bytes = (subject: NativeSubject) => series.stateSizes[subject]?.gate.toLocaleString("en");
  return [
    `${series.count.toLocaleString("en")} gates, without checkpoints, ${series.runs} run(s); seconds of whole commands.`,
    table(series, ({ seconds }) => seconds),
    "Seconds of processor time of the CLI and all that it starts, which the load of a machine moves less:",
    table(series, ({ cpuSeconds = Number.NaN }) => cpuSeconds),
    `A plugin is to take at most ${mostOfFloor} of its floor, and a refresh and a destroy at most half of the dynamic provider's. State: ${bytes("ours")} bytes a gate dynamic, ${bytes("native")} native, ${bytes("native floor")} the floor.`,
  ].join("\n\n");
}

function table(series: Series, figure: (cost: Middle) => number): string {
  const rows = operations.map(({ name }) => {
    const of = (subject: NativeSubject) => figure(costOf(series, name, subject));
    const most: number | undefined = (mostOfDynamic as Record<string, number>)[name];
    return [
      name,
      ...[decimal(of("ours")), decimal(of("native")), ratio(of("native"), of("ours"), most)],
      ...[decimal(of("native floor")), ratio(of("native"), of("native floor"), mostOfFloor)],
      ...[decimal(of("yaml")), decimal(of("yaml floor")), ratio(of("yaml"), of("yaml floor"), mostOfFloor)],
      ...[decimal(of("yaml same state")), ratio(of("yaml"), of("yaml same state"))],
    ];
  });
  const names = [
    "operation",
    "dynamic",
    "native",
    "/ dynamic",
    "floor",
    "/ floor",
    "YAML",
    "floor",
    "/ floor",
    "same state",
    "/ same state",
  ];
  return [names, ["---", ...names.slice(1).map(() => "---:")], ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

function decimal(value: number): string {
  return value.toFixed(2);
}

function ratio(value: number, other: number, most = Number.POSITIVE_INFINITY): string {
  const text = decimal(value / other);
  return value / other <= most ? text : `**${text}**`;
}
