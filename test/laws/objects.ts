import { isObject, type JsonObject } from "../../src/provider/schema/json";
import { itemsOf, type Node, propertiesOf } from "../../src/provider/schema/tree";

/** What is made of an object at a place. */
type Visit = (node: Node, value: JsonObject, path: string) => JsonObject;

/** A value with every object in it changed whose members the API knows. */
export function eachObject(node: Node, value: unknown, path: string, visit: Visit): unknown {
  if (node.sameAs === "opaque") return value;
  if (Array.isArray(value)) {
    const items = itemsOf(node) ?? {};
    return value.map((one: unknown, index) => eachObject(items, one, `${path}[${index}]`, visit));
  }
  const properties = propertiesOf(node);
  if (!isObject(value) || properties === undefined) return value;
  const inner = Object.entries(value).map(([name, member]) => [
    name,
    eachObject(properties[name] ?? {}, member, `${path}.${name}`, visit),
  ]);
  return visit(node, Object.fromEntries(inner), path);
}

/** A value of which sparse objects say only what they must. */
export function withoutUnsaid(node: Node, value: unknown): unknown {
  return eachObject(node, value, "", (at, one) => {
    if (at.sparse !== true) return one;
    const properties = propertiesOf(at) ?? {};
    const isKept = (member: string) =>
      (at.required ?? []).includes(member) || properties[member]?.serverSet !== undefined;
    return Object.fromEntries(Object.entries(one).filter(([member]) => isKept(member)));
  });
}
