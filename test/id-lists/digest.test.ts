import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { catalog } from "../../src/provider/definitions";
import { changeLines } from "../../src/provider/id-lists/changes";
import {
  differenceOf,
  digestOf,
  hashBytes,
  hashesOf,
  idsFor,
  isFormerDigest,
  mostHashes,
} from "../../src/provider/id-lists/digest";
import { caseCount } from "../support/sample";

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

test("the hashes of a set tell exactly which ids were added and removed", () => {
  const before = numbered(0, 3000);
  const digest = digestOf(before);
  const change = fc.tuple(fc.nat(1500), fc.nat(1500));
  fc.assert(
    fc.property(change, ([added, removed]) => {
      const after = [...before.slice(removed), ...numbered(3000, 3000 + added)];
      const found = differenceOf(digest, hashesOf(after));
      expect([...idsFor(after, found?.added ?? new Float64Array())]).toEqual(numbered(3000, 3000 + added));
      expect([...idsFor(before, found?.removed ?? new Float64Array())]).toEqual(numbered(0, removed));
    }),
    { numRuns: caseCount(2, 10) },
  );
});

test.each<[string, string[], string[], string | undefined]>([
  ["a small set", numbered(0, 1250), numbered(12, 2484), "ids +1,234 / −12"],
  ["the first ids", [], numbered(0, 10), "ids +10 / −0"],
  ["a small set that becomes large", numbered(0, 10), numbered(5, 60_000), "ids +59,990 / −5"],
  ["a large set", numbered(0, 24_577), numbered(0, 60_000), "24,577 → 60,000 ids"],
  ["a large set with other ids", numbered(0, 24_577), numbered(1, 24_578), "24,577 → 24,577 ids"],
  ["a large set that becomes small", numbered(0, 24_577), ["user-0"], "24,577 → 1 id"],
  ["the same ids", numbered(0, 24_577), numbered(0, 24_577).reverse(), undefined],
])("a preview counts the change of %s", (_, before, after, line) => {
  const args = (ids: string[]) => ({ type: "id_list", ids: digestOf(ids) });
  const lines = changeLines(catalog.segment, args(before), args(after), () => after);
  expect(lines).toEqual(line === undefined ? [] : [line]);
});

test("state holds the hashes of up to 24,576 ids, and of more one hash of all", () => {
  const whole = digestOf(numbered(0, mostHashes));
  expect(whole.__hashes).toHaveLength((mostHashes * hashBytes * 4) / 3);
  const large = digestOf(numbered(0, mostHashes + 1));
  expect(large).toEqual({ count: 24_577, hash: expect.stringMatching(/^[0-9a-f]{32}$/), __hashes: "" });
  expect([whole, large, { ...large, hash: large.hash.slice(16) }].map(isFormerDigest)).toEqual([
    false,
    false,
    true,
  ]);
});

test("the page on id lists says how probable it is that two ids count as one", () => {
  const page = readFileSync("docs/id-lists.md", "utf8");
  const probability = (ids: number) => -Math.expm1((-ids * (ids - 1)) / 2 / 2 ** (hashBytes * 8));
  const percent = (ids: number) => `${(probability(ids) * 100).toFixed(2)} %`;
  expect(page).toContain(`at most ${mostHashes.toLocaleString("en-US")} ids`);
  expect(page).toContain(`${hashBytes * 8} bits of their SHA-256`);
  expect(page).toContain(`${percent(1_000_000)} for a list of a million ids`);
  expect(page).toContain(`${percent(2_000_000)} for an update that exchanges all of a million`);
});
