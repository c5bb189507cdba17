import { readFileSync } from "node:fs";
import path from "node:path";
import benchmarks from "../../spec/benchmarks.json";
import { managed } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { table, withPart } from "./markdown";

/** The page that compares, among what people write. */
export const comparisonFile = "docs/comparison.md";

const definitions = Object.values<ResourceDefinition>(managed);
const isAction = ({ lifecycle }: ResourceDefinition) => lifecycle.create.how === "run";
const actions = definitions.filter(isAction).length;
const kinds = definitions.length - actions;

/** That page as it has to be. */
export function comparisonText(root: string): string {
  const page = readFileSync(path.join(root, comparisonFile), "utf8");
  return replaced(
    withPart(page, { file: comparisonFile, part: "times" }, timesText()),
    /(?<=\| resource types \| )[^|]+(?= \|)/,
    `${kinds}, and ${actions} actions`,
  );
}

/** The README with the number of kinds beside the six that it names. */
export function readmeText(root: string): string {
  const page = readFileSync(path.join(root, "README.md"), "utf8");
  return replaced(page, /\d+(?= more resource types\])/, `${kinds - 6}`);
}

function replaced(page: string, figure: RegExp, text: string): string {
  if (!figure.test(page)) throw new Error(`No place of a page matches ${figure}.`);
  return page.replace(figure, text);
}

function timesText(): string {
  const late = { checkpoints: false, latencyMs: 50 };
  const preview = `${seconds("no-op preview", late)}, without a request; ${seconds("no-op preview", { subject: "floor" })} with a provider that does nothing`;
  const create = `${seconds("up of new", late)}, without checkpoints; ${seconds("up of new", { checkpoints: true })} with them on the file backend and without latency`;
  return table(
    ["situation", "Terraform provider 2.2.1", "this package"],
    [
      ["plan or preview of 1,000 with nothing to do", "44 s", preview],
      ["apply or up of 1,000 new gates", "131 s", create],
    ],
  );
}

/** The median of a command over 1,000 gates. */
function seconds(operation: string, { checkpoints = false, latencyMs = 0, subject = "ours" }): string {
  const series = benchmarks.series.find(
    (one) => one.count === 1000 && one.checkpoints === checkpoints && one.latencyMs === latencyMs,
  );
  const found = (series?.samples ?? [])
    .filter((one) => one.operation === operation && one.subject === subject)
    .map((one) => one.seconds)
    .sort((one, other) => one - other);
  const median = found[Math.floor((found.length - 1) / 2)];
  if (median === undefined) throw new Error(`spec/benchmarks.json has no "${operation}" of ${subject}.`);
  return `${Math.round(median)} s`;
}
