import type * as ts from "typescript";
import type { Job } from "./edits";

/** One element of the new list: one that is there already, with its text, or a new one. */
export type Entry =
  | { readonly from: number; readonly body: string }
  /** `textAt`: the text for an indent of the line. */
  | { readonly textAt: (margin: string) => string };

/** A list in brackets or braces, and what it holds. */
export interface Container extends Job {
  readonly node: ts.ArrayLiteralExpression | ts.ObjectLiteralExpression;
}

type Parts = ReturnType<typeof partsOf>;
type Piece = Parts["pieces"][number];

/**
 * The text between the brackets of a list with other elements, or with the same in another order. Comments go with their
 * elements; those of an element that goes stay.
 */
export function rearranged(container: Container, entries: readonly Entry[]): string {
  const parts = partsOf(container);
  const { pieces } = parts;
  const kept = new Set(entries.flatMap((entry) => ("from" in entry ? [entry.from] : [])));
  const spaces = spacesOf(container, parts);
  let orphans = "";
  let next = 0;
  const leave = (until: number) => {
    for (; next < until; next += 1) if (!kept.has(next)) orphans += commentsOf(pieces[next]);
  };
  const texts = entries.map((entry, index) => {
    if ("from" in entry) leave(entry.from);
    const piece = "from" in entry ? pieces[entry.from] : undefined;
    const lead = leadOf(piece, index, spaces);
    const before = orphans;
    orphans = "";
    const comma = index < entries.length - 1 || (parts.endsWithComma && entries.length > 0) ? "," : "";
    const body = "from" in entry ? entry.body : entry.textAt(marginIn(lead) ?? marginOf(container));
    return [
      { blank: before + lead, code: body },
      { blank: piece?.beforeComma ?? "", code: comma },
      { blank: piece?.afterComma ?? "", code: "" },
    ];
  });
  leave(pieces.length);
  const isBare = entries.length === 0 && orphans === "" && parts.closing.trim() === "";
  if (isBare) return "";
  const closing = entries.length > 0 ? spaces.closing : parts.closing;
  const line = container.style.newline + marginOf(container);
  return joined([...texts.flat(), { blank: orphans + closing, code: "" }], line);
}

/** Blanks and comments, and the code behind them. */
interface Stretch {
  readonly blank: string;
  readonly code: string;
}

/** Stretches of text, none of whose code gets into a comment that goes to the end of its line. `line`: begins a new one. */
function joined(stretches: readonly Stretch[], line: string): string {
  let text = "";
  let blank = "";
  for (const stretch of stretches) {
    const isOpen = endsInLineComment(blank) && !/^[ \t]*\r?\n/.test(stretch.blank);
    blank += isOpen && stretch.blank + stretch.code !== "" ? line + stretch.blank : stretch.blank;
    if (stretch.code === "") continue;
    text += blank + (endsInLineComment(blank) ? line : "") + stretch.code;
    blank = "";
  }
  return text + blank + (endsInLineComment(blank) ? line : "");
}

function endsInLineComment(blank: string): boolean {
  const [last = ""] = blank.match(/(\/\*[\s\S]*?\*\/|\/\/.*)/g)?.slice(-1) ?? [];
  return last.startsWith("//") && blank.trimEnd().endsWith(last.trimEnd()) && !/\n\s*$/.test(blank);
}

/** The text between the brackets. */
export function interiorOf({ file, node }: Container): { start: number; end: number } {
  return { start: node.getStart(file) + 1, end: node.end - 1 };
}

/** A list taken apart: every character between the brackets is in one of its parts, but for the commas. */
function partsOf(container: Container) {
  const { file, node } = container;
  const { text } = file;
  const elements: ts.NodeArray<ts.Node> = "elements" in node ? node.elements : node.properties;
  const { start, end } = interiorOf(container);
  const endsWithComma = elements.hasTrailingComma === true;
  let at = start;
  const pieces = elements.map((element, index) => {
    // Blanks and comments before it.
    const lead = text.slice(at, element.getStart(file));
    const following = elements[index + 1];
    const hasComma = following !== undefined || endsWithComma;
    const comma = following === undefined ? elements.end - 1 : following.pos - 1;
    const beforeComma = hasComma ? text.slice(element.end, comma) : "";
    const behind = hasComma ? comma + 1 : element.end;
    // Comments behind the comma, on the same line, are the element's.
    at = endOfLineComments(container, behind);
    return { lead, beforeComma, afterComma: text.slice(behind, at) };
  });
  return { pieces, closing: text.slice(at, end), endsWithComma };
}

/** End of the comments behind a comma, if the line ends with them; else the place itself. */
function endOfLineComments({ compiler, file: { text } }: Container, place: number): number {
  const last = compiler.getTrailingCommentRanges(text, place)?.at(-1);
  return last !== undefined && /^[ \t]*(\r?\n|$)/.test(text.slice(last.end)) ? last.end : place;
}

type Spaces = ReturnType<typeof spacesOf>;

/** The blanks that stand before the first element, before each other one, and before the closing bracket. */
function spacesOf(container: Container, { pieces, closing }: Parts) {
  const [first, second] = pieces.map(({ lead }) => /\s*$/.exec(lead)?.[0] ?? "");
  if (first === undefined) {
    const blank = "elements" in container.node ? "" : " ";
    return { first: blank, other: " ", closing: closing.trim() === "" ? blank : closing, isMultiline: false };
  }
  const isMultiline = first.includes("\n");
  const line = first.slice(Math.max(first.lastIndexOf("\n"), 0));
  const ended = first.includes("\r\n") ? `\r${line}` : line;
  return { first, other: isMultiline ? ended : (second ?? " "), closing, isMultiline };
}

function leadOf(piece: Piece | undefined, index: number, spaces: Spaces): string {
  const isOwn = piece !== undefined && (spaces.isMultiline || piece.lead.trim() !== "");
  if (isOwn) return piece.lead;
  return index === 0 ? (spaces.isMultiline ? spaces.other : spaces.first) : spaces.other;
}

function commentsOf(piece: Piece | undefined): string {
  if (piece === undefined) return "";
  const lead = piece.lead.trim() === "" ? "" : piece.lead.trimEnd();
  return `${lead}${piece.beforeComma.trim() === "" ? "" : piece.beforeComma}${piece.afterComma}`;
}

/** The indent of a line that begins with these blanks; undefined where they begin none. */
function marginIn(lead: string): string | undefined {
  return /\n([ \t]*)$/.exec(lead)?.[1];
}

/** The indent of the line in which a node begins. */
export function marginOf({ file, node }: { readonly file: ts.SourceFile; readonly node: ts.Node }): string {
  const start = node.getStart(file);
  return /^[ \t]*/.exec(file.text.slice(file.text.lastIndexOf("\n", start - 1) + 1, start))?.[0] ?? "";
}
