import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { equalJson, isObject, type JsonObject } from "../../src/provider/schema/json";
import type { Path } from "../../src/provider/schema/path";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { type KeptRule, type LoneRule, ruleChanges } from "../../src/provider/words/rule-changes";
import { ruleChangesText } from "../../src/provider/words/rule-changes-text";
import { sampleOf } from "../support/sample";
import { programValue } from "./arbitraries";

const rule = (name: string, passPercentage = 100, members: JsonObject = {}): JsonObject => ({
  name,
  passPercentage,
  conditions: [{ type: "email", operator: "any", targetValue: [name] }],
  ...members,
});
const [a, b, c, d] = ["A", "B", "C", "D"].map((name) => rule(name)) as [
  JsonObject,
  JsonObject,
  JsonObject,
  JsonObject,
];
const many = (count: number, from = 0) => Array.from({ length: count }, (_, n) => rule(`R${n + from}`));

describe("the line about two lists", () => {
  test.each<[string, unknown, unknown, string | undefined]>([
    ["nothing", [a, b], [a, b], undefined],
    ["nothing, without any rules", undefined, [], undefined],
    ["a rule on top", [a, b], [c, a, b], '+ "C" at 1; 2 unchanged'],
    ["rules where there were none", null, [a, b], '+ "A" at 1; + "B" at 2'],
    ["a rule less", [a, b, c], [a, c], '− "B" (was 2); 2 unchanged'],
    ["all rules removed", [a, b], undefined, '− "A" (was 1); − "B" (was 2)'],
    ["a percentage", [a, b], [a, { ...b, passPercentage: 12.5 }], '"B" 100 → 12.5 %; 1 unchanged'],
    ["a percentage of 0", [{ ...a, passPercentage: 0 }], [a], '"A" 0 → 100 %'],
    [
      "conditions and a percentage",
      [a],
      [{ ...a, conditions: [], passPercentage: 5 }],
      '"A" 100 → 5 %, conditions',
    ],
    [
      "one member of one condition",
      [a],
      [{ ...a, conditions: [{ type: "email", operator: "any", targetValue: ["x"] }] }],
      '"A" conditions[0].targetValue',
    ],
    ["one condition of another type", [a], [{ ...a, conditions: [{ type: "public" }] }], '"A" conditions[0]'],
    ["environments", [a], [{ ...a, environments: ["staging"] }], '"A" environments'],
    [
      "a value, which is not shown",
      [{ ...a, returnValue: { key: "secret" } }],
      [{ ...a, returnValue: { key: "other" } }],
      '"A" returnValue',
    ],
    [
      "the share of a variant",
      [{ ...a, variants: [{ name: "x", passPercentage: 10 }] }],
      [{ ...a, variants: [{ name: "x", passPercentage: 20 }] }],
      '"A" variants[0].passPercentage 10 → 20 %',
    ],
    ["another name", [a, b], [a, { ...b, name: "C" }], 'renamed: "B" → "C"; 1 unchanged'],
    ["two rules in each other's place", [a, b], [b, a], '1 unchanged; moved: "A" 1 → 2'],
    ["the last one first", [a, b, c, d], [d, a, b, c], '3 unchanged; moved: "D" 4 → 1'],
    ["the first one last", [a, b, c, d], [b, c, d, a], '3 unchanged; moved: "A" 1 → 4'],
    [
      "a moved rule that changed too",
      [a, b, c],
      [b, c, { ...a, passPercentage: 1 }],
      '"A" 100 → 1 %; 2 unchanged; moved: "A" 1 → 3',
    ],
    [
      "all of it",
      [rule("Old"), rule("Staff"), rule("Everyone", 10), ...many(4), rule("Once")],
      [rule("Zero"), rule("Everyone", 25), ...many(4), { ...rule("Once"), name: "Now" }, rule("Staff")],
      '+ "Zero" at 1; − "Old" (was 1); renamed: "Once" → "Now"; "Everyone" 10 → 25 %; 4 unchanged; moved: "Staff" 2 → 8',
    ],
    ["rules without names", [{ passPercentage: 1 }], [{ passPercentage: 2 }], "+ #1 at 1; − #1 (was 1)"],
    ["a name that a terminal would obey", [], [rule("\u001b[2J")], '+ "\\u001b[2J" at 1'],
  ])("tells %s", (_, before, after, text) => {
    expect(ruleChangesText(before, after)).toBe(text);
  });

  test.each<[string, unknown, unknown, string]>([
    ["the list", [a], UNKNOWN, "not known yet"],
    ["a rule", [a, b], [a, UNKNOWN], 'perhaps − "B" (was 2); 1 unchanged; not known yet: 2'],
    ["a name", [a], [{ ...a, name: UNKNOWN }], 'perhaps − "A" (was 1); not known yet: 1'],
    ["a percentage", [a], [{ ...a, passPercentage: UNKNOWN }], '"A" passPercentage not known yet'],
    [
      "a target value",
      [a],
      [{ ...a, conditions: [{ type: "email", operator: "any", targetValue: UNKNOWN }] }],
      '"A" conditions[0].targetValue not known yet',
    ],
  ])("says that %s is not known yet", (_, before, after, text) => {
    expect(ruleChangesText(before, after)).toBe(text);
  });

  test("names some of many and counts the rest", () => {
    const text = ruleChangesText(
      [...many(20), ...many(30, 100)],
      [...many(20).map((one) => ({ ...one, passPercentage: 1 })), ...many(30, 200), ...many(3, 300)],
    );
    expect(text).toContain('+ "R204" at 25; 28 more added; − "R100" (was 21)');
    expect(text).toContain('"R4" 100 → 1 %; 15 more changed');
    expect(text?.length).toBeLessThan(500);
    const turned = ruleChangesText(many(20), many(20).reverse());
    expect(turned).toMatch(/^1 unchanged; moved: .*"R4" 5 → 16 and 14 more$/);
  });
});

const name = fc.constantFrom("A", "B", "C", "D", "E", "F");
const member = fc.oneof(fc.integer({ min: 0, max: 2 }), fc.constant([]), programValue);
const someRule = fc.record(
  {
    name: fc.oneof({ weight: 9, arbitrary: name }, programValue),
    passPercentage: fc.integer({ min: 0, max: 2 }),
    conditions: fc.array(fc.record({ type: fc.constantFrom("public", "email"), targetValue: member }), {
      maxLength: 2,
    }),
    returnValue: member,
  },
  { requiredKeys: [] },
);
const someRules = fc.array(fc.oneof({ weight: 9, arbitrary: someRule }, programValue), { maxLength: 9 });

/** Two lists that have much in common. */
const twoLists = fc.oneof(
  fc.tuple(someRules, someRules),
  someRules.chain((before) =>
    fc
      .tuple(fc.shuffledSubarray(before), someRules, fc.nat())
      .map(([kept, fresh, at]): [unknown[], unknown[]] => [before, kept.toSpliced(at % 9, 0, ...fresh)]),
  ),
);

describe("whatever two lists hold", () => {
  test("carrying out what is told makes one of the other", () => {
    fc.assert(
      fc.property(twoLists, ([before, after]) => {
        expect(carriedOut(before, after)).toEqual(after);
      }),
      { numRuns: sampleOf(500, 3000) },
    );
  });

  test("nothing is told where nothing changed, and only there", () => {
    fc.assert(
      fc.property(twoLists, ([before, after]) => {
        expect(ruleChangesText(before, structuredClone(before))).toBeUndefined();
        expect(ruleChangesText(before, after) === undefined).toBe(equalJson(before, after));
      }),
      { numRuns: sampleOf(300, 1000) },
    );
  });

  test("each rule is told of once, and as few as possible have moved", () => {
    fc.assert(
      fc.property(twoLists, ([before, after]) => {
        const { kept, added, removed } = ruleChanges(before, after);
        const places = (lone: readonly LoneRule[]) => lone.map(({ at }) => at);
        const sorted = (all: number[]) => all.sort((one, other) => one - other);
        expect(sorted([...kept.map(({ from }) => from), ...places(removed)])).toEqual([...before.keys()]);
        expect(sorted([...kept.map(({ to }) => to), ...places(added)])).toEqual([...after.keys()]);
        const steady = kept.filter(({ moved }) => !moved).length;
        expect(steady).toBe(longestRow(kept.map(({ to }) => to)));
      }),
      { numRuns: sampleOf(300, 1000) },
    );
  });
});

/** The list before, with all that is told about the list after done to it. */
function carriedOut(before: readonly unknown[], after: readonly unknown[]): unknown[] {
  const { removed, added, kept } = ruleChanges(before, after);
  const changes = new Map(kept.map((one) => [one.from, one]));
  const left = before.flatMap((one, at) => {
    const change = changes.get(at);
    return removed.some((gone) => gone.at === at) || change?.moved ? [] : [changed(one, change)];
  });
  const placed = new Map<number, unknown>([
    ...added.map(({ at, rule }): [number, unknown] => [at, rule]),
    ...kept
      .filter(({ moved }) => moved)
      .map((one): [number, unknown] => [one.to, changed(before[one.from], one)]),
  ]);
  const length = before.length - removed.length + added.length;
  return Array.from({ length }, (_, at) => (placed.has(at) ? placed.get(at) : left.shift()));
}

function changed(one: unknown, change: KeptRule | undefined): unknown {
  const renamed =
    change?.renamedFrom !== undefined && isObject(one) && one.name === change.renamedFrom
      ? { ...one, name: change.name }
      : one;
  return (change?.members ?? []).reduce((value, { path, after }) => replacedAt(value, path, after), renamed);
}

function replacedAt(value: unknown, [step, ...rest]: Path, by: unknown): unknown {
  if (step === undefined) return by;
  if (Array.isArray(value)) return value.with(Number(step), replacedAt(value[Number(step)], rest, by));
  const members = new Map(Object.entries(value as JsonObject));
  const inner = replacedAt(members.get(String(step)), rest, by);
  if (inner === undefined) members.delete(String(step));
  else members.set(String(step), inner);
  return Object.fromEntries(members);
}

/** Length of the longest row of rising numbers, by trying all ends. */
function longestRow(numbers: readonly number[]): number {
  const lengths: number[] = [];
  numbers.forEach((number, index) => {
    const before = lengths.filter((_, earlier) => (numbers[earlier] as number) < number);
    lengths[index] = 1 + Math.max(0, ...before);
  });
  return Math.max(0, ...lengths);
}
