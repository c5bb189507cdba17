import type { ObjectDefinition } from "./define";
import { isObject, type JsonObject, keepDigits } from "./json";
import { memoized } from "./memoized";
import { itemsOf, type Node, propertiesOf, treeOf } from "./tree";

/** An object of an answer, under the names used here. Members that the definition does not know are left out. */
export function fromWire(definition: ObjectDefinition, item: JsonObject): JsonObject {
  const live: JsonObject = {};
  const tree = treeOf(definition);
  for (const [name, field] of Object.entries(tree)) {
    const value = item[field.traits.wire ?? name];
    if (value === undefined) continue;
    const { idOf, readMember } = field.traits;
    live[name] =
      idOf === undefined
        ? renamed(field.node, withMembers(value, readMember), "read")
        : (elementBy("id", value, item[tree[idOf]?.traits.wire ?? idOf])?.name ?? value);
  }
  return live;
}

/** A list in which a member stands for each object. */
function withMembers(value: unknown, member: string | undefined): unknown {
  if (member === undefined || !Array.isArray(value)) return value;
  return value.map((one: unknown) => (isObject(one) ? one[member] : one));
}

/** Fields under the API's names, ready to be a body. */
export function toWire(definition: ObjectDefinition, values: JsonObject): JsonObject {
  const tree = treeOf(definition);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const field = tree[name];
      const idOf = field?.traits.idOf;
      if (idOf !== undefined)
        return [field?.traits.wire ?? name, elementBy("name", value, values[idOf])?.id ?? value];
      return [field?.traits.wire ?? name, field === undefined ? value : renamed(field.node, value, "send")];
    }),
  );
}

/** The element of a list that has this id or name. */
export function elementBy(member: "id" | "name", value: unknown, list: unknown): JsonObject | undefined {
  return Array.isArray(list) ? list.filter(isObject).find((one) => one[member] === value) : undefined;
}

function renamed(node: Node, value: unknown, direction: "read" | "send"): unknown {
  if (node.sameAs === "opaque") return value;
  if (Array.isArray(value)) {
    const items = itemsOf(node);
    return items === undefined ? value : value.map((item) => renamed(items, item, direction));
  }
  const properties = propertiesOf(node);
  if (!isObject(value) || properties === undefined) return value;
  const names = namesOf(properties)[direction];
  const result = Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const known = names.get(name);
      return known === undefined ? [name, member] : [known.to, renamed(known.inner, member, direction)];
    }),
  );
  for (const [name, member] of Object.entries(value))
    keepDigits(value, name, result, names.get(name)?.to ?? name, member);
  return result;
}

/**
 * A message of the console, with what its names are called in a program. Names that are words of English might mean anything:
 * only those with an underscore are told, and not where they are a value or part of a path.
 */
export function withArgumentNames({ fields }: ObjectDefinition, message: string): string {
  const hints = Object.entries(fields).flatMap(([name, { traits }]) =>
    traits.wire?.includes("_") && new RegExp(`(?<![\\w"/])${traits.wire}(?![\\w"])`).test(message)
      ? [`In the program, ${traits.wire} is ${name}.`]
      : [],
  );
  return [message, ...hints].join(" ");
}

type Properties = NonNullable<Node["properties"]>;

/** Target name and schema of each member. */
type Names = ReadonlyMap<string, { readonly to: string; readonly inner: Node }>;

const namesOf = memoized((properties: Properties): Readonly<Record<"read" | "send", Names>> => {
  const pairs = Object.entries(properties).map(([name, inner]) => [name, inner.wire ?? name, inner] as const);
  return {
    read: new Map(pairs.map(([to, wire, inner]) => [wire, { to, inner }])),
    send: new Map(pairs.map(([name, to, inner]) => [name, { to, inner }])),
  };
});

/** A path in the names used here, as the API says it. */
export function wirePath(definition: ObjectDefinition, path: readonly (string | number)[]): string[] {
  const [first, ...rest] = path;
  const field = treeOf(definition)[String(first)];
  if (first === undefined || field === undefined) return path.map(String);
  let node: Node | undefined = field.node;
  const below = rest.map((step) => {
    const around: Node = node ?? {};
    if (typeof step === "number") {
      node = itemsOf(around);
      return String(step);
    }
    const inner: Node | undefined = propertiesOf(around)?.[step];
    node = inner;
    return inner?.wire ?? step;
  });
  return [field.traits.wire ?? String(first), ...below];
}
