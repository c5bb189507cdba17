import { type Html, type HtmlValue, html, pageText } from "../../../emulator/web-page";
import { htmlPart, type Section } from "../../render/report";
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
import { dependentText } from "../changes/end-reasons";
import { type Change, levels, type Review } from "../review";
import { pageScript } from "./page-script";
import { pageStyle } from "./page-style";
import { failureList, noteList, ruleTable, userParts, valueTable } from "./parts";

/** The review as one page in one file, which asks for nothing: to search, to filter, and to see who gets what before and after. */
export function reviewPage(review: Review): string {
  const { changes } = review;
  const title = titleOf(review);
  const failures = failureList(review);
  const users = userParts(review);
  const body = html`<header>
<h1>${title}</h1>
${failures.items.length > 0 ? [html`<p><strong>This update will fail.</strong></p>`, htmlPart(failures)] : ""}
${review.failed ? html`<p><strong>${failedText}</strong></p>` : ""}
<p>${riskCounts(review).map(({ level, text }) => html`<span class="mark ${level}">${text}</span> `)}</p>
<p class="quiet">${countsText(review)}</p>
${users.length > 0 ? htmlPart({ title: "Users", parts: users }) : ""}
${review.notes.length > 0 ? htmlPart(noteList(review.notes)) : ""}
</header>
${changes.length === 0 ? "" : filterOf(changes)}
<main>
${changes.map(changeOf)}
</main>`;
  return pageText({ title, body, style: pageStyle, script: pageScript });
}

/** Shown by the script, as nothing but it can filter. */
function filterOf(changes: readonly Change[]): Html {
  const kinds = new Map(changes.map(({ kind, title }) => [kind, title]));
  const risks = levels.filter((level) => changes.some(({ risk }) => risk === level));
  const owners = [...new Set(changes.map(({ owner = "" }) => owner))].sort();
  return html`<form class="filter" role="search" hidden>
<label class="search">Search <input type="search" name="text" placeholder="name, rule, person" autocomplete="off" spellcheck="false"></label>
${choiceOf("Risk", new Map(risks.map((level) => [level, riskTitles[level]])))}
${choiceOf("Kind", new Map([...kinds].sort()))}
${choiceOf("Owner", new Map(owners.map((owner) => [owner, owner || "nobody"])))}
<output class="quiet small" name="shown"></output>
</form>`;
}

function choiceOf(label: string, choices: ReadonlyMap<string, string>): Html {
  const options = [...choices].map(([value, text]) => html`<option value="=${value}">${text}</option>`);
  return html`<label>${label} <select name="${label.toLowerCase()}"><option value="">all</option>${options}</select></label>`;
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
  const lists = {
    Why: facts.map(({ level, text }) => ({ mark: level, text })),
    "Depend on it": dependents.map(dependentText),
    "Pulumi says": notices,
  };
  const listed = (title: keyof typeof lists): Section[] =>
    lists[title].length === 0 ? [] : [{ title, parts: [lists[title]] }];
  const sections: Section[] = [
    ...listed("Why"),
    ...tables.map(({ rows }) => ({ title: "Who sees it", parts: [ruleTable(rows)] })),
    ...(values.length === 0 ? [] : [{ title: "Arguments", parts: [valueTable(values)] }]),
    ...listed("Depend on it"),
    ...listed("Pulumi says"),
  ];
  return [sections.map(htmlPart), footerOf(change)];
}

function footerOf(change: Pick<Change, "lastChange" | "position" | "page" | "urn">): Html {
  const url = webAddress(change.page);
  const link =
    url === undefined ? "" : html`<a href="${url}" rel="noreferrer noopener">in the console</a> · `;
  const origin = originTexts(change).map((text) => `${text} · `);
  return html`<p class="quiet small">${origin}${link}${change.urn}</p>`;
}
