import { parse, View } from "vega";
import { type Config, compile, type TopLevelSpec } from "vega-lite";
import { operations } from "./operations.ts";
import type { Series } from "./series.ts";
import { isPlain, rowsOf } from "./summary.ts";

/** Grey and colours that can be read on white and on black. */
const grey = "#808890";
const colours = { ours: "#2f81f7", floor: "#c4751a" };

/** The plot for docs/benchmarks.svg: per operation, milliseconds per gate as the number of gates grows. */
export async function plotSvg(series: readonly Series[]): Promise<string> {
  const values = series.filter(isPlain).flatMap((one) =>
    rowsOf(one).flatMap(({ operation, ours, floor }) =>
      [
        { what: "this package", seconds: ours.seconds },
        { what: "floor", seconds: floor?.seconds },
      ].map(({ what, seconds }) => ({ operation, what, gates: one.count, seconds })),
    ),
  );
  const view = new View(parse(compile(specOf(values)).spec), { renderer: "none" });
  const svg = await view.toSVG();
  view.finalize();
  return `${svg}\n`;
}

const whatColours = { domain: ["this package", "floor"], range: [colours.ours, colours.floor] };
const decades = [0.1, 1, 10, 100, 1000];
const legendOf = { title: null, orient: "top" } as const;
const whatDashes = {
  domain: whatColours.domain,
  range: [
    [1, 0],
    [6, 4],
  ],
};

function specOf(values: readonly object[]): TopLevelSpec {
  return {
    data: { values: [...values] },
    title: { text: "Seconds of a whole command, by number of gates", anchor: "start", offset: 16 },
    facet: { field: "operation", type: "nominal", title: null, sort: operations.map(({ name }) => name) },
    columns: 3,
    spec: {
      width: 190,
      height: 140,
      mark: { type: "line", point: { size: 30 }, strokeWidth: 2 },
      encoding: {
        x: {
          field: "gates",
          type: "quantitative",
          scale: { type: "log" },
          axis: { values: ticksOf(values), format: "," },
        },
        y: { field: "seconds", type: "quantitative", scale: { type: "log" }, axis: { values: decades } },
        color: { field: "what", type: "nominal", scale: whatColours, legend: legendOf },
        strokeDash: { field: "what", type: "nominal", scale: whatDashes, legend: legendOf },
      },
    },
    background: "transparent",
    config: look,
  };
}

const look: Config = {
  font: "sans-serif",
  view: { stroke: grey, strokeOpacity: 0.4 },
  axis: {
    labelColor: grey,
    titleColor: grey,
    tickColor: grey,
    domainColor: grey,
    gridColor: grey,
    gridOpacity: 0.2,
  },
  header: { labelColor: grey, labelFontSize: 12, labelFontWeight: "bold" },
  legend: { labelColor: grey, labelFontSize: 12 },
  title: { color: grey, fontSize: 14 },
};

function ticksOf(values: readonly object[]): number[] {
  return [...new Set(values.map((value) => (value as { gates: number }).gates))];
}
