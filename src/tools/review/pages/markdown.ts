import { occurrences } from "../../../provider/texts/count-text";
import { countOf, countText, fitInLine, listText, textIn } from "../../../provider/words";
import { escaped, folded, sizeOf } from "../../render/markdown-text";
import { markdownInside, type Part } from "../../render/report";
import {
  contextTexts,
  countsText,
  failedText,
  originTexts,
  riskCounts,
  riskTitles,
  titleOf,
  webAddress,
} from "../changes/captions";
import { actTexts, type Change, levels, type Review } from "../review";
import { failureList, noteList, reasonsBeside, ruleTable, userParts, valueTable } from "./parts";

/** Bytes of a report: a comment of GitHub holds 65,536 characters, and a workflow may add a line of its own. */
const mostBytes = 64_000;

/** Of these, so many are for what is not folded or counted. */
const detailBytes = 40_000;
const lineBytes = 58_000;

/** Most reasons of one change. */
const mostReasons = 8;

/** The first line of a report in Markdown: by it a workflow finds the comment that it updates. Nobody sees it. */
function markdownMarker({ project = "", stack = "" }: Pick<Review, "project" | "stack">): string {
  return `<!-- feature-console report ${[project, stack].map((name) => name.replace(/[^\w.-]+/g, "_")).join("/")} -->`;
}

/** The review as one comment of a pull request: worst first, details folded, what does not fit counted. */
export function reviewMarkdown(review: Review): string {
  const entries = entriesOf(review.changes);
  const head = headOf(review);
  let size = sizeOf(head.join("\n")) + sizeOf(tailOf(entries).join("\n"));
  const told: string[][] = [];
  for (const [index, entry] of entries.entries()) {
    const rich = size < detailBytes ? detailed(entry) : undefined;
    const lines =
      rich !== undefined && size + sizeOf(rich.join("\n")) < lineBytes ? rich : [`- ${lineOf(entry)}`];
    const bytes = sizeOf(lines.join("\n")) + 2;
    if (size + bytes > lineBytes) return joined(head, entries, told, entries.slice(index));
    size += bytes;
    told.push(lines);
  }
  return joined(head, entries, told, []);
}

/** Changes that read the same, in one line. */
type Entry = readonly [Change, ...Change[]];

/** Members of a change that its line and the details below it show, beside its name and its place. */
const shownMembers = [
  ...(["kind", "act", "headline", "risk", "facts", "statements"] as const),
  ...(["tables", "values", "dependents", "owner", "notices"] as const),
];

function entriesOf(changes: readonly Change[]): Entry[] {
  const groups = Map.groupBy(changes, (change) => JSON.stringify(shownMembers.map((name) => change[name])));
  return [...groups.values()] as unknown as Entry[];
}

function joined(
  head: readonly string[],
  entries: readonly Entry[],
  told: readonly string[][],
  left: readonly Entry[],
): string {
  const parts: string[] = [...head];
  for (const level of levels) {
    const own = entries.flatMap((entry, at) => (entry[0].risk === level ? [{ entry, lines: told[at] }] : []));
    const shown = own.flatMap(({ lines }) => lines ?? []);
    const count = own.reduce((sum, { entry }) => sum + entry.length, 0);
    if (shown.length > 0)
      parts.push("", `### ${riskTitles[level]}: ${countOf(count, "change")}`, "", ...shown);
  }
  if (left.length > 0) parts.push("", ...tailOf(left));
  const text = `${parts.join("\n")}\n`;
  // Notes of unusual length are all that could still be too much.
  return sizeOf(text) <= mostBytes ? text : `${text.slice(0, Math.floor(mostBytes / 4))}\n\n(cut)\n`;
}

function headOf(review: Review): string[] {
  const risks = riskCounts(review).map(({ text }) => text);
  const failures = failureList(review);
  const users = userParts(review);
  return [
    markdownMarker(review),
    `## ${escaped(titleOf(review))}`,
    "",
    ...(failures.items.length > 0 ? ["**This update will fail.**", "", ...markdownInside(failures), ""] : []),
    ...(review.failed ? [`**${failedText}**`, ""] : []),
    ...(risks.length > 0 ? [`**${risks.join(" · ")}**  `] : []),
    countsText(review),
    ...(users.length > 0 ? ["", "### Users", "", ...users.flatMap(markdownInside)] : []),
    ...(review.notes.length > 0 ? ["", ...markdownInside(noteList(review.notes))] : []),
  ];
}

/** Most names of changes that read the same. */
const mostNames = 6;

/** One line: who, what, how much traffic, who depends on it, whose it is. */
function lineOf(changes: Entry): string {
  const [first] = changes;
  const names = changes.map(({ called }) => `<b>${escaped(textIn(called))}</b>`);
  const kind = changes.length === 1 ? first.title : `${countOf(changes.length, first.title)}:`;
  const who = changes.length === 1 ? `${names[0]} (${kind})` : `${kind} ${listText(names, mostNames)}`;
  // Each of several has its own traffic.
  const { exposures: _, ...shared } = { ...first, checksPerHour: 0 };
  const context = contextTexts(changes.length === 1 ? first : shared);
  return [who, ...[first.headline, ...context].map(escaped)].join(" · ");
}

/** The line with its reasons and tables folded below; the line alone where there is nothing more to say. */
function detailed(entry: Entry): string[] {
  const [{ act, statements, facts, tables, values, notices }] = entry;
  // The line of something new names all of its values, unless there are too many.
  const isSaid = act === "create" && fitInLine(statements);
  const reasons = reasonsBeside(facts);
  const rest = reasons.length - mostReasons;
  const parts: Part[] = [
    reasons.slice(0, mostReasons).map(({ level, text }) => ({ mark: level, text })),
    rest > 0 ? [`and ${countOf(rest, "more reason")}`] : [],
    ...tables.map(({ rows }) => ruleTable(rows)),
    ...(values.length > 0 && !isSaid ? [valueTable(values)] : []),
    notices.map((notice) => `Pulumi says: ${notice}`),
  ];
  const inside = [...parts.flatMap(markdownInside), ...footerOf(entry)];
  const first = inside.findIndex((line) => line !== "");
  return first < 0 ? [`- ${lineOf(entry)}`] : folded(lineOf(entry), inside.slice(first));
}

/** Most changes of one line that show their places. */
const mostPlaces = 30;

/** Last change, place in the program and page; of several, each with its name. */
function footerOf(changes: Entry): string[] {
  const shown = changes.slice(0, mostPlaces).flatMap((change) => {
    const parts = [...originTexts(change).map(escaped), ...pageLink(change.page)];
    return parts.length === 0 ? [] : [{ name: `<b>${escaped(textIn(change.called))}</b>`, parts }];
  });
  if (changes.length === 1) return shown.flatMap(({ parts }) => ["", parts.join(" · ")]);
  if (shown.length === 0) return [];
  const rest = changes.length - mostPlaces;
  return [
    "",
    ...shown.map(({ name, parts }) => `- ${[name, ...parts].join(" · ")}`),
    ...(rest > 0 ? [`- and ${countText(rest)} more`] : []),
  ];
}

function pageLink(page: string | undefined): string[] {
  const address = webAddress(page);
  if (address === undefined) return [];
  return [`<a href="${address.replace(/["'<>&`]/g, (one) => encodeURIComponent(one))}">in the console</a>`];
}

function tailOf(left: readonly Entry[]): string[] {
  const changes = left.flat();
  const sorts = changes.map(
    ({ risk, act, title }) => `${riskTitles[risk].toLowerCase()}: ${actTexts[act][1]}, ${title}`,
  );
  const texts = [...occurrences(sorts)].map(([key, count]) => `- ${countText(count)} × ${escaped(key)}`);
  const shown = texts.slice(0, 40);
  return [
    `### ${countOf(changes.length, "more change")}`,
    "",
    "A comment holds no more. The whole report: `npx feature-console report --format json`.",
    "",
    ...shown,
    ...(texts.length > shown.length ? [`- and ${texts.length - shown.length} more sorts`] : []),
  ];
}
