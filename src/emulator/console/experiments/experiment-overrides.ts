import { type JsonObject, objectsIn } from "../../../provider/schema/json";
import { findItem, findWritable } from "../../store/items";
import type { World } from "../../store/store";
import type { Call, Operation } from "../behaviour";
import { members } from "../item-operations";
import { groupById } from "./experiment-groups";

const collection = "experiment overrides";

/** Keys by which two entries are the same one. */
const targetOf = (one: JsonObject): string => JSON.stringify([one.type, one.id, one.environment ?? null]);
const unitsOf = (one: JsonObject): string =>
  JSON.stringify([one.groupID, one.environment ?? null, one.unitType ?? null]);

/** Reads the units that always get a group. */
export const getOverrides: Operation = (call) => answer(read(call, findItem(call).id));

/** Replaces the overrides. */
export const setOverrides: Operation = change((_held, given) => given);

/** Adds overrides: a gate or segment gets its new group, ids join those of the same group. */
export const addOverrides: Operation = change((held, given) => ({
  overrides: [...distinct([...objectsIn(held.overrides), ...objectsIn(given.overrides)], targetOf).values()],
  userIDOverrides: joined([...objectsIn(held.userIDOverrides), ...objectsIn(given.userIDOverrides)]),
}));

/** Removes the overrides that the body names. */
export const removeOverrides: Operation = change((held, given) => {
  const gone = new Set(objectsIn(given.overrides).map(targetOf));
  const without = distinct(objectsIn(given.userIDOverrides), unitsOf);
  const left = objectsIn(held.userIDOverrides).map((one) => {
    const ids = idsOf(without.get(unitsOf(one)) ?? {});
    return { ...one, ids: idsOf(one).filter((id) => !ids.includes(id)) };
  });
  return {
    overrides: objectsIn(held.overrides).filter((one) => !gone.has(targetOf(one))),
    userIDOverrides: left.filter((one) => one.ids.length > 0),
  };
});

/** Removes the overrides of an experiment that is gone. */
export function forgetOverrides(world: World, id: string): void {
  world.remove(collection, id);
}

/** The overrides of an experiment; undefined when nobody ever gave it any. */
export function experimentOverridesOf(world: World, id: string): JsonObject | undefined {
  return world.get(collection, id);
}

function change(next: (held: JsonObject, given: JsonObject) => JsonObject): Operation {
  return (call) => {
    const { id, item } = findWritable(call);
    const given = members(call);
    for (const list of ["overrides", "userIDOverrides"]) {
      objectsIn(given[list]).forEach((one, index) => {
        groupById(item, one.groupID, `${list}.${index}.groupID`);
      });
    }
    const overrides = next(read(call, id), given);
    call.world.put(collection, id, overrides);
    return answer(overrides);
  };
}

function read(call: Call, id: string): JsonObject {
  return experimentOverridesOf(call.world, id) ?? { overrides: [], userIDOverrides: [] };
}

function answer(data: JsonObject) {
  return { message: "Experiment overrides read successfully.", data };
}

function distinct(entries: readonly JsonObject[], keyOf: (one: JsonObject) => string) {
  return new Map(entries.map((one) => [keyOf(one), one]));
}

function joined(entries: readonly JsonObject[]): JsonObject[] {
  const byUnits = new Map<string, JsonObject>();
  for (const one of entries) {
    const ids = [...idsOf(byUnits.get(unitsOf(one)) ?? {}), ...idsOf(one)];
    byUnits.set(unitsOf(one), { ...one, ids: [...new Set(ids)] });
  }
  return [...byUnits.values()];
}

function idsOf({ ids }: JsonObject): unknown[] {
  return Array.isArray(ids) ? ids : [];
}
