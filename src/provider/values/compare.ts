import JSON5 from "json5";
import type { ResourceDefinition } from "../schema/define";
import {
  equalJson,
  exactJson,
  isObject,
  type JsonObject,
  kept,
  mapped,
  stableText,
  textOf,
} from "../schema/json";
import { memoized } from "../schema/memoized";
import { alternativesOf, itemsOf, type Node, propertiesOf, treeOf } from "../schema/tree";
import { holdsUnknown, UNKNOWN } from "../schema/unknown";
import { markedText, textKeepsDigits } from "./exact-numbers";

/**
 * The form in which an argument is stored and sent: what has no meaning (order of a set, a bare string for a list, a null member,
 * digits below the step of a number) is brought into one form, nothing else changes. Twice is the same as once.
 */
export function canonical(definition: ResourceDefinition, name: string, value: unknown): unknown {
  const node = nodeOf(definition, name);
  return node === undefined ? value : walk(definition, node, name, value);
}

/**
 * A live value as arguments: in canonical form, and without the second of two forms of one value, which the console
 * fills in and no program has to give.
 */
export function canonicalLive(definition: ResourceDefinition, name: string, value: unknown): unknown {
  const node = nodeOf(definition, name);
  return node === undefined ? value : withoutAliases(node, canonical(definition, name, value));
}

function withoutAliases(node: Node, value: unknown): unknown {
  if (node.sameAs === "opaque" || node.valueType !== undefined) return value;
  if (Array.isArray(value)) return value.map((item) => withoutAliases(itemsOf(node) ?? {}, item));
  const properties = propertiesOf(node);
  if (!isObject(value) || properties === undefined) return value;
  const isAliasOfGiven = (member: string) => value[properties[member]?.aliasOf ?? ""] !== undefined;
  // One object for each, and not one in between: every comparison comes by here.
  const own = Object.entries(value).filter(([member]) => !isAliasOfGiven(member));
  return Object.fromEntries(
    own.map(([member, inner]) => [member, withoutAliases(properties[member] ?? {}, inner)]),
  );
}

/** Every argument of `values` in its canonical form; other names stay as they are. */
export function canonicalAll(definition: ResourceDefinition, values: JsonObject): JsonObject {
  const known = kept(values, (_, value) => value !== undefined);
  return mapped(known, (value, name) => canonical(definition, name, value));
}

/** True when both values of a field mean the same. Something unknown equals nothing but itself. */
export function sameMeaning(
  definition: ResourceDefinition,
  name: string,
  left: unknown,
  right: unknown,
): boolean {
  const masks = definition.fields[name]?.traits.maskedBy;
  if (masks !== undefined && (left === masks || right === masks)) return true;
  return (
    equalJson(left, right) || equalJson(meaning(definition, name, left), meaning(definition, name, right))
  );
}

/** True when two values mean the same by the traits of their place. `pattern`: of the place, where forms may hold. */
export function sameUnder(
  node: Node,
  left: unknown,
  right: unknown,
  at?: { readonly definition: ResourceDefinition; readonly pattern: string },
): boolean {
  if (equalJson(left, right)) return true;
  const formed = (value: unknown) =>
    at === undefined ? value : walk(at.definition, node, at.pattern, value);
  return equalJson(reduce(node, formed(left)) ?? null, reduce(node, formed(right)) ?? null);
}

/** True for the forms that the console takes for nothing. */
export function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

/** The other form of each field that has two, by name. */
const aliases = memoized(({ fields }: ResourceDefinition): ReadonlyMap<string, string> => {
  const pairs = Object.entries(fields).flatMap(([name, { traits }]) =>
    traits.aliasOf === undefined ? [] : [[name, traits.aliasOf] as const],
  );
  return new Map([...pairs.map(([name, other]) => [other, name] as const), ...pairs]);
});

/** The live value of a field; where the console left out one of two forms of a value, it is made of the other. */
export function liveValue(definition: ResourceDefinition, live: JsonObject, name: string): unknown {
  const value = live[name];
  if (value !== undefined) return value;
  const fields = definition.fields;
  const alias = aliases(definition).get(name);
  const aliasValue = alias === undefined ? undefined : live[alias];
  if (aliasValue === undefined || aliasValue === null) return undefined;
  const sameAs = fields[name]?.traits.sameAs;
  if (sameAs === "json5") return typeof aliasValue === "string" ? aliasValue : exactJson(aliasValue);
  if (sameAs === "json") return JSON.stringify(parsed(aliasValue));
  return fields[alias as string]?.traits.sameAs === "json5" ? parsed(aliasValue) : undefined;
}

function nodeOf(definition: ResourceDefinition, name: string): Node | undefined {
  return treeOf(definition)[name]?.node;
}

function walk(definition: ResourceDefinition, node: Node, pattern: string, value: unknown): unknown {
  if (value === UNKNOWN || value === undefined || node.sameAs === "opaque") return value;
  if (node.valueType !== undefined) return node.valueType.canonical(value);
  const form = definition.forms?.[pattern];
  const formed = form === undefined ? value : form(value);
  if (typeof formed === "number") return inSteps(node, formed);
  const single = node.sameAs === "string-or-array" && typeof formed === "string";
  const shaped = single ? [formed] : formed;
  if (Array.isArray(shaped)) {
    const element = itemsOf(node) ?? {};
    const items = shaped.map((item) => walk(definition, element, `${pattern}[]`, item));
    return node.unordered ? sorted(items) : items;
  }
  const properties = propertiesOf(node);
  if (!isObject(shaped) || properties === undefined) return shaped;
  const entries = Object.entries(shaped).flatMap(([name, member]): [string, unknown][] => {
    const inner = properties[name];
    if (member === undefined || member === null || inner?.serverSet !== undefined) return [];
    return [[name, inner === undefined ? member : walk(definition, inner, `${pattern}.${name}`, member)]];
  });
  return Object.fromEntries(entries);
}

/** A number in the steps of its place: arithmetic leaves `29 * 1.1` beside 31.9, which the console stores. */
function inSteps(node: Node, value: number): number {
  const step = alternativesOf(node).find((one) => one.multipleOf !== undefined)?.multipleOf ?? 0;
  return step > 0 ? Number((Math.round(value / step) * step).toPrecision(12)) : value;
}

function sorted(items: unknown[]): unknown[] {
  // An element that is not known yet has no place in the order.
  if (holdsUnknown(items)) return items;
  const byText = new Map(items.map((item) => [stableText(item), item]));
  return [...byText.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
}

/** Meanings by value and field: one write compares the same lists of rules several times. Values are never changed. */
const meanings = new WeakMap<object, Map<Node, unknown>>();

/** A value reduced to what it means; null where it means nothing. Never sent anywhere. */
export function meaning(definition: ResourceDefinition, name: string, value: unknown): unknown {
  const node = nodeOf(definition, name);
  if (node === undefined) return value;
  const reduced = () => reduce(node, canonical(definition, name, value)) ?? null;
  if (typeof value !== "object" || value === null) return reduced();
  const known = meanings.get(value) ?? new Map<Node, unknown>();
  meanings.set(value, known);
  if (!known.has(node)) known.set(node, reduced());
  return known.get(node);
}

function reduce(node: Node, value: unknown): unknown {
  if (value === UNKNOWN) return value;
  if (value === null || value === undefined) return undefined;
  if (node.sameAs === "opaque") return value;
  if (node.valueType !== undefined) return node.valueType.meaning(value);
  if (value === "") return undefined;
  if (node.sameAs === "json5" && textKeepsDigits(value)) return markedText(value);
  if (node.sameAs === "json" || node.sameAs === "json5") return parsed(value);
  if (node.sameAs === "caseless" && typeof value === "string") return value.toLowerCase();
  if (Array.isArray(value)) return reduceArray(node, value);
  const properties = propertiesOf(node);
  if (isObject(value) && properties !== undefined) {
    const reduced = reduceObject(properties, value);
    return holdsDefaults(properties, reduced) ? undefined : reduced;
  }
  return node.sameAs === "text" ? textOf(value) : value;
}

function reduceArray(node: Node, value: unknown[]): unknown {
  if (value.length === 0) return node.emptyHasMeaning ? [] : undefined;
  const items = itemsOf(node) ?? {};
  const element: Node = node.sameAs === "text" ? { ...items, sameAs: "text" } : items;
  const reduced = value.map((item) => reduce(element, item) ?? null);
  if (node.keyedBy !== undefined) return keyed(reduced, node.keyedBy);
  // If scalars compare as text, a read may show one value as an array of one, or the other way round.
  if (node.sameAs === "text" && reduced.length === 1) return reduced[0];
  return node.unordered ? sorted(reduced) : reduced;
}

function keyed(items: unknown[], member: string): unknown {
  const keys = items.map((item) => (isObject(item) ? item[member] : undefined));
  const usable = keys.every((key) => typeof key === "string") && new Set(keys).size === keys.length;
  return usable ? Object.fromEntries(items.map((item, index) => [keys[index], item])) : items;
}

function reduceObject(properties: Record<string, Node>, value: JsonObject): JsonObject {
  const reduced: JsonObject = {};
  // A member that the definition does not know is the console's: no program can say it, so it is never compared.
  for (const [name, node] of Object.entries(properties)) {
    if (node.serverSet !== undefined || node.aliasOf !== undefined) continue;
    const given = value[name] ?? parsed(aliasValueIn(properties, name, value));
    const member = reduce(node, isNothing(given) ? (node.serverDefault ?? given) : given);
    if (member !== undefined) reduced[name] = member;
  }
  return reduced;
}

/** True for an object without a value of its own, which is nothing to the console (console-api/corrections-2.md, section 3). */
function holdsDefaults(properties: Record<string, Node>, reduced: JsonObject): boolean {
  return Object.entries(reduced).every(([name, member]) => {
    const node = properties[name] ?? {};
    return equalJson(member, reduce(node, node.serverDefault));
  });
}

function aliasValueIn(properties: Record<string, Node>, name: string, value: JsonObject): unknown {
  const alias = Object.keys(value).find((other) => properties[other]?.aliasOf === name);
  return alias === undefined ? undefined : value[alias];
}

/** The value that JSON or JSON5 text stands for; the text itself where it is neither. */
function parsed(text: unknown): unknown {
  if (typeof text !== "string") return text;
  try {
    return JSON5.parse(text);
  } catch {
    return text;
  }
}
