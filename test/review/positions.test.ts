import { expect, test } from "@jest/globals";
import { placeText, positionOf } from "../../src/tools/stack/resources";

test.each([
  ["project:///index.ts#9,18", "index.ts:9:18"],
  ["project:///__main__.py#8", "__main__.py:8"],
  ["project:///a%20b/flags.ts#1,2", "a b/flags.ts:1:2"],
])("%s is a place of the program", (noted, text) => {
  const place = positionOf(noted);
  expect(place && placeText(place)).toBe(text);
});

test("a place outside of the project's files is none", () => {
  expect(positionOf("file:///index.ts#9,18")).toBeUndefined();
});
