import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { equalJson, isObject, type JsonObject, stableText } from "../../src/provider/schema/json";
import type { Node } from "../../src/provider/schema/tree";
import {
  byKeys,
  byKeysThenContent,
  keysOf,
  matchedElements,
  matchedPlaces,
  unnamed,
  type Way,
} from "../../src/provider/values/matching";

const nameOf = (one: unknown) => (isObject(one) && typeof one.name === "string" ? one.name : undefined);
const byName: Way<unknown> = { key: nameOf };
const byContent: Way<unknown> = {
  same: (one, other) => isObject(one) && isObject(other) && equalJson(unnamed(one), unnamed(other)),
};
const whole: Way<unknown> = { same: equalJson };
const inOrder: Way<unknown> = { same: () => true };
const allWays = [byName, whole, byContent, inOrder];

const element: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record(
      { name: fc.constantFrom("A", "B", "C", "D", "E"), share: fc.integer({ min: 0, max: 2 }) },
      { requiredKeys: ["share"] },
    ),
  },
  fc.constantFrom<unknown>("text", 1, null),
);
const list = fc.array(element, { maxLength: 8 });

/** Two lists that have much in common, and ways in any order. */
const twoLists = fc.oneof(
  fc.tuple(list, list),
  list.chain((one) =>
    fc
      .tuple(fc.shuffledSubarray(one), list, fc.nat(8))
      .map(([kept, fresh, at]): [unknown[], unknown[]] => [
        one,
        structuredClone(kept).toSpliced(at, 0, ...fresh),
      ]),
  ),
);
const ways = fc.shuffledSubarray(allWays, { minLength: 1 });

/** Two lists of the same elements, each another, in another order. */
const shuffled = fc
  .uniqueArray(fc.nat(20), { maxLength: 9 })
  .chain((shares) =>
    fc.tuple(
      fc.constant(shares),
      fc.shuffledSubarray(shares, { minLength: shares.length, maxLength: shares.length }),
    ),
  );

const pairsOf = (places: readonly (number | undefined)[]) =>
  places.flatMap((to, from): [number, number][] => (to === undefined ? [] : [[from, to]]));

const isTold = (way: Way<unknown>, one: unknown, other: unknown) =>
  "same" in way ? way.same(one, other) : way.key(one) !== undefined && way.key(one) === way.key(other);

const holds = (predicate: (lists: [unknown[], unknown[]], ways: Way<unknown>[]) => void) =>
  fc.assert(fc.property(twoLists, ways, predicate), { numRuns: 1000 });

describe("whatever two lists hold, and however their elements are told", () => {
  test("no element stands for two, and each pair is told by one of the ways", () => {
    holds(([one, other], asked) => {
      const pairs = pairsOf(matchedPlaces(one, other, asked));
      expect(new Set(pairs.map(([, to]) => to)).size).toBe(pairs.length);
      for (const [from, to] of pairs)
        expect(asked.some((way) => isTold(way, one[from], other[to]))).toBe(true);
    });
  });

  test("of those that are left no two stand for each other", () => {
    holds(([one, other], asked) => {
      const places = matchedPlaces(one, other, asked);
      const left = one.filter((_, at) => places[at] === undefined);
      const free = other.filter((_, at) => !places.includes(at));
      for (const way of asked)
        expect(left.some((element) => free.some((there) => isTold(way, element, there)))).toBe(false);
    });
  });

  test("read from the other list they are the same pairs", () => {
    holds(([one, other], asked) => {
      const back = pairsOf(matchedPlaces(other, one, asked)).map(([from, to]) => [to, from]);
      expect(back.sort()).toEqual(pairsOf(matchedPlaces(one, other, asked)).sort());
    });
  });

  test("a way counts before those behind it", () => {
    holds(([one, other], [first, ...others]) => {
      const alone = pairsOf(matchedPlaces(one, other, [first as Way<unknown>]));
      const all = pairsOf(matchedPlaces(one, other, [first as Way<unknown>, ...others]));
      expect(all).toEqual(expect.arrayContaining(alone));
    });
  });

  test("a text tells the same as the question whether both have it", () => {
    holds(([one, other]) => {
      for (const key of [nameOf, stableText]) {
        const same = (left: unknown, right: unknown) => isTold({ key }, left, right);
        expect(matchedPlaces(one, other, [{ key }])).toEqual(matchedPlaces(one, other, [{ same }]));
      }
    });
  });

  test("those that are alike keep their order", () => {
    holds(([one, other]) => {
      const pairs = pairsOf(matchedPlaces(one, other, [whole]));
      for (const [from, to] of pairs)
        for (const [later, place] of pairs)
          if (later > from && equalJson(one[from], one[later])) expect(place).toBeGreaterThan(to);
    });
  });

  test("elements are those at the places", () => {
    holds(([one, other], asked) => {
      const places = matchedPlaces(one, other, asked);
      const elements = places.map((place) => (place === undefined ? undefined : other[place]));
      expect(matchedElements(one, other, asked)).toEqual(elements);
    });
  });
});

describe("elements of two lists of the same stand for themselves", () => {
  test("in a list that is as it was", () => {
    fc.assert(
      fc.property(list, (one) => {
        expect(matchedPlaces(one, structuredClone(one), allWays)).toEqual([...one.keys()]);
      }),
    );
  });

  test.each<[string, (share: number) => JsonObject, Way<unknown>[]]>([
    ["moved, by name", (share) => ({ name: `#${share}`, share }), [byName]],
    ["moved and changed, by name", (share) => ({ name: `#${share}`, share: 0 }), [byName, byContent]],
    ["moved and renamed, by content", (share) => ({ name: `new ${share}`, share }), [byName, byContent]],
    ["moved, without a name", (share) => ({ share }), [byName, byContent]],
  ])("%s", (_, become, asked) => {
    fc.assert(
      fc.property(shuffled, fc.nat(9), ([shares, moved], at) => {
        const one = shares.map((share) => ({ name: `#${share}`, share }));
        // One that nobody had stands for none of the others.
        const other = moved.map(become).toSpliced(at, 0, { name: "fresh", share: 99 });
        const found = matchedElements<unknown, unknown>(one, other, asked);
        expect(found).toEqual(shares.map(become));
      }),
    );
  });
});

describe("what tells elements apart", () => {
  const text: Node = { type: "string" };
  const named: Node = { properties: { name: text, share: { type: "number" } }, required: ["name"] };
  const choice: Node = { type: "string", enum: ["a", "b"] };

  test.each<[string, Node, string | undefined, readonly string[]]>([
    ["the fact of the list", named, "id", ["id"]],
    [
      "texts that each must have",
      { properties: { a: text, b: text }, required: ["a", "b"] },
      undefined,
      ["a", "b"],
    ],
    [
      "no choices out of a list",
      { properties: { type: choice, name: text }, required: ["type"] },
      undefined,
      ["name"],
    ],
    ["a name that may be there", { properties: { name: text } }, undefined, ["name"]],
    ["nothing", { properties: { share: text } }, undefined, []],
  ])("is %s", (_, items, keyedBy, keys) => {
    expect(keysOf(items, keyedBy)).toEqual(keys);
  });

  const one = [{ name: "A", share: 1 }, { name: "B", share: 2 }, "text"];
  const other = ["text", { name: "new", share: 2 }, { name: "A", share: 3 }];

  test.each<[string, readonly Way<unknown>[], readonly (number | undefined)[]]>([
    ["by keys alone one of another name is another one", byKeys(named, undefined), [2, undefined, undefined]],
    [
      "by content one of another name was renamed",
      byKeysThenContent(named, undefined, equalJson),
      [2, 1, undefined],
    ],
    [
      "in a list with a key it is another one",
      byKeysThenContent(named, "name", equalJson),
      [2, undefined, undefined],
    ],
    [
      "without keys content tells, whatever the name",
      byKeysThenContent({}, undefined, equalJson),
      [undefined, 1, undefined],
    ],
    ["without keys and content nothing tells", byKeys({}, undefined), [undefined, undefined, undefined]],
  ])("%s", (_, asked, places) => {
    expect(matchedPlaces<unknown, unknown>(one, other, asked)).toEqual(places);
  });
});
