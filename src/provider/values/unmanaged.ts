import { fieldsWith, type ResourceDefinition } from "../schema/define";
import { equalJson, isObject, type JsonObject, listIn, picked } from "../schema/json";
import { memoized } from "../schema/memoized";
import { carriedRollouts } from "./carried-rollouts";
import { consoleOwns } from "./console-owned";
import type { Values, Visitor } from "./walk";

/**
 * Values beside those that the program manages are no drift, and a write leaves them where they are: elements that the
 * console adds to a list while a flag of the object is on (trait `growsWhile`), members of an object that the program
 * leaves out (`keepsOthers`), and shares that the console moves (`rollout`). Managed are the elements that arguments give or
 * gave last time, and the members that they give. A refresh knows the arguments of last time alone.
 */
export interface LiveValues extends Values<JsonObject> {
  readonly live: JsonObject;
}

/** The live object without what is not the program's: without its elements, and with shares as the program says them. */
export function withoutUnmanaged(definition: ResourceDefinition, values: LiveValues): JsonObject {
  const { live, program, lastProgram } = values;
  const own = growingNames(definition, values).map((name) => {
    const unmanaged = unmanagedIn(name, values);
    return [name, listIn(live[name]).filter((one) => !unmanaged.includes(one))];
  });
  const named = sharedNames(definition, values).map((name) => {
    const members = Object.keys(objectIn(program, name) ?? objectIn(lastProgram, name) ?? {});
    return [name, picked(objectIn(live, name) ?? {}, members)];
  });
  const shares = sharesOf(definition, values, "live");
  if (own.length + named.length + shares.length === 0) return live;
  return { ...live, ...Object.fromEntries([...own, ...named, ...shares]) };
}

/** Values to send, with the elements that are not the program's at the end, and with shares as they are. */
export function withUnmanaged(
  definition: ResourceDefinition,
  changes: JsonObject,
  values: LiveValues,
): JsonObject {
  const merged = growingNames(definition, values)
    .filter((name) => name in changes)
    .map((name): [string, unknown] => [name, [...listIn(changes[name]), ...unmanagedIn(name, values)]]);
  for (const name of sharedNames(definition, values)) {
    const managed = objectIn(changes, name);
    if (managed !== undefined) merged.push([name, { ...objectIn(values.live, name), ...managed }]);
  }
  merged.push(...sharesOf(definition, values, "program", changes));
  return merged.length === 0 ? changes : { ...changes, ...Object.fromEntries(merged) };
}

/** Shares that are left to the console. `changes`: what is sent of the program. */
function sharesOf(
  definition: ResourceDefinition,
  { live, program = {}, lastProgram = {} }: LiveValues,
  into: Visitor["into"],
  changes?: JsonObject,
): [string, unknown][] {
  const isRefresh = Object.keys(program).length === 0;
  const [args, before] = isRefresh ? [lastProgram, {}] : [program, lastProgram];
  const all = consoleOwns(args, "rollout");
  return carriedRollouts(definition, { program: changes ?? args, live, lastProgram: before }, { into, all });
}

/** Lists to which the console adds now. */
function growingNames(definition: ResourceDefinition, values: LiveValues): string[] {
  const { live, program } = values;
  return namesOf(definition).growing.filter((name) => {
    const flag = definition.fields[name]?.traits.growsWhile as string;
    return Array.isArray(live[name]) && isManaged(values, name) && (program?.[flag] ?? live[flag]) === true;
  });
}

/** Fields whose objects the program shares with others. */
function sharedNames(definition: ResourceDefinition, values: LiveValues): string[] {
  return namesOf(definition).shared.filter((name) => isManaged(values, name) && isObject(values.live[name]));
}

function isManaged({ program, lastProgram }: LiveValues, name: string): boolean {
  return program?.[name] !== undefined || lastProgram?.[name] !== undefined;
}

/** Few kinds have such fields, and every comparison asks. */
const namesOf = memoized((definition: ResourceDefinition) => ({
  growing: fieldsWith(definition, ({ traits }) => traits.growsWhile !== undefined),
  shared: fieldsWith(definition, ({ traits }) => traits.keepsOthers === true),
}));

function objectIn(values: JsonObject | undefined, name: string): JsonObject | undefined {
  const value = values?.[name];
  return isObject(value) ? value : undefined;
}

function unmanagedIn(name: string, { live, program, lastProgram }: LiveValues): unknown[] {
  const own = [program, lastProgram].flatMap((values) => listIn(values?.[name]));
  return listIn(live?.[name]).filter((one) => !own.some((other) => equalJson(one, other)));
}
