import type { Variant } from "../schema/field";
import type { JsonObject } from "../schema/json";
import { alternativesOf, type Node } from "../schema/tree";

/** True for an object that has one of the usual forms of its place, or whose place has none. */
export function hasUsualForm(node: Node, value: JsonObject): boolean {
  const variants = alternativesOf(node).find((one) => one.variants !== undefined)?.variants;
  return variants === undefined || variants.some((one) => isOf(one, value));
}

/** The first of the usual forms that the members which tell a form lead to. */
export function formOf(node: Node, value: JsonObject): Variant | undefined {
  const variants = alternativesOf(node).flatMap(({ variants = [] }) => variants);
  return variants.find((one) => isTold(one, value));
}

function isTold({ when }: Variant, value: JsonObject): boolean {
  return Object.entries(when).every(([name, values]) => values.includes(String(value[name] ?? "")));
}

function isOf(one: Variant, value: JsonObject): boolean {
  const { when, takes } = one;
  const names = new Set([...Object.keys(when), ...Object.keys(takes)]);
  if (Object.keys(value).some((name) => !names.has(name))) return false;
  return isTold(one, value) && Object.entries(takes).every(([name, shape]) => isTaken(shape, value[name]));
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
export function fits(node: Node, value: unknown): boolean {
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
