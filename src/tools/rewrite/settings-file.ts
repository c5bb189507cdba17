import {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Scalar,
  stringify,
  type YAMLSeq,
} from "yaml";
import { equalJson } from "../../provider/schema/json";
import { keptIn } from "../../provider/schema/memoized";
import type { Position } from "../stack/source-places";
import type { Edit } from "./edits";

/** A file of settings, such as `Pulumi.prod.yaml`. */
export interface SettingsFile {
  readonly file: string;
  readonly text: string;
}

/** One value as the program sets it and as it is to be. */
export interface Sides {
  readonly wanted: unknown;
  readonly meant: unknown;
}

/** A value of a stack's configuration and another one for it: an edit of its file. */
export interface Setting extends Sides, Edit {
  /** `multi-environment:rollout`, `checkout_v2`. */
  readonly path: readonly string[];
  readonly place: Position;
}

/** The settings of a stack's file that may change. */
export interface ChangeableSettings {
  readonly file: SettingsFile;
  /** Those that have one value and can get the other. An equal question gets the same objects. */
  readonly matching: (sides: Sides) => readonly Setting[];
  /** True where all that match change together; otherwise one does, which has the resource's name or is alone. */
  readonly together: boolean;
}

/** A single value of a file on one line, or a list of such values. */
interface Leaf {
  readonly path: readonly string[];
  readonly node: Scalar | YAMLSeq<Scalar>;
  /** The value, or the values of the list. */
  readonly value: unknown;
  readonly start: number;
  readonly end: number;
  readonly place: Position;
}

/** The settings of a project that two stacks have, and not alike: each can get the other stack's value. */
export function settingsBetween(from: SettingsFile, to: SettingsFile, project: string): ChangeableSettings {
  const there = new Map(leavesOf(from, project).map((one) => [one.path.join("\n"), one]));
  const settings = leavesOf(to, project).flatMap((leaf): Setting[] => {
    const other = there.get(leaf.path.join("\n"));
    if (other === undefined || equalJson(other.value, leaf.value)) return [];
    if (isSeq(other.node) !== isSeq(leaf.node)) return [];
    const texts = scalarsOf(other.node).map(({ range }) => from.text.slice(...(range ?? [0, 0])));
    const { path, start, end, place } = leaf;
    return [{ path, start, end, place, wanted: leaf.value, meant: other.value, text: textWith(leaf, texts) }];
  });
  const matching = ({ wanted, meant }: Sides) =>
    settings.filter((one) => isText(one.wanted, wanted) && isText(one.meant, meant));
  return { file: to, matching, together: true };
}

/** The settings of a project in one file: each can get any value of one line, and a list any such values. */
export function settingsIn(file: SettingsFile, project: string): ChangeableSettings {
  const leaves = leavesOf(file, project);
  const known = new Map<string, Setting>();
  const matching = ({ wanted, meant }: Sides) =>
    leaves.flatMap((leaf) => {
      if (!isSettable(meant) || !isText(leaf.value, wanted)) return [];
      const text = textFor(leaf, meant);
      if (text === undefined) return [];
      const { path, start, end, place } = leaf;
      return keptIn(known, `${start} ${text}`, () => ({ path, start, end, place, wanted, meant, text }));
    });
  return { file, matching, together: false };
}

/** True for a setting of this value: a program may read 10 as a number, and a list as JSON or between commas. */
export function isText(setting: unknown, value: unknown): boolean {
  return isSettable(value) && equalJson(textsOf(setting), textsOf(value));
}

/** The elements of a list, or of a text that holds one. Their order is often the console's. */
function textsOf(value: unknown): string[] {
  const list = Array.isArray(value) ? value : (jsonList(value) ?? String(value).split(","));
  return list
    .map((one) => String(one).trim())
    .filter((one) => one !== "")
    .sort();
}

function jsonList(text: unknown): unknown[] | undefined {
  if (typeof text !== "string" || !text.trimStart().startsWith("[")) return undefined;
  try {
    return JSON.parse(text) as unknown[];
  } catch {
    return undefined;
  }
}

function isSingle(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

function isSettable(value: unknown): boolean {
  return isSingle(value) || (Array.isArray(value) && value.every(isSingle));
}

/** A value as YAML in the place of another; undefined where it has no such form on one line. */
function textFor(leaf: Leaf, meant: unknown): string | undefined {
  const { node, value } = leaf;
  const list: unknown[] = Array.isArray(meant) ? meant : [meant];
  const one =
    jsonList(value) !== undefined ? JSON.stringify(list) : Array.isArray(meant) ? list.join() : meant;
  const texts = isSeq(node) ? list.map((each) => scalarText(node.items[0], each)) : [scalarText(node, one)];
  return texts.every(isOnOneLine) ? textWith(leaf, texts) : undefined;
}

/** One value as YAML, in the quotes of the value in whose place it goes. */
function scalarText({ value, type }: Partial<Scalar> = {}, meant: unknown): string {
  const kept = typeof value === "string" ? String(meant) : meant;
  const quoted = type === "QUOTE_DOUBLE" || type === "QUOTE_SINGLE" ? { defaultStringType: type } : {};
  return stringify(kept, { ...quoted, lineWidth: 0 }).trimEnd();
}

/** The text of a leaf with other values: a list stays in brackets, or in lines of its indent. */
function textWith({ node, place }: Pick<Leaf, "node" | "place">, texts: readonly string[]): string {
  if (!isSeq(node)) return texts.join();
  if (node.flow === true || texts.length === 0) return `[${texts.join(", ")}]`;
  return texts.map((text) => `- ${text}`).join(`\n${" ".repeat((place.column ?? 1) - 1)}`);
}

function isOnOneLine(text: string): boolean {
  return text !== "" && !/[\r\n]/.test(text);
}

function scalarsOf(node: Leaf["node"]): readonly Scalar[] {
  return isSeq(node) ? node.items : [node];
}

/** The values of a project's own, without those of other packages, encrypted ones, those of several lines, and lists with comments. */
function leavesOf({ file, text }: SettingsFile, project: string): Leaf[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  if (document.errors.length > 0) return [];
  const own = leafNodesIn(document.get("config"), []).filter(({ path: [key = ""] }) => {
    return key.startsWith(`${project}:`) || !key.includes(":");
  });
  return own.flatMap(({ path, node }): Leaf[] => {
    const [start = 0, behind = 0] = node.range ?? [];
    const inside = scalarsOf(node).map(({ range }) => text.slice(...(range ?? [0, 0])));
    // The end of a list in lines counts the line end.
    const end = isSeq(node) && node.flow !== true ? (node.items.at(-1)?.range?.[1] ?? behind) : behind;
    const { line, col } = lines.linePos(start);
    const value: unknown = node.toJSON();
    const leaf = { path, node, value, start, end, place: { file, line, column: col } };
    const hasComment = isSeq(node) && /(^|\s)#/.test(text.slice(start, end));
    return inside.every(isOnOneLine) && !hasComment ? [leaf] : [];
  });
}

function leafNodesIn(node: unknown, path: readonly string[]): Pick<Leaf, "path" | "node">[] {
  if (isScalar(node)) return path.includes("secure") ? [] : [{ path, node }];
  if (isSeq(node)) return node.items.every(isScalar) ? [{ path, node: node as YAMLSeq<Scalar> }] : [];
  if (!isMap(node)) return [];
  return node.items.flatMap(({ key, value }) =>
    leafNodesIn(value, [...path, String(isScalar(key) ? key.value : key)]),
  );
}
