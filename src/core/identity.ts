import { sameMeaning } from "./compare";
import type { ResourceDefinition } from "./define";
import { isObject, type JsonObject } from "./json";
import { type Node, treeOf } from "./tree";

/** Which members that only the console sets are carried over: ids that are sent back, or everything for the state. */
type Marks = "identity" | "all";

/**
 * A wanted value with the console's ids of the live elements that its elements stand for, so that a rule keeps its
 * history when another is inserted above it. Elements are matched by name, then, for a renamed one, by content.
 */
export function withIdentities(
  definition: ResourceDefinition,
  name: string,
  wanted: unknown,
  live: unknown,
): unknown {
  return carry({ definition, name, marks: "identity" }, nodeOf(definition, name), wanted, live);
}

/** A wanted value with all that the console adds inside it: what the state shows of a value that is as wanted. */
export function withMarks(
  definition: ResourceDefinition,
  name: string,
  wanted: unknown,
  live: unknown,
): unknown {
  return carry({ definition, name, marks: "all" }, nodeOf(definition, name), wanted, live);
}

function nodeOf(definition: ResourceDefinition, name: string): Node {
  return treeOf(definition)[name]?.node ?? {};
}

interface Scope {
  readonly definition: ResourceDefinition;
  readonly name: string;
  readonly marks: Marks;
}

function carry(scope: Scope, node: Node, wanted: unknown, live: unknown): unknown {
  if (node.sameAs === "opaque") return wanted;
  const variants = [node, ...(node.anyOf ?? [])];
  if (Array.isArray(wanted)) {
    const items = variants.find((one) => one.items?.properties !== undefined)?.items;
    if (items?.properties === undefined) return wanted;
    const lives = Array.isArray(live) ? live.filter(isObject) : [];
    const matches = matched(scope, items.properties, wanted, lives, node.keyedBy);
    return wanted.map((element: unknown, index) => carry(scope, items, element, matches.get(index)));
  }
  const properties = variants.find((one) => one.properties !== undefined)?.properties;
  if (!isObject(wanted) || properties === undefined) return wanted;
  const from = isObject(live) ? live : {};
  const marks = marksOf(properties, scope.marks).flatMap((mark) =>
    hasMark(from[mark]) ? [[mark, from[mark]]] : [],
  );
  const inner = Object.entries(wanted).map(([member, value]) => [
    member,
    carry(scope, properties[member] ?? {}, value, from[member]),
  ]);
  return Object.fromEntries([...marks, ...inner]) as JsonObject;
}

/** An empty id is refused by the console: it is left out. */
function hasMark(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

function marksOf(properties: Record<string, Node>, marks: Marks): string[] {
  return Object.keys(properties).filter((member) => {
    const set = properties[member]?.serverSet;
    return marks === "all" ? set !== undefined : set === "identity";
  });
}

/** Index of a wanted element -> the live element it stands for; no live element stands for two. */
function matched(
  scope: Scope,
  properties: Record<string, Node>,
  wanted: unknown[],
  lives: JsonObject[],
  keyedBy: string | undefined,
) {
  const matches = new Map<number, JsonObject>();
  if (marksOf(properties, "all").length === 0 && !nests(properties)) return matches;
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
  const key = keyedBy ?? "name";
  match((element, live) => element[key] === live[key]);
  // With a key of its own, an element of another key is another one, however alike.
  if (keyedBy !== undefined) return matches;
  match((element, live) => sameMeaning(scope.definition, scope.name, content(element), content(live)));
  return matches;
}

function nests(properties: Record<string, Node>): boolean {
  return Object.values(properties).some((member) => member.items?.properties !== undefined);
}

/** An element without its name, as a field of one element, so that it is compared by the field's own facts. */
function content(element: JsonObject): unknown {
  const { name: _, ...rest } = element;
  return [rest];
}
