import type { ResourceDefinition } from "../schema/define";
import { isObject, type JsonObject } from "../schema/json";
import { itemsOf, type Node, propertiesOf, treeOf } from "../schema/tree";

/**
 * Arguments in which members in snake_case have the names of the reference. Pulumi's package for Python types the members of each dict
 * so, and translates those of one possible type alone: a condition has one of many.
 */
export function withReferenceNames(definition: ResourceDefinition, args: JsonObject): JsonObject {
  const tree = treeOf(definition);
  const entries = Object.entries(args).map(([name, value]) => [name, renamed(tree[name]?.node, value)]);
  return Object.fromEntries(entries) as JsonObject;
}

function renamed(node: Node | undefined, value: unknown): unknown {
  if (node === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => renamed(itemsOf(node), item));
  if (!isObject(value)) return value;
  const properties = propertiesOf(node);
  // An object without fixed members is the user's own.
  if (properties === undefined) return value;
  const entries = Object.entries(value).map(([name, member]) => {
    const known = Object.hasOwn(properties, name) ? name : nameMeant(Object.keys(properties), name);
    const isFree = known !== undefined && (known === name || !Object.hasOwn(value, known));
    return isFree ? [known, renamed(properties[known], member)] : [name, member];
  });
  return Object.fromEntries(entries);
}

/** `targetValue` for `target_value`, `layerID` for `layer_id`. */
function nameMeant(names: readonly string[], said: string): string | undefined {
  if (!said.includes("_")) return undefined;
  const plain = said.replaceAll("_", "").toLowerCase();
  return names.find((name) => name.toLowerCase() === plain);
}
