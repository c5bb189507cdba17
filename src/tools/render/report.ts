import { type HtmlValue, html, pageText } from "../../emulator/web-page";
import { countOf, wrapped } from "../../provider/texts/count-text";
import { jsonText, visible } from "../../provider/texts/issue-text";
import { escaped, folded, table } from "./markdown-text";

/** A text in a table. A page shows its notes small below it, and its share as a bar. */
export type Cell =
  | string
  | {
      readonly text: string;
      readonly notes?: readonly string[];
      readonly share?: { readonly percent: number; readonly text: string } | undefined;
    };

/** Rows of cells. Without a header, the first cells of a row name what its last one holds. */
export interface Table {
  readonly header?: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Noun for a row, by which a comment counts those that it has no room for. */
  readonly row?: string;
  /** Name of the table, for those who do not see the page. */
  readonly label?: string;
  /** Classes of the rows on a page. */
  readonly marks?: readonly string[];
}

/** Lines of which pages and comments fold all but the first. */
export interface LongList {
  readonly items: readonly string[];
  /** Noun for a line. */
  readonly item: string;
  /** Most that stand in the open, and most in a comment. */
  readonly open: number;
  readonly most: number;
}

/** Longest line of such a list in a comment, characters. */
const mostCharacters = 600;

/** Parts under a title. */
export interface Section {
  readonly title: string;
  readonly parts: readonly Part[];
  /** Parts in the place of these where a page or a comment folds them. */
  readonly folded?: readonly Part[];
}

/** A line with the level of what it tells. */
export interface MarkedLine {
  readonly mark: string;
  readonly text: string;
}

/** A paragraph, a list of lines, a table or a section. */
export type Part = string | readonly (string | MarkedLine)[] | LongList | Table | Section;

/** The result of a command: for people its parts, for programs a value. */
export interface Report {
  readonly title?: string;
  readonly parts: readonly Part[];
  readonly json?: unknown;
}

/** Forms in which a report is printed. */
export type Format = "text" | "markdown" | "html" | "json";

/** A report in one of its forms. */
export function rendered(report: Report, format: Format): string {
  const { title, parts, json } = report;
  if (format === "json") return jsonText(json);
  if (format === "html") return htmlPage(report);
  const isText = format === "text";
  const head = title === undefined ? [] : [isText ? visible(title) : `## ${escaped(title)}`];
  const blocks = parts.map((part) => (isText ? textLines(part, 0) : markdownLines(part)).join("\n"));
  return `${[...head, ...blocks].filter((block) => block !== "").join("\n\n")}\n`;
}

function textLines(part: Part, indent: number): string[] {
  const gap = " ".repeat(indent);
  if (typeof part === "string") return [`${gap}${visible(part)}`];
  if ("rows" in part) return tableLines(part, indent);
  if ("items" in part) return part.items.flatMap((line) => textLines(line, indent));
  if ("title" in part)
    return [`${gap}${visible(part.title)}`, ...part.parts.flatMap((one) => textLines(one, indent + 2))];
  return part.flatMap((line) => textLines(lineText(line), indent));
}

function lineText(line: string | MarkedLine): string {
  return typeof line === "string" ? line : `${line.mark}: ${line.text}`;
}

function cellText(cell: Cell): string {
  return typeof cell === "string" ? cell : [cell.text, ...(cell.notes ?? [])].join(", ");
}

function tableLines({ header, rows }: Table, indent: number): string[] {
  const cells = [...(header === undefined ? [] : [header]), ...rows].map((row) =>
    row.map((cell) => visible(cellText(cell))),
  );
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  return cells.map((row) => {
    const start = row.slice(0, -1).map((cell, column) => `${cell.padEnd(widths[column] ?? 0)}  `);
    const line = `${" ".repeat(indent)}${start.join("")}`;
    const last = row.at(-1) ?? "";
    return `${line}${header === undefined ? wrapped(last, line.length) : last}`.trimEnd();
  });
}

/** A part on top of a comment: its sections are folded. */
function markdownLines(part: Part): string[] {
  if (typeof part === "string") return [escaped(part)];
  const inside = "title" in part ? (part.folded ?? part.parts) : [];
  if ("title" in part && inside.length > 0)
    return folded(`<b>${escaped(part.title)}</b>`, inside.flatMap(markdownInside));
  return markdownInside(part);
}

/** A part inside of what a comment folds. */
export function markdownInside(part: Part): string[] {
  if (typeof part === "string") return [`- ${escaped(part)}`];
  if ("items" in part) return markdownList(part);
  if ("title" in part)
    return part.parts.length === 0
      ? [`- ${escaped(part.title)}`]
      : ["", `**${escaped(part.title)}**`, "", ...part.parts.flatMap(markdownInside)];
  if (!("rows" in part)) return part.flatMap((line) => markdownInside(lineText(line)));
  return ["", ...markdownTable(part), ""];
}

function markdownList({ items, item, open, most }: LongList): string[] {
  const lines = items.slice(0, most).map((text) => `- ${escaped(shortened(text))}`);
  const rest = items.length - most;
  const all = rest > 0 ? [...lines, `- and ${countOf(rest, `more ${item}`)}`] : lines;
  if (all.length <= open + 1) return all;
  const more = `<b>${countOf(items.length - open, `more ${item}`)}</b>`;
  return [...all.slice(0, open), "", ...folded(more, all.slice(open))];
}

function shortened(text: string): string {
  const characters = [...text];
  return characters.length > mostCharacters ? `${characters.slice(0, mostCharacters - 1).join("")}…` : text;
}

/** Most rows of a table in a comment. */
const mostRows = 12;

function markdownTable({ header, rows, row: noun }: Table): string[] {
  const shown = noun === undefined ? rows : rows.slice(0, mostRows);
  const rest = rows.length - shown.length;
  return [
    ...table(
      (header ?? rows[0]?.map(() => "") ?? []).map(escaped),
      shown.map((row) => row.map((cell) => escaped(cellText(cell)))),
    ),
    ...(rest > 0 ? ["", `and ${countOf(rest, `more ${noun}`)}`] : []),
  ];
}

function htmlPage({ title = "feature-console", parts }: Report): string {
  const body = html`<header><h1>${title}</h1></header><main>${parts.map(htmlPart)}</main>`;
  return pageText({ title, body, style: "", script: "" });
}

/** A part on a page. */
export function htmlPart(part: Part): HtmlValue {
  if (typeof part === "string") return html`<p>${part}</p>`;
  if ("title" in part)
    return html`<section><h2>${part.title}</h2>${(part.folded ?? part.parts).map(htmlPart)}</section>`;
  if ("rows" in part) return htmlTable(part);
  if (!("items" in part)) return htmlList(part);
  const { items, item, open } = part;
  const more = items.slice(open);
  return [
    htmlList(items.slice(0, open)),
    more.length === 0
      ? ""
      : html`<details><summary>${countOf(more.length, `more ${item}`)}</summary>${htmlList(more)}</details>`,
  ];
}

function htmlList(lines: readonly (string | MarkedLine)[]): HtmlValue {
  const items = lines.map((line) =>
    typeof line === "string"
      ? html`<li>${line}</li>`
      : html`<li><span class="mark ${line.mark}">${line.mark}</span> ${line.text}</li>`,
  );
  return html`<ul>${items}</ul>`;
}

function htmlTable({ header, rows, label, marks }: Table): HtmlValue {
  const titles = header?.map((title) => html`<th>${title}</th>`);
  const lines = rows.map((row, at) => {
    const cells = row.map((cell, column) =>
      column === 0 && header !== undefined
        ? html`<th scope="row">${htmlCell(cell, "")}</th>`
        : html`<td data-column="${header?.[column] ?? ""}">${htmlCell(cell, header?.[column] ?? "")}</td>`,
    );
    return html`<tr class="${marks?.[at] ?? ""}">${cells}</tr>`;
  });
  return html`<div class="scrolls" tabindex="0" role="group" aria-label="${label ?? "Table"}"><table>${titles === undefined ? "" : html`<thead><tr>${titles}</tr></thead>`}<tbody>${lines}</tbody></table></div>`;
}

function htmlCell(cell: Cell, column: string): HtmlValue {
  if (typeof cell === "string") return html`<bdi>${cell}</bdi>`;
  const { text, notes = [], share } = cell;
  const small = notes.map((note) => html`<div class="quiet small"><bdi>${note}</bdi></div>`);
  return [html`<bdi>${text}</bdi>`, share === undefined ? "" : barOf(share, column), small];
}

/** A share as a bar as wide as the cell. */
function barOf({ percent, text }: { percent: number; text: string }, column: string): HtmlValue {
  return html`<svg class="bar ${column}" role="img" aria-label="${column}: ${text}" viewBox="0 0 100 6" preserveAspectRatio="none"><rect class="all" width="100" height="6"/><rect class="share" width="${Math.min(100, Math.max(0, percent))}" height="6"/></svg>`;
}
