import { isObject, type JsonObject, textOf } from "../../provider/schema/json";
import { timeText } from "../../provider/words";
import { type HtmlValue, html } from "../web-page";
import { framedPage } from "./frame";
import { type ConsoleReader, pageSize } from "./reading";

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
