import { equalJson, type JsonObject, objectsIn } from "../../../provider/schema/json";
import { findItem } from "../../store/items";
import type { World } from "../../store/store";
import type { Operation } from "../behaviour";
import { members } from "../item-operations";

const collection = "layer overrides";
const empty = (): JsonObject => ({ conditionalOverrides: [], idOverrides: [] });

/** Reads the units that always get a group. */
export const getLayerOverrides: Operation = (call) =>
  answer(layerOverridesOf(call.world, findItem(call).id) ?? empty());

/** Replaces the overrides. */
export const setLayerOverrides: Operation = change((_held, given) => withoutOperator(given));

/** Adds overrides: ids join the entry of the same group, environment and experiment. */
export const addLayerOverrides: Operation = change((held, given) => ({
  conditionalOverrides: distinct([
    ...objectsIn(held.conditionalOverrides),
    ...objectsIn(given.conditionalOverrides),
  ]),
  idOverrides: joinIds([...objectsIn(held.idOverrides), ...objectsIn(given.idOverrides)]),
}));

/** Clears the overrides: this route declares no body that could name some (console-api/experiments.md, 2.1). */
export const clearLayerOverrides: Operation = change(empty);

/** Removes the overrides of a layer that is gone. */
export function forgetLayerOverrides(world: World, id: string): void {
  world.remove(collection, id);
}

/** The overrides of a layer; undefined when nobody ever gave it any. */
export function layerOverridesOf(world: World, id: string): JsonObject | undefined {
  return world.get(collection, id);
}

function change(next: (held: JsonObject, given: JsonObject) => JsonObject): Operation {
  return (call) => {
    const { id } = findItem(call);
    const overrides = next(layerOverridesOf(call.world, id) ?? empty(), members(call));
    call.world.put(collection, id, overrides);
    return answer(overrides);
  };
}

function answer(data: JsonObject) {
  return { message: "Layer overrides read successfully.", data };
}

function withoutOperator({ op: _op, ...overrides }: JsonObject): JsonObject {
  return overrides;
}

function distinct(entries: readonly JsonObject[]): JsonObject[] {
  return entries.filter((entry, index) => entries.findIndex((one) => equalJson(one, entry)) === index);
}

function joinIds(entries: readonly JsonObject[]): JsonObject[] {
  const joined = new Map<string, JsonObject>();
  for (const entry of entries) {
    const key = JSON.stringify(
      [entry.groupName, entry.idType, entry.environment, entry.experimentName].map((one) => one ?? null),
    );
    const former = joined.get(key);
    joined.set(key, { ...entry, ids: [...new Set([former?.ids ?? [], entry.ids ?? []].flat())] });
  }
  return [...joined.values()];
}
