import { isObject, type JsonObject } from "../../provider/schema/json";
import { findItem, findWritable } from "../store/items";
import type { World } from "../store/store";
import type { Call, Operation } from "./behaviour";
import { members } from "./item-operations";
import { Refusal } from "./rules/outcomes";

const lists = ["passingUserIDs", "failingUserIDs", "passingCustomIDs", "failingCustomIDs"];
const inEnvironment = ["passingIDs", "failingIDs"];
const collectionOf = (kind: string): string => `${kind} overrides`;

/** Makes one list of ids of two. */
type Merge = (held: readonly unknown[], given: readonly unknown[]) => unknown[];

const union: Merge = (held, given) => [...new Set([...held, ...given])];
const difference: Merge = (held, given) => held.filter((id) => !given.includes(id));

/** Reads the units that always pass or fail. */
export const getUnitOverrides: Operation = (call) => {
  const held = read(call, findItem(call).id);
  const isNone = Object.values(held).every((list) => Array.isArray(list) && list.length === 0);
  if (isNone && call.switches.absentOverrides === "missing") throw new Refusal(404, "Overrides not found.");
  return answer(held);
};

/** Replaces every override: what the body does not name is empty afterwards. */
export const setUnitOverrides: Operation = (call) => write(call, () => merge(empty(), members(call), union));

/** Adds ids. */
export const addUnitOverrides: Operation = (call) => write(call, (held) => merge(held, members(call), union));

/** Removes the ids that the body names. */
export const removeUnitOverrides: Operation = (call) =>
  write(call, (held) => merge(held, members(call), difference));

/** Removes the overrides of an object that is gone. */
export function forgetUnitOverrides(kind: string): (world: World, id: string) => void {
  return (world, id) => world.remove(collectionOf(kind), id);
}

/** The overrides of an object; undefined when nobody ever gave it any. */
export function unitOverridesOf(world: World, kind: string, id: string): JsonObject | undefined {
  return world.get(collectionOf(kind), id);
}

function empty(): JsonObject {
  return { ...Object.fromEntries(lists.map((name) => [name, []])), environmentOverrides: [] };
}

function read({ world, behaviour }: Call, id: string): JsonObject {
  return unitOverridesOf(world, behaviour.definition.name, id) ?? empty();
}

function write(call: Call, change: (held: JsonObject) => JsonObject) {
  const { id } = findWritable(call);
  const next = change(read(call, id));
  call.world.put(collectionOf(call.behaviour.definition.name), id, next);
  return answer(next);
}

function answer(data: JsonObject) {
  return { message: "Overrides read successfully.", data };
}

function merge(held: JsonObject, given: JsonObject, how: Merge): JsonObject {
  const merged = mergeLists(held, given, lists, how);
  return { ...merged, environmentOverrides: mergeEnvironments(held, given, how) };
}

function mergeLists(held: JsonObject, given: JsonObject, names: readonly string[], how: Merge): JsonObject {
  return Object.fromEntries(names.map((name) => [name, how(arrayOf(held[name]), arrayOf(given[name]))]));
}

/** Environment overrides differ by environment and unit id; one without ids left is none. */
function mergeEnvironments(held: JsonObject, given: JsonObject, how: Merge): JsonObject[] {
  const keyOf = (one: JsonObject): string => JSON.stringify([one.environment ?? null, one.unitID ?? null]);
  const merged = new Map(
    arrayOf(held.environmentOverrides)
      .filter(isObject)
      .map((one) => [keyOf(one), one]),
  );
  for (const one of arrayOf(given.environmentOverrides).filter(isObject)) {
    const former = merged.get(keyOf(one)) ?? {};
    const { environment = null, unitID = null } = one;
    merged.set(keyOf(one), { environment, unitID, ...mergeLists(former, one, inEnvironment, how) });
  }
  return [...merged.values()].filter((one) => inEnvironment.some((name) => arrayOf(one[name]).length > 0));
}

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
