import { managed } from "../../src/provider/definitions";
import { inputNames, type ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { fromWire } from "../../src/provider/schema/wire-names";
import { differingNames } from "../../src/tools/past/changes";
import type { Rollback } from "../../src/tools/past/rollback";
import type { PlannedRollback } from "../../src/tools/past/rollback-in-stack";
import { Desk } from "../drift/desk";
import { Dice } from "../model/random";
import { drawnArguments, type HistoryKind, handEdits, historyKinds } from "./draw";
import { refreshedUp, writtenBack } from "./rollback-desk";

/** What a rollback of a random history came to. */
export interface PlayedHistory {
  readonly seed: number;
  readonly kind: HistoryKind;
  /** How many versions the object had. */
  readonly versions: number;
  /** Arguments that the plan named as not coming back. */
  readonly named: readonly string[];
  /** No preview accepts the program that the history came to: a rollback stops before it plans anything. */
  readonly hasNoPreview: boolean;
  /** What went wrong, a line each. */
  readonly faults: readonly string[];
}

/** Plays a random life of one object by its program and by people, brings a random version back, and compares by the raw API. */
export async function playHistory(seed: number): Promise<PlayedHistory> {
  const dice = new Dice(seed);
  const kind = dice.one(historyKinds);
  const definition = managed[kind] as ResourceDefinition;
  const desk = new Desk();
  const live = async () => (await desk.raw[kind].get({ id: "flag" })) as JsonObject & { version: number };
  const forms = new Map<number, JsonObject>();
  const note = async () => {
    const form = await live();
    forms.set(form.version, form);
  };
  try {
    desk.write(programOf(definition, drawnArguments(kind, dice)));
    await desk.up();
    await note();
    for (let left = 2 + dice.below(6); left > 0; left -= 1) {
      desk.now += 60_000;
      await (dice.below(2) === 0 ? byProgram(desk, definition, kind, dice) : handEdits(kind, dice)(desk.raw));
      await note();
    }
    const played = { seed, kind, versions: forms.size };
    const hasNoPreview = await desk.changes().then(
      () => false,
      () => true,
    );
    if (hasNoPreview) return { ...played, hasNoPreview, named: [], faults: [] };
    const [version, then] = dice.one([...forms]);
    const { named, faults } = await backTo(desk, version);
    const left = differingNames(definition, fromWire(definition, then), fromWire(definition, await live()));
    const unnamed = left.filter((name) => !named.includes(name));
    const silent = unnamed.map((name) => `${name} is not as in version ${version}, and nobody said so`);
    return { ...played, hasNoPreview, named, faults: [...faults, ...silent] };
  } finally {
    await desk.close();
  }
}

async function backTo(desk: Desk, version: number): Promise<Pick<PlayedHistory, "named" | "faults">> {
  const plan = await writtenBack(desk, "flag", String(version));
  const stays = plan.rollbacks.flatMap((one) => one.stays);
  const refused = plan.acceptance.outcomes.filter(({ how }) => how === "refused");
  const named = [
    ...stays.map(({ name }) => name),
    ...refused.map(({ label }) => label.split(/[.[ ]/)[0] ?? ""),
  ];
  try {
    await refreshedUp(desk);
    return { named, faults: [] };
  } catch (error) {
    const isNamed = stays.some(({ refusesUpdates }) => refusesUpdates === true);
    return isNamed
      ? { named: inputNames(definitionOf(plan)), faults: [] }
      : { named, faults: [String(error)] };
  }
}

const definitionOf = ({ rollbacks }: PlannedRollback) => (rollbacks[0] as Rollback).resource.definition;

/** Another program, applied; one that the console or the check refuses is taken back. */
async function byProgram(
  desk: Desk,
  definition: ResourceDefinition,
  kind: HistoryKind,
  dice: Dice,
): Promise<void> {
  const former = desk.program.split("\n").slice(1).join("\n");
  desk.write(programOf(definition, drawnArguments(kind, dice)));
  try {
    await refreshedUp(desk);
  } catch {
    desk.write(former);
  }
}

function programOf({ kind }: ResourceDefinition, args: JsonObject): string {
  return `new fc.${kind}("flag", ${JSON.stringify(args, null, 2)});\n`;
}
