import { type Html, type HtmlValue, html, pageText } from "../../../emulator/web-page";
import {
  countOf,
  percentText,
  type RuleRow,
  type RuleSide,
  shareText,
  unreachableText,
} from "../../../provider/words";
import {
  contextTexts,
  countsText,
  failureTexts,
  originTexts,
  riskCounts,
  riskTitles,
  titleOf,
  webAddress,
} from "../changes/captions";
import { dependentText } from "../changes/end-reasons";
import { userTexts } from "../changes/user-texts";
import { type Change, levels, type Review } from "../review";
import { pageScript } from "./page-script";
import { pageStyle } from "./page-style";

/** The review as one page in one file, which asks for nothing: to search, to filter, and to see who gets what before and after. */
export function reviewPage(review: Review): string {
  const { changes } = review;
  const title = titleOf(review);
  const body = html`<header>
<h1>${title}</h1>
${failuresOf(review)}
${review.failed ? html`<p><strong>The preview failed: this is not all that would change.</strong></p>` : ""}
<p>${riskCounts(review).map(({ level, text }) => html`<span class="mark ${level}">${text}</span> `)}</p>
<p class="quiet">${countsText(review)}</p>
${usersOf(review.users)}
${notesOf(review.notes)}
</header>
${changes.length === 0 ? "" : filterOf(changes)}
<main>
${changes.map(changeOf)}
</main>`;
  return pageText({ title, body, style: pageStyle, script: pageScript });
}

function failuresOf(review: Review): HtmlValue {
  const reasons = failureTexts(review);
  if (reasons.length === 0) return "";
  return html`<p><strong>This update will fail.</strong></p><ul>${reasons.map((text) => html`<li>${text}</li>`)}</ul>`;
}

/** Most sentences about users that stand in the open. */
const openUserTexts = 12;

function usersOf(users: Review["users"]): HtmlValue {
  if (users === undefined) return "";
  const items = userTexts(users).map((text) => html`<li>${text}</li>`);
  const [first, rest] = [items.slice(0, openUserTexts), items.slice(openUserTexts)];
  const more = html`<details><summary>${countOf(rest.length, "more flag")}</summary><ul>${rest}</ul></details>`;
  return html`<section><h2>Users</h2><ul>${first}</ul>${rest.length > 0 ? more : ""}${notesOf(users.notes)}</section>`;
}

function notesOf(notes: readonly string[]): HtmlValue {
  if (notes.length === 0) return "";
  const list = html`<ul>${notes.map((note) => html`<li>${note}</li>`)}</ul>`;
  return notes.length <= 3
    ? list
    : html`<details><summary>${countOf(notes.length, "note")}</summary>${list}</details>`;
}

/** Shown by the script, as nothing but it can filter. */
function filterOf(changes: readonly Change[]): Html {
  const kinds = new Map(changes.map(({ kind, title }) => [kind, title]));
  const risks = levels.filter((level) => changes.some(({ risk }) => risk === level));
  const owners = [...new Set(changes.map(({ owner = "" }) => owner))].sort();
  return html`<form class="filter" role="search" hidden>
<label class="search">Search <input type="search" name="text" placeholder="name, rule, person" autocomplete="off" spellcheck="false"></label>
${choiceOf(
  "Risk",
  "risk",
  risks.map((level) => [level, riskTitles[level]]),
)}
${choiceOf("Kind", "kind", [...kinds].sort())}
${choiceOf(
  "Owner",
  "owner",
  owners.map((owner) => [owner, owner === "" ? "nobody" : owner]),
)}
<output class="quiet small" name="shown"></output>
</form>`;
}

function choiceOf(label: string, name: string, choices: readonly (readonly [string, string])[]): Html {
  const options = choices.map(([value, text]) => html`<option value="=${value}">${text}</option>`);
  return html`<label>${label} <select name="${name}"><option value="">all</option>${options}</select></label>`;
}

function changeOf(change: Change): Html {
  const { risk, kind, owner = "", title, called, headline } = change;
  const inside = detailsOf(change);
  return html`<details class="change" data-risk="${risk}" data-kind="${kind}" data-owner="${owner}">
<summary><span class="mark ${risk}">${riskTitles[risk]}</span> <strong><bdi>${called}</bdi></strong> <span class="quiet">${title}</span> <bdi class="headline">${headline}</bdi>${contextOf(change)}</summary>
<div class="inside">${inside}</div>
</details>
`;
}

function contextOf(change: Change): HtmlValue {
  const parts = contextTexts(change);
  return parts.length === 0 ? "" : html` <span class="quiet small">${parts.join(" · ")}</span>`;
}

function detailsOf({ facts, tables, values, dependents, notices, ...change }: Change): HtmlValue {
  return [
    listOf(
      "Why",
      facts.map(({ level, text }) => html`<span class="mark ${level}">${level}</span> ${text}`),
    ),
    tables.map(({ rows }) => ruleTable(rows)),
    valueTable(values),
    listOf("Depend on it", dependents.map(dependentText)),
    listOf("Pulumi says", notices),
    footerOf(change),
  ];
}

function listOf(title: string, items: readonly HtmlValue[]): HtmlValue {
  return items.length === 0
    ? ""
    : html`<h2>${title}</h2><ul class="plain">${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

function ruleTable(rows: readonly RuleRow[]): Html {
  return html`<h2>Who sees it</h2><div class="scrolls" tabindex="0" role="group" aria-label="Rules before and after"><table>
<thead><tr><th>rule</th><th>before</th><th>after</th></tr></thead>
<tbody>${rows.map(ruleRow)}</tbody></table></div>`;
}

function ruleRow(row: RuleRow): Html {
  const { name, renamedFrom, before, after, unreachable, what } = row;
  return html`<tr class="${what}"><th scope="row"><bdi>${name}</bdi>${
    renamedFrom === undefined ? "" : html`<br><span class="small">was <bdi>${renamedFrom}</bdi></span>`
  }</th><td>${sideOf(before, "before")}</td><td>${
    what === "unchanged" ? html`<span class="quiet">unchanged</span>` : sideOf(after, "after")
  }${unreachable === undefined ? "" : html`<br><span class="small">${unreachableText(unreachable, "it")}</span>`}</td></tr>`;
}

function sideOf(side: RuleSide | undefined, when: "before" | "after"): HtmlValue {
  if (side === undefined) return html`<span class="quiet">–</span>`;
  const { place, share, gives, environments } = side;
  return html`${place}. ${shareText(side)}${gives === undefined ? "" : `: ${gives}`}
<br><span class="quiet small">${environments}</span>${share === undefined ? "" : barOf(share, when)}`;
}

/** A share as a bar as wide as the cell. */
function barOf(share: number, when: "before" | "after"): Html {
  return html`<svg class="bar ${when}" role="img" aria-label="${when}: ${percentText(share)}" viewBox="0 0 100 6" preserveAspectRatio="none"><rect class="all" width="100" height="6"/><rect class="share" width="${Math.min(100, Math.max(0, share))}" height="6"/></svg>`;
}

function valueTable(values: Change["values"]): HtmlValue {
  if (values.length === 0) return "";
  const rows = values.map(
    ({ argument, place, before = "–", after = "–" }) =>
      html`<tr><th scope="row">${[argument, place].filter(Boolean).join(".")}</th><td><bdi>${before}</bdi></td><td><bdi>${after}</bdi></td></tr>`,
  );
  return html`<h2>Arguments</h2><div class="scrolls" tabindex="0" role="group" aria-label="Arguments before and after"><table>
<thead><tr><th>argument</th><th>before</th><th>after</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function footerOf(change: Pick<Change, "lastChange" | "position" | "page" | "urn">): Html {
  const url = webAddress(change.page);
  const link =
    url === undefined ? "" : html`<a href="${url}" rel="noreferrer noopener">in the console</a> · `;
  const origin = originTexts(change).map((text) => `${text} · `);
  return html`<p class="quiet small">${origin}${link}${change.urn}</p>`;
}
