import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { RunningEmulator } from "../../src/emulator";
import { yamlFile } from "../../src/tools/import/program/yaml-program";
import type { LanguageName } from "../../src/tools/import/program-language";
import { testKey } from "../emulator/desk";
import { quickStartUntyped } from "../support/pulumi-cli";
import { contentsOf } from "./console/contents";
import type { HeldKind } from "./console/history";
import { type MessyPlan, openMessyConsole } from "./console/messy-console";
import { openWorkshop, type Timed, type Workshop } from "./workshop";

/** A key that only reads, made at run time so that no text of the repository looks like one. */
export const readingKey: string = `${testKey}-that-reads`;

/** Stack that the objects are brought into. */
const stack = "proof";

/** What the command tells with `--json`. */
interface Told {
  readonly objects: number;
  readonly notExpressible: readonly Readonly<Record<"kind" | "name" | "path" | "why", string>>[];
  readonly leftOut: readonly Readonly<Record<"object" | "why", string>>[];
  readonly changes?: readonly unknown[];
}

/** The environment that leads to a console, with a key. */
export function settingsFor(url: string, key: string): Record<string, string> {
  return {
    FEATURE_CONSOLE_PROFILE: "custom",
    FEATURE_CONSOLE_BASE_URL: url,
    FEATURE_CONSOLE_API_KEY: key,
    FEATURE_CONSOLE_WRITES_PER_10S: "100000",
  };
}

/** Every kind that a program can hold, also those that an import reads on request only. */
function everythingOf(plan: MessyPlan): string[] {
  return ["--archived", "--kinds", Object.keys(plan.counts).join(",")];
}

/**
 * Imports a console with a key that reads only: its program compiles, is formatted, and the preview with which the import ends shows
 * nothing. Unless that is `enough`, goes once round: a quiet preview, an `up` without a write, a refresh, and one change in the code
 * that is one change in the preview.
 */
export async function proveRoundTrip(
  plan: MessyPlan,
  {
    language = "typescript",
    enough = false,
    onStep = () => undefined,
  }: { language?: LanguageName; enough?: boolean; onStep?: (text: string) => void } = {},
) {
  const emulator = await openMessyConsole(plan, { readOnlyKey: readingKey });
  // What is not measured starts faster: `compile` checks the types, by the faster of two compilers.
  const quickly = enough ? quickStartUntyped : {};
  const settings = { ...settingsFor(emulator.url, testKey), ...quickly };
  const workshop = await openWorkshop(settings, stack, language);
  const faults: string[] = [];
  const expect: Expect = (holds, fault) => void (holds || faults.push(fault()));
  try {
    onStep("import");
    const imported = await workshop.import(
      ["--stack", stack, "--json", "--language", language, ...everythingOf(plan)],
      { env: { FEATURE_CONSOLE_API_KEY: readingKey } },
    );
    const requests = countedRequests(emulator);
    const told = toldBy(imported);
    mustBeWhole(expect, imported, requests, await objectsOf(emulator, plan));
    onStep("compile");
    const compiled = await workshop.compile(enough ? "typescript-7" : "typescript");
    expect(compiled.code === 0, () => `compiler: ${JSON.stringify(compiled).slice(0, 3000)}`);
    if (language === "typescript") {
      const { code, stdout, stderr } = await workshop.badlyFormatted();
      expect(code === 0 && stdout === "", () => `the formatter: ${stdout}${stderr}`.slice(0, 2000));
    }
    const around = enough ? { preview: 0, up: 0 } : await goRound(workshop, emulator, told, expect, onStep);
    return {
      seconds: { import: imported.ms / 1000, ...around },
      ...{ requests, lines: linesIn(workshop.folder), peakBytes: imported.peakBytes, told, faults },
    };
  } finally {
    await workshop.remove();
    await emulator.close();
  }
}

type Expect = (holds: boolean, fault: () => string) => void;

/** An import that only reads, leaves nothing out without a word, and ends with a quiet preview. */
function mustBeWhole(expect: Expect, imported: Timed, requests: Requests, there: number): void {
  const { objects, leftOut, changes } = toldBy(imported);
  expect(imported.code === 0, () => `import ended with ${imported.code}: ${imported.stderr.slice(-2000)}`);
  expect(
    objects + leftOut.length === there,
    () => `${there} objects are there, and it speaks of ${objects} and leaves out ${leftOut.length}`,
  );
  const isReading = Object.keys(requests).every((one) => one.startsWith("GET "));
  expect(isReading, () => `it wrote: ${JSON.stringify(requests)}`);
  expect(changes?.length === 0, () => `its preview shows ${JSON.stringify(changes)?.slice(0, 3000)}`);
}

async function goRound(
  workshop: Workshop,
  emulator: RunningEmulator,
  { objects }: Told,
  expect: Expect,
  onStep: (text: string) => void,
) {
  onStep("preview");
  const started = performance.now();
  const preview = await workshop.preview();
  expect(isQuiet(preview.changeSummary, objects), () => `preview: ${objects} objects, ${summaryOf(preview)}`);
  onStep("up");
  emulator.clearRequests();
  const previewed = performance.now();
  const { code, errors } = await workshop.up();
  const updated = performance.now();
  const writes = emulator.requests.filter(({ method }) => method !== "GET");
  expect(code === 0, () => `up ended with ${code}: ${errors.join("\n").slice(0, 2000)}`);
  expect(writes.length === 0, () => `up wrote: ${JSON.stringify(writes.slice(0, 20))}`);
  onStep("refresh");
  const refreshed = await workshop.preview("--refresh");
  expect(isQuiet(refreshed.changeSummary, objects), () => `preview after a refresh: ${summaryOf(refreshed)}`);
  onStep("one change");
  const edited = changeOneShare(workshop.folder);
  const after = await workshop.preview();
  expect(edited !== undefined, () => "there is no share to change");
  expect(
    after.changeSummary.update === 1 && changesIn(after.changeSummary) === 1,
    () => `one share changed in ${edited}: ${summaryOf(after)}`,
  );
  onStep("up of the change");
  const before = leavesOf(await contentsOf(emulator));
  const changed = await workshop.up();
  const now = leavesOf(await contentsOf(emulator));
  const leaves = [...new Set([...before.keys(), ...now.keys()])].filter(
    (place) => before.get(place) !== now.get(place),
  );
  const [first = ""] = leaves;
  const isOne = leaves.length === 1 && /passPercentage$/i.test(first) && now.get(first) === 13.5;
  expect(changed.code === 0 && isOne, () => `up of one share: ${changed.errors.join()} ${leaves.join()}`);
  return { preview: (previewed - started) / 1000, up: (updated - previewed) / 1000 };
}

/** Every plain value of a console by its path, without what tells of the last change, and ids of rules, which the console draws anew. */
function leavesOf(value: unknown, place = "", found = new Map<string, unknown>()): Map<string, unknown> {
  if (value instanceof Map) for (const [name, one] of value) leavesOf(one, `${place}.${name}`, found);
  else if (typeof value === "object" && value !== null)
    for (const [name, one] of Object.entries(value)) leavesOf(one, `${place}.${name}`, found);
  else if (!/lastModif|\.version$|update|\.rules\.\d+\.id$/i.test(place)) found.set(place, value);
  return found;
}

/** What a run told; nothing where it did not come to its end. */
export function toldBy({ stdout }: Pick<Timed, "stdout">): Told {
  return stdout.trimStart().startsWith("{")
    ? (JSON.parse(stdout) as Told)
    : { objects: 0, notExpressible: [], leftOut: [] };
}

type Requests = Readonly<Record<string, number>>;

/** Requests since the last look, by method and route, such as `GET gate.list`. */
export function countedRequests(emulator: Pick<RunningEmulator, "requests">): Requests {
  const counts = new Map<string, number>();
  for (const { method, kind, route, path: asked } of emulator.requests) {
    const name = `${method} ${kind === undefined ? asked : `${kind}.${route ?? ""}`}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a));
}

/** Objects that a program could hold: those of the console, and the overrides that somebody has made. */
async function objectsOf(emulator: RunningEmulator, plan: MessyPlan): Promise<number> {
  const contents = await contentsOf(emulator);
  const sizes = Object.values(contents).reduce((sum, of) => sum + of.size, 0);
  const parts: HeldKind[] = ["gateOverrides", "holdoutOverrides", "experimentOverrides", "layerOverrides"];
  return parts.reduce((sum, kind) => sum + (plan.counts[kind] ?? 0), sizes);
}

/** True where nothing changes and every object is there. The stack itself and the default provider are resources too. */
function isQuiet(summary: Readonly<Record<string, number>>, objects: number): boolean {
  return changesIn(summary) === 0 && (summary.same ?? 0) >= objects;
}

const isChange = (op: string): boolean => !["same", "read", "refresh"].includes(op);

function changesIn(summary: Readonly<Record<string, number>>): number {
  return Object.entries(summary).reduce((sum, [op, count]) => sum + (isChange(op) ? count : 0), 0);
}

function summaryOf({ changeSummary, errors, steps }: Awaited<ReturnType<Workshop["preview"]>>): string {
  const lines = steps
    .filter(({ op }) => isChange(op))
    .map(
      ({ op, urn, diffReasons, detailedDiff }) =>
        `${op} ${urn.split("::").slice(2).join("::")} ${Object.keys(detailedDiff ?? {}).join(", ") || (diffReasons ?? []).join(", ")}`,
    );
  return [JSON.stringify(changeSummary), ...lines.slice(0, 60), ...errors.slice(0, 20)]
    .join("\n    ")
    .slice(0, 6000);
}

/** A share of a rule in each language. */
const share = /(?<what>pass_?[pP]ercentage(?:: |=|: pulumi\.Float64\())12\.5(?=[,)]|$)/im;

/** Changes the first share that is 12.5, in TypeScript that of a gate; returns the file. */
function changeOneShare(folder: string): string | undefined {
  const file = programIn(folder).find((one) => {
    const text = readFileSync(path.join(folder, one), "utf8");
    return (one.startsWith("gates") || !one.endsWith(".ts")) && share.test(text);
  });
  if (file === undefined) return undefined;
  const text = readFileSync(path.join(folder, file), "utf8");
  writeFileSync(path.join(folder, file), text.replace(share, "$<what>13.5"));
  return file;
}

export function programIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".ts") || [yamlFile, "__main__.py", "main.go"].includes(name))
    .sort();
}

function linesIn(folder: string): number {
  return programIn(folder).reduce(
    (sum, file) => sum + readFileSync(path.join(folder, file), "utf8").split("\n").length - 1,
    0,
  );
}

export function proofLines(what: string, proof: Awaited<ReturnType<typeof proveRoundTrip>>): string[] {
  const { seconds, requests, lines, peakBytes, told, faults } = proof;
  const times = Object.entries(seconds).map(([step, one]) => `${step} ${one.toFixed(1)} s`);
  const routes = Object.entries(requests).map(([route, count]) => `${route} ${count}`);
  return [
    `${what}: ${told.objects} in the program, ${told.leftOut.length} left out, ${told.notExpressible.length} places unsaid`,
    `${times.join(", ")}; ${lines} lines; most memory of the import: ${megabytes(peakBytes)}`,
    `${sumOf(requests)} requests: ${routes.join(", ")}`,
    ...told.leftOut.map(({ object, why }) => `left out: ${object}: ${why}`),
    ...told.notExpressible.map(({ kind, name, path, why }) => `unsaid: ${kind} "${name}" ${path}: ${why}`),
    ...faults.map((fault) => `FAULT: ${fault}`),
    faults.length === 0 ? "Everything holds." : `${faults.length} faults.`,
  ];
}

export const megabytes = (bytes: number | undefined): string =>
  bytes === undefined ? "unknown" : `${Math.round(bytes / 2 ** 20)} MB`;

export const sumOf = (counts: Requests): number => Object.values(counts).reduce((sum, one) => sum + one, 0);
