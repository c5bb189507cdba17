import type { ResourceDefinition } from "../core/define";
import type { Variant } from "../core/field";
import { isObject, type JsonObject } from "../core/json";
import { type Path, pathText } from "../core/path";
import { type Node, treeOf } from "../core/tree";
import { type Code, listCode, objectCode, textCode, valueCode } from "./code-text";
import { shapeOf } from "./smallest-form";

/** What stands for values of a program that are more than themselves. */
export interface CodeContext {
  /** Code for the reference at a path; undefined where the value itself stands there. */
  readonly reference: (path: string) => Code | undefined;
  /** Code for a set of ids. */
  readonly ids: (name: string, ids: readonly string[]) => Code;
  /** Told of each place that has no value which the types offer. */
  readonly unusual: (path: string) => void;
}

/** The arguments of a resource as TypeScript. */
export function argumentsCode(definition: ResourceDefinition, args: JsonObject, context: CodeContext): Code {
  const tree = treeOf(definition);
  return objectCode(
    Object.entries(args).map(([name, value]) => {
      const node = tree[name]?.node ?? {};
      const isIds = node.valueType !== undefined && Array.isArray(value);
      return [name, isIds ? context.ids(name, value.map(String)) : codeOf(context, node, value, [name])];
    }),
  );
}

function codeOf(context: CodeContext, node: Node, value: unknown, path: Path): Code {
  const reference = context.reference(pathText(path));
  if (reference !== undefined) return reference;
  if (node.sameAs === "opaque" || node.typedByProgram !== undefined) return valueCode(value);
  if (node.sameAs === "json" && typeof value === "string") return jsonTextCode(value);
  const { items, properties } = shapeOf(node);
  const code = Array.isArray(value)
    ? listCode(value.map((one: unknown, index) => codeOf(context, items ?? {}, one, [...path, index])))
    : isObject(value) && properties !== undefined
      ? objectOf(context, node, properties, value, path)
      : valueCode(value);
  if (fits(node, value)) return code;
  context.unusual(pathText(path));
  return `${code} as never`;
}

function objectOf(
  context: CodeContext,
  node: Node,
  properties: Readonly<Record<string, Node>>,
  value: JsonObject,
  path: Path,
): Code {
  const code = objectCode(
    Object.entries(value).map(([name, member]) => [
      name,
      codeOf(context, properties[name] ?? {}, member, [...path, name]),
    ]),
  );
  const variants = [node, ...(node.anyOf ?? [])].find((one) => one.variants !== undefined)?.variants;
  return variants === undefined || variants.some((one) => isOf(one, value)) ? code : `fc.unusual(${code})`;
}

/** JSON text of an object or a list, which is easier to read and write as such. */
function jsonTextCode(text: string): Code {
  // Parsing rounds such numbers.
  if (/\d{16}/.test(text)) return textCode(text);
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null
      ? `JSON.stringify(${valueCode(value)})`
      : textCode(text);
  } catch {
    return textCode(text);
  }
}

/** True for an object that has one of its usual forms. */
function isOf({ when, takes }: Variant, value: JsonObject): boolean {
  const names = new Set([...Object.keys(when), ...Object.keys(takes)]);
  if (Object.keys(value).some((name) => !names.has(name))) return false;
  const told = Object.entries(when).every(([name, values]) => values.includes(String(value[name] ?? "")));
  return told && Object.entries(takes).every(([name, shape]) => isTaken(shape, value[name]));
}

function isTaken(shape: string, value: unknown): boolean {
  const isText = typeof value === "string";
  switch (shape) {
    case "own":
      return true;
    case "number":
      return typeof value === "number";
    case "text":
      return isText;
    case "values":
      return [value].flat().every((one) => typeof one === "string" || typeof one === "number");
    default:
      return [value].flat().every((one) => typeof one === "string");
  }
}

/** True for a value that the types take. Of objects their members are asked one by one. */
function fits(node: Node, value: unknown): boolean {
  if (node.anyOf !== undefined) return node.anyOf.some((one) => fits(one, value));
  if (node.const !== undefined) return node.const === value;
  if (node.enum !== undefined) return node.enum.some((one) => one === value);
  const types = [node.type ?? []].flat();
  if (types.length === 0) return true;
  if (Array.isArray(value))
    return types.includes("array") && value.every((one) => isInner(one) || fits(node.items ?? {}, one));
  if (typeof value === "number") return types.includes("number") || types.includes("integer");
  return value === null ? types.includes("null") : types.some((type) => type === typeof value);
}

function isInner(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
