import { expect, test } from "@jest/globals";
import { visible, visibleLines } from "../../src/provider/texts/issue-text";
import { hostileTexts } from "../support/hostile-texts";

const forTerminals = [
  "\u001b[2J\u001b[1;31mapproved",
  "safe\rharmed",
  "\u009b2J",
  "a\bb",
  "\u0007",
  "\u007f",
  "\t",
];
const texts = [...hostileTexts, ...forTerminals];
/** What a terminal takes for an order, or shows elsewhere than where it stands. */
const unsafe = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;

test("a text of the console cannot speak to a terminal", () => {
  expect(texts.filter((text) => unsafe.test(text)).length).toBeGreaterThan(forTerminals.length);
  for (const text of texts) {
    expect(visible(text)).not.toMatch(unsafe);
    expect(visible(`${text}\nsecond line`)).not.toMatch(unsafe);
    for (const line of visibleLines(`${text}\nsecond line`).split("\n")) expect(line).not.toMatch(unsafe);
  }
});

test("and JSON that is made visible says the same", () => {
  const json = visibleLines(JSON.stringify({ texts }, undefined, 2));
  expect(json.replaceAll("\n", "")).not.toMatch(unsafe);
  expect(JSON.parse(json)).toEqual({ texts });
});
