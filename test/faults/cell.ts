import { type Fault, startEmulator } from "../../src/emulator";
import { type ConsoleClient, createClient } from "../../src/provider/client";
import { createRouteClient } from "../../src/provider/client/client";
import { pathParameters } from "../../src/provider/client/route-path";
import { lookUpItem, lookUpList, lookupsOf } from "../../src/provider/engine";
import { routeTo } from "../../src/provider/engine/context";
import { switchNames } from "../../src/provider/pulumi/provider-settings";
import { type ResourceDefinition, routeOf } from "../../src/provider/schema/define";
import { equalJson, type JsonObject, stableText } from "../../src/provider/schema/json";
import { idMember, nameField, programIdArgument } from "../../src/provider/schema/object-id";
import { secretDigest } from "../../src/provider/texts/secret-texts";
import { samplesOf } from "../samples";
import { configFor, startProcess } from "../support/in-process";
import { contentsOf, differenceOf, type Picture, pictureOf } from "../world/picture";
import { type FaultRow, isStale } from "./faults";
import { type Front, isAboutProject, openFront } from "./front";
import { EnginePlay, type Held, type Host, type Step, type World } from "./host";
import { matrixKey, type Scanner } from "./secrets";
import type { FaultSubject, Scene, Verb } from "./subjects";
import { saysGone, stateFaults, unreadable } from "./verdict";

/** One cell: a fault that meets the `at`-th request of a verb, `times` times in a row. */
export interface Cell {
  readonly subject: FaultSubject;
  readonly verb: Verb;
  readonly row: FaultRow;
  readonly at: number;
  readonly times: number;
  /** The next up runs in the same process, with what it remembers. */
  readonly sameProcess: boolean;
}

/** How a verb goes when nothing goes wrong: what it asks, and what the console is like afterwards. */
export type Undisturbed = Awaited<ReturnType<typeof undisturbed>>;

export interface Around {
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

export async function undisturbed(around: Around, subject: FaultSubject, verb: Verb) {
  return inWorld(around, subject, undefined, async ({ world, beside }) => {
    const scene = sceneOf(subject, verb, beside);
    const held = await prepared(around, world, subject, scene);
    const from = world.emulator.requests.length;
    for (const { error } of await perform(around, world, { subject, verb }, held, scene))
      if (error !== undefined) throw new Error(error);
    const requests = world.emulator.requests.slice(from);
    return {
      methods: requests.map(({ method }) => method),
      /** How many of the requests are about objects, and do not ask which project it is. */
      aboutObjects: requests.filter(({ path }) => !isAboutProject(path)).length,
      picture: await picture(world),
    };
  });
}

/** Runs a cell: the verb with its fault, at most one more up, and a look at everything. */
export async function runCell(around: Around, cell: Cell, expected: Undisturbed): Promise<CellResult> {
  const { subject, verb, row } = cell;
  const { definition } = subject;
  return inWorld(around, subject, row, async ({ world, beside, front }) => {
    const scene = sceneOf(subject, verb, beside);
    const before = await prepared(around, world, subject, scene);
    if (row.wrong === undefined) world.emulator.addFaults(faultsOf(cell, expected));
    else front?.arm(row.wrong, cell.at - 1);
    const steps = await perform(around, world, cell, before, scene);
    world.emulator.clearFaults();
    const given = front?.disarm();
    const isRandom = row.wrong !== undefined;
    const problems = steps.flatMap(({ error }) => (error === undefined ? [] : unreadable(error, isRandom)));
    for (const [index, { held, did, error }] of steps.entries()) {
      const was = before[index];
      if (held !== undefined) problems.push(...stateFaults(held.id, held.outputs));
      if (held !== undefined && was !== undefined && held.id !== was.id) problems.push("the id is another");
      if (!isRandom || did !== "read" || error !== undefined || held !== undefined || was === undefined)
        continue;
      if (given === undefined || !saysGone(definition, was.id, given))
        problems.push("called gone without an answer that says so");
    }
    await deleteDuplicates(world, definition, steps);
    const { settled, typed } = await nextUp(around, cell, world, scene, steps, problems);
    // What a random answer says of a member that the program does not set, an update may send as it is.
    const found = await picture(world);
    around.scanner.look("console", found.join("\n"));
    const [there, wanted] = [found, expected.picture].map((lines) =>
      isRandom ? lines.map((line) => line.split(" ", 1).join()) : lines,
    ) as [Picture, Picture];
    const differs = differenceOf(there, wanted);
    if (differs !== undefined) problems.push(differs);
    await confirm(new EnginePlay(around.second, patient(world), definition, 3), settled, scene, problems);
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
  const scene = subject.scenes[verb === "look up" ? "read" : verb];
  if (scene === undefined) throw new Error(`${subject.kind} has no ${verb}`);
  return scene(beside);
}

let worlds = 0;

interface Opened {
  readonly world: World;
  readonly beside: JsonObject;
  /** Between the provider and the console, where a random answer is given. */
  readonly front: Front | undefined;
}

async function inWorld<T>(
  around: Around,
  subject: FaultSubject,
  row: FaultRow | undefined,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  worlds += 1;
  const name = `world-${worlds}`;
  // The same project in each world, so that what two consoles have at the end can be compared.
  const seed = { projects: [{ id: "shop" }], ...samplesOf(subject.definition).beside };
  const people = subject.byPersons === true ? persons : {};
  // The former world is kept only while a stale read is planned, and it is wanted from the first write on.
  const faults: Fault[] = row && isStale(row) ? [{ stale: true, path: "/never-asked", times: 1 }] : [];
  const emulator = await startEmulator({ profile: "custom", key: matrixKey, people, seed, faults });
  const front = row?.wrong && (await openFront(emulator.url, matrixKey));
  const timeoutMs = row?.timeoutMs ?? usualTimeoutMs;
  try {
    const [raw, other] = [matrixKey, otherKey].map((apiKey) =>
      createClient({ ...rawSettings, apiKey, baseUrl: emulator.url }, { transport: emulator.transport }),
    ) as [ConsoleClient, ConsoleClient];
    const beside = await subject.prepare(raw, other);
    const url = front?.url ?? emulator.url;
    return await work({ world: { name, emulator, url, timeoutMs }, beside, front });
  } finally {
    for (const { method, path, query } of emulator.requests)
      around.scanner.look("request", `${method} ${path}?${query}`);
    await front?.close();
    await emulator.close();
  }
}

const otherKey = ["other", "person"].join("-");
const persons = { [matrixKey]: "matrix@example.com", [otherKey]: "other@example.com" };

const rawSettings = {
  ...({ profile: "custom", apiKey: matrixKey, writesPer10s: 100_000, writesPer15min: 100_000 } as const),
};

/** The second door: straight into the console, past the provider. */
async function picture({ emulator }: World): Promise<Picture> {
  const settings = { ...rawSettings, baseUrl: emulator.url };
  return pictureOf(await contentsOf(createRouteClient(settings, { transport: emulator.transport })));
}

/** What the program has before the verb, made by an earlier run. */
async function prepared(around: Around, world: World, { definition }: FaultSubject, { before }: Scene) {
  const engine = new EnginePlay(around.first, patient(world), definition, 0);
  const held: Held[] = [];
  for (const args of before) {
    const step = await engine.up(undefined, args);
    if (step.held === undefined || step.error !== undefined) throw new Error(`preparation: ${step.error}`);
    held.push(step.held);
  }
  return held;
}

function perform(
  around: Around,
  world: World,
  { subject: { definition }, verb }: Pick<Cell, "subject" | "verb">,
  held: readonly Held[],
  { after }: Scene,
): Promise<Step[]> {
  const engine = new EnginePlay(around.first, world, definition, 1);
  switch (verb) {
    case "create":
    case "update":
      return Promise.all(after.map((args, index) => engine.up(held[index], args)));
    case "read":
      return Promise.all(held.map((one) => engine.refresh(one)));
    case "look up":
      return Promise.all(held.map((one) => lookUp(around, world, definition, one)));
    default:
      return Promise.all(held.map((one) => engine.destroy(one)));
  }
}

/** What a program does that looks an object up, by its id and in its list. State stays as it is. */
async function lookUp(
  { scanner }: Around,
  world: World,
  definition: ResourceDefinition,
  held: Held,
): Promise<Step> {
  const context = () => startProcess(configFor(world, matrixKey)).context();
  try {
    for (const lookup of lookupsOf(definition)) {
      if (lookup.routeName === "list") await lookUpList(lookup, {}, context);
      if (lookup.routeName !== "get") continue;
      const found = await lookUpItem(lookup, routeTo(definition, "get", held.id).params, context);
      scanner.look("state", JSON.stringify(found));
      const [fault] = found.id === held.id ? stateFaults(held.id, found) : ["another object was found"];
      if (fault !== undefined) return { did: "look up", held, error: fault };
    }
    return { did: "look up", held };
  } catch (error) {
    return { did: "look up", held, error: (error as Error).message };
  }
}

/** A person does what the refusal of a create that arrived twice asks for: state keeps one of the two objects, the other goes. */
async function deleteDuplicates({ emulator }: World, definition: ResourceDefinition, steps: readonly Step[]) {
  const { read, delete: removal } = definition.lifecycle;
  const settings = { ...rawSettings, baseUrl: emulator.url };
  const client = createRouteClient(settings, { transport: emulator.transport });
  const argument = programIdArgument(definition) ?? nameField;
  for (const { held, error } of steps) {
    if (held === undefined || error?.includes("delete one in the console") !== true) continue;
    if (read.how === "remember" || read.list === undefined || removal.remove === undefined) continue;
    const remove = routeOf(definition, removal.remove.route);
    for await (const item of client.items(routeOf(definition, read.list), {})) {
      const id = String(item[idMember(definition)]);
      const isKept = [id, secretDigest(id)].includes(held.id);
      if (isKept || item[argument] !== held.inputs[argument]) continue;
      const [parameter = "id"] = pathParameters(remove.path);
      await client.maybeItem(remove, { params: { [parameter]: id } });
    }
  }
}

/** One more up, or destroy; and where that may be refused and is, another one with the switch that the refusal names. */
async function nextUp(
  around: Around,
  cell: Cell,
  world: World,
  scene: Scene,
  steps: readonly Step[],
  problems: string[],
): Promise<{ settled: Step[]; typed: boolean }> {
  const { row, sameProcess } = cell;
  const { definition } = cell.subject;
  const [host, run] = sameProcess ? ([around.first, 1] as const) : ([around.second, 2] as const);
  const next = new EnginePlay(host, patient(world), definition, run);
  const left = row.undecidable === true ? await picture(world) : [];
  const settled = await settle(next, cell, steps, scene, problems);
  const errors = settled.flatMap(({ error }) => error ?? []);
  const typed = row.undecidable === true && errors.length > 0 && errors.every(isForAPerson);
  if (!typed) {
    problems.push(...errors.map((error) => `the next run fails too: ${error}`));
    return { settled, typed };
  }
  problems.push(...errors.flatMap((error) => unreadable(error, false)));
  const differs = differenceOf(await picture(world), left);
  if (differs !== undefined) problems.push(`the next run was refused, and yet ${differs}`);
  const typing = { ...patient(world), takesOver: true } as const;
  const engine = new EnginePlay(around.second, typing, definition, 4);
  const taken = await settle(engine, cell, settled, scene, problems);
  problems.push(
    ...taken.flatMap(({ error }) => (error === undefined ? [] : `typed, it fails too: ${error}`)),
  );
  return { settled: taken, typed };
}

const isForAPerson = (error: string): boolean => error.includes(`${switchNames.takeOver}=1`);

/** At most one more up, or destroy. A verb that succeeded must have left nothing to do. */
async function settle(
  engine: EnginePlay,
  { verb, row }: Cell,
  steps: readonly Step[],
  { after }: Scene,
  problems: string[],
): Promise<Step[]> {
  const more = after.length > 0 ? after : steps.map(() => undefined);
  const settled: Step[] = [];
  for (const [index, args] of more.entries()) {
    const before = steps[index];
    let held = before?.held;
    if (args === undefined && held === undefined) continue;
    // A random answer is believed: what it says of an object, a refresh puts right.
    if (row.wrong !== undefined && args !== undefined && held !== undefined) {
      held = (await engine.refresh(held)).held;
      if (held === undefined) problems.push("the next refresh finds nothing");
    }
    const step = args !== undefined ? await engine.up(held, args) : held && (await engine.destroy(held));
    if (step === undefined) continue;
    // A stale read is believed: what it hides, the next up puts right.
    const isBelieved = row.wrong !== undefined || (isStale(row) && verb === "read");
    if (before?.error === undefined && !isBelieved && step.did !== "nothing")
      problems.push(`succeeded, and the next up still has to ${step.did}`);
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
