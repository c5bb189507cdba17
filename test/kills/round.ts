import { setTimeout as sleep } from "node:timers/promises";
import type { Finished } from "../../scripts/process/run";
import { catalog } from "../../src/provider/definitions";
import { kindInType } from "../../src/provider/pulumi/stored-names";
import { idMember } from "../../src/provider/schema/object-id";
import { differenceOf, type Picture, pictureOf } from "../world/picture";
import type { Declared } from "../world/programs";
import { killNow, type Victim } from "./processes";
import { change } from "./program";
import { type Deployment, hasLock, type Place, removeAttributes, stateOf, type Workshop } from "./workshop";

/** What is killed: an `up` that creates everything, one that changes everything, or a `destroy`. */
export type Scenario = "create" | "change" | "destroy";

/** One round of the matrix, all of it decided beforehand by the seed. */
export interface Plan {
  readonly round: number;
  readonly scenario: Scenario;
  readonly checkpoints: boolean;
  readonly victim: Victim;
  /** By what the moment is counted: the clock, from the start of the command, or the writes that the console has seen. */
  readonly by: "time" | "writes";
  /** When the kill comes, from 0 (at once) to 1 (when an undisturbed run ends). */
  readonly moment: number;
  /** How long after that, in milliseconds. */
  readonly later: number;
  /** When the command that follows is killed as well; left out: it is not. */
  readonly again?: number;
  /** Whether the round ends with a destroy. */
  readonly destroys: boolean;
}

/** What an undisturbed run takes and leaves. */
export interface Undisturbed {
  readonly ms: number;
  /** How many writes the console saw. */
  readonly writes: number;
  readonly left: Picture;
}

/** What undisturbed runs left, and where rounds begin. */
export interface References {
  readonly declared: readonly Declared[];
  /** Folder of a place in which everything is made. */
  readonly made: string;
  undisturbed(scenario: Scenario, checkpoints: boolean): Undisturbed;
}

/** What came of a round. */
export type Outcome = Awaited<ReturnType<typeof playRound>>;

/** Begins a place, kills, types what a user types, and looks at what is left. */
export async function playRound(workshop: Workshop, references: References, plan: Plan) {
  const started = Date.now();
  const place = await workshop.open(
    `round-${plan.round}`,
    plan.scenario === "create" ? undefined : references.made,
    plan.checkpoints,
  );
  const record = newRecord();
  try {
    await place.write(programOf(plan.scenario, references.declared));
    const undisturbed = references.undisturbed(plan.scenario, plan.checkpoints);
    await killOne(place, plan, undisturbed, plan.moment, record);
    if (plan.again !== undefined) {
      if (await hasLock(place)) await unlock(place, record);
      record.typed.push(`${commandOf(plan.scenario)[0]} (killed)`);
      await killOne(place, plan, undisturbed, plan.again, record);
    }
    await recover(place, plan, record);
    if (record.failures.length === 0) await inspect(place, references, plan, record);
  } catch (error) {
    record.failures.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    await place.close();
  }
  return { ...plan, ...record, ms: Date.now() - started };
}

/** What is noted in the course of a round. */
const newRecord = () => ({
  /** How many objects the killed command had made, changed or removed, by its writes. */
  writes: 0,
  ...{ killedAtMs: 0, survivedMs: 0 },
  /** Lines that the user was shown by the commands after the kill, each kind once; pending operations that the next one cleared. */
  ...{ takenOver: 0, pending: 0, cleared: false },
  /** Processes that outlived the killed one and had to be ended by their id. */
  stuck: [] as string[],
  /** Commands after the kill, up to the one that ended well. */
  typed: [] as string[],
  failures: [] as string[],
});

type Record = ReturnType<typeof newRecord>;

/** The program that a scenario's command runs. */
export function programOf(scenario: Scenario, declared: readonly Declared[]): readonly Declared[] {
  return scenario === "change" ? change(declared) : declared;
}

/** The command of a scenario. */
export function commandOf(scenario: Scenario): string[] {
  return [scenario === "destroy" ? "destroy" : "up", "--yes", "--skip-preview"];
}

async function killOne(
  place: Place,
  plan: Plan,
  { ms, writes }: Undisturbed,
  moment: number,
  record: Record,
): Promise<void> {
  place.emulator.clearRequests();
  const child = place.start(...commandOf(plan.scenario));
  const started = Date.now();
  if (plan.by === "time") await sleep(ms * moment);
  else {
    while (writesTo(place) < writes * moment && child.exitCode === null) await sleep(1);
    await sleep(plan.later);
  }
  record.killedAtMs = Date.now() - started;
  const killed = await killNow(child, plan.victim);
  record.survivedMs = Math.max(record.survivedMs, killed.survivedMs);
  record.stuck.push(...killed.stuck);
  record.writes += writesTo(place);
}

/** How many writes a console has taken. */
export function writesTo({ emulator }: Place): number {
  return emulator.requests.filter(({ method, status }) => method !== "GET" && status < 400).length;
}

/** A torn file and a lock may follow one another. */
const mostRepairs = 2;

const isLocked = ({ stdout, stderr }: Finished) => /currently locked by/.test(stdout + stderr);

async function unlock(place: Place, record: Record): Promise<void> {
  const cancel = () => {
    record.typed.push("cancel");
    return place.type("cancel", "--yes");
  };
  let result = await cancel();
  if (isTorn(result)) {
    await mend(place, record);
    result = await cancel();
  }
  if (result.code !== 0) record.failures.push(`cancel: ${result.stderr}`);
}

const isTorn = ({ stdout, stderr }: Finished) => /failed to load checkpoint: EOF/.test(stdout + stderr);

/** The kill hit Pulumi's file backend while it wrote what it keeps beside a stack's state. */
async function mend(place: Place, record: Record): Promise<void> {
  record.typed.push("rm *.json.attrs");
  await removeAttributes(place);
}

/**
 * What the user types: the same command; where that is refused for a lock, `cancel`, where a file of the backend is torn,
 * its removal, and the command once more.
 */
async function recover(place: Place, { scenario }: Plan, record: Record): Promise<void> {
  const command = commandOf(scenario);
  const attempt = async () => {
    record.typed.push(String(command[0]));
    return place.type(...command);
  };
  let result = await attempt();
  for (let tries = 1; tries <= mostRepairs && (isTorn(result) || isLocked(result)); tries += 1) {
    await (isTorn(result) ? mend : unlock)(place, record);
    result = await attempt();
  }
  const shown = result.stdout + result.stderr;
  // The CLI shows each line as it comes, and again at the end.
  record.takenOver = new Set(shown.match(/\w+ "[^"]+" is there already, \w+( \w+)? by this stack/g)).size;
  record.pending = Number(/with (\d+) pending operation/.exec(shown)?.[1] ?? 0);
  if (result.code !== 0) record.failures.push(`${command[0]} ended with ${result.code}: ${tail(shown)}`);
}

function tail(text: string): string {
  return text.trim().split("\n").slice(-60).join("\n");
}

async function inspect(place: Place, references: References, plan: Plan, record: Record): Promise<void> {
  const { failures } = record;
  const expect = async (scenario: Scenario) => {
    const { left } = references.undisturbed(scenario, plan.checkpoints);
    const differs = differenceOf(pictureOf(await place.contents()), left);
    if (differs !== undefined) failures.push(differs);
  };
  const quiet = async (...words: string[]) => {
    const { code, stdout, stderr } = await place.type(...words);
    if (code !== 0) failures.push(`pulumi ${words.join(" ")} ended with ${code}: ${tail(stdout + stderr)}`);
  };
  await expect(plan.scenario);
  if (plan.scenario !== "destroy") {
    const clear = record.pending > 0 ? ["--clear-pending-creates"] : [];
    await quiet("refresh", "--yes", "--skip-preview", "--expect-no-changes", ...clear);
    await quiet("preview", "--expect-no-changes");
  }
  const state = await stateOf(place);
  record.cleared = record.pending > 0 && (state.pending_operations ?? []).length === 0;
  const count = plan.scenario === "destroy" ? 0 : programOf(plan.scenario, references.declared).length;
  failures.push(...(await stateProblems(place, state, count)));
  if (!plan.destroys || plan.scenario !== "create") return;
  await quiet("destroy", "--yes", "--skip-preview");
  await expect("destroy");
  failures.push(...(await stateProblems(place, await stateOf(place), 0)));
}

/** Every resource once, and each with an id that is in the console. */
async function stateProblems(place: Place, state: Deployment, count: number): Promise<string[]> {
  const resources = (state.resources ?? []).filter(({ type }) => kindInType(type) !== undefined);
  const urns = new Set(resources.map(({ urn }) => urn));
  const contents = await place.contents();
  const definitions = Object.values(catalog);
  const lost = resources.filter(({ type, id }) => {
    const definition = definitions.find(({ kind }) => type.endsWith(`:${kind}`));
    if (definition === undefined || definition.lifecycle.create.how === "claim") return false;
    return !(contents[definition.name] ?? []).some((one) => one[idMember(definition)] === id);
  });
  return [
    ...(urns.size === count && resources.length === count
      ? []
      : [`state holds ${resources.length} resources, ${urns.size} different ones, and should hold ${count}`]),
    ...lost.map(({ urn, id }) => `state: ${urn} has the id ${id}, which is not in the console`),
  ];
}
