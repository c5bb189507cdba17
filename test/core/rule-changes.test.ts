import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { equalJson, isObject, type JsonObject } from "../../src/provider/schema/json";
import type { Path } from "../../src/provider/schema/path";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { type KeptRule, type LoneRule, ruleChanges } from "../../src/provider/words/rule-changes";
import { ruleChangesText } from "../../src/provider/words/rule-changes-text";
import { caseCount } from "../support/sample";
import { programValue } from "./arbitraries";

const rule = (name: string, passPercentage = 100, members: JsonObject = {}): JsonObject => ({
  name,
  passPercentage,
  conditions: [{ type: "email", operator: "any", targetValue: [name] }],
  ...members,
});
const [a, b, c, d] = [rule("A"), rule("B"), rule("C"), rule("D")];
const many = (count: number, from = 0) => Array.from({ length: count }, (_, n) => rule(`R${n + from}`));

const email = (targetValue: unknown) => ({
  conditions: [{ type: "email", operator: "any", targetValue }],
});
const split = (passPercentage: number) => ({ ...a, variants: [{ name: "x", passPercentage }] });
const once = rule("Once");

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
    ["two members", [a], [{ ...a, conditions: [], passPercentage: 5 }], '"A" 100 → 5 %, conditions'],
    ["one member of one condition", [a], [{ ...a, ...email(["x"]) }], '"A" conditions[0].targetValue'],
    ["one condition of another type", [a], [{ ...a, conditions: [{ type: "public" }] }], '"A" conditions[0]'],
    ["environments", [a], [{ ...a, environments: ["staging"] }], '"A" environments'],
    [
      "a value, which is not shown",
      [{ ...a, returnValue: 1 }],
      [{ ...a, returnValue: 2 }],
      '"A" returnValue',
    ],
    ["the share of a variant", [split(10)], [split(20)], '"A" variants[0].passPercentage 10 → 20 %'],
    ["another name", [a, b], [a, { ...b, name: "C" }], 'renamed: "B" → "C"; 1 unchanged'],
    ["two rules in each other's place", [a, b], [b, a], '1 unchanged; moved: "A" 1 → 2'],
    ["the last one first", [a, b, c, d], [d, a, b, c], '3 unchanged; moved: "D" 4 → 1'],
    ["the first one last", [a, b, c, d], [b, c, d, a], '3 unchanged; moved: "A" 1 → 4'],
    [
      ...(["a moved rule that changed too", [a, b, c], [b, c, { ...a, passPercentage: 1 }]] as const),
      '"A" 100 → 1 %; 2 unchanged; moved: "A" 1 → 3',
    ],
    [
      "all of it",
      [rule("Old"), rule("Staff"), rule("Everyone", 10), ...many(4), once],
      [rule("Zero"), rule("Everyone", 25), ...many(4), { ...once, name: "Now" }, rule("Staff")],
      '+ "Zero" at 1; − "Old" (was 1); renamed: "Once" → "Now"; "Everyone" 10 → 25 %; 4 unchanged; moved: "Staff" 2 → 8',
    ],
    ["rules without names", [{ passPercentage: 1 }], [{ passPercentage: 2 }], "+ #1 at 1; − #1 (was 1)"],
    ["a name that a terminal would obey", [], [rule("\u001b[2J")], '+ "\\u001b[2J" at 1'],
    ["a list that is not known yet", [a], UNKNOWN, "not known yet"],
    ["an unknown rule", [a, b], [a, UNKNOWN], 'perhaps − "B" (was 2); 1 unchanged; not known yet: 2'],
    ["an unknown name", [a], [{ ...a, name: UNKNOWN }], 'perhaps − "A" (was 1); not known yet: 1'],
    ["an unknown share", [a], [{ ...a, passPercentage: UNKNOWN }], '"A" passPercentage not known yet'],
    ["an unknown value", [a], [{ ...a, ...email(UNKNOWN) }], '"A" conditions[0].targetValue not known yet'],
  ])("tells %s", (_, before, after, text) => {
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

const member = fc.oneof(fc.integer({ min: 0, max: 2 }), fc.constant([]), programValue);
const condition = fc.record({ type: fc.constantFrom("public", "email"), targetValue: member });
const someRule = fc.record(
  {
    name: fc.oneof({ weight: 9, arbitrary: fc.constantFrom("A", "B", "C", "D", "E", "F") }, programValue),
    passPercentage: fc.integer({ min: 0, max: 2 }),
    conditions: fc.array(condition, { maxLength: 2 }),
    returnValue: member,
  },
  { requiredKeys: [] },
);
const someRules = fc.array(fc.oneof({ weight: 9, arbitrary: someRule }, programValue), { maxLength: 9 });

/** Two lists that have much in common. */
const twoLists = someRules.chain((before) =>
  fc
    .tuple(fc.shuffledSubarray(before), someRules, fc.nat(9))
    .map(([kept, fresh, at]): [unknown[], unknown[]] => [before, kept.toSpliced(at, 0, ...fresh)]),
);

test("whatever two lists hold: what is told makes one of the other, of each rule once, with the fewest moves", () => {
  fc.assert(
    fc.property(twoLists, ([before, after]) => {
      expect(carriedOut(before, after)).toEqual(after);
      expect(ruleChangesText(before, structuredClone(before))).toBeUndefined();
      expect(ruleChangesText(before, after) === undefined).toBe(equalJson(before, after));
      const { kept, added, removed } = ruleChanges(before, after);
      const places = (lone: readonly LoneRule[]) => lone.map(({ at }) => at);
      const sorted = (all: number[]) => all.sort((one, other) => one - other);
      expect(sorted([...kept.map(({ from }) => from), ...places(removed)])).toEqual([...before.keys()]);
      expect(sorted([...kept.map(({ to }) => to), ...places(added)])).toEqual([...after.keys()]);
      const steady = kept.filter(({ moved }) => !moved).length;
      expect(steady).toBe(longestRow(kept.map(({ to }) => to)));
    }),
    { numRuns: caseCount(300, 3000) },
  );
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
