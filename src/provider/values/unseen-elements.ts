import type { ResourceDefinition } from "../schema/define";
import { equalJson, isObject, type JsonObject, picked } from "../schema/json";
import { type Path, pathText } from "../schema/path";
import { itemsOf, type Node } from "../schema/tree";
import { sameUnder } from "./compare";
import { ordersOf } from "./list-order";
import { type ListPairs, type ObjectLists, pairsByContent, pairsByName } from "./list-pairs";
import { keysOf } from "./matching";

/** A value of a field as the program says it now, as it was when it was last seen, and as it is. */
export interface SeenValue {
  readonly wanted: unknown;
  readonly seen: unknown;
  readonly live: unknown;
}

/** A place that the program changes and that somebody in the console changed to something else. Undefined: nothing there. */
export interface EditConflict extends SeenValue {
  readonly path: Path;
  /** Names of the elements that the path leads through, such as that of a rule. */
  readonly within: readonly string[];
  /** The values are names of elements: the order of a list is what both changed. */
  readonly isOrder?: true;
  /** The argument that the program sets, where it is another one that tells the same. */
  readonly wantedAt?: string;
}

/** A merge of one field: what it found so far, and how it goes on with a value inside a list. */
export interface Merging {
  readonly definition: ResourceDefinition;
  readonly kept: string[];
  readonly conflicts: EditConflict[];
  readonly merge: (merging: Merging, place: Place, three: Three) => unknown;
}

/** Where in a field a value stands. */
export interface Place {
  readonly node: Node;
  readonly pattern: string;
  readonly path: Path;
  readonly within: readonly string[];
}

/** Wanted, seen, live. */
export type Three = readonly [unknown, unknown, unknown];

/** True for two values that mean the same at a place. */
export function same(
  { definition }: Merging,
  { node, pattern }: Place,
  one: unknown,
  other: unknown,
): boolean {
  return sameUnder(node, one, other, { definition, pattern });
}

/** Notes that the live value stays. */
export function keep<T>({ kept }: Merging, path: Path, live: T): T {
  kept.push(pathText(path));
  return live;
}

/** Notes that both changed a place. The program's value counts, should the update go on. */
export function conflict<T>(
  { conflicts }: Merging,
  { path, within }: Place,
  [wanted, seen, live]: readonly [T, unknown, unknown],
): T {
  conflicts.push({ path, within, wanted, seen, live });
  return wanted;
}

/** Any JSON: compared as it is. */
export const opaque: Node = { sameAs: "opaque" };

type Lists = readonly [readonly unknown[], readonly unknown[], readonly unknown[]];

/** A list that the program and the console have changed. */
export function mergeList(merging: Merging, place: Place, lists: Lists): unknown {
  const [wanted, seen, live] = lists;
  const { node, pattern, path, within } = place;
  const items = itemsOf(node) ?? opaque;
  const inside: Place = { node: items, pattern: `${pattern}[]`, path, within };
  const isSame = (one: unknown, other: unknown) => same(merging, inside, one, other);
  const isNamed = keysOf(items, node.keyedBy).length > 0;
  const objects = lists.every((list) => list.every(isObject)) ? (lists as ObjectLists) : undefined;
  if (isNamed && objects !== undefined)
    return mergeElements(merging, inside, objects, pairsByName(items, objects, node.keyedBy, isSame));
  if (node.unordered === true) return mergeSet(merging, inside, lists);
  if (objects !== undefined) {
    const pairs = pairsByContent(objects, isSame);
    return pairs === undefined
      ? conflict(merging, place, lists)
      : mergeElements(merging, inside, objects, pairs);
  }
  // A bare value is told by its place, as long as there are as many.
  if (wanted.length !== seen.length || wanted.length !== live.length) return conflict(merging, place, lists);
  return wanted.map((one, at) =>
    merging.merge(merging, { ...inside, path: [...path, at] }, [one, seen[at], live[at]]),
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
  const { liveOf } = pairs;
  const merged = wanted.flatMap((one, index) =>
    mergeElement(merging, elementAt(place, index, one), one, pairs),
  );
  noteRemoved(merging, place, lists, pairs);
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

function elementAt(place: Place, index: number, { name }: JsonObject): Place {
  const within = typeof name === "string" ? [...place.within, name] : place.within;
  return { ...place, path: [...place.path, index], within };
}

/** What becomes of an element of the program: nothing, where the console removed it and the program left it as it was. */
function mergeElement(
  merging: Merging,
  place: Place,
  one: JsonObject,
  { seenOf, liveOf, both, isGuessed }: ListPairs,
): Element[] {
  const seen = seenOf.get(one);
  if (seen === undefined) {
    const twin = both.get(one);
    if (twin !== undefined && !saysSame(merging, place, one, twin))
      conflict(merging, place, [one, seen, twin]);
    return [{ value: one, live: twin }];
  }
  const now = liveOf.get(seen);
  if (now === undefined) {
    if (same(merging, place, one, seen)) return keep(merging, place.path, []);
    return [{ value: conflict(merging, place, [one, seen, now]), live: now }];
  }
  const isOther = isGuessed && !same(merging, place, one, seen) && !sameSort(place.node, [one, seen, now]);
  if (!isOther) return [{ value: merging.merge(merging, place, [one, seen, now]) as JsonObject, live: now }];
  const isTouched = !same(merging, place, now, seen) && !same(merging, place, now, one);
  return [{ value: isTouched ? conflict(merging, place, [one, seen, now]) : one, live: now }];
}

/** True for a live element that is as the program sets it, as far as the program sets it. */
function saysSame(merging: Merging, place: Place, one: JsonObject, live: JsonObject): boolean {
  const said = place.node.sparse === true ? picked(live, Object.keys(one)) : live;
  return same(merging, place, one, live) || same(merging, place, one, said);
}

/** Notes the elements that the program removes and somebody changed. */
function noteRemoved(
  merging: Merging,
  place: Place,
  [wanted, seen]: ObjectLists,
  { seenOf, liveOf }: ListPairs,
): void {
  const remaining = new Set(wanted.map((one) => seenOf.get(one)));
  for (const [index, one] of seen.entries()) {
    const now = liveOf.get(one);
    if (remaining.has(one) || now === undefined || saysSame(merging, place, one, now)) continue;
    conflict(merging, elementAt(place, index, one), [undefined, one, now]);
  }
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
  const orders = ordersOf(
    old,
    (one) => seenAt.get(one.live) ?? 0,
    (one) => live.indexOf(one.live as JsonObject),
  );
  if (orders.changedBy === "both") {
    const labels = (list: readonly Element[]) => list.map(({ value }) => value.name ?? value);
    const values = { wanted: labels(orders.wanted), seen: labels(orders.seen), live: labels(orders.live) };
    merging.conflicts.push({ path: place.path, within: place.within, ...values, isOrder: true });
  }
  if (orders.changedBy !== "console") return elements;
  const ordered = orders.live.values();
  return keep(
    merging,
    place.path,
    elements.map((one) => (seenAt.has(one.live) ? (ordered.next().value ?? one) : one)),
  );
}

/** True where all say the same about what sort of thing they are: about members that every one chooses out of a list. */
function sameSort(
  { required = [], properties = {} }: Node,
  [first, ...others]: readonly JsonObject[],
): boolean {
  const choices = required.filter((member) => properties[member]?.enum !== undefined);
  return choices.every((member) => others.every((other) => equalJson(other[member], first?.[member])));
}
