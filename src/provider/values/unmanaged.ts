import type { ResourceDefinition } from "../schema/define";
import { equalJson, isObject, type JsonObject } from "../schema/json";
import { memoized } from "../schema/memoized";
import { carriedRollouts } from "./carried-rollouts";
import { ownsOption } from "./console-owned";

/**
 * What a field holds beside what the program manages is no drift, and a write leaves it where it is: elements that the
 * console adds to a list while a flag of the object is on (fact `growsWhile`), members of an object that the program
 * leaves out (`keepsOthers`), and shares that the console moves (`rollout`). Managed are the elements that arguments give or
 * gave last time, and the members that they give.
 */
export interface ThreeWayValues {
  readonly live: JsonObject;
  readonly wants: JsonObject;
  /** The arguments of last time. */
  readonly previousArgs: JsonObject;
}

/** The live object without what is not the program's: without its elements, and with shares as the program says them. */
export function withoutUnmanaged(definition: ResourceDefinition, values: ThreeWayValues): JsonObject {
  const own = growingNames(definition, values).map((name) => {
    const unmanaged = unmanagedIn(name, values);
    return [name, listIn(values.live, name).filter((one) => !unmanaged.includes(one))];
  });
  const named = sharedNames(definition, values).map((name) => {
    const members = Object.keys(objectIn(values.wants, name) ?? objectIn(values.previousArgs, name) ?? {});
    const live = Object.entries(objectIn(values.live, name) ?? {});
    return [name, Object.fromEntries(live.filter(([member]) => members.includes(member)))];
  });
  const shares = carriedRollouts(definition, sidesOf(values), "live");
  if (own.length + named.length + shares.length === 0) return values.live;
  return { ...values.live, ...Object.fromEntries([...own, ...named, ...shares]) };
}

/** Values to send, with the elements that are not the program's at the end, and with shares as they are. */
export function withUnmanaged(
  definition: ResourceDefinition,
  changes: JsonObject,
  values: ThreeWayValues,
): JsonObject {
  const merged = growingNames(definition, values)
    .filter((name) => name in changes)
    .map((name): [string, unknown] => [name, [...listIn(changes, name), ...unmanagedIn(name, values)]]);
  for (const name of sharedNames(definition, values)) {
    const managed = objectIn(changes, name);
    if (managed !== undefined) merged.push([name, { ...objectIn(values.live, name), ...managed }]);
  }
  merged.push(...carriedRollouts(definition, { ...sidesOf(values), wants: changes }, "wanted"));
  return merged.length === 0 ? changes : { ...changes, ...Object.fromEntries(merged) };
}

/** The sides between which shares are carried. A refresh knows the arguments of last time alone. */
function sidesOf({ live, wants, previousArgs }: ThreeWayValues) {
  const isRefresh = Object.keys(wants).length === 0;
  const said = isRefresh ? previousArgs : wants;
  const before = isRefresh ? {} : previousArgs;
  return { wants: said, live, previousArgs: before, owners: { [ownsOption]: said[ownsOption] } };
}

/** Lists to which the console adds now. */
function growingNames(
  definition: ResourceDefinition,
  { live, wants, previousArgs }: ThreeWayValues,
): string[] {
  return namesOf(definition).growing.filter((name) => {
    if (!Array.isArray(live[name])) return false;
    const flag = definition.fields[name]?.facts.growsWhile as string;
    const isManaged = wants[name] !== undefined || previousArgs[name] !== undefined;
    return isManaged && (wants[flag] ?? live[flag]) === true;
  });
}

/** Fields whose objects the program shares with others. */
function sharedNames(
  definition: ResourceDefinition,
  { live, wants, previousArgs }: ThreeWayValues,
): string[] {
  return namesOf(definition).shared.filter((name) => {
    const isManaged = wants[name] !== undefined || previousArgs[name] !== undefined;
    return isManaged && objectIn(live, name) !== undefined;
  });
}

/** Few kinds have such fields, and every comparison asks. */
const namesOf = memoized(({ fields }: ResourceDefinition) => ({
  growing: Object.keys(fields).filter((name) => fields[name]?.facts.growsWhile !== undefined),
  shared: Object.keys(fields).filter((name) => fields[name]?.facts.keepsOthers === true),
}));

function objectIn(values: JsonObject, name: string): JsonObject | undefined {
  const value = values[name];
  return isObject(value) ? value : undefined;
}

function unmanagedIn(name: string, { live, wants, previousArgs }: ThreeWayValues): unknown[] {
  const own = [...listIn(wants, name), ...listIn(previousArgs, name)];
  return listIn(live, name).filter((one) => !own.some((other) => equalJson(one, other)));
}

function listIn(values: JsonObject, name: string): unknown[] {
  const list = values[name];
  return Array.isArray(list) ? list : [];
}
