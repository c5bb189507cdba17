import { visible } from "../../provider/texts/issue-text";

/** Characters that Markdown, HTML in it, or the pages of GitHub and GitLab may take for markup, inside a line. */
const markup = /[&<>`*[\]\\|~$]|_(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])_/gu;

/** Beginnings of links or pictures on those pages: people, issues, requests, labels, addresses, emoji. A comment in between ends that. */
const links = /[@#!%^](?=[\p{L}\p{N}"_-])|:(?=\/\/)|(?<=\bwww)\.|:(?=[a-z0-9_+-]+:)|(?<=\bGH)-(?=\d)/giu;

const gap = "<!-- -->";

/**
 * A text of somebody else for a place inside a line of Markdown or of HTML within it: it shows as it is and can be nothing but
 * text. Lines are joined.
 */
export function escaped(text: string): string {
  return visible(
    text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").replace(/\p{Bidi_Control}/gu, "\ufffd"),
  ).replace(new RegExp(`${markup.source}|${links.source}`, "giu"), (found) =>
    isMarkup(found) ? `&#${found.codePointAt(0)};` : `${found}${gap}`,
  );
}

function isMarkup(character: string): boolean {
  return /[&<>`*[\]\\|~$_]/.test(character);
}

/** A row of a table, of cells that are Markdown already. */
function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** A table with a header; cells are Markdown already. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [row(header), row(header.map(() => "---")), ...rows.map(row)];
}

const encoder = new TextEncoder();

/** Size of a text in a comment, in bytes of UTF-8: no limit in characters is smaller. */
export function sizeOf(text: string): number {
  return encoder.encode(text).length;
}

/** Lines below a summary, which a click opens. Markdown begins after an empty line. */
export function folded(summary: string, lines: readonly string[]): string[] {
  return [`<details><summary>${summary}</summary>`, "", ...lines, "", "</details>"];
}
