import { keptNames } from "../schema/audit";
import { inputNames, type ResourceDefinition } from "../schema/define";
import { managedMember } from "../schema/internal";
import { isGiven, type JsonObject, membersOf } from "../schema/json";
import { canonical, canonicalLive, isNothing, liveValue, sameMeaning } from "./compare";
import { isStatusOfConsole, ownsOption } from "./console-owned";
import { optionsOf } from "./options";
import { withLiveMembers } from "./server-set-members";
import { matchesArgs, restrictToArgs } from "./sparse-values";
import { type LiveValues, withoutUnmanaged } from "./unmanaged";
import { stored, upgraded } from "./upgrade";

export { managedMember };

/** The live object as a program would have to say it. */
export function viewOf(definition: ResourceDefinition, live: JsonObject): JsonObject {
  const known = membersOf(inputNames(definition), (name) => shownValue(definition, live, name));
  const viewed = { ...live, ...known };
  return definition.view === undefined ? viewed : definition.view(viewed);
}

/** The live object as the program would have to say it, without what is not the program's: so it is compared with arguments. */
export function managedView(definition: ResourceDefinition, values: LiveValues): JsonObject {
  return viewOf(definition, withoutUnmanaged(definition, values));
}

/** A live value; what a read leaves out is what the console fills in. */
function shownValue(definition: ResourceDefinition, live: JsonObject, name: string): unknown {
  const traits = definition.fields[name]?.traits;
  return liveValue(definition, live, name) ?? (traits?.remembered ? undefined : traits?.serverDefault);
}

/** Names of the fields that the program sets. */
export function managedNames(definition: ResourceDefinition, program: JsonObject): string[] {
  return inputNames(definition).filter((name) => program[name] !== undefined);
}

/** Names that the state says the program set last time. */
export function managedBefore(state: JsonObject): string[] {
  const names = state[managedMember];
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
}

/** The arguments of last time, as state has them, with what they leave to the console. One that state has no value of is undefined. */
export function lastProgramIn(state: JsonObject): JsonObject {
  return membersOf([...managedBefore(state), ownsOption], (name) => state[name]);
}

/** The values of an object of which state knows the arguments of last time. Nobody looked: it counts as it was seen. */
export function objectValues(program: JsonObject, state: JsonObject, live = state) {
  return { program, lastProgram: lastProgramIn(state), seen: state, live };
}

/**
 * The state of an object: the live object; where it is as the program says, the program's own text with what the console
 * adds inside it; the options; and the list of what the program owns. Nulls go: to a program they are the same as absent.
 */
export function stateOf(definition: ResourceDefinition, live: JsonObject, program: JsonObject): JsonObject {
  const state: JsonObject = {};
  const ownLive = withoutUnmanaged(definition, { live, program });
  const view = viewOf(definition, ownLive);
  // Only the view shows values that have no name of their own in the API.
  const shown = definition.view?.(ownLive) ?? ownLive;
  for (const name of keptNames(definition)) {
    const wanted = program[name];
    const ours =
      wanted !== undefined &&
      (isStatusOfConsole(definition, name, program, live) ||
        isAsWanted(definition, name, wanted, view[name]));
    const found = ownLive[name] ?? shown[name];
    const value = ours
      ? withLiveMembers(definition, "all", name, wanted, ownLive[name])
      : stored(definition, name, restrictToArgs(definition, name, { program: wanted, live: found }));
    if (isGiven(value)) state[name] = value;
  }
  for (const name of Object.keys(optionsOf(definition))) {
    if (program[name] !== undefined) state[name] = program[name];
  }
  state[managedMember] = managedNames(definition, program);
  return state;
}

/** True where the live value is the wanted one, or where no read can tell. */
function isAsWanted(definition: ResourceDefinition, name: string, wanted: unknown, live: unknown): boolean {
  const { remembered, readsOtherId } = definition.fields[name]?.traits ?? {};
  if (remembered === true) return true;
  if (readsOtherId === true) return isNothing(wanted) === isNothing(live);
  return matchesArgs(definition, name, { program: wanted, live });
}

/**
 * The state of an object of which a write failed. What no read confirms may not have been sent: all of it but what `previousArgs`
 * holds counts as not sent, so that the next update sends it. What only a create can send was sent with it.
 */
export function partialStateOf(
  definition: ResourceDefinition,
  live: JsonObject,
  program: JsonObject,
  previousArgs: JsonObject,
): JsonObject {
  const state = stateOf(definition, live, program);
  for (const [name, { traits }] of Object.entries(definition.fields)) {
    if (traits.remembered !== true || traits.fixed === true) continue;
    if (previousArgs[name] === undefined) delete state[name];
    else state[name] = previousArgs[name];
  }
  return state;
}

/** A state and the arguments that would lead to it. */
export interface Refreshed {
  readonly state: JsonObject;
  readonly inputs: JsonObject;
}

/**
 * State after a refresh: the live object in place of the old one, unless only values changed that change by themselves;
 * and as arguments the live values of what the program owns, nothing else.
 */
export function overlay(definition: ResourceDefinition, state: JsonObject, live: JsonObject): Refreshed {
  const old = upgraded(definition, state);
  const ownLive = withoutUnmanaged(definition, { live, lastProgram: lastProgramIn(old) });
  const seen = viewOf(definition, old);
  const now = viewOf(definition, ownLive);
  const previousArgs: JsonObject = {};
  const inputs: JsonObject = {};
  for (const name of managedBefore(old)) {
    const program = canonical(definition, name, old[name]);
    previousArgs[name] = program;
    const same =
      isStatusOfConsole(definition, name, old, live) || isAsWanted(definition, name, seen[name], now[name]);
    const args = { program, live: canonicalLive(definition, name, now[name]) };
    const value = same ? program : restrictToArgs(definition, name, args);
    if (isGiven(value)) inputs[name] = value;
  }
  for (const name of Object.keys(optionsOf(definition))) {
    if (old[name] !== undefined) inputs[name] = previousArgs[name] = old[name];
  }
  const fresh = { ...stateOf(definition, ownLive, previousArgs), [managedMember]: managedBefore(old) };
  return { state: onlyVolatileChanged(definition, old, fresh) ? old : fresh, inputs };
}

/** True where a refresh would bring anything of a live object into state. */
export function refreshFinds(definition: ResourceDefinition, state: JsonObject, live: JsonObject): boolean {
  const { state: fresh } = overlay(definition, state, live);
  return !onlyVolatileChanged(definition, upgraded(definition, state), fresh);
}

function onlyVolatileChanged(definition: ResourceDefinition, old: JsonObject, fresh: JsonObject): boolean {
  return [...keptNames(definition)].every(
    (name) =>
      definition.fields[name]?.traits.volatile === true ||
      sameMeaning(definition, name, old[name], fresh[name]),
  );
}
