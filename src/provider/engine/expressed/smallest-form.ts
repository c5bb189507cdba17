import { exactJson, isObject, type JsonObject } from "../../schema/json";
import { type Path, pathText } from "../../schema/path";
import { alternativesOf, type Node } from "../../schema/tree";
import { holds } from "../../schema/unknown";
import { sameUnder } from "../../values/compare";
import { holdsDigits, textKeepsDigits } from "../../values/exact-numbers";

/** Something of an object that its program does not say. */
export interface Unsaid {
  /** Such as `rules[0].conditions[1].operator`; empty for the whole object. */
  readonly path: string;
  readonly why: string;
}

/**
 * A live value, in canonical form, without what the console fills in by itself: members with the console's default, empty
 * members, ids of elements, the second of two views of one thing. Beside it, what of it no program can say.
 */
export function smallestForm(
  node: Node,
  value: unknown,
  path: Path,
  language: ProgramLanguage = {},
): { readonly value: unknown; readonly notExpressible: readonly Unsaid[] } {
  const notExpressible: Unsaid[] = [];
  return { value: reduced(node, value, path, { ...language, notExpressible }), notExpressible };
}

/** Ports that decide which values a program can set. */
export interface ProgramLanguage {
  /** Pulumi drops a null on its way from a program in this language. */
  readonly dropsNulls?: boolean;
}

interface Reducing extends ProgramLanguage {
  readonly notExpressible: Unsaid[];
}

function reduced(node: Node, value: unknown, path: Path, reducing: Reducing): unknown {
  const { notExpressible } = reducing;
  if (node.sameAs === "opaque" || node.valueType !== undefined) return value;
  const { items, properties, required } = shapeOf(node);
  if (Array.isArray(value))
    return value.map((one: unknown, index) => reduced(items ?? {}, one, [...path, index], reducing));
  if (!isObject(value) || properties === undefined) return value;
  const said = Object.entries(withoutTwins(properties, value, reducing)).flatMap(([name, member]) => {
    const inner = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (inner === undefined) {
      notExpressible.push({ path: pathText([...path, name]), why: "this version does not know the member" });
      return [];
    }
    if (inner.serverSet !== undefined || member === undefined || member === null) return [];
    // An absent member means that too.
    if (!required.includes(name) && sameUnder(inner, member, inner.serverDefault)) return [];
    return [[name, reduced(inner, member, [...path, name], reducing)]];
  });
  return Object.fromEntries(said);
}

/** The elements and members that a value may have in any of its alternatives. */
export function shapeOf(node: Node): {
  readonly items: Node | undefined;
  readonly properties: Readonly<Record<string, Node>> | undefined;
  readonly required: readonly string[];
} {
  const variants = alternativesOf(node);
  const objects = variants.filter((one) => one.properties !== undefined);
  const lists = variants.flatMap(({ items }) => items ?? []);
  return {
    items: lists.length > 1 ? { anyOf: lists } : lists[0],
    properties: objects.length === 0 ? undefined : Object.assign({}, ...objects.map((one) => one.properties)),
    required: (objects[0]?.required ?? []).filter((name) =>
      objects.every((one) => one.required?.includes(name)),
    ),
  };
}

/** Of two views of one thing, the text where the other view cannot show all of it, else the other. */
export function withoutTwins(
  properties: Readonly<Record<string, Node>>,
  values: JsonObject,
  { dropsNulls = false }: ProgramLanguage = {},
): JsonObject {
  const kept = { ...values };
  for (const [name, { aliasOf, sameAs }] of Object.entries(properties)) {
    if (aliasOf === undefined || isAbsent(kept[aliasOf])) continue;
    if (sameAs === "json5" && isAbsent(kept[name]) && holdsDigits(kept[aliasOf]))
      kept[name] = exactJson(kept[aliasOf]);
    if (isAbsent(kept[name])) continue;
    const tellsMore =
      hasComments(kept[name]) || textKeepsDigits(kept[name]) || (dropsNulls && holdsNull(kept[aliasOf]));
    const isText = sameAs === "json5" && tellsMore;
    delete kept[isText ? aliasOf : name];
  }
  return kept;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

/** True for JSON5 text with something beside its value. */
function hasComments(text: unknown): boolean {
  if (typeof text !== "string") return false;
  const withoutTexts = text.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/gs, "");
  return /\/[/*]/.test(withoutTexts);
}

/** True for a value with a null in it. */
export function holdsNull(value: unknown): boolean {
  return holds(value, (one) => one === null);
}
