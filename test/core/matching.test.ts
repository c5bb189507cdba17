import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { subtract } from "../../src/provider/engine/object-part";
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

const named = fc.record(
  { name: fc.constantFrom("A", "B", "C", "D", "E"), share: fc.integer({ min: 0, max: 2 }) },
  { requiredKeys: ["share"] },
);
const odd = fc.constantFrom<unknown>("text", 1, null);
const list = fc.array(fc.oneof({ weight: 9, arbitrary: named as fc.Arbitrary<unknown> }, odd), {
  maxLength: 8,
});

/** Two lists that have much in common. */
const twoLists = list.chain((one) =>
  fc
    .tuple(fc.shuffledSubarray(one), list, fc.nat(8))
    .map(([kept, fresh, at]): [unknown[], unknown[]] => [
      one,
      structuredClone(kept).toSpliced(at, 0, ...fresh),
    ]),
);
const ways = fc.shuffledSubarray(allWays, { minLength: 1 });

/** Numbers, and the same in another order. */
const shuffled = fc.uniqueArray(fc.nat(20), { maxLength: 9 }).chain((shares) => {
  const whole = { minLength: shares.length, maxLength: shares.length };
  return fc.tuple(fc.constant(shares), fc.shuffledSubarray(shares, whole));
});

const pairsOf = (places: readonly (number | undefined)[]) =>
  places.flatMap((to, from): [number, number][] => (to === undefined ? [] : [[from, to]]));

const isTold = (way: Way<unknown>, one: unknown, other: unknown) =>
  "same" in way ? way.same(one, other) : way.key(one) !== undefined && way.key(one) === way.key(other);

const holds = (predicate: (lists: [unknown[], unknown[]], ways: Way<unknown>[]) => void) =>
  fc.assert(fc.property(twoLists, ways, predicate), { numRuns: 1000 });

describe("whatever two lists hold, and however their elements are told", () => {
  test("no element stands for two, each pair is told by one of the ways, and of those left no two are told", () => {
    holds(([one, other], asked) => {
      const places = matchedPlaces(one, other, asked);
      const pairs = pairsOf(places);
      expect(new Set(pairs.map(([, to]) => to)).size).toBe(pairs.length);
      expect(pairs.filter(([from, to]) => !asked.some((way) => isTold(way, one[from], other[to])))).toEqual(
        [],
      );
      const left = one.filter((_, at) => places[at] === undefined);
      const free = other.filter((_, at) => !places.includes(at));
      for (const way of asked)
        expect(left.some((element) => free.some((there) => isTold(way, element, there)))).toBe(false);
      const elements = places.map((place) => (place === undefined ? undefined : other[place]));
      expect(matchedElements(one, other, asked)).toEqual(elements);
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
  const choice: Node = { type: "string", enum: ["a", "b"] };
  const naming: Node = { properties: { name: text, share: { type: "number" } }, required: ["name"] };
  const two: Node = { properties: { a: text, b: text }, required: ["a", "b"] };
  const typed: Node = { properties: { type: choice, name: text }, required: ["type"] };

  test.each<[string, Node, string | undefined, readonly string[]]>([
    ["the fact of the list", naming, "id", ["id"]],
    ["texts that each must have", two, undefined, ["a", "b"]],
    ["no choices out of a list", typed, undefined, ["name"]],
    ["a name that may be there", { properties: { name: text } }, undefined, ["name"]],
    ["nothing", { properties: { share: text } }, undefined, []],
  ])("is %s", (_, items, keyedBy, keys) => {
    expect(keysOf(items, keyedBy)).toEqual(keys);
  });

  const one = [{ name: "A", share: 1 }, { name: "B", share: 2 }, "text"];
  const other = ["text", { name: "new", share: 2 }, { name: "A", share: 3 }];

  const none = undefined;
  const [byKey, byBoth] = [byKeys(naming, none), byKeysThenContent(naming, none, equalJson)];
  const [keyed, byAll] = [
    byKeysThenContent(naming, "name", equalJson),
    byKeysThenContent({}, none, equalJson),
  ];

  test.each<[string, readonly Way<unknown>[], readonly (number | undefined)[]]>([
    ["by keys alone one of another name is another one", byKey, [2, none, none]],
    ["by content one of another name was renamed", byBoth, [2, 1, none]],
    ["in a list with a key it is another one", keyed, [2, none, none]],
    ["without keys content tells, whatever the name", byAll, [none, 1, none]],
    ["without keys and content nothing tells", byKeys({}, none), [none, none, none]],
  ])("%s", (_, asked, places) => {
    expect(matchedPlaces<unknown, unknown>(one, other, asked)).toEqual(places);
  });
});

describe("what is subtracted from a list", () => {
  const [gate, segment] = ["gate", "segment"].map((type) => ({ type, id: "g" }));
  const [one, two] = [
    { groupID: "one", ids: ["a", "b"], environment: null },
    { groupID: "two", ids: ["a"] },
  ];
  const staging = { environment: "staging", passingIDs: ["a"], failingIDs: ["b"] };
  const rest = { environment: "staging", passingIDs: [], failingIDs: ["b"] };

  test.each<[string, unknown[], unknown[], unknown[]]>([
    ["equal texts go, the others stay in their order", ["a", "b", "c"], ["c", "a", "z"], ["b"]],
    ["equal objects go", [gate, segment], [gate], [segment]],
    ["ids go", [one, two], [{ groupID: "one", ids: ["a"] }], [{ ...one, ids: ["b"] }, two]],
    ["an object goes when nothing is left", [one, two], [two], [one]],
    ["one with two lists stays", [staging], [{ ...staging, failingIDs: [] }], [rest]],
    ["another object stays", [staging], [{ ...staging, environment: "production" }], [staging]],
  ])("%s", (_, live, ours, left) => {
    expect(subtract(live, ours)).toEqual(left);
  });
});
