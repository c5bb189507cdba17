import { isMap, isScalar, LineCounter, parseDocument, type Scalar } from "yaml";
import type { Position } from "../stack/resources";

/** A value of a stack's configuration that another stack has otherwise. */
export interface Setting {
  /** `multi-environment:rollout`, `checkout_v2`. */
  readonly path: readonly string[];
  readonly from: unknown;
  readonly to: unknown;
  /** Where it stands in the file of the second stack. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly place: Position;
}

/** A file of settings, such as `Pulumi.prod.yaml`. */
export interface SettingsFile {
  readonly file: string;
  readonly text: string;
}

interface Leaf {
  readonly path: readonly string[];
  readonly node: Scalar;
}

/**
 * The single values of a project's own that two stacks have in their files, and not alike. Values of other packages, encrypted
 * ones, and those of several lines are left out.
 */
export function settingsBetween(from: SettingsFile, to: SettingsFile, project: string): Setting[] {
  const there = new Map(leavesOf(from.text, project).map((one) => [one.path.join("\n"), one]));
  const lines = new LineCounter();
  return leavesOf(to.text, project, lines).flatMap(({ path, node }): Setting[] => {
    const other = there.get(path.join("\n"));
    if (other === undefined || other.node.value === node.value) return [];
    const [start, end] = rangeOf(node);
    const text = from.text.slice(...rangeOf(other.node));
    if (start === end || text === "" || /[\r\n]/.test(text + to.text.slice(start, end))) return [];
    const { line, col } = lines.linePos(start);
    const place = { file: to.file, line, column: col };
    return [{ path, from: other.node.value, to: node.value, start, end, text, place }];
  });
}

function rangeOf({ range }: Scalar): [number, number] {
  const [start = 0, end = 0] = range ?? [];
  return [start, end];
}

function leavesOf(text: string, project: string, lineCounter = new LineCounter()): Leaf[] {
  const document = parseDocument(text, { lineCounter });
  if (document.errors.length > 0) return [];
  const config = document.get("config");
  return leavesIn(config, []).filter(({ path: [key = ""] }) => {
    return key.startsWith(`${project}:`) || !key.includes(":");
  });
}

function leavesIn(node: unknown, path: readonly string[]): Leaf[] {
  if (isScalar(node)) return path.includes("secure") ? [] : [{ path, node }];
  if (!isMap(node)) return [];
  return node.items.flatMap(({ key, value }) =>
    leavesIn(value, [...path, String(isScalar(key) ? key.value : key)]),
  );
}
