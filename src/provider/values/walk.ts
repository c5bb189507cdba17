import type { ResourceDefinition } from "../schema/define";
import { isObject, type JsonObject, stableText } from "../schema/json";
import { itemsOf, type Node, type Place, propertiesOf, treeOf } from "../schema/tree";
import { UNKNOWN } from "../schema/unknown";
import { byKeysThenContent, keysOf, matchedElements, matchedPlaces, placesByKey } from "./matching";

/** One value, or one object, from its four sources; left out where it is not there, or not asked for. */
export interface Values<Value = unknown> {
  /** The program sets it now. */
  readonly program?: Value | undefined;
  /** The program set it last time. */
  readonly lastProgram?: Value | undefined;
  /** State has it from when the object was last read. */
  readonly seen?: Value | undefined;
  /** The console has it now. */
  readonly live?: Value | undefined;
}

/** A whole object, and the program that is compared with it. */
export interface ObjectValues extends Values<JsonObject> {
  readonly program: JsonObject;
  readonly live: JsonObject;
}

/** Behaviour of a walk at the objects and lists inside a value. */
export interface Visitor {
  /** The source whose value the walk rebuilds. */
  readonly into: "program" | "live";
  /** False for parts of a schema that stay as they are. */
  readonly enters: (node: Node) => boolean;
  /** For each element of the rebuilt list, the values that stand for it. */
  readonly pair: (items: Place, keyedBy: string | undefined, lists: Values<readonly unknown[]>) => Values[];
  /** The members of the rebuilt object. `inside`: one of its members, walked. */
  readonly members: (
    place: ObjectPlace,
    values: Values<JsonObject>,
    inside: (member: string) => unknown,
  ) => JsonObject;
}

/** An object inside a value. */
export interface ObjectPlace extends Place {
  readonly properties: Readonly<Record<string, Node>>;
}

/** Rebuilds a value of a field from its other sources, as a visitor does at each object. */
export function walkField(
  definition: ResourceDefinition,
  name: string,
  visitor: Visitor,
  values: Values,
): unknown {
  return walk(visitor, { node: treeOf(definition)[name]?.node ?? {}, pattern: name }, values);
}

/** The same at a place inside a field. */
export function walk(visitor: Visitor, place: Place, values: Values): unknown {
  const { node, pattern } = place;
  const target = values[visitor.into];
  if (target === UNKNOWN || node.sameAs === "opaque" || !visitor.enters(node)) return target;
  if (Array.isArray(target)) {
    const items = itemsOf(node);
    if (items === undefined || propertiesOf(items) === undefined || !visitor.enters(items)) return target;
    const inside = { node: items, pattern: `${pattern}[]` };
    const lists = pickedFrom(values, (one) => (Array.isArray(one) ? (one as unknown[]) : undefined));
    return visitor.pair(inside, node.keyedBy, lists).map((element) => walk(visitor, inside, element));
  }
  const properties = propertiesOf(node);
  if (!isObject(target) || properties === undefined) return target;
  const objects = pickedFrom(values, (one) => (isObject(one) ? one : undefined));
  return visitor.members({ node, pattern, properties }, objects, (member) => {
    const value = target[member];
    // Most members are bare values, which no visitor changes.
    if (typeof value !== "object" || value === null) return value;
    const at = { node: properties[member] ?? {}, pattern: `${pattern}.${member}` };
    return walk(
      visitor,
      at,
      pickedFrom(objects, (one) => one?.[member]),
    );
  });
}

function pickedFrom<One, Other>(
  { program, lastProgram, seen, live }: Values<One>,
  pick: (one: One | undefined) => Other | undefined,
): Values<Other> {
  return { program: pick(program), lastProgram: pick(lastProgram), seen: pick(seen), live: pick(live) };
}

/** Pairs elements by their keys, then, for a renamed one, by content, as `same` compares it. An element stands for one other at most. */
export function pairedOnce(
  into: Visitor["into"],
  same: (place: Place, one: JsonObject, other: JsonObject) => boolean,
): Visitor["pair"] {
  return (items, keyedBy, { program = [], lastProgram = [], live = [] }) => {
    const ways = byKeysThenContent(items.node, keyedBy, (one, other) => same(items, one, other));
    const previous = matchedElements(program, lastProgram, ways);
    const places = matchedPlaces(program, live, ways);
    const rows = program.map((one, at): Values => {
      const place = places[at];
      return { program: one, lastProgram: previous[at], live: place === undefined ? undefined : live[place] };
    });
    return into === "program" ? rows : live.map((one, at) => rows[places.indexOf(at)] ?? { live: one });
  };
}

/**
 * Pairs elements by their keys, or where there are no keys, by their places. Several elements may stand for the same one, and where
 * two have its key, neither stands for it.
 */
export function pairedByKey(into: Visitor["into"]): Visitor["pair"] {
  return ({ node }, keyedBy, lists) => {
    const keys = keysOf(node, keyedBy);
    const list = lists[into] ?? [];
    const sides = pickedFrom(lists, (others) =>
      others === undefined || others === list ? others : counterparts(keys, list, others),
    );
    return list.map((_, at) => pickedFrom(sides, (others) => others?.[at]));
  };
}

function counterparts(
  keys: readonly string[],
  list: readonly unknown[],
  others: readonly unknown[],
): unknown[] {
  if (keys.length === 0) return list.map((one, at) => (isObject(one) ? others[at] : undefined));
  const keyOf = (one: unknown) =>
    isObject(one) && keys.every((key) => typeof one[key] === "string" && one[key] !== UNKNOWN)
      ? stableText(keys.map((key) => one[key]))
      : undefined;
  const places = placesByKey(others, keyOf);
  return list.map((one) => {
    const [place, another] = places.get(keyOf(one) ?? "") ?? [];
    return place === undefined || another !== undefined ? undefined : others[place];
  });
}
