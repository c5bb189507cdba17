import JSON5 from "json5";
import type { ObjectDefinition } from "../../../provider/schema/define";
import { equalJson, isObject, type JsonObject } from "../../../provider/schema/json";
import { memoized } from "../../../provider/schema/memoized";
import { type Node, treeOf } from "../../../provider/schema/tree";
import { typeName } from "../../http/wording";
import { invalidMember } from "./outcomes";

/** The members of an object by name, with their facts. */
type Members = Readonly<Record<string, Node>>;

const membersOf = memoized(
  (definition: ObjectDefinition): Members =>
    Object.fromEntries(
      Object.entries(treeOf(definition)).map(([name, { traits, node }]) => [traits.wire ?? name, node]),
    ),
);

/**
 * Keeps members that are two views of one fact in step: JSON5 text and its JSON value are made of each other; of other
 * pairs (a team's name and its id) the one that was not sent is emptied, because nothing here could look it up.
 * Throws a 400 when both JSON views were sent and differ, or when a text is no JSON5.
 */
export function alignAliases(definition: ObjectDefinition, sent: JsonObject, item: JsonObject): JsonObject {
  return alignMembers(membersOf(definition), sent, item, []);
}

/** The same for one of the rules. */
export function alignRule(definition: ObjectDefinition, sent: JsonObject, rule: JsonObject): JsonObject {
  return alignMembers(membersOf(definition).rules?.items?.properties ?? {}, sent, rule, []);
}

function alignMembers(
  members: Members,
  sent: JsonObject,
  value: JsonObject,
  path: readonly string[],
): JsonObject {
  let aligned = value;
  for (const [name, node] of Object.entries(members)) {
    const original = node.aliasOf === undefined ? undefined : members[node.aliasOf];
    if (node.aliasOf !== undefined && original !== undefined) {
      const pair = { view: name, original: node.aliasOf, isText: original.sameAs === "json", path };
      aligned = node.sameAs === "json5" ? alignJson(pair, sent, aligned) : emptyOther(pair, sent, aligned);
    }
    const inside = node.items?.properties;
    const list = sent[name];
    // The item has no write-only members.
    if (inside === undefined || !Array.isArray(list) || !Object.hasOwn(aligned, name)) continue;
    const elements = list.map((one: unknown, index) =>
      isObject(one) ? alignMembers(inside, one, one, [...path, name, String(index)]) : one,
    );
    aligned = { ...aligned, [name]: elements };
  }
  return aligned;
}

interface Pair {
  readonly view: string;
  readonly original: string;
  /** The original is JSON text and not a value. */
  readonly isText: boolean;
  readonly path: readonly string[];
}

function alignJson(pair: Pair, sent: JsonObject, value: JsonObject): JsonObject {
  const { view, original } = pair;
  if (sent[view] !== undefined) {
    const read = readView(pair, sent[view]);
    if (sent[original] !== undefined && !equalJson(read, readOriginal(pair, sent[original])))
      throw invalidMember([...pair.path, view].join("."), `${view} and ${original} must hold the same value`);
    const written = pair.isText && read !== null ? JSON.stringify(read) : read;
    return { ...value, [original]: sent[original] ?? written };
  }
  const from = value[original];
  if (
    from === undefined ||
    (sent[original] === undefined && value[view] !== undefined && value[view] !== null)
  )
    return value;
  if (pair.isText) readOriginal(pair, from);
  return { ...value, [view]: pair.isText || from === null ? from : JSON.stringify(from) };
}

function readView(pair: Pair, text: unknown): unknown {
  if (typeof text !== "string") return null;
  const property = [...pair.path, pair.view].join(".");
  const value = parseText(text, JSON5.parse, property);
  if (!pair.isText && !isObject(value))
    throw invalidMember(property, `Expected object, received ${typeName(value)}`);
  // JSON5 has Infinity and NaN: the other view could not hold them.
  if (!equalJson(value, JSON.parse(JSON.stringify(value))))
    throw invalidMember(property, "Expected JSON values");
  return value;
}

function readOriginal(pair: Pair, value: unknown): unknown {
  if (!pair.isText || typeof value !== "string") return value;
  return parseText(value, JSON.parse, [...pair.path, pair.original].join("."));
}

function parseText(text: string, parse: (text: string) => unknown, property: string): unknown {
  try {
    return parse(text);
  } catch {
    throw invalidMember(property, "Invalid JSON");
  }
}

function emptyOther({ view, original }: Pair, sent: JsonObject, value: JsonObject): JsonObject {
  if (sent[view] !== undefined && sent[original] === undefined) return { ...value, [original]: null };
  if (sent[original] !== undefined && sent[view] === undefined) return { ...value, [view]: null };
  return value;
}
