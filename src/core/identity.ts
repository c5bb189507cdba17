import { canonical } from "./compare";
import type { ResourceDefinition } from "./define";
import { equalJson, isObject, type JsonObject } from "./json";
import { type Node, treeOf } from "./tree";

/**
 * A wanted value with the console's ids of the live elements that its elements stand for, so that a rule keeps its
 * history when another is inserted above it. Elements are matched by name, then, for a renamed one, by content.
 */
export function withIdentities(definition: ResourceDefinition, name: string, wanted: unknown, live: unknown): unknown {
  const node = treeOf(definition)[name]?.node;
  return node === undefined ? wanted : carry(definition, node, name, wanted, live);
}

function carry(definition: ResourceDefinition, node: Node, name: string, wanted: unknown, live: unknown): unknown {
  if (node.sameAs === "opaque" || !Array.isArray(wanted)) return wanted;
  const properties = [node, ...(node.anyOf ?? [])].find((one) => one.items?.properties !== undefined)?.items?.properties;
  if (properties === undefined) return wanted;
  const marks = Object.keys(properties).filter((member) => properties[member]?.serverSet === "identity");
  const lives = Array.isArray(live) ? live.filter(isObject) : [];
  const matches = marks.length === 0 ? new Map<number, JsonObject>() : matched(definition, name, wanted, lives, marks);
  return wanted.map((element: unknown, index) => {
    if (!isObject(element)) return element;
    const match = matches.get(index);
    const inner = Object.entries(element).map(([member, value]) => {
      const memberNode = properties[member];
      return [member, memberNode === undefined ? value : carry(definition, memberNode, name, value, match?.[member])];
    });
    const ids = marks.flatMap((mark) => (match?.[mark] ? [[mark, match[mark]]] : []));
    return Object.fromEntries([...ids, ...inner]) as JsonObject;
  });
}

/** Index of a wanted element -> the live element it stands for; no live element stands for two. */
function matched(definition: ResourceDefinition, field: string, wanted: unknown[], lives: JsonObject[], marks: string[]) {
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
  match((element, live) => element.name === live.name);
  match((element, live) => equalJson(content(definition, field, element, marks), content(definition, field, live, marks)));
  return matches;
}

function content(definition: ResourceDefinition, field: string, element: JsonObject, marks: string[]): unknown {
  const { name: _, ...rest } = element;
  const bare = Object.fromEntries(Object.entries(rest).filter(([member]) => !marks.includes(member)));
  const form = canonical(definition, field, [bare]);
  return Array.isArray(form) ? form[0] : form;
}
