import { isMap, isScalar, LineCounter, parseDocument, type Scalar, stringify } from "yaml";
import type { Position } from "../../stack/source-places";
import type { Edit } from "../source/edits";

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

/** A single value of a file, on one line. */
interface Leaf {
  readonly path: readonly string[];
  readonly node: Scalar;
  readonly start: number;
  readonly end: number;
  readonly place: Position;
}

/** The settings of a project that two stacks have, and not alike: each can get the other stack's value. */
export function settingsBetween(from: SettingsFile, to: SettingsFile, project: string): ChangeableSettings {
  const there = new Map(leavesOf(from, project).map((one) => [one.path.join("\n"), one]));
  const settings = leavesOf(to, project).flatMap(({ node, ...leaf }): Setting[] => {
    const other = there.get(leaf.path.join("\n"));
    if (other === undefined || other.node.value === node.value) return [];
    const text = from.text.slice(other.start, other.end);
    return [{ ...leaf, wanted: node.value, meant: other.node.value, text }];
  });
  const matching = ({ wanted, meant }: Sides) =>
    settings.filter((one) => isText(one.wanted, wanted) && isText(one.meant, meant));
  return { file: to, matching, together: true };
}

/** The settings of a project in one file: each can get any value of one line. */
export function settingsIn(file: SettingsFile, project: string): ChangeableSettings {
  const leaves = leavesOf(file, project);
  const known = new Map<string, Setting>();
  const matching = ({ wanted, meant }: Sides) => {
    if (!isSingle(meant)) return [];
    const found = leaves.filter(({ node }) => isText(node.value, wanted));
    return found.flatMap(({ node, ...leaf }) => {
      const text = textFor(node, meant);
      if (!isOnOneLine(text)) return [];
      const setting = known.get(`${leaf.start} ${text}`) ?? { ...leaf, wanted, meant, text };
      known.set(`${leaf.start} ${text}`, setting);
      return [setting];
    });
  };
  return { file, matching, together: false };
}

/** Configuration holds text: a program may read 10 as a number or as it is. */
export function isText(setting: unknown, value: unknown): boolean {
  return isSingle(value) && String(setting) === String(value);
}

function isSingle(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

/** A value as YAML, in the quotes of the value in whose place it goes. */
function textFor({ value, type }: Scalar, meant: unknown): string {
  const kept = typeof value === "string" ? String(meant) : meant;
  const quoted = type === "QUOTE_DOUBLE" || type === "QUOTE_SINGLE" ? { defaultStringType: type } : {};
  return stringify(kept, { ...quoted, lineWidth: 0 }).trimEnd();
}

function isOnOneLine(text: string): boolean {
  return text !== "" && !/[\r\n]/.test(text);
}

/** The single values of a project's own, without those of other packages, encrypted ones, and those of several lines. */
function leavesOf({ file, text }: SettingsFile, project: string): Leaf[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  if (document.errors.length > 0) return [];
  const own = scalarsIn(document.get("config"), []).filter(({ path: [key = ""] }) => {
    return key.startsWith(`${project}:`) || !key.includes(":");
  });
  return own.flatMap(({ path, node }): Leaf[] => {
    const [start = 0, end = 0] = node.range ?? [];
    const { line, col } = lines.linePos(start);
    const leaf = { path, node, start, end, place: { file, line, column: col } };
    return isOnOneLine(text.slice(start, end)) ? [leaf] : [];
  });
}

function scalarsIn(node: unknown, path: readonly string[]): Pick<Leaf, "path" | "node">[] {
  if (isScalar(node)) return path.includes("secure") ? [] : [{ path, node }];
  if (!isMap(node)) return [];
  return node.items.flatMap(({ key, value }) =>
    scalarsIn(value, [...path, String(isScalar(key) ? key.value : key)]),
  );
}
