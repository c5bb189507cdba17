import { type HtmlValue, html, pageText } from "../../emulator/web-page";
import { countOf, wrapped } from "../../provider/texts/count-text";
import { jsonText, visible } from "../../provider/texts/issue-text";
import { escaped, folded, table } from "./markdown-text";

/** Rows of cells. Without a header, the first cells of a row name what its last one holds. */
export interface Table {
  readonly header?: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Noun for a row, by which a comment counts those that it has no room for. */
  readonly row?: string;
}

/** Parts under a title. */
export interface Section {
  readonly title: string;
  readonly parts: readonly Part[];
  /** Parts in the place of these where a page or a comment folds them. */
  readonly folded?: readonly Part[];
}

/** A paragraph, a list of lines, a table or a section. */
export type Part = string | readonly string[] | Table | Section;

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
  if ("title" in part)
    return [`${gap}${visible(part.title)}`, ...part.parts.flatMap((one) => textLines(one, indent + 2))];
  return part.flatMap((line) => textLines(line, indent));
}

function tableLines({ header, rows }: Table, indent: number): string[] {
  const cells = [...(header === undefined ? [] : [header]), ...rows].map((row) => row.map(visible));
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

function markdownInside(part: Part): string[] {
  if (typeof part === "string") return [`- ${escaped(part)}`];
  if ("title" in part)
    return part.parts.length === 0
      ? [`- ${escaped(part.title)}`]
      : ["", `**${escaped(part.title)}**`, "", ...part.parts.flatMap(markdownInside)];
  if (!("rows" in part)) return part.flatMap(markdownInside);
  return ["", ...markdownTable(part), ""];
}

/** Most rows of a table in a comment. */
const mostRows = 12;

/** A table as lines of Markdown. */
export function markdownTable({ header, rows, row: noun }: Table): string[] {
  const shown = noun === undefined ? rows : rows.slice(0, mostRows);
  const rest = rows.length - shown.length;
  return [
    ...table(
      (header ?? rows[0]?.map(() => "") ?? []).map(escaped),
      shown.map((row) => row.map(escaped)),
    ),
    ...(rest > 0 ? ["", `and ${countOf(rest, `more ${noun}`)}`] : []),
  ];
}

function htmlPage({ title = "feature-console", parts }: Report): string {
  const body = html`<header><h1>${title}</h1></header><main>${parts.map(htmlPart)}</main>`;
  return pageText({ title, body, style: "", script: "" });
}

function htmlPart(part: Part): HtmlValue {
  if (typeof part === "string") return html`<p>${part}</p>`;
  if ("title" in part)
    return html`<section><h2>${part.title}</h2>${(part.folded ?? part.parts).map(htmlPart)}</section>`;
  if (!("rows" in part)) return html`<ul>${part.map((line) => html`<li>${line}</li>`)}</ul>`;
  const cells = (row: readonly string[], tag: "td" | "th") =>
    html`<tr>${row.map((cell) => (tag === "th" ? html`<th>${cell}</th>` : html`<td>${cell}</td>`))}</tr>`;
  return html`<div class="scrolls" tabindex="0"><table>${part.header === undefined ? "" : cells(part.header, "th")}${part.rows.map((row) => cells(row, "td"))}</table></div>`;
}
