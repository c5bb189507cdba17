import { createHash } from "node:crypto";
import { Html, type HtmlValue, html } from "./html";
import { baseStyle } from "./style";

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
