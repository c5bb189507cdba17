import { auditOf } from "../../provider/schema/audit";
import { isObject, type JsonObject, textOf } from "../../provider/schema/json";
import { countOf, countText, timeText } from "../../provider/words";
import { type HtmlValue, html } from "../web-page";
import { addressOf, type PageLocation } from "./address";
import { framedPage } from "./frame";
import { type ShownKind, shownKinds } from "./kinds";
import { type ConsoleReader, type ListPart, pageSize, type ShownObject } from "./reading";
import { changedText, stateWords, summaryText } from "./words";

/** A list of one kind, or what a search finds in it. */
export function listPage(reader: ConsoleReader, kind: ShownKind, text: string, number: number): string {
  const { objects, total } = text === "" ? reader.page(kind, number) : found(reader, kind, text, number);
  const { title } = kind.definition;
  const place: PageLocation = { kind, text, page: number };
  const main = html`<h1>${kind.plural}</h1>
<form role="search" class="search" action="/" method="get">
<input type="hidden" name="kind" value="${kind.definition.name}">
<label>Search <input type="search" name="q" value="${text}" placeholder="name, tag, description, team" autocomplete="off" spellcheck="false"></label>
<button>Search</button>
</form>
<div data-live="list">
<p class="quiet small">${text === "" ? countOf(total, title) : html`${countOf(total, title)} with <bdi>${text}</bdi> · <a href="${addressOf({ kind })}">all</a>`}</p>
${objects.length === 0 ? emptyText(kind, text) : html`<ul class="objects">${objects.map((object) => row(object))}</ul>`}
${pagesNav(place, total)}
</div>`;
  return framedPage(reader, { title: kind.plural, place, main });
}

function emptyText({ definition }: ShownKind, text: string): HtmlValue {
  return text === ""
    ? html`<p class="empty">There is no ${definition.title} yet. <code>pulumi up</code> brings them, and this page shows them as they come.</p>`
    : html`<p class="empty">Nothing has all of these words.</p>`;
}

function found(reader: ConsoleReader, kind: ShownKind, text: string, number: number): ListPart {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const all = reader.all(kind).filter((object) => {
    const said = wordsOf(object);
    return words.every((word) => said.includes(word));
  });
  return { objects: all.slice((number - 1) * pageSize, number * pageSize), total: all.length };
}

function wordsOf({ id, called, values }: ShownObject): string {
  const { name, description, tags, team } = values;
  return [id, called, name, description, tags, team].flat().join("\n").toLowerCase();
}

function row(object: ShownObject, withKind = false): HtmlValue {
  const { kind, id, called } = object;
  const changed = changedText(object);
  return html`<li class="${stateWords(object)?.tone ?? "on"}"><div><a href="${addressOf({ kind, id })}"><bdi>${called}</bdi></a> ${stateMark(object)}${
    withKind ? html` <span class="quiet small">${kind.definition.title}</span>` : ""
  }</div>
<span class="summary"><bdi>${summaryText(object)}</bdi></span>
${changed === undefined ? "" : html`<span class="changed quiet small">${changed}</span>`}</li>
`;
}

/** The state of an object as a mark. */
export function stateMark(object: ShownObject): HtmlValue {
  const state = stateWords(object);
  return state === undefined ? "" : html`<span class="mark ${state.tone}">${state.text}</span>`;
}

function pagesNav(place: PageLocation, total: number): HtmlValue {
  const { page = 1 } = place;
  const last = Math.max(1, Math.ceil(total / pageSize));
  if (last === 1) return "";
  const link = (to: number, text: string): HtmlValue =>
    to < 1 || to > last
      ? html`<span class="quiet">${text}</span>`
      : html`<a href="${addressOf({ ...place, page: to })}">${text}</a>`;
  return html`<nav class="pages" aria-label="Pages">${link(page - 1, "Previous")} <span>page ${countText(page)} of ${countText(last)}</span> ${link(page + 1, "Next")}</nav>`;
}

/** The page of the last changes, over all kinds. */
export function changesPage(reader: ConsoleReader): string {
  const timeOf = ({ kind, values }: ShownObject): number => {
    const { changed, created } = auditOf(kind.definition, values);
    return changed ?? created ?? 0;
  };
  const newest = shownKinds
    .flatMap((kind) => reader.all(kind))
    .sort((one, other) => timeOf(other) - timeOf(one))
    .slice(0, pageSize);
  const main = html`<h1>Changes</h1>
<p class="quiet small">The ${pageSize} objects that changed last, the newest first; the page of each shows its changes and authors.</p>
<div data-live="list">${
    newest.length === 0
      ? html`<p class="empty">Nothing is here yet.</p>`
      : html`<ul class="objects">${newest.map((object) => row(object, true))}</ul>`
  }</div>`;
  return framedPage(reader, { title: "Changes", place: { view: "changes" }, main });
}

/** The page of events that applications log. */
export function eventsPage(reader: ConsoleReader): string {
  const events = reader.events();
  const main = html`<h1>Events</h1>
<p class="quiet small">The newest ${pageSize} that applications logged through an SDK. New ones show by themselves.</p>
<div data-live="events">${
    events.length === 0
      ? html`<p class="empty">No application has logged an event yet.</p>`
      : html`<div class="scrolls" tabindex="0" role="group" aria-label="Events"><table class="events">
<thead><tr><th>when (UTC)</th><th>event</th><th>user</th><th>value</th><th>more</th></tr></thead>
<tbody>${events.map(rowOf)}</tbody></table></div>`
  }</div>`;
  return framedPage(reader, { title: "Events", place: { view: "events" }, main });
}

function rowOf({ timestamp, name, userID, value, metadata }: JsonObject): HtmlValue {
  return html`<tr><td class="small when">${whenText(Number(timestamp))}</td><th scope="row"><bdi>${textOf(name)}</bdi></th><td><bdi>${textOf(userID)}</bdi></td><td><bdi>${textOf(value)}</bdi></td><td class="small"><bdi>${metadataText(metadata)}</bdi></td></tr>
`;
}

/** With seconds: events come close together. */
function whenText(time: number): string {
  const isTime = Number.isFinite(time) && Math.abs(time) < 8.64e15;
  return isTime ? `${new Date(time).toISOString().slice(0, 19).replace("T", " ")}` : timeText(time);
}

function metadataText(metadata: unknown): string {
  if (!isObject(metadata)) return "";
  const text = Object.entries(metadata)
    .map(([name, value]) => `${name} ${textOf(value)}`)
    .join(", ");
  return text.length > 300 ? `${text.slice(0, 300)} …` : text;
}
