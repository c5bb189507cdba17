import { type Fault, startEmulator } from "../../src/emulator";
import { type ConsoleClient, createClient } from "../../src/provider/client";
import { createRouteClient } from "../../src/provider/client/client";
import { switchNames } from "../../src/provider/pulumi/provider-settings";
import { equalJson, type JsonObject, stableText } from "../../src/provider/schema/json";
import { startFaultProxy } from "../support/fault-proxy";
import { contentsOf, differenceOf, type Picture, pictureOf } from "../world/picture";
import { EnginePlay, type Held, type Step } from "./engine-play";
import { type FaultRow, isStale } from "./faults";
import type { Host, World } from "./host";
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
  readonly picture: Picture;
}

/** What a cell needs around it. */
export interface Surroundings {
  readonly first: Host;
  /** Another process, for the next up. */
  readonly second: Host;
  readonly scanner: Scanner;
}

/** What came of a cell. No problems: it passed. */
export interface CellResult {
  readonly cell: Cell;
  readonly problems: readonly string[];
  /** The next up was refused and changed nothing, until FEATURE_CONSOLE_TAKE_OVER=1 was typed. */
  readonly typed: boolean;
  /** What the faulted verb said when it failed. */
  readonly said: readonly string[];
}

const usualTimeoutMs = 30_000;

/** The same world for runs that meet no fault: a busy machine must not look like one. */
const patient = (world: World): World => ({ ...world, timeoutMs: usualTimeoutMs });

/** Runs a verb without any fault. */
export async function undisturbed(
  around: Surroundings,
  subject: FaultSubject,
  verb: Verb,
): Promise<Undisturbed> {
  return inWorld(around, subject, usualTimeoutMs, [], async (world, beside) => {
    const scene = sceneOf(subject, verb, beside);
    const engine = new EnginePlay(around.first, world, subject.definition, 1);
    const held = await prepared(around, world, subject, scene);
    const from = world.proxy.requests.length;
    for (const { error } of await perform(engine, verb, held, scene))
      if (error !== undefined) throw new Error(error);
    return {
      methods: world.proxy.requests.slice(from).map(({ method }) => method),
      picture: await picture(world),
    };
  });
}

/** Runs a cell: the verb with its fault, at most one more up, and a look at everything. */
export async function runCell(around: Surroundings, cell: Cell, expected: Undisturbed): Promise<CellResult> {
  const { subject, verb, row } = cell;
  // The former world is kept only while a stale read is planned, and it is wanted from the first write on.
  const never: Fault[] = isStale(row) ? [{ stale: true, path: "/never-asked", times: 1 }] : [];
  return inWorld(around, subject, row.timeoutMs ?? usualTimeoutMs, never, async (world, beside) => {
    const scene = sceneOf(subject, verb, beside);
    const before = await prepared(around, world, subject, scene);
    const maker = cell.by === "proxy" ? world.proxy : world.emulator;
    maker.addFaults(faultsOf(cell, expected));
    const steps = await perform(
      new EnginePlay(around.first, world, subject.definition, 1),
      verb,
      before,
      scene,
    );
    maker.clearFaults();
    const problems = steps.flatMap(({ error }) => (error === undefined ? [] : unreadable(error)));
    const { settled, typed } = await nextUp(around, cell, world, scene, steps, problems);
    const differs = differenceOf(await picture(world), expected.picture);
    if (differs !== undefined) problems.push(differs);
    await confirm(
      new EnginePlay(around.second, patient(world), subject.definition, 3),
      settled,
      scene,
      problems,
    );
    const said = steps.flatMap(({ error }) => error ?? []);
    for (const { held } of [...steps, ...settled]) around.scanner.look("state", JSON.stringify(held ?? {}));
    for (const error of [...said, ...settled.flatMap((step) => step.error ?? [])])
      around.scanner.look("error", error);
    return { cell, problems, typed, said };
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

/** How many worlds there were. */
let worlds = 0;

async function inWorld<T>(
  around: Surroundings,
  subject: FaultSubject,
  timeoutMs: number,
  faults: readonly Fault[],
  work: (world: World, beside: JsonObject) => Promise<T>,
): Promise<T> {
  worlds += 1;
  const name = `world-${worlds}`;
  // The same project in each world, so that what two consoles have at the end can be compared.
  const seed = { projects: [{ id: "shop" }], ...subject.definition.samples.beside };
  const people = subject.byPersons === true ? persons : {};
  const emulator = await startEmulator({ profile: "custom", key: matrixKey, people, seed, faults });
  const proxy = await startFaultProxy(emulator.url);
  try {
    const [raw, other] = [matrixKey, otherKey].map((apiKey) =>
      createClient({ ...rawSettings, apiKey, baseUrl: emulator.url }, { transport: emulator.transport }),
    ) as [ConsoleClient, ConsoleClient];
    return await work({ name, emulator, proxy, timeoutMs }, await subject.prepare(raw, other));
  } finally {
    for (const { method, path, query, body } of proxy.requests)
      around.scanner.look("request", `${method} ${path}?${query}\n${body}`);
    await proxy.close();
    await emulator.close();
  }
}

const otherKey = ["other", "person"].join("-");
const persons = { [matrixKey]: "matrix@example.com", [otherKey]: "other@example.com" };

const rawSettings = {
  profile: "custom",
  apiKey: matrixKey,
  writesPer10s: 100_000,
  writesPer15min: 100_000,
} as const;

/** The second door: straight into the console, past provider and proxy. */
async function picture({ emulator }: World): Promise<Picture> {
  const settings = { ...rawSettings, baseUrl: emulator.url };
  return pictureOf(await contentsOf(createRouteClient(settings, { transport: emulator.transport })));
}

/** What the program has before the verb, made by an earlier run. */
async function prepared(around: Surroundings, world: World, { definition }: FaultSubject, { before }: Scene) {
  const engine = new EnginePlay(around.first, patient(world), definition, 0);
  const held: Held[] = [];
  for (const args of before) {
    const step = await engine.up(undefined, args);
    if (step.held === undefined || step.error !== undefined) throw new Error(`preparation: ${step.error}`);
    held.push(step.held);
  }
  return held;
}

function perform(engine: EnginePlay, verb: Verb, held: readonly Held[], { after }: Scene): Promise<Step[]> {
  switch (verb) {
    case "create":
    case "update":
      return Promise.all(after.map((args, index) => engine.up(held[index], args)));
    case "read":
      return Promise.all(held.map((one) => engine.refresh(one)));
    default:
      return Promise.all(held.map((one) => engine.destroy(one)));
  }
}

/** One more up, or destroy; and where that may be refused and is, another one with the switch that the refusal names. */
async function nextUp(
  around: Surroundings,
  { subject: { definition }, verb, row, sameProcess }: Cell,
  world: World,
  scene: Scene,
  steps: readonly Step[],
  problems: string[],
): Promise<{ settled: Step[]; typed: boolean }> {
  const next = sameProcess
    ? new EnginePlay(around.first, world, definition, 1)
    : new EnginePlay(around.second, patient(world), definition, 2);
  const left = row.undecidable === true ? await picture(world) : [];
  const settled = await settle(next, verb, steps, scene, problems, isStale(row));
  const errors = settled.flatMap(({ error }) => error ?? []);
  const typed = row.undecidable === true && errors.length > 0 && errors.every(isForAPerson);
  if (!typed) {
    problems.push(...errors.map((error) => `the next run fails too: ${error}`));
    return { settled, typed };
  }
  problems.push(...errors.flatMap(unreadable));
  const differs = differenceOf(await picture(world), left);
  if (differs !== undefined) problems.push(`the next run was refused, and yet ${differs}`);
  const typing = { ...patient(world), takesOver: true } as const;
  const engine = new EnginePlay(around.second, typing, definition, 4);
  const taken = await settle(engine, verb, settled, scene, problems, false);
  problems.push(
    ...taken.flatMap(({ error }) => (error === undefined ? [] : `typed, it fails too: ${error}`)),
  );
  return { settled: taken, typed };
}

const isForAPerson = (error: string): boolean => error.includes(`${switchNames.takeOver}=1`);

/** At most one more up, or destroy. A verb that succeeded must have left nothing to do. */
async function settle(
  engine: EnginePlay,
  verb: Verb,
  steps: readonly Step[],
  { after }: Scene,
  problems: string[],
  stale: boolean,
): Promise<Step[]> {
  const more = after.length > 0 ? after : steps.map(() => undefined);
  const settled: Step[] = [];
  for (const [index, args] of more.entries()) {
    const before = steps[index];
    const held = before?.held;
    if (args === undefined && held === undefined) continue;
    const step = args !== undefined ? await engine.up(held, args) : held && (await engine.destroy(held));
    if (step === undefined) continue;
    // A stale read is believed: what it hides, the next up puts right.
    const quiet = before?.error === undefined && !(stale && verb === "read");
    if (quiet && step.did !== "nothing") problems.push(`succeeded, and the next up still has to ${step.did}`);
    settled.push(step);
  }
  return settled;
}

/** State true: a fresh read equals it, and a preview is quiet. */
async function confirm(engine: EnginePlay, settled: readonly Step[], { after }: Scene, problems: string[]) {
  for (const [index, args] of after.entries()) {
    const held = settled[index]?.held;
    if (held === undefined) {
      problems.push("nothing in the state after one more up");
      continue;
    }
    const plan = await engine.preview(held, args);
    if (plan !== "none") problems.push(`the preview after one more up says ${plan}`);
    const { held: seen, error } = await engine.refresh(held);
    if (error !== undefined) problems.push(`the refresh after one more up fails: ${error}`);
    else if (!equalJson(seen?.outputs, withProjectOf(seen, held)))
      problems.push(`the state is not true: ${unlike(held, seen)}`);
  }
}

/** A state that could not be told its project learns it by the next read. */
function withProjectOf(seen: Held | undefined, { outputs }: Held): JsonObject {
  const project = outputs.__project ?? seen?.outputs.__project;
  return project === undefined ? outputs : { ...outputs, __project: project };
}

function unlike(held: Held, seen: Held | undefined): string {
  if (seen === undefined) return "a read finds nothing";
  const names = new Set([...Object.keys(held.outputs), ...Object.keys(seen.outputs)]);
  return [...names]
    .filter((name) => !equalJson(held.outputs[name], seen.outputs[name]))
    .map((name) => `${name} is ${stableText(seen.outputs[name])} and not ${stableText(held.outputs[name])}`)
    .join("; ");
}

/** What is wrong with an error message. */
function unreadable(message: string): string[] {
  const findings: [string, boolean][] = [
    ["does not say what was attempted", !/^(create|read|update|delete): Cannot \1 /.test(message)],
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
