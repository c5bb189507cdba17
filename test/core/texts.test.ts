import { describe, expect, test } from "@jest/globals";
import { html } from "../../src/emulator/web-page";
import { kindInWords } from "../../src/provider/schema/references";
import { countIs, countOf, pluralOf } from "../../src/provider/texts/count-text";
import { quote, visible, visibleLines } from "../../src/provider/texts/issue-text";
import { meantName } from "../../src/provider/texts/misspelling";
import { nameIn, textIn } from "../../src/provider/words";
import { escaped } from "../../src/tools/render/markdown-text";
import { hostileTexts } from "../support/hostile-texts";

test.each([
  ["userIDOverrides", "user id overrides"],
  ["passingUserIDs", "passing user ids"],
  ["dynamicConfig", "dynamic config"],
])("%s in a sentence", (name, words) => expect(kindInWords(name)).toBe(words));

describe("a text of the console", () => {
  const orders = [
    "\u001b[2J\u001b[1;31mapproved",
    "safe\rharmed",
    "\u009b2J",
    "a\bb",
    "\u0007",
    "\u007f",
    "\t",
  ];
  const texts = [...hostileTexts, ...orders];
  /** What a terminal takes for an order, or shows elsewhere than where it stands. */
  const unsafe = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;

  test("cannot speak to a terminal", () => {
    expect(texts.filter((text) => unsafe.test(text)).length).toBeGreaterThan(orders.length);
    for (const text of texts) {
      expect(visible(`${text}\nsecond line`)).not.toMatch(unsafe);
      for (const line of visibleLines(`${text}\nsecond line`).split("\n")) expect(line).not.toMatch(unsafe);
    }
  });

  test("says the same as JSON that is made visible", () => {
    const json = visibleLines(JSON.stringify({ texts }, undefined, 2));
    expect(json.replaceAll("\n", "")).not.toMatch(unsafe);
    expect(JSON.parse(json)).toEqual({ texts });
  });
});

/** Nobody sees a difference between a name with one of these behind it and one without; or between this space and another. */
describe.each([
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
])("%s", (_, character, shown) => {
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
  });

  test("and JSON stays the same", () => {
    const value = { [name]: name };
    expect(JSON.parse(visibleLines(JSON.stringify(value, undefined, 2)))).toEqual(value);
  });
});

test("letters of every language, emoji, lines and tabs of a page stay as they are", () => {
  const plain = "Größe 日本語 עברית مرحبا é 🚀 Z̈";
  for (const render of [visible, (text: string) => html`${text}`.text]) expect(render(plain)).toBe(plain);
  expect(html`<pre>${"a\n\tb"}</pre>`.text).toBe("<pre>a\n\tb</pre>");
});

test.each([
  [0, "0 rules", "0 rules are"],
  [1, "1 rule", "1 rule is"],
  [48_000, "48,000 rules", "48,000 rules are"],
])("%d is counted in plain words", (count, of, is) => {
  expect([countOf(count, "rule"), countIs(count, "rule")]).toEqual([of, is]);
});

test("every kind has a plural that people say", () => {
  const plurals = ["gates", "keys", "entity properties", "gate overrides"];
  expect(["gate", "key", "entity property", "gate overrides"].map(pluralOf)).toEqual(plurals);
});

test.each([
  ["wbe", "web"],
  ["webb", "web"],
  ["prodcution", "production"],
  ["prduction", "production"],
  ["prdction", "production"],
  ["Staging", "staging"],
  ["load-test", "load test"],
  ["loadtest", "load test"],
  ["chekout_v2", "checkout_v2"],
  ["user_ID", "userID"],
  ["devceID", "deviceID"],
  ["compenyID", "companyID"],
  ["chekout_stagng", "checkout_staging"],
])("%s is a slip for %s", (said, meant) => {
  expect(meantName(said, ["something else", meant])).toBe(meant);
});

test.each([
  ["web", "web"],
  ["ios", "iot"],
  ["app", "map"],
  ["ab", "abc"],
  ["v1", "v2"],
  ["checkout_v1", "checkout_v2"],
  ["team1", "team12"],
  ["test_a", "test_b"],
  ["checkout", "checkout_a"],
  ["checkout_a", "checkout"],
  ["stage", "staging"],
  ["prod", "production"],
  ["stableID", "userID"],
  ["new_checkout", "old_checkout"],
  ["internal", "external"],
  ["", "web"],
])("%j is another name than %s", (said, known) => {
  expect(meantName(said, [known])).toBeUndefined();
});

test("of several names that are close, the closest was meant", () => {
  expect(meantName("payment", ["paymentes", "payments"])).toBe("payments");
});
