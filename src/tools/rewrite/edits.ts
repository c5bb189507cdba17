import type * as ts from "typescript";
import type { Compiler } from "./compiler";
import type { Style } from "./literal-text";

/** A part of a file that is replaced. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Advice about a value that is not written: to type it, as TypeScript, or to do something else. */
export type Advice = { readonly type: string } | { readonly todo: string };

/** A place that only a person can change. */
export class Computed extends Error {
  readonly node: ts.Node;
  readonly advice: Advice;

  constructor(node: ts.Node, advice: string | Advice, why = "the argument is computed") {
    super(why);
    this.node = node;
    this.advice = typeof advice === "string" ? { type: advice } : advice;
  }
}

/** A file that is being changed. */
export interface Job {
  readonly compiler: Compiler;
  readonly file: ts.SourceFile;
  readonly style: Style;
}

/** A text with some of its parts replaced, none of which overlap. `from`: where the text begins in the file. */
export function edited(text: string, edits: readonly Edit[], from = 0): string {
  const parts: string[] = [];
  let at = from;
  for (const { start, end, text: fresh } of inOrder(edits)) {
    parts.push(text.slice(at - from, start - from), fresh);
    at = end;
  }
  return parts.join("") + text.slice(at - from);
}

/** The edits by their places; at one place, as they were made. */
export function inOrder(edits: readonly Edit[]): Edit[] {
  return [...edits].sort((one, other) => one.start - other.start || one.end - other.end);
}
