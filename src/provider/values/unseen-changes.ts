import type { ResourceDefinition } from "../schema/define";
import { isObject, type JsonObject, picked } from "../schema/json";
import { type Node, propertiesOf, treeOf } from "../schema/tree";
import { canonical, canonicalLive, isNothing } from "./compare";
import {
  conflict,
  type EditConflict,
  keep,
  type Merging,
  mergeList,
  opaque,
  type Place,
  type SeenValue,
  same,
  type Three,
} from "./unseen-elements";

export type { EditConflict, SeenValue };

/** What the program wants, without undoing what nobody has seen yet. */
export interface Merged {
  /** At conflicts it is the program's. */
  readonly value: unknown;
  /** Where the live value was kept. */
  readonly paths: readonly string[];
  readonly conflicts: readonly EditConflict[];
}

/**
 * What to send of a field that the program changes and somebody in the console has changed too: wherever the program sets what
 * was there when it was last seen, the live value stays, because no preview has announced that it would go. This is also how an
 * ignored path is left alone: the engine puts the value of last time there, and tells a dynamic provider nothing of it. Where
 * both changed the same place, that is a conflict.
 */
export function withUnseenChanges(
  definition: ResourceDefinition,
  name: string,
  { wanted, seen, live }: SeenValue,
): Merged {
  const { node = {}, facts } = treeOf(definition)[name] ?? {};
  const kept: string[] = [];
  const conflicts: EditConflict[] = [];
  const merging: Merging = { definition, kept, conflicts, merge };
  // Of an object that the program shares with others, state holds the program's members alone, as of a sparse one.
  const root = facts?.keepsOthers === true ? { ...node, sparse: true as const } : node;
  const value = merge(merging, { node: root, pattern: name, path: [name], within: [] }, [
    wanted,
    canonical(definition, name, seen),
    canonicalLive(definition, name, live),
  ]);
  return { value, paths: [...new Set(kept)], conflicts };
}

function merge(merging: Merging, place: Place, three: Three): unknown {
  const [wanted, seen, live] = three;
  const { node } = place;
  if (same(merging, place, wanted, live) || same(merging, place, seen, live)) return wanted;
  if (same(merging, place, wanted, seen)) return keep(merging, place.path, live);
  if (node.valueType !== undefined) return conflict(merging, place, three);
  if (Array.isArray(wanted) && Array.isArray(seen) && Array.isArray(live))
    return mergeList(merging, place, [wanted, seen, live]);
  if (!isObject(wanted) || !isObject(seen) || !isObject(live)) return conflict(merging, place, three);
  return mergeMembers(merging, place, [wanted, seen, live]);
}

function mergeMembers(
  merging: Merging,
  place: Place,
  [wanted, seen, live]: readonly [JsonObject, JsonObject, JsonObject],
): JsonObject {
  const { node } = place;
  const properties = node.sameAs === "opaque" ? undefined : propertiesOf(node);
  const result: JsonObject = {};
  for (const names of membersTogether(properties ?? {}, { ...wanted, ...seen, ...live })) {
    const [first = ""] = names;
    const inside = properties?.[first] ?? (properties === undefined ? opaque : {});
    const at = { node: inside, pattern: `${place.pattern}.${first}`, path: [...place.path, first] };
    const three = [picked(wanted, names), picked(seen, names), picked(live, names)] as const;
    const value = mergeForms(merging, place, { ...place, ...at }, three);
    Object.assign(result, value);
  }
  return result;
}

/** What becomes of one member of an object, as the forms of its value. `at`: the place of the first of them. */
function mergeForms(
  merging: Merging,
  { node, ...place }: Place,
  at: Place,
  [wanted, seen, live]: readonly [JsonObject, JsonObject, JsonObject],
): JsonObject {
  const names = [...new Set([wanted, seen, live].flatMap((forms) => Object.keys(forms)))];
  const first = String(at.path.at(-1));
  const shown = ({ [first]: value }: JsonObject) =>
    isNothing(value) ? (at.node.serverDefault ?? value) : value;
  const isSame = (one: JsonObject, other: JsonObject) =>
    names.length > 1
      ? same(merging, { ...place, node }, one, other)
      : same(merging, at, shown(one), shown(other));
  const isSaid = Object.values(wanted).some((value) => value !== undefined);
  const wasSeen = Object.values(seen).some((value) => value !== undefined);
  // What a sparse object leaves out goes along when it is sent: nobody undoes it.
  if (!isSaid && node.sparse === true) return {};
  if (isSame(wanted, live) || isSame(seen, live)) return wanted;
  if (isSame(wanted, seen)) return keep(merging, at.path, live);
  // Of what the program did not set before, the state of a sparse object tells nothing.
  if (!wasSeen && node.sparse === true) return wanted;
  if (names.length === 1 && isSaid) {
    const value = merge(merging, at, [wanted[first], seen[first], live[first]]);
    return value === undefined ? {} : { [first]: value };
  }
  const valueIn = (forms: JsonObject) => Object.values(forms).find((value) => value !== undefined);
  conflict(merging, at, [valueIn(wanted), valueIn(seen), valueIn(live)]);
  return wanted;
}

/** Members of an object in groups: those that are forms of one value stand together. */
function membersTogether(properties: Record<string, Node>, values: JsonObject): string[][] {
  const groups = new Map<string, string[]>();
  for (const name of Object.keys(values)) {
    const leader = properties[name]?.aliasOf ?? name;
    groups.set(leader, [...(groups.get(leader) ?? []), name]);
  }
  return [...groups.values()];
}
