import { sameUnder } from "./compare";
import type { ResourceDefinition } from "./define";
import { isObject, type JsonObject } from "./json";
import { keysOf } from "./sparse-values";
import { holdsNode, itemsOf, type Node, propertiesOf, treeOf } from "./tree";

/** Which members that only the console sets are carried over: ids that are sent back, or everything for the state. */
type CarriedMembers = "identity" | "all";

/**
 * A wanted value with the console's ids of the live elements that its elements stand for, so that a rule keeps its
 * history when another is inserted above it, and with members that this version does not know: what is replaced whole would
 * lose them. Elements are matched by name, then, for a renamed one, by content.
 */
export function withElementIds(
  definition: ResourceDefinition,
  name: string,
  wanted: unknown,
  live: unknown,
): unknown {
  return carry(
    { definition, carried: "identity" },
    { node: nodeOf(definition, name), pattern: name },
    wanted,
    live,
  );
}

/** A wanted value with all that the console adds inside it: what the state shows of a value that is as wanted. */
export function withServerSetMembers(
  definition: ResourceDefinition,
  name: string,
  wanted: unknown,
  live: unknown,
): unknown {
  return carry(
    { definition, carried: "all" },
    { node: nodeOf(definition, name), pattern: name },
    wanted,
    live,
  );
}

function nodeOf(definition: ResourceDefinition, name: string): Node {
  return treeOf(definition)[name]?.node ?? {};
}

interface Scope {
  readonly definition: ResourceDefinition;
  readonly carried: CarriedMembers;
}

/** Where a value stands: what is known of it, and its path without indices. */
export interface Place {
  readonly node: Node;
  readonly pattern: string;
}

const holdsServerSet = holdsNode((node) => node.serverSet !== undefined);

function carry(scope: Scope, { node, pattern }: Place, wanted: unknown, live: unknown): unknown {
  if (node.sameAs === "opaque" || (scope.carried === "all" && !holdsServerSet(node))) return wanted;
  if (Array.isArray(wanted)) {
    const items = itemsOf(node);
    if (items === undefined || propertiesOf(items) === undefined) return wanted;
    const place = { node: items, pattern: `${pattern}[]` };
    const lives = Array.isArray(live) ? live.filter(isObject) : [];
    const sameContent = (one: JsonObject, other: JsonObject) =>
      sameUnder(items, content(one), content(other), {
        definition: scope.definition,
        pattern: place.pattern,
      });
    const matches = matchedElements(place, wanted, lives, node.keyedBy, sameContent);
    return wanted.map((element: unknown, index) => carry(scope, place, element, matches.get(index)));
  }
  const properties = propertiesOf(node);
  if (!isObject(wanted) || properties === undefined) return wanted;
  const from = isObject(live) ? live : {};
  const carried = carriedMembersOf(properties, scope.carried).flatMap((name) =>
    isPresent(from[name]) ? [[name, from[name]]] : [],
  );
  const inner = Object.entries(wanted).map(([member, value]) => [
    member,
    carry(scope, { node: properties[member] ?? {}, pattern: `${pattern}.${member}` }, value, from[member]),
  ]);
  return Object.fromEntries([
    ...unknownMembers(scope, pattern, properties, from),
    ...carried,
    ...inner,
  ]) as JsonObject;
}

/** Members of a live object that the definition does not know, which a write leaves as they are. */
function unknownMembers(
  { definition, carried }: Scope,
  pattern: string,
  properties: Record<string, Node>,
  live: JsonObject,
): [string, unknown][] {
  if (carried !== "identity") return [];
  // A form may know a member by a former name.
  const formed = definition.forms?.[pattern]?.(live) ?? live;
  return Object.entries(isObject(formed) ? formed : {}).filter(
    ([member, value]) => !Object.hasOwn(properties, member) && value !== undefined && value !== null,
  );
}

/** An empty id is refused by the console: it is left out. */
function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

function carriedMembersOf(properties: Record<string, Node>, carried: CarriedMembers): string[] {
  return Object.keys(properties).filter((member) => {
    const set = properties[member]?.serverSet;
    return carried === "all" ? set !== undefined : set === "identity";
  });
}

/**
 * Index of a wanted element -> the live element it stands for, by name, then, for a renamed one, by content, as
 * `sameContent` tells it; no live element stands for two.
 */
export function matchedElements(
  { node }: Place,
  wanted: readonly unknown[],
  lives: readonly JsonObject[],
  keyedBy: string | undefined,
  sameContent: (element: JsonObject, live: JsonObject) => boolean,
): ReadonlyMap<number, JsonObject> {
  const matches = new Map<number, JsonObject>();
  const free = new Set(lives);
  const match = (same: (element: JsonObject, live: JsonObject) => boolean) => {
    wanted.forEach((element, index) => {
      if (!isObject(element) || matches.has(index)) return;
      const found = [...free].find((live) => same(element, live));
      if (found === undefined) return;
      matches.set(index, found);
      free.delete(found);
    });
  };
  const keys = keysOf(node, keyedBy);
  if (keys.length > 0) match((element, live) => keys.every((key) => element[key] === live[key]));
  // With a key of its own, an element of another key is another one, however alike.
  if (keyedBy !== undefined) return matches;
  match(sameContent);
  return matches;
}

/** An element without its name. */
function content(element: JsonObject): JsonObject {
  const { name: _, ...rest } = element;
  return rest;
}
