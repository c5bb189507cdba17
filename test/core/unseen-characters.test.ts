import { describe, expect, test } from "@jest/globals";
import { html } from "../../src/emulator/web-page/html";
import { quote, visible, visibleLines } from "../../src/provider/texts/issue-text";
import { nameIn, textIn } from "../../src/provider/words";
import { escaped } from "../../src/tools/review/pages/markdown-text";

/** Nobody sees a difference between a name with one of these behind it and one without; or between this space and another. */
const unseen = [
  ["zero width space", "\u200b", "\\u200b"],
  ["zero width joiner", "\u200d", "\\u200d"],
  ["word joiner", "\u2060", "\\u2060"],
  ["byte order mark", "\ufeff", "\\ufeff"],
  ["soft hyphen", "\u00ad", "\\u00ad"],
  ["Hangul filler, a letter", "\u3164", "\\u3164"],
  ["variation selector", "\ufe0f", "\\ufe0f"],
  ["combining grapheme joiner", "\u034f", "\\u034f"],
  ["no-break space", "\u00a0", "\\u00a0"],
  ["tag letter", "\u{e0041}", "\\udb40\\udc41"],
] as const;

describe.each(unseen)("%s", (_, character, shown) => {
  const name = `Staff${character}`;

  test.each<[string, (text: string) => string]>([
    ["a message", quote],
    ["a name in a sentence", nameIn],
    ["a value in a sentence", textIn],
    ["a line", visible],
    ["lines", visibleLines],
    ["Markdown", (text) => escaped(text).replaceAll("&#92;", "\\")],
    ["a page", (text) => html`<p title="${text}">${text}</p>`.text],
  ])("is written out in %s", (_where, render) => {
    expect(render(name)).toContain(`Staff${shown}`);
    expect(render(name)).not.toContain(character);
    expect(render(name)).not.toBe(render("Staff"));
  });

  test("and JSON stays the same", () => {
    expect(JSON.parse(visibleLines(JSON.stringify({ [name]: name }, undefined, 2)))).toEqual({
      [name]: name,
    });
  });
});

test("letters of every language, emoji, lines and tabs of a page stay as they are", () => {
  const plain = "Größe 日本語 עברית مرحبا é 🚀 Z̈";
  for (const render of [visible, (text: string) => html`${text}`.text]) expect(render(plain)).toBe(plain);
  expect(html`<pre>${"a\n\tb"}</pre>`.text).toBe("<pre>a\n\tb</pre>");
});
