import type * as ts from "typescript";
import type { ResourceDefinition } from "../core/define";
import type { Compiler } from "./compiler";
import type { Style } from "./literal-text";

/** A part of a file that is replaced. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A place that only a person can change. */
export class Computed extends Error {
  readonly node: ts.Node;
  /** What to say there, as TypeScript. */
  readonly type: string;

  constructor(node: ts.Node, type: string, why = "the argument is computed") {
    super(why);
    this.node = node;
    this.type = type;
  }
}

/** A file that is being changed. */
export interface Job {
  readonly compiler: Compiler;
  readonly file: ts.SourceFile;
  readonly style: Style;
  readonly definition: ResourceDefinition;
}

/** A text with some of its parts replaced. `from`: where the text begins in the file. */
export function edited(text: string, edits: readonly Edit[], from = 0): string {
  const ordered = [...edits].sort((one, other) => other.start - one.start);
  return ordered.reduce(
    (left, { start, end, text: fresh }) => left.slice(0, start - from) + fresh + left.slice(end - from),
    text,
  );
}
