import { lastMarkOf } from "../schema/audit";
import type { ResourceDefinition } from "../schema/define";
import { seenMember } from "../schema/internal";
import type { JsonObject } from "../schema/json";
import { holdsUnknown } from "../schema/unknown";
import { argumentName } from "../texts/argument-names";
import { carriedRollouts } from "../values/carried-rollouts";
import { isNothing, sameMeaning } from "../values/compare";
import { consoleOwns, isStatusOfConsole, movesByItself } from "../values/console-owned";
import { lastProgramIn, managedView, viewOf } from "../values/managed";
import { type EditConflict, type Merged, withUnseenChanges } from "../values/merge";
import { matchesArgs } from "../values/sparse-values";
import type { ObjectValues } from "../values/walk";
import { changesOf, isArchived, stateNames } from "./plan";

export type { EditConflict };

/** The version, or time of change, of an object that was seen, as members of its state. Nothing where reads show neither. */
export function seenMark(definition: ResourceDefinition, live: JsonObject): JsonObject {
  const seen = lastMarkOf(definition, live);
  return seen === undefined ? {} : { [seenMember]: seen };
}

/** An edit in the console since state was last refreshed. */
export interface ConcurrentEdit {
  /** Version or time of change, then and now; undefined where values alone tell. */
  readonly from: unknown;
  readonly to: unknown;
  /** Fields that are not as they were. */
  readonly names: readonly string[];
}

/**
 * The edit that a live object shows and state does not know; undefined where there is none. Without a mark in state, as before
 * the protection was switched on, values alone tell. What the console owns, or moves by a schedule, is no edit.
 */
export function concurrentEdit(
  definition: ResourceDefinition,
  state: JsonObject,
  live: JsonObject,
): ConcurrentEdit | undefined {
  const names = changedNames(definition, state, live);
  const [from, to] = [state[seenMember], lastMarkOf(definition, live)];
  const isMarked = from !== undefined && to !== undefined;
  if (names.length === 0 && (!isMarked || from === to || movesByItself(definition, state, live)))
    return undefined;
  return isMarked && from === to ? undefined : { from, to, names };
}

function changedNames(definition: ResourceDefinition, state: JsonObject, live: JsonObject): string[] {
  const now = managedView(definition, { live, lastProgram: lastProgramIn(state) });
  const seen = viewOf(definition, state);
  return Object.entries(definition.fields).flatMap(([name, { traits }]) => {
    if (traits.volatile || traits.remembered || traits.readsOtherId || traits.audit !== undefined) return [];
    if (isStatusOfConsole(definition, name, state, live)) return [];
    return matchesArgs(definition, name, { program: seen[name], live: now[name] }) ? [] : [name];
  });
}

/** An object of which state is known. */
type SeenObject = ObjectValues & { readonly seen: JsonObject };

/** Changes in the console since an object was last seen, as far as they concern an update. */
export interface ConsoleEdits {
  /** Fields that the program did not change: they stay as the console has them. */
  readonly left: readonly string[];
  /** Values to send of fields that both changed, where the console's stay in part. */
  readonly merged: JsonObject;
  /** The places that stay as the console has them, in those fields and in the others. */
  readonly paths: readonly string[];
  /** The places that both changed, to different values: an update would overwrite the console's. */
  readonly conflicts: readonly EditConflict[];
}

/** Separates the changes in the console since state was written from those of the program. Pure. */
export function consoleEdits(definition: ResourceDefinition, values: SeenObject): ConsoleEdits {
  const { program, seen } = values;
  const announced = changesOf(definition, { ...values, live: seen });
  const changed = Object.keys(changesOf(definition, values)).filter(
    (name) => !stopsGrowing(definition, name, values),
  );
  const left = changed.filter((name) => !(name in announced));
  // A program that leaves the state to the console only ever archives.
  const theirs = consoleOwns(program, "status") ? stateNames(definition) : [];
  // Without a name the console chooses an element, as it does once this update has sent them.
  const isChosen = (name: string) => {
    const { idOf = "" } = definition.fields[name]?.traits ?? {};
    return idOf in announced && isNothing(viewOf(definition, seen)[name]);
  };
  const both = changed.filter((name) => name in announced && !theirs.includes(name) && !isChosen(name));
  const fields = mergedFields(definition, values, both);
  const kept = fields.filter(({ paths }) => paths.length > 0);
  const [then, now] = [seen, values.live].map((one) => lastMarkOf(definition, one));
  const isAsSeen = then !== undefined && then === now;
  // Nobody changed an object that shows the version of state: the conflict is of a field that an earlier provider did not know.
  const isReal = ({ path: [name] }: EditConflict) => !isAsSeen || seen[String(name)] !== undefined;
  const conflicts = fields.flatMap((field) => field.conflicts.filter(isReal));
  return {
    left,
    merged: Object.fromEntries(kept.map(({ name, value }) => [name, value])),
    paths: [...left.map(argumentName), ...kept.flatMap(({ paths }) => paths)],
    conflicts: conflicts.length > 0 ? conflicts : stateConflicts(definition, values, both),
  };
}

/** True for a conflict about values that are known only later: they may turn out as they were, and what seems to be gone may be one of them. */
export function isOpenConflict(program: JsonObject, { path, program: set }: EditConflict): boolean {
  return holdsUnknown(set === undefined ? program[String(path[0])] : set);
}

/** True for a list to which the console adds no more from now on: what it has added goes, as announced. */
function stopsGrowing(definition: ResourceDefinition, name: string, { program, seen }: SeenObject): boolean {
  const flag = definition.fields[name]?.traits.growsWhile;
  return flag !== undefined && seen[flag] === true && program[flag] === false;
}

/** Fields that the program changes and in which the console has another value. */
function mergedFields(
  definition: ResourceDefinition,
  values: SeenObject,
  names: readonly string[],
): (Merged & { readonly name: string })[] {
  if (names.length === 0) return [];
  const { program } = values;
  const seen = viewOf(definition, values.seen);
  const view = managedView(definition, values);
  // While steps of a schedule are to come, a refresh shows no share that it moves: nobody could have seen it.
  const still = carriedRollouts(definition, { program: values.seen, live: view }, { into: "live" });
  const now = { ...view, ...Object.fromEntries(still) };
  return names.flatMap((name) => {
    const { remembered, readsOtherId } = definition.fields[name]?.traits ?? {};
    if (remembered === true || readsOtherId === true) return [];
    const three = { program: program[name], seen: seen[name], live: now[name] };
    if (three.program !== undefined) return [{ name, ...withUnseenChanges(definition, name, three) }];
    if (matchesArgs(definition, name, { program: three.seen, live: three.live })) return [];
    return [{ name, value: undefined, paths: [], conflicts: [{ path: [name], within: [], ...three }] }];
  });
}

/**
 * Several fields say whether an object is on: of a gate that a person disabled, a program that launches it changes
 * another one.
 */
function stateConflicts(
  definition: ResourceDefinition,
  { program, seen: state, live }: SeenObject,
  changed: readonly string[],
): EditConflict[] {
  const names = stateNames(definition);
  const [set] = changed.filter((name) => names.includes(name) && program[name] !== undefined);
  if (set === undefined || isArchived(definition, live)) return [];
  const [seen, now] = [viewOf(definition, state), viewOf(definition, live)];
  const moved = names.find(
    (name) =>
      name !== set &&
      seen[name] !== undefined &&
      now[name] !== undefined &&
      !sameMeaning(definition, name, seen[name], now[name]),
  );
  if (moved === undefined) return [];
  const bySet = { program: program[set], programAt: set };
  return [{ path: [moved], within: [], seen: seen[moved], live: now[moved], ...bySet }];
}
