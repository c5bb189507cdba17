import { canonical, canonicalLive, sameUnder } from "./compare";
import type { ResourceDefinition } from "./define";
import { equalJson, isObject, type JsonObject, picked } from "./json";
import { type ListPairs, type ObjectLists, pairsByContent, pairsByName } from "./list-pairs";
import { keysOf } from "./matching";
import { type Path, pathText } from "./path";
import { itemsOf, type Node, propertiesOf, treeOf } from "./tree";

/** A value of a field as the program says it now, as it was when it was last seen, and as it is. */
export interface SeenValue {
  readonly wanted: unknown;
  readonly seen: unknown;
  readonly live: unknown;
}

/** What the program wants, without undoing what nobody has seen yet. */
export interface Merged {
  readonly value: unknown;
  /** Where the live value was kept. */
  readonly paths: readonly string[];
}

/**
 * What to send of a field that the program changes and somebody in the console has changed too: wherever the program says what
 * was there when it was last seen, the live value stays, because no preview has announced that it would go. This is also how an
 * ignored path is left alone: the engine puts the value of last time there, and tells a dynamic provider nothing of it.
 */
export function withUnseenChanges(
  definition: ResourceDefinition,
  name: string,
  { wanted, seen, live }: SeenValue,
): Merged {
  const node = treeOf(definition)[name]?.node ?? {};
  const kept: string[] = [];
  const merging: Merging = { definition, kept };
  const value = merge(merging, { node, pattern: name, path: [name] }, [
    wanted,
    canonical(definition, name, seen),
    canonicalLive(definition, name, live),
  ]);
  return { value, paths: [...new Set(kept)] };
}

interface Merging {
  readonly definition: ResourceDefinition;
  readonly kept: string[];
}

interface Place {
  readonly node: Node;
  readonly pattern: string;
  readonly path: Path;
}

/** Wanted, seen, live. */
type Three = readonly [unknown, unknown, unknown];

function merge(merging: Merging, place: Place, three: Three): unknown {
  const [wanted, seen, live] = three;
  const { node } = place;
  if (same(merging, place, wanted, live) || same(merging, place, seen, live)) return wanted;
  if (same(merging, place, wanted, seen)) return keep(merging, place.path, live);
  if (node.valueType !== undefined) return wanted;
  if (Array.isArray(wanted) && Array.isArray(seen) && Array.isArray(live))
    return mergeList(merging, place, [wanted, seen, live]);
  if (!isObject(wanted) || !isObject(seen) || !isObject(live)) return wanted;
  return mergeMembers(merging, place, [wanted, seen, live]);
}

function same({ definition }: Merging, { node, pattern }: Place, one: unknown, other: unknown): boolean {
  return sameUnder(node, one, other, { definition, pattern });
}

function keep<T>({ kept }: Merging, path: Path, live: T): T {
  kept.push(pathText(path));
  return live;
}

function mergeMembers(
  merging: Merging,
  place: Place,
  [wanted, seen, live]: readonly [JsonObject, JsonObject, JsonObject],
): JsonObject {
  const properties = place.node.sameAs === "opaque" ? undefined : propertiesOf(place.node);
  const result: JsonObject = {};
  for (const names of membersTogether(properties ?? {}, { ...wanted, ...seen, ...live })) {
    const [first = ""] = names;
    const three = [wanted, seen, live].map((values) => picked(values, names)) as [
      JsonObject,
      JsonObject,
      JsonObject,
    ];
    const [wantedForms, seenForms, liveForms] = three;
    const path = [...place.path, first];
    const isSaid = names.some((name) => wanted[name] !== undefined);
    const wasSeen = names.some((name) => seen[name] !== undefined);
    if (names.length > 1) {
      const isKept =
        isSaid && same(merging, place, wantedForms, seenForms) && !same(merging, place, seenForms, liveForms);
      Object.assign(result, isKept ? keep(merging, path, liveForms) : wantedForms);
    } else if (isSaid) {
      const node = properties?.[first] ?? (properties === undefined ? opaque : {});
      const at = { node, pattern: `${place.pattern}.${first}`, path };
      const value = merge(merging, at, [wanted[first], seen[first], live[first]]);
      if (value !== undefined) result[first] = value;
    } else if (!wasSeen && place.node.sparse !== true && !same(merging, place, {}, liveForms)) {
      result[first] = keep(merging, path, live[first]);
    }
  }
  return result;
}

/** Any JSON: compared as it is. */
const opaque: Node = { sameAs: "opaque" };

/** Members of an object in groups: those that are forms of one value stand together. */
function membersTogether(properties: Record<string, Node>, values: JsonObject): string[][] {
  const groups = new Map<string, string[]>();
  for (const name of Object.keys(values)) {
    const leader = properties[name]?.aliasOf ?? name;
    groups.set(leader, [...(groups.get(leader) ?? []), name]);
  }
  return [...groups.values()];
}

type Lists = readonly [readonly unknown[], readonly unknown[], readonly unknown[]];

function mergeList(merging: Merging, place: Place, lists: Lists): unknown {
  const [wanted, seen, live] = lists;
  const { node, pattern, path } = place;
  const items = itemsOf(node) ?? opaque;
  const inside: Place = { node: items, pattern: `${pattern}[]`, path };
  const isSame = (one: unknown, other: unknown) => same(merging, inside, one, other);
  const isNamed = keysOf(items, node.keyedBy).length > 0;
  const objects = lists.every((list) => list.every(isObject)) ? (lists as ObjectLists) : undefined;
  if (isNamed && objects !== undefined)
    return mergeElements(merging, inside, objects, pairsByName(items, objects, node.keyedBy, isSame));
  if (node.unordered === true) return mergeSet(merging, inside, lists);
  if (objects !== undefined) {
    const pairs = pairsByContent(objects, isSame);
    return pairs === undefined ? wanted : mergeElements(merging, inside, objects, pairs);
  }
  // A bare value is told by its place, as long as there are as many.
  if (wanted.length !== seen.length || wanted.length !== live.length) return wanted;
  return wanted.map((one, at) =>
    merge(merging, { ...inside, path: [...path, at] }, [one, seen[at], live[at]]),
  );
}

function mergeSet(merging: Merging, place: Place, [wanted, seen, live]: Lists): unknown {
  const isIn = (list: readonly unknown[], one: unknown) =>
    list.some((other) => same(merging, place, one, other));
  const gone = seen.filter((one) => isIn(wanted, one) && !isIn(live, one));
  const added = live.filter((one) => !isIn(seen, one) && !isIn(wanted, one));
  if (gone.length + added.length === 0) return wanted;
  return keep(merging, place.path, [...wanted.filter((one) => !isIn(gone, one)), ...added]);
}

/** An element of the merged list, and the live one that it stands for. */
interface Element {
  readonly value: JsonObject;
  readonly live: JsonObject | undefined;
}

/** One that nobody has seen yet stays where it stands. */
function mergeElements(merging: Merging, place: Place, lists: ObjectLists, pairs: ListPairs): unknown[] {
  const [wanted, , live] = lists;
  const { seenOf, liveOf, both, isGuessed } = pairs;
  const merged = wanted.flatMap((one, index): Element[] => {
    const seen = seenOf.get(one);
    if (seen === undefined) return [{ value: one, live: both.get(one) }];
    const path = [...place.path, index];
    const now = liveOf.get(seen);
    if (now === undefined)
      return same(merging, place, one, seen) ? keep(merging, path, []) : [{ value: one, live: now }];
    const isOther = isGuessed && !same(merging, place, one, seen) && !sameSort(place.node, [one, seen, now]);
    const value = isOther ? one : merge(merging, { ...place, path }, [one, seen, now]);
    return [{ value: value as JsonObject, live: now }];
  });
  const elements = [...inLiveOrder(merging, place, merged, lists, pairs)];
  const known = new Set([...liveOf.values(), ...elements.map((one) => one.live)]);
  for (const [at, one] of live.entries()) {
    if (known.has(one)) continue;
    const before = elements.findLastIndex(
      (other) => other.live !== undefined && live.indexOf(other.live) < at,
    );
    elements.splice(before + 1, 0, keep(merging, [...place.path, at], { value: one, live: one }));
  }
  return elements.map(({ value }) => value);
}

/** The elements in the order of the console, where that is new and the program keeps to the one that was seen. */
function inLiveOrder(
  merging: Merging,
  place: Place,
  elements: readonly Element[],
  [, seen, live]: ObjectLists,
  { liveOf }: ListPairs,
): readonly Element[] {
  const seenAt = new Map<JsonObject | undefined, number>(
    [...liveOf].map(([one, now]) => [now, seen.indexOf(one)]),
  );
  const old = elements.filter((one) => seenAt.has(one.live));
  const liveAt = (one: Element) => live.indexOf(one.live as JsonObject);
  const isProgramsOrder = !isRising(old.map((one) => seenAt.get(one.live) ?? 0));
  if (isProgramsOrder || isRising(old.map(liveAt))) return elements;
  const ordered = old.toSorted((one, other) => liveAt(one) - liveAt(other)).values();
  return keep(
    merging,
    place.path,
    elements.map((one) => (seenAt.has(one.live) ? (ordered.next().value ?? one) : one)),
  );
}

function isRising(numbers: readonly number[]): boolean {
  return numbers.every((one, at) => at === 0 || one > (numbers[at - 1] ?? 0));
}

/** True where all say the same about what sort of thing they are: about members that every one chooses out of a list. */
function sameSort(
  { required = [], properties = {} }: Node,
  [first, ...others]: readonly JsonObject[],
): boolean {
  const choices = required.filter((member) => properties[member]?.enum !== undefined);
  return choices.every((member) => others.every((other) => equalJson(other[member], first?.[member])));
}
