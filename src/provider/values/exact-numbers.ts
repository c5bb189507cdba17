import JSON5 from "json5";
import type { ObjectDefinition } from "../schema/define";
import {
  digitsAt,
  elementName,
  exactJson,
  isObject,
  type JsonObject,
  keepDigits,
  losesDigits,
  noteDigits,
} from "../schema/json";
import type { Path } from "../schema/path";
import { itemsOf, type Node, nodesOf, propertiesOf } from "../schema/tree";

/**
 * Values to send, with the digits of the console's numbers wherever a number is the nearest one that a program can set: Pulumi and
 * JavaScript round whole numbers beyond 2^53, and an update of one member would round the others. Where a value has a form as text,
 * the text is sent. `texts`: false where a request takes none.
 */
export function withExactNumbers(
  definition: ObjectDefinition,
  values: JsonObject,
  live: JsonObject,
  texts: boolean,
): JsonObject {
  return membersOf(nodesOf(definition), values, live, texts) ?? values;
}

/** The text that stands for a value of several forms, by the name of the value. */
export function textFormOf(properties: Readonly<Record<string, Node>>, name: string): string | undefined {
  return Object.keys(properties).find(
    (other) => properties[other]?.aliasOf === name && properties[other]?.sameAs === "json5",
  );
}

/** The value of JSON5 text, whose holders know the digits that their numbers lose; undefined for what is no such text. */
function readText(text: unknown): unknown {
  if (typeof text !== "string") return undefined;
  const mark = "\u0000number:";
  const marked = text.replace(
    /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\/\/[^\n]*|\/\*[\s\S]*?\*\/|[\w$.+-]+/g,
    (part) =>
      /^[+-]?[\d.]{16,}(?:e[+-]?\d+)?$/i.test(part) && losesDigits(part) ? JSON.stringify(mark + part) : part,
  );
  try {
    return JSON5.parse(marked, function (this: object, name, value: unknown) {
      if (typeof value !== "string" || !value.startsWith(mark)) return value;
      const digits = value.slice(mark.length).replace(/^\+/, "");
      noteDigits(this, name, digits);
      return Number(digits);
    });
  } catch {
    return undefined;
  }
}

/** True for JSON5 text with a number that no program keeps otherwise. */
export function textKeepsDigits(text: unknown): boolean {
  return typeof text === "string" && /\d{16}/.test(text.replaceAll(".", "")) && holdsDigits(readText(text));
}

/** The value of JSON5 text, with all digits of its numbers in the place of those that lose some: for comparisons alone. */
export function markedText(text: unknown): unknown {
  return withMarks(readText(text));
}

function withMarks(value: unknown): unknown {
  const marked = (holder: object, at: string | number, one: unknown) => {
    const digits = digitsAt(holder, at);
    return digits === undefined ? withMarks(one) : { digits: digits.replace(/\.0+$/, "") };
  };
  if (Array.isArray(value)) return value.map((one, at) => marked(value, at, one));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, marked(value, name, one)]));
}

/** True for a value of the console with a number of which no program keeps all digits. */
export function holdsDigits(value: unknown): boolean {
  if (Array.isArray(value))
    return value.some((one, at) => digitsAt(value, at) !== undefined || holdsDigits(one));
  return (
    isObject(value) &&
    Object.entries(value).some(([name, one]) => digitsAt(value, name) !== undefined || holdsDigits(one))
  );
}

/** Members with exact numbers; undefined where none loses digits. */
function membersOf(
  properties: Readonly<Record<string, Node>>,
  values: JsonObject,
  live: JsonObject,
  texts: boolean,
): JsonObject | undefined {
  const result: JsonObject = { ...values };
  let isExact = false;
  for (const [name, value] of Object.entries(values)) {
    const node = properties[name];
    if (keepDigits(live, name, result, name, value)) isExact = true;
    const text = textFormOf(properties, name);
    const other = text !== undefined && textKeepsDigits(live[text]) ? readText(live[text]) : live[name];
    const exact = exactValue(node, value, other, texts);
    if (exact === undefined) continue;
    isExact = true;
    if (texts && text !== undefined) {
      delete result[name];
      result[text] = exactJson(exact);
    } else result[name] = exact;
  }
  return isExact ? result : undefined;
}

function exactValue(node: Node | undefined, value: unknown, live: unknown, texts: boolean): unknown {
  if (Array.isArray(value) && Array.isArray(live)) return exactList(itemsOf(node ?? {}), value, live, texts);
  if (!isObject(value) || !isObject(live)) return undefined;
  const isOpaque = node === undefined || node.sameAs === "opaque";
  return membersOf(isOpaque ? {} : (propertiesOf(node) ?? {}), value, live, texts);
}

function exactList(
  items: Node | undefined,
  values: readonly unknown[],
  live: readonly unknown[],
  texts: boolean,
): unknown[] | undefined {
  const result = [...values];
  let isExact = false;
  for (const [at, value] of values.entries()) {
    const from = partnerOf(value, at, values, live);
    if (from === undefined) continue;
    if (keepDigits(live, from, result, at, value)) isExact = true;
    const exact = exactValue(items, value, live[from], texts);
    if (exact === undefined) continue;
    isExact = true;
    result[at] = exact;
  }
  return isExact ? result : undefined;
}

/** The place of the live element that one stands for: by its name, else where it is, else the same number elsewhere. */
function partnerOf(
  value: unknown,
  at: number,
  values: readonly unknown[],
  live: readonly unknown[],
): number | undefined {
  const found = isObject(value)
    ? elementName(value) === undefined
      ? -1
      : live.findIndex((one) => elementName(one) === value.name)
    : live[at] === value
      ? at
      : live.indexOf(value);
  if (found >= 0) return found;
  return values.length === live.length && typeof value === "object" ? at : undefined;
}

/** The argument that holds a value as text, by the path of a place in the value: `defaultValueJson5` for `defaultValue.shop`. */
export function textFormAt(definition: ObjectDefinition, path: Path): string | undefined {
  let properties = nodesOf(definition);
  let items: Node | undefined;
  for (const step of path) {
    const node: Node | undefined = typeof step === "number" ? items : properties[step];
    const text = typeof step === "number" ? undefined : textFormOf(properties, step);
    if (text !== undefined || node === undefined) return text;
    properties = propertiesOf(node) ?? {};
    items = itemsOf(node);
  }
  return undefined;
}
