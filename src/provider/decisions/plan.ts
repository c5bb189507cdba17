import { inputNames, type ResourceDefinition } from "../schema/define";
import type { FieldTraits } from "../schema/field";
import { equalJson, type JsonObject, picked, textOf } from "../schema/json";
import { programIdArgument } from "../schema/object-id";
import { holdsUnknown } from "../schema/unknown";
import { canonical, isNothing, sameMeaning } from "../values/compare";
import { consoleOwns, isStatusOfConsole, ownsOption } from "../values/console-owned";
import { asNew, lockedNames, moveOptions } from "../values/machine";
import { managedBefore, managedNames, managedView, objectValues } from "../values/managed";
import { optionsOf, overwriteOption, reviewersOption, reviewsOption } from "../values/options";
import { differingPlaces, type Place } from "../values/places";
import { completeFromLive, matchesArgs, restrictToArgs } from "../values/sparse-values";
import { exclusiveWith, isArchived, stateNames } from "../values/states";
import { withUnmanaged } from "../values/unmanaged";
import type { ObjectValues, Values } from "../values/walk";

export { isArchived, stateNames };

/** The steps by which a live object becomes what the program sets. */
export type Plan =
  | { readonly how: "nothing" }
  /** `revive`: the object is archived and the program sets it to be in use. */
  | { readonly how: "update"; readonly names: readonly string[]; readonly revive: boolean }
  | { readonly how: "replace"; readonly names: readonly string[] };

/** Fields to send, by name, with the values to send; a value that empties a field among them. */
export type Changes = Readonly<Record<string, unknown>>;

/** Options whose change alone is no reason to do anything: they matter only in the moment of a create or a check. */
const ignoredByDiff = new Set([
  ...["adopt", "onImmutableChange", "validate"],
  ...[overwriteOption, reviewsOption, reviewersOption],
]);

/** Compares a state with the arguments of a program. Pure; asks nothing of anybody. */
export function plan(definition: ResourceDefinition, state: JsonObject, program: JsonObject): Plan {
  const changes = changesOf(definition, objectValues(program, state));
  const names = Object.keys(changes);
  const replaces = names.filter((name) => isReplacing(definition, name, state, program));
  if (replaces.length > 0) return { how: "replace", names: replaces };
  const revive = comesBack(definition, state, program);
  const before = managedBefore(state);
  const kept = new Set(keptByConsole(definition, before, program));
  const hasOtherNames = !equalJson(
    before.filter((name) => !kept.has(name)).sort(),
    managedNames(definition, program).sort(),
  );
  const passing = new Set([...ignoredByDiff, ...Object.keys(moveOptions(definition))]);
  const options = Object.keys(optionsOf(definition)).filter(
    (name) => !passing.has(name) && !equalJson(state[name], program[name]),
  );
  if (names.length === 0 && options.length === 0 && !hasOtherNames && !revive) return { how: "nothing" };
  return { how: "update", names: [...names, ...options], revive };
}

/** Arguments that were set and no longer are, and that no update can clear: the console keeps their values. */
export function keptByConsole(
  { fields }: ResourceDefinition,
  before: readonly string[],
  program: JsonObject,
): string[] {
  return before.filter(
    (name) => program[name] === undefined && !("clearWith" in (fields[name]?.traits ?? {})),
  );
}

/**
 * True for a field whose change replaces the object, always or because the program opts in: the one rule about it. Which
 * fields do is a fact of the definition (`replaces`, `fixed`); provider/pulumi/previews/replacement.ts refuses a replacement that would harm.
 */
function isReplacing(
  definition: ResourceDefinition,
  name: string,
  state: JsonObject,
  program: JsonObject,
): boolean {
  const traits = definition.fields[name]?.traits;
  if (traits?.replaces === true) return true;
  if (program.onImmutableChange !== "replace") return false;
  return traits?.fixed === true || lockedNames(definition, state).includes(name);
}

/** Fields whose change from one set of arguments to another replaces the object. */
export function replacedNames(definition: ResourceDefinition, olds: JsonObject, news: JsonObject): string[] {
  return Object.keys(definition.fields).filter(
    (name) =>
      news[name] !== undefined &&
      olds[name] !== undefined &&
      isReplacing(definition, name, olds, news) &&
      !sameMeaning(definition, name, olds[name], news[name]),
  );
}

/** True where the program calls the object otherwise than last time: what comes in its place has a name of its own. */
export function isCalledOtherwise(
  definition: ResourceDefinition,
  olds: JsonObject,
  news: JsonObject,
): boolean {
  const argument = programIdArgument(definition);
  if (argument === undefined || holdsUnknown(news[argument])) return false;
  return replacedNames(definition, olds, news).includes(argument);
}

/**
 * Values to send: of fields whose value in the program differs in meaning from the live one, and of fields that the program set last
 * time, no longer sets, and that can be emptied. Values that no read shows are compared with those of `seen`.
 */
export function changesOf(definition: ResourceDefinition, values: ObjectValues): Changes {
  const { program, live, seen = live, lastProgram = {} } = values;
  const now = managedView(definition, values);
  const changes: Record<string, unknown> = {};
  for (const name of managedNames(definition, program)) {
    const traits = definition.fields[name]?.traits;
    const current = compared(traits, seen[name], now[name]);
    const own = { program: program[name], lastProgram: lastProgram[name], live: current };
    if (isStatusOfConsole(definition, name, program, live)) continue;
    if (!holdsUnknown(program[name]) && matchesArgs(definition, name, own)) continue;
    const clears = program[name] === null && traits !== undefined && "clearWith" in traits;
    // Said null, a field is to be emptied, and some are not emptied by null.
    changes[name] = clears ? traits.clearWith : completeFromLive(definition, name, own);
  }
  for (const name of Object.keys(lastProgram)) {
    const traits = definition.fields[name]?.traits;
    if (program[name] !== undefined || traits === undefined || !("clearWith" in traits)) continue;
    // Of two forms of one value, the program may have moved from one to the other.
    if (exclusiveWith(definition, name).some((other) => program[other] !== undefined)) continue;
    if (isStatusOfConsole(definition, name, program, live)) continue;
    const current = compared(traits, seen[name], now[name]);
    if (!sameMeaning(definition, name, current, traits.clearWith)) changes[name] = traits.clearWith;
  }
  return withUnmanaged(definition, { ...changes, ...companionsOf(definition, changes, program) }, values);
}

/** The counterpart of a program's value: the live one, or the argument of last time where the live one is in another form. */
function compared(traits: FieldTraits | undefined, previous: unknown, live: unknown): unknown {
  if (traits?.remembered) return previous;
  return traits?.readsOtherId && !isNothing(live) && !isNothing(previous) ? previous : live;
}

/** Fields that go with a field that is sent, as the program says them. */
function companionsOf(definition: ResourceDefinition, changes: Changes, program: JsonObject): Changes {
  const names = managedNames(definition, program).filter((name) => {
    const leader = definition.fields[name]?.traits.goesWith;
    return leader !== undefined && leader in changes;
  });
  return picked(program, names);
}

/** Places at which a live object differs from the program. */
export function differences(definition: ResourceDefinition, live: JsonObject, program: JsonObject): Place[] {
  const now = managedView(definition, { live, program });
  return managedNames(definition, program)
    .filter((name) => definition.fields[name]?.traits.remembered !== true)
    .filter((name) => !isStatusOfConsole(definition, name, program, live))
    .flatMap((name) => {
      const values = { live: now[name], program: program[name] };
      const live = restrictToArgs(definition, name, values);
      return differingPlaces(definition, name, { ...values, live });
    });
}

/** True when the program archives the object: its arguments show the same as a live object does. */
export const wantsArchived = isArchived;

/** True for an archived object that the program does not archive: a create, or an update after a refresh, brings it back. */
export function comesBack(definition: ResourceDefinition, live: JsonObject, program: JsonObject): boolean {
  return isArchived(definition, live) && !wantsArchived(definition, program);
}

/** True for an object that was archived since it was last seen, and that the program does not archive: no update brings it back. */
export function isArchivedUnseen(
  definition: ResourceDefinition,
  { seen = {}, live = {}, program = {} }: Values<JsonObject>,
): boolean {
  return comesBack(definition, live, program) && !isArchived(definition, seen);
}

/**
 * Arguments that would change although the object is archived and the program keeps it so: the console refuses writes to it. A
 * value that is not known yet may turn out to be the same.
 */
export function changesInArchive(
  definition: ResourceDefinition,
  live: JsonObject,
  program: JsonObject,
  names: readonly string[],
): string[] {
  if (!isArchived(definition, live) || !wantsArchived(definition, program)) return [];
  return names.filter((name) => name in definition.fields && !holdsUnknown(program[name]));
}

/** Predicate of a sentence about an object with such changes: what was found, and what to do. */
export const archivedText = "is archived: leave its other arguments, or set status";

/** Fixed fields whose arguments changed since last time. Both sides must be known. */
export function fixedChanges(
  definition: ResourceDefinition,
  olds: JsonObject,
  news: JsonObject,
): { name: string; from: unknown; to: unknown }[] {
  return Object.entries(definition.fields).flatMap(([name, { traits }]) => {
    if (traits.fixed !== true || holdsUnknown(news[name])) return [];
    const from = olds[name] ?? traits.serverDefault;
    const to = news[name] ?? (olds[name] === undefined ? from : traits.serverDefault);
    return sameMeaning(definition, name, from, to)
      ? []
      : [{ name, from: canonical(definition, name, from), to }];
  });
}

/** Fields that a program can empty. */
export function clearableNames(definition: ResourceDefinition): string[] {
  return inputNames(definition).filter((name) => "clearWith" in (definition.fields[name]?.traits ?? {}));
}

/**
 * Arguments of an object that begins anew: where the program gives no state, the console's default. Nobody has ramped it yet:
 * shares are the program's.
 */
export function argsForFreshObject(
  definition: ResourceDefinition,
  { [ownsOption]: _, ...program }: JsonObject,
): JsonObject {
  const state = definition.lifecycle.archived?.field;
  const initial = state === undefined ? undefined : definition.fields[state]?.traits.serverDefault;
  const isSaid = stateNames(definition).some((name) => program[name] !== undefined);
  return state === undefined || initial === undefined || isSaid
    ? asNew(definition, program)
    : { ...program, [state]: initial };
}

/**
 * The state of an object, where it is another one than before and the program does not say which it is to be. Archived, it
 * is drift in any case.
 */
export function movedState(
  definition: ResourceDefinition,
  state: JsonObject,
  refreshed: JsonObject,
): { from: string; to: string } | undefined {
  const { archived } = definition.lifecycle;
  const managed = managedBefore(state);
  if (consoleOwns(state, "status")) return undefined;
  if (archived === undefined || stateNames(definition).some((name) => managed.includes(name)))
    return undefined;
  const [from, to] = [state[archived.field], refreshed[archived.field]];
  if (from === undefined || to === undefined || from === to || to === archived.is) return undefined;
  return { from: textOf(from), to: textOf(to) };
}

/** Fields in which a live object differs and that cannot be changed in place, or not without harm. */
export function replacingNames(
  definition: ResourceDefinition,
  live: JsonObject,
  program: JsonObject,
): string[] {
  return Object.keys(changesOf(definition, { program, live })).filter((name) => {
    const traits = definition.fields[name]?.traits;
    if (traits?.remembered === true || holdsUnknown(program[name])) return false;
    return traits?.fixed === true || traits?.replaces === true;
  });
}
