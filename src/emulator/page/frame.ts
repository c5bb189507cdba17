import { countText } from "../../provider/words";
import { type Html, type HtmlValue, html, pageText } from "../web-page";
import { addressOf, type PageLocation, type View, views } from "./address";
import { pageScript } from "./page-script";
import { pageStyle } from "./page-style";
import type { ConsoleReader } from "./reading";

/** Content of the frame. */
export interface Framed {
  readonly title: string;
  readonly place: PageLocation;
  readonly main: HtmlValue;
}

/** The whole page: the ways to every list, and what was asked for. Parts with `data-live` follow the console. */
export function framedPage(reader: ConsoleReader, { title, place, main }: Framed): string {
  const body = html`<a class="skip" href="#main">Skip to the content</a>
<header>
<p class="brand"><a href="/">Feature console</a> <span class="quiet small">on this machine, read-only</span></p>
<nav aria-label="Everything there is"><ul class="ways" data-live="ways">${waysOf(reader, place)}</ul></nav>
<p class="notice" role="status" id="connection"></p>
</header>
<main id="main" tabindex="-1">
${main}
</main>`;
  return pageText({
    ...{ title: `${title} · feature console`, body, style: pageStyle, script: pageScript },
    asks: "its server",
  });
}

/** Lists that hold something, and the views; empty lists are behind "More", but for the one that is open. */
function waysOf(reader: ConsoleReader, place: PageLocation): HtmlValue {
  const [kinds, empty]: [Html[], Html[]] = [[], []];
  for (const [kind, count] of reader.counts()) {
    const text = html`${kind.plural} <span class="count">${countText(count)}</span>`;
    const list = count > 0 || place.kind === kind ? kinds : empty;
    list.push(wayOf(addressOf({ kind }), text, place.kind === kind));
  }
  const others = (Object.keys(views) as View[]).map((view) =>
    wayOf(addressOf({ view }), views[view], place.view === view),
  );
  const more = html`<li class="more"><details><summary>More</summary><ul class="ways">${empty}</ul></details></li>`;
  return [kinds, others, empty.length === 0 ? "" : more];
}

function wayOf(address: string, text: HtmlValue, isHere: boolean): Html {
  return isHere
    ? html`<li><a href="${address}" aria-current="page">${text}</a></li>`
    : html`<li><a href="${address}">${text}</a></li>`;
}

/** The page for what is not there. */
export function missingPage(reader: ConsoleReader, what: string): string {
  const main = html`<h1>Not there</h1><p>The console has no ${what}. It may have another name, or it was removed.</p>
<p><a href="/">To the beginning</a></p>`;
  return framedPage(reader, { title: "Not there", place: {}, main });
}
