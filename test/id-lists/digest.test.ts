import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { idChangeText } from "../../src/provider/id-lists/changes";
import { changeOf, differenceOf, digestOf, hashesOf, idsFor } from "../../src/provider/id-lists/digest";
import { cellsIn, hashBytes } from "../../src/provider/id-lists/table";
import { sampleOf } from "../support/sample";

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `user-${from + index}`);

test("order and repetitions have no meaning, everything else has", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1 })), fc.string({ minLength: 1 }), (ids, other) => {
      const digest = digestOf(ids);
      expect(digestOf([...ids, ...ids].reverse())).toEqual(digest);
      expect(digestOf([...ids, other]).hash === digest.hash).toBe(ids.includes(other));
      expect(digest.count).toBe(new Set(ids).size);
    }),
    { numRuns: 100 },
  );
});

test.each([
  ["a list of hashes", 3000],
  ["a table", 26_000],
])("%s tells exactly which ids were added and removed", (_, size) => {
  const before = numbered(0, size);
  const digest = digestOf(before);
  const change = fc.tuple(fc.nat(1500), fc.nat(1500));
  fc.assert(
    fc.property(change, ([added, removed]) => {
      const after = [...before.slice(removed), ...numbered(size, size + added)];
      const found = differenceOf(digest, hashesOf(after));
      expect([...idsFor(after, found?.added ?? new Float64Array())]).toEqual(numbered(size, size + added));
      expect([...idsFor(before, found?.removed ?? new Float64Array())]).toEqual(numbered(0, removed));
      expect(changeOf(digest, hashesOf(after))).toEqual({ added, removed, exact: true });
    }),
    { numRuns: sampleOf(2, 10) },
  );
});

test("a change that is too large to be told is estimated, its balance exactly", () => {
  const change = changeOf(digestOf(numbered(0, 60_000)), hashesOf(numbered(40_000, 110_000)));
  expect(change.exact).toBe(false);
  expect(change.added - change.removed).toBe(10_000);
  expect(Math.abs(change.added - 50_000)).toBeLessThan(2500);
  expect(idChangeText({ added: 51_234, removed: 41_234, exact: false })).toBe("about +51,000 / −41,000");
  expect(idChangeText({ added: 1234, removed: 12, exact: true })).toBe("+1,234 / −12");
});

test("from small to large and back is told exactly", () => {
  const [few, many] = [numbered(0, 10), numbered(5, 60_000)];
  expect(changeOf(digestOf(few), hashesOf(many))).toEqual({ added: 59_990, removed: 5, exact: true });
  expect(changeOf(digestOf([]), hashesOf(few))).toEqual({ added: 10, removed: 0, exact: true });
});

test("a million ids take less than 400 kB", () => {
  const count = sampleOf(100_000, 1_000_000);
  const { length } = JSON.stringify(digestOf(numbered(0, count)));
  // A digest is as long as its table has cells.
  expect((length * cellsIn(1_000_000)) / cellsIn(count)).toBeLessThan(400_000);
});

test("the page on id lists says how probable it is that two ids count as one", () => {
  const page = readFileSync("docs/id-lists.md", "utf8");
  const probability = (ids: number) => -Math.expm1((-ids * (ids - 1)) / 2 / 2 ** (hashBytes * 8));
  const percent = (ids: number) => `${(probability(ids) * 100).toFixed(2)} %`;
  expect(page).toContain(`${hashBytes * 8} bits of their SHA-256`);
  expect(page).toContain(`${percent(1_000_000)} for a list of a million ids`);
  expect(page).toContain(`${percent(2_000_000)} for an update that exchanges all of a million`);
});
