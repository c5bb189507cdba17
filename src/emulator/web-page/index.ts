import { createHash } from "node:crypto";
import { visible } from "../../provider/texts/issue-text";

/** Content of a page. */
export interface Page {
  readonly title: string;
  readonly body: HtmlValue;
  /** CSS beside that of all pages. */
  readonly style: string;
  /** JavaScript that runs after the body is there. It may come from nobody but this package. */
  readonly script: string;
  /** It may ask the server that it comes from. Left out: nobody, as of a file. */
  readonly asks?: "its server";
}

/**
 * A page in one file. Its policy lets it run its own script and style and nothing else, and ask nobody, or its server alone: a text
 * that became markup against all care could still not run anything, nor send anything elsewhere.
 */
export function pageText({ title, body, style, script, asks }: Page): string {
  const css = `${baseStyle}${style}`;
  const policy = [
    "default-src 'none'",
    `style-src ${sourceOf(css)}`,
    `script-src ${sourceOf(script)}`,
    "base-uri 'none'",
    ...(asks === undefined ? ["form-action 'none'"] : ["connect-src 'self'", "form-action 'self'"]),
  ].join("; ");
  return `<!doctype html>\n${
    html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Html(css)}</style>
</head>
<body>
${body}
<script>${new Html(script)}</script>
</body>
</html>
`.text
  }`;
}

function sourceOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** A piece of HTML that is markup already. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template: texts are escaped, markup stays, lists are joined, and undefined is empty. */
export type HtmlValue = Html | string | number | undefined | readonly HtmlValue[];

/** Markup of a template, in which every value is escaped that is not `Html` itself. Values of attributes need quotes. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(parts.reduce((text, part, index) => text + textOf(values[index - 1]) + part));
}

function textOf(value: HtmlValue): string {
  if (value === undefined) return "";
  if (value instanceof Html) return value.text;
  return typeof value === "object" ? value.map(textOf).join("") : escaped(String(value));
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes a text. Characters that turn a line around could make it read as another: they become replacement characters. Invisible ones are written out, but for the ends of lines. */
function escaped(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => entities[character] ?? "")
    .replace(/\p{Bidi_Control}/gu, "\ufffd")
    .replace(/[^\p{Cc}\p{Zl}\p{Zp}]+/gu, visible);
}

/** CSS of every page: type, colours of light and dark, tables that scroll by themselves, marks. */
const baseStyle = `
:root {
  color-scheme: light dark;
  --text: light-dark(#1c2126, #e4e8ec);
  --quiet: light-dark(#57606a, #a0a9b3);
  --line: light-dark(#d5dae0, #3a424b);
  --ground: light-dark(#ffffff, #14181c);
  --raised: light-dark(#f5f7f9, #1c2228);
  --accent: light-dark(#0b5cad, #7db8f5);
  --high: light-dark(#b3261e, #ff9d94);
  --medium: light-dark(#8a5300, #f3bd63);
  --low: light-dark(#3c6e22, #9fd285);
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; color: var(--text); background: var(--ground); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main, header { max-width: 64rem; margin: 0 auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 1.5rem 0 .5rem; }
h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem; }
p { margin: .5rem 0; }
a { color: var(--accent); }
ul { margin: .5rem 0; padding-left: 1.25rem; }
.quiet { color: var(--quiet); }
.small { font-size: .875rem; }
input, select { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--quiet); border-radius: .375rem; padding: .35rem .5rem; min-width: 0; max-width: 100%; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.scrolls { overflow-x: auto; margin: .75rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid var(--line); min-width: 6rem; }
th { color: var(--quiet); font-weight: 600; }
.mark { display: inline-block; border-radius: .25rem; padding: 0 .4rem; background: var(--raised); font-size: .8125rem; font-weight: 600; white-space: nowrap; }
.mark.high { color: var(--high); }
.mark.medium { color: var(--medium); }
.mark.low { color: var(--low); }
.mark.info { color: var(--quiet); }
`;
