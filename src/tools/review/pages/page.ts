import { type Html, type HtmlValue, html, pageText } from "../../../emulator/web-page";
import { countOf, percentText, timeText } from "../../../provider/words";
import { htmlPart, type MarkedLine, type Section } from "../../render/report";
import type { Origin } from "../../stack/origin";
import {
  contextTexts,
  countsText,
  exposuresText,
  failedText,
  originTexts,
  riskCounts,
  riskTitles,
  titleOf,
  webAddress,
} from "../changes/captions";
import { dependentText, namesEach } from "../changes/end-reasons";
import type { Change, Review } from "../review";
import { pageScript } from "./page-script";
import { pageStyle } from "./page-style";
import { failureList, noteList, reasonsBeside, ruleTable, userParts, valueTable } from "./parts";

/** Most changes of a page that are all in sight: it needs no filter, and repeats none on top. */
const mostInSight = 5;

/** The riskiest changes that a longer page names on top. */
const mostOnTop = 3;

/**
 * The review as one page in one file, which asks for nothing: to search, to filter, and to see who gets what before and after.
 * @param origin left out: the page does not name its commit and time
 */
export function reviewPage(review: Review, origin?: Origin): string {
  const { changes } = review;
  const title = titleOf(review);
  const users = userParts(review);
  const ids = idsOf(changes);
  const isLong = changes.length > mostInSight;
  const notes = noteList(review.notes);
  const body = html`<header>
<h1>${title}</h1>
${origin === undefined ? "" : originLine(origin)}
${verdictOf(review)}
${risksOf(review, isLong)}
${isLong ? html`<ol class="top">${changes.slice(0, mostOnTop).map((one) => topItem(one, ids))}</ol>` : ""}
<p class="quiet">${countsText(review)}</p>
${users.length > 0 ? htmlPart({ title: "Users", parts: users }) : ""}
${notes.items.length > 0 ? foldedLines("quiet", countOf(notes.items.length, "note"), htmlPart(notes)) : ""}
</header>
${isLong ? filterOf(changes) : ""}
<main>
${changes.map((change) => changeOf(change, ids))}
</main>`;
  return pageText({ title, body, style: pageStyle, script: pageScript });
}

/** Changes with the ids of their places on the page. */
type Ids = ReadonlyMap<Change, string>;

function idsOf(changes: readonly Change[]): Ids {
  const used = new Map<string, number>();
  return new Map(
    changes.map((change) => {
      const id = `${change.kind}-${change.called}`.replace(/[^\w-]+/g, "_");
      const count = (used.get(id) ?? 0) + 1;
      used.set(id, count);
      return [change, count === 1 ? id : `${id}.${count}`];
    }),
  );
}

function originLine({ commit, author = "unknown", page, at }: Origin): Html {
  const url = webAddress(page);
  const [, way, number] = /\/(pull|merge)[^/]*\/(\d+)$/.exec(url ?? "") ?? [];
  const text = number === undefined ? "its page" : `${way} request ${number}`;
  return html`<p class="quiet small">${commit === undefined ? "" : `commit ${commit} by ${author} · `}${
    url === undefined ? "" : html`<a href="${url}" rel="noreferrer noopener">${text}</a> · `
  }report of ${timeText(at)}</p>`;
}

function foldedLines(name: string, summary: HtmlValue, lines: HtmlValue): Html {
  return html`<details class="${name}"><summary>${summary}</summary>${lines}</details>`;
}

function verdictOf(review: Review): HtmlValue {
  const failures = failureList(review);
  const count = failures.items.length;
  const verdict = html`<strong>This update will fail</strong>: ${countOf(count, "reason")}`;
  return [
    count === 0 ? "" : foldedLines("verdict", verdict, htmlPart(failures)),
    review.failed ? html`<p><strong>${failedText}</strong></p>` : "",
  ];
}

/** Counts by risk: of a long page they filter it, as soon as its script can. */
function risksOf(review: Review, isLong: boolean): Html {
  const counts = riskCounts(review).map(({ level, text }) =>
    isLong
      ? html`<button type="button" class="mark ${level}" value="${level}" aria-pressed="false" disabled>${text}</button> `
      : html`<span class="mark ${level}">${text}</span> `,
  );
  return html`<p class="risks">${counts}</p>`;
}

/** The name of a change and its worst reason, but for a failure, whose reason the verdict has. */
function topItem(change: Change, ids: Ids): Html {
  const { called, title, outcome, facts } = change;
  const fails = outcome.what === "fails" ? "will fail; " : "";
  const { text } = facts.find(({ about }) => about !== "outcome") ?? { text: change.headline };
  return html`<li><a href="#${ids.get(change)}"><bdi>${called}</bdi></a> <span class="quiet">${title}</span> · <bdi>${fails}${text}</bdi></li>`;
}

/** Shown by the script, as nothing but it can filter. */
function filterOf(changes: readonly Change[]): Html {
  const kinds = new Map(changes.map(({ kind, title }) => [kind, title]));
  const owners = [...new Set(changes.map(({ owner = "" }) => owner))].sort();
  return html`<details class="filter" hidden><summary>Filter <output class="quiet small"></output></summary>
<form role="search">
<label class="search">Search <input type="search" name="text" placeholder="name, rule, person" autocomplete="off" spellcheck="false"></label>
${choiceOf("Kind", new Map([...kinds].sort()))}
${choiceOf("Owner", new Map(owners.map((owner) => [owner, owner || "nobody"])))}
</form></details>`;
}

function choiceOf(label: string, choices: ReadonlyMap<string, string>): Html {
  const options = [...choices].map(([value, text]) => html`<option value="=${value}">${text}</option>`);
  return html`<label>${label} <select name="${label.toLowerCase()}"><option value="">all</option>${options}</select></label>`;
}

function changeOf(change: Change, ids: Ids): Html {
  const { risk, kind, owner = "", title, called } = change;
  const id = ids.get(change);
  return html`<details class="change" id="${id}" data-risk="${risk}" data-kind="${kind}" data-owner="${owner}">
<summary><span class="mark ${risk}">${riskTitles[risk]}</span> <strong><bdi>${called}</bdi></strong> <span class="quiet">${title}</span> <bdi class="headline">${headlineOf(change)}</bdi>${contextOf(change)}</summary>
<div class="inside">${detailsOf(change)}${footerOf(change, id)}</div>
</details>
`;
}

/** The longest move of a value in large type. */
const mostLarge = 48;

/** The headline, with what moves in large type: `10 % → 50 %`, or a state such as `is switched off: everyone → nobody`. */
function headlineOf({ act, headline, tables, values, statements }: Change): HtmlValue {
  const shares = tables.flatMap(({ rows }) =>
    rows.map(({ before, after }) => [before?.share, after?.share].map((one) => one ?? -1)),
  );
  const moves = [
    ...shares.filter(([was, is]) => was !== is).map((sides) => sides.map(percentText).join(" → ")),
    ...values.map(({ before, after }) => `${before} → ${after}`).filter((text) => text.length <= mostLarge),
    ...statements.flatMap(({ about, text }) => (about === "state" ? [text] : [])),
  ];
  // Whole words: "0 % → 50 %" is no part of "10 % → 50 %".
  const [large = "", at = -1] =
    moves
      .map((text) => [text, ` ${headline}`.indexOf(` ${text}`)] as const)
      .find(([, found]) => found >= 0) ?? [];
  if (act === "create" || at < 0) return headline;
  return [headline.slice(0, at), html`<b class="large">${large}</b>`, headline.slice(at + large.length)];
}

const hasNoExposures = ({ exposures }: Change): boolean => exposures?.past7Days === 0;

function contextOf(change: Change): HtmlValue {
  const parts = contextTexts(hasNoExposures(change) ? { ...change, exposures: undefined } : change);
  return parts.length === 0 ? "" : html` <span class="quiet small">${parts.join(" · ")}</span>`;
}

/** Reasons beyond the line of the change and the verdict. */
function detailsOf({ facts, tables, values, dependents, notices, outcome }: Change): HtmlValue {
  const listed = (title: string, lines: readonly (string | MarkedLine)[]): Section[] =>
    lines.length === 0 ? [] : [{ title, parts: [lines] }];
  const reasons = reasonsBeside(facts).map(({ level: mark, about, text }) => {
    const isOnTop = about === "outcome" && outcome.what === "fails";
    return { mark, text: isOnTop ? "this update will fail, for the reason on top of the page" : text };
  });
  const sections: Section[] = [
    ...listed("Why", reasons),
    ...tables.map(({ rows }) => ({ title: "Who sees it", parts: [ruleTable(rows)] })),
    ...(values.length === 0 ? [] : [{ title: "Arguments", parts: [valueTable(values)] }]),
    ...listed("Depend on it", namesEach(dependents) ? [] : dependents.map(dependentText)),
    ...listed("Pulumi says", notices),
  ];
  return sections.map(htmlPart);
}

function footerOf(change: Change, id: string | undefined): Html {
  const url = webAddress(change.page);
  const link =
    url === undefined ? "" : html`<a href="${url}" rel="noreferrer noopener">in the console</a> · `;
  const exposures = hasNoExposures(change) && change.exposures ? [exposuresText(change.exposures)] : [];
  const origin = [...exposures, ...originTexts(change)].map((text) => `${text} · `);
  return html`<p class="quiet small">${origin}${link}<a href="#${id}">link to this change</a></p>
${foldedLines("quiet small", "URN", change.urn)}`;
}
