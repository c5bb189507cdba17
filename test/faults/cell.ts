import { createEmulator, type Emulator, type Fault, startEmulator } from "../../src/emulator";
import { type ConsoleClient, createClient } from "../../src/provider/client";
import { createRouteClient } from "../../src/provider/client/client";
import { httpTransport, type Transport } from "../../src/provider/client/transport";
import { switchNames } from "../../src/provider/pulumi/provider-settings";
import { equalJson, type JsonObject, stableText } from "../../src/provider/schema/json";
import type { Adapter } from "../laws/subject";
import { startFaultProxy } from "../support/fault-proxy";
import { hurriedClock } from "../support/in-process";
import { CliRun } from "../world/cli-run";
import { contentsOf, differencesOf, linesOf } from "../world/contents";
import { type Declared, declared, type Held } from "../world/programs";
import type { ProviderCode } from "../world/provider";
import type { Run } from "../world/steps";
import { type FaultRow, isStale } from "./faults";
import { matrixKey, type Scanner } from "./secrets";
import type { FaultSubject, Scene, Verb } from "./subjects";

/** One cell: a fault that meets the `at`-th request of a verb, `times` times in a row. */
export interface Cell {
  readonly subject: FaultSubject;
  readonly verb: Verb;
  readonly row: FaultRow;
  readonly at: number;
  readonly times: number;
  /** Who makes the fault. */
  readonly by: "emulator" | "proxy";
  /** The next up runs in the same process, with what it remembers. */
  readonly sameProcess: boolean;
}

/** How a verb goes when nothing goes wrong: what it asks, and what the console is like afterwards. */
export interface Undisturbed {
  readonly methods: readonly string[];
  readonly picture: readonly string[];
}

/** What all cells share. */
export interface Surroundings {
  readonly code: ProviderCode;
  readonly adapter: Adapter;
  /** Folders of the projects are made in it. */
  readonly folder: string;
  readonly scanner: Scanner;
  /** Told of each line that a run reports. */
  readonly onLine: (line: string) => void;
}

/** What came of a cell. No problems: it passed. */
export interface CellResult {
  readonly cell: Cell;
  readonly problems: readonly string[];
  /** The next up was refused and changed nothing, until FEATURE_CONSOLE_TAKE_OVER=1 was typed. */
  readonly typed: boolean;
}

/** A console of a cell's own, and the runs that reach it. */
interface World {
  readonly emulator: Emulator;
  /** The second door: straight into the console, past provider and proxy. */
  picture(): Promise<readonly string[]>;
  /** Makes faults. */
  readonly faults: Pick<Emulator, "addFaults" | "clearFaults">;
  /** Methods of the requests so far. */
  readonly methods: readonly string[];
  /** Begins a run of the CLI: another process. */
  run(settings?: { readonly timeoutMs?: number; readonly takesOver?: true }): CliRun;
}

const stack = "dev";

/** Runs a verb without any fault. */
export function undisturbed(around: Surroundings, subject: FaultSubject, verb: Verb): Promise<Undisturbed> {
  return inWorld(around, { subject, by: "emulator", faults: [] }, async (world, beside) => {
    const scene = sceneOf(subject, verb, beside);
    const before = await prepared(world, subject, scene);
    const from = world.methods.length;
    const { error } = await perform(world.run(), verb, before, subject, scene);
    if (error !== undefined) throw new Error(error);
    return { methods: world.methods.slice(from), picture: await world.picture() };
  });
}

/** Runs a cell: the verb with its fault, at most one more up, and a look at everything. */
export function runCell(around: Surroundings, cell: Cell, expected: Undisturbed): Promise<CellResult> {
  const { subject, verb, row, by } = cell;
  // The former world is kept only while a stale read is planned, and it is wanted from the first write on.
  const never: Fault[] = isStale(row) ? [{ stale: true, path: "/never-asked", times: 1 }] : [];
  return inWorld(around, { subject, by, faults: never }, async (world, beside) => {
    const scene = sceneOf(subject, verb, beside);
    const before = await prepared(world, subject, scene);
    const faulted = world.run(row.timeoutMs === undefined ? {} : { timeoutMs: row.timeoutMs });
    world.faults.addFaults(faultsOf(cell, expected));
    const met = await perform(faulted, verb, before, subject, scene);
    world.faults.clearFaults();
    const problems = met.error === undefined ? [] : unreadable(met.error, verb);
    problems.push(...replacedIn(met));
    const next = cell.sameProcess ? faulted : world.run();
    const { settled, typed } = await nextUp(world, cell, next, { met, scene, problems });
    problems.push(...differencesOf(expected.picture, await world.picture()));
    await confirm(world.run(), settled, programOf(subject, scene.after), problems);
    for (const { state, error } of [met, settled]) {
      around.scanner.look("state", JSON.stringify(state));
      if (error !== undefined) around.scanner.look("error", error);
    }
    return { cell, problems, typed };
  });
}

function faultsOf({ row, at, times }: Cell, { methods }: Undisturbed): Fault[] {
  const first = { ...row.form, after: at - 1, times } as Fault;
  // What the first fault lets pass comes to the second one.
  const reads = methods.slice(0, at - 1).filter((method) => method === "GET").length;
  return row.next === undefined ? [first] : [first, { ...row.next, after: reads, times: 1 } as Fault];
}

function sceneOf(subject: FaultSubject, verb: Verb, beside: JsonObject): Scene {
  const scene = subject.scenes[verb];
  if (scene === undefined) throw new Error(`${subject.kind} has no ${verb}`);
  return scene(beside);
}

const programOf = ({ definition }: FaultSubject, all: readonly JsonObject[]): readonly Declared[] =>
  all.map((args, at) => declared(definition.name, `resource_${at}`, args));

/** How many worlds there were. */
let worlds = 0;

async function inWorld<T>(
  around: Surroundings,
  { subject, by, faults }: Pick<Cell, "subject" | "by"> & { readonly faults: readonly Fault[] },
  work: (world: World, beside: JsonObject) => Promise<T>,
): Promise<T> {
  worlds += 1;
  const folder = `${around.folder}/world-${worlds}`;
  const clock = hurriedClock();
  // The same project in each world, so that what two consoles have at the end can be compared.
  const seed = { projects: [{ id: "shop" }], ...subject.definition.samples.beside };
  const people = subject.byPersons === true ? persons : {};
  const options = { profile: "custom", key: matrixKey, people, seed, faults, clock: clock.now } as const;
  const [emulator, proxy] = await (by === "proxy" ? behindProxy(options) : [createEmulator(options)]);
  const methods: string[] = [];
  const transport = noting(proxy?.transport ?? emulator.transport, (method, text) => {
    methods.push(method);
    around.scanner.look("request", text);
  });
  const runs: CliRun[] = [];
  const settings = { ...rawSettings, baseUrl: proxy?.url ?? "https://console.test" };
  try {
    const [raw, other] = [matrixKey, otherKey].map((apiKey) =>
      createClient({ ...settings, apiKey }, { transport: emulator.transport }),
    ) as [ConsoleClient, ConsoleClient];
    const world: World = {
      ...{ emulator, methods, faults: proxy ?? emulator },
      picture: async () =>
        linesOf(await contentsOf(createRouteClient(settings, { transport: emulator.transport }))),
      run({ timeoutMs, takesOver } = {}) {
        const environment = {
          ...environmentFor(settings.baseUrl),
          ...(timeoutMs === undefined ? {} : { FEATURE_CONSOLE_REQUEST_TIMEOUT_MS: String(timeoutMs) }),
          ...(takesOver ? { [switchNames.takeOver]: "1" } : {}),
        };
        const { code, adapter } = around;
        const run = new CliRun({ code, adapter, stack, folder, environment, transport, ...clock });
        runs.push(run);
        return run;
      },
    };
    return await work(world, await subject.prepare(raw, other));
  } finally {
    for (const line of runs.flatMap(({ lines }) => lines)) around.onLine(line);
    await proxy?.close();
    await emulator.close();
  }
}

async function behindProxy(options: Parameters<typeof startEmulator>[0]) {
  const emulator = await startEmulator(options);
  const proxy = await startFaultProxy(emulator.url);
  return [emulator, { ...proxy, transport: httpTransport(8) }] as const;
}

function noting(transport: Transport, note: (method: string, text: string) => void): Transport {
  return {
    send(request) {
      note(request.method, `${request.url}\n${request.body ?? ""}`);
      return transport.send(request);
    },
  };
}

const otherKey = ["other", "person"].join("-");
const persons = { [matrixKey]: "matrix@example.com", [otherKey]: "other@example.com" };

const rawSettings = {
  profile: "custom",
  apiKey: matrixKey,
  writesPer10s: 100_000,
  writesPer15min: 100_000,
} as const;

const environmentFor = (url: string) => ({
  FEATURE_CONSOLE_PROFILE: "custom",
  FEATURE_CONSOLE_BASE_URL: url,
  FEATURE_CONSOLE_API_KEY: matrixKey,
  FEATURE_CONSOLE_WRITES_PER_10S: "100000",
  FEATURE_CONSOLE_WRITES_PER_15MIN: "100000",
});

/** What the program has before the verb, made by an earlier run. */
async function prepared(world: World, subject: FaultSubject, { before }: Scene): Promise<readonly Held[]> {
  const { state, error } = await up(world.run(), [], programOf(subject, before));
  if (error !== undefined) throw new Error(`preparation: ${error}`);
  return state;
}

const up = (run: CliRun, state: readonly Held[], program: readonly Declared[], preview = false) =>
  run.play(state, (engine) => engine.up(program, { refresh: false, replace: [] }), { preview });

function perform(
  run: CliRun,
  verb: Verb,
  state: readonly Held[],
  subject: FaultSubject,
  { after }: Scene,
): Promise<Run> {
  if (verb === "create" || verb === "update") return up(run, state, programOf(subject, after));
  return run.play(state, (engine) => (verb === "read" ? engine.refresh() : engine.destroy()));
}

/** What the next up works with: how the verb went, and where problems are noted. */
interface Met {
  readonly met: Run;
  readonly scene: Scene;
  readonly problems: string[];
}

/** One more up, or destroy; and where that may be refused and is, another one with the switch that the refusal names. */
async function nextUp(
  world: World,
  { subject, verb, row }: Cell,
  run: CliRun,
  { met, scene, problems }: Met,
): Promise<{ settled: Run; typed: boolean }> {
  const program = programOf(subject, scene.after);
  const left = row.undecidable === true ? await world.picture() : [];
  const settled = await up(run, met.state, program);
  problems.push(...replacedIn(settled));
  // A stale read is believed: what it hides, the next up puts right.
  const isQuiet = met.error === undefined && !(isStale(row) && verb === "read");
  const undone = settled.steps.filter(({ op }) => op !== "same");
  if (isQuiet) problems.push(...undone.map(({ op }) => `succeeded, and the next up still has to ${op}`));
  const { error } = settled;
  if (error === undefined) return { settled, typed: false };
  if (row.undecidable !== true || !error.includes(`${switchNames.takeOver}=1`)) {
    problems.push(`the next run fails too: ${error}`);
    return { settled, typed: false };
  }
  problems.push(...unreadable(error));
  const changed = differencesOf(left, await world.picture());
  problems.push(...changed.map((one) => `the next run was refused, and yet ${one}`));
  const taken = await up(world.run({ takesOver: true }), settled.state, program);
  if (taken.error !== undefined) problems.push(`typed, it fails too: ${taken.error}`);
  return { settled: taken, typed: true };
}

const replacedIn = ({ steps }: Run): string[] =>
  steps.filter(({ op }) => op === "replace").map(({ name }) => `${name} was replaced`);

/** State true: a fresh read equals it, and a preview is quiet. */
async function confirm(
  run: CliRun,
  { state }: Run,
  program: readonly Declared[],
  problems: string[],
): Promise<void> {
  if (state.length !== program.length)
    problems.push(`the state holds ${state.length} resources after one more up, not ${program.length}`);
  const { steps, error } = await up(run, state, program, true);
  const planned = steps.filter(({ op }) => op !== "same");
  problems.push(...planned.map(({ op }) => `the preview after one more up says ${op}`));
  if (error !== undefined) problems.push(`the preview after one more up fails: ${error}`);
  const seen = await run.play(state, (engine) => engine.refresh());
  if (seen.error !== undefined) problems.push(`the refresh after one more up fails: ${seen.error}`);
  for (const held of state) {
    const { outputs } = seen.state.find(({ urn }) => urn === held.urn) ?? {};
    if (!equalJson(outputs, withProjectOf(outputs, held)))
      problems.push(`the state is not true: ${unlike(held.outputs, outputs)}`);
  }
}

/** A state that could not be told its project learns it by the next read. */
function withProjectOf(seen: JsonObject | undefined, { outputs }: Held): JsonObject {
  const project = outputs.__project ?? seen?.__project;
  return project === undefined ? outputs : { ...outputs, __project: project };
}

function unlike(held: JsonObject, seen: JsonObject | undefined): string {
  if (seen === undefined) return "a read finds nothing";
  const names = new Set([...Object.keys(held), ...Object.keys(seen)]);
  return [...names]
    .filter((name) => !equalJson(held[name], seen[name]))
    .map((name) => `${name} is ${stableText(seen[name])} and not ${stableText(held[name])}`)
    .join("; ");
}

/** What is wrong with an error message. `verb`: what it has to be about; left out: any. */
function unreadable(message: string, verb = "create|read|update|delete"): string[] {
  const attempted = verb === "purge" ? "delete" : verb;
  const findings: [string, boolean][] = [
    ["does not say what was attempted", !new RegExp(`^Cannot (?:${attempted}) `).test(message)],
    ["holds a stack", /\n\s+at /.test(message)],
    ["holds a value that is no text", /\[object |\bundefined\b|\bNaN\b/.test(message)],
    ["calls itself a bug", message.includes("This is a bug")],
    ["is longer than 600 characters", message.length > 600],
    ["does not say what to do", !advice.test(message) && !refusal.test(message)],
  ];
  return findings.flatMap(([what, isSo]) => (isSo ? [`the error ${what}: ${message}`] : []));
}

/** What the console refuses in its own words is to be put right by them. */
const refusal = / answered 4\d\d: (?!no message)/;

const advice =
  /\b(Allow the key to|Check|check|Run|run the same|try again|Set|Use|use a key|wait|Wait|look at|Correct|Make)\b/;
