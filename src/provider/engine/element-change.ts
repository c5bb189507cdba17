import type { ResourceDefinition } from "../schema/define";
import { equalJson, isObject, type JsonObject } from "../schema/json";
import { canonical, canonicalLive, sameMeaning } from "../values/compare";

/** A change of a list that concerns one element, so that the others need not be sent. */
export type ElementChange =
  | { readonly how: "remove"; readonly live: JsonObject }
  | { readonly how: "patch"; readonly live: JsonObject; readonly members: JsonObject }
  | { readonly how: "append"; readonly element: JsonObject };

/** The one element that a change of a list concerns; undefined when it concerns several, or their order. */
export function elementChange(
  definition: ResourceDefinition,
  field: string,
  live: unknown,
  wanted: unknown,
): ElementChange | undefined {
  const lives = objectsOf(live);
  const program = objectsOf(wanted);
  if (lives === undefined || program === undefined) return undefined;
  const same = (left: JsonObject | undefined, right: JsonObject | undefined) =>
    sameMeaning(definition, field, [left], [right]);
  const first = program.findIndex((element, index) => !same(lives[index], element));
  const at = first < 0 ? program.length : first;
  const rest = (list: JsonObject[], skip: number) => list.slice(at + skip);
  const restIsSame = (skipLive: number, skipWanted: number) => {
    const [left, right] = [rest(lives, skipLive), rest(program, skipWanted)];
    return left.length === right.length && left.every((element, index) => same(element, right[index]));
  };
  const [old, next] = [lives[at], program[at]];
  if (old !== undefined && restIsSame(1, 0)) return { how: "remove", live: old };
  if (old === undefined && next !== undefined && restIsSame(0, 1)) return { how: "append", element: next };
  if (old === undefined || next === undefined || !restIsSame(1, 1)) return undefined;
  const members = changedMembers(definition, field, old, next);
  return members === undefined ? undefined : { how: "patch", live: old, members };
}

function objectsOf(list: unknown): JsonObject[] | undefined {
  return Array.isArray(list) && list.every(isObject) ? list : undefined;
}

/** Members to send so that the live element becomes the wanted one; undefined when one would have to be emptied. */
function changedMembers(
  definition: ResourceDefinition,
  field: string,
  live: JsonObject,
  wanted: JsonObject,
): JsonObject | undefined {
  const [old] = canonicalLive(definition, field, [live]) as [JsonObject];
  const [next] = canonical(definition, field, [wanted]) as [JsonObject];
  const gone = Object.keys(old).filter((member) => next[member] === undefined);
  const differs = gone.filter((member) => {
    const { [member]: _, ...without } = old;
    return !sameMeaning(definition, field, [old], [without]);
  });
  if (differs.length > 0) return undefined;
  const changed = Object.entries(next).filter(([member, value]) => !equalJson(old[member], value));
  return Object.fromEntries(changed);
}
