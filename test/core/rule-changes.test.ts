import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { equalJson, isObject, type JsonObject } from "../../src/provider/schema/json";
import type { Path } from "../../src/provider/schema/path";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { type KeptRule, type LoneRule, ruleChanges } from "../../src/provider/words/rule-changes";
import { ruleListText } from "../../src/provider/words/rule-sentences";
import { caseCount } from "../support/sample";
import { programValue } from "./arbitraries";

const rule = (name: string, passPercentage = 100, members: JsonObject = {}): JsonObject => ({
  name,
  passPercentage,
  conditions: [{ type: "email", operator: "any", targetValue: [name] }],
  ...members,
});
const [a, b, c, d] = [rule("A"), rule("B"), rule("C"), rule("D")];
const all = { ...rule("All", 50), conditions: [{ type: "public" }] };
const many = (count: number, from = 0) => Array.from({ length: count }, (_, n) => rule(`R${n + from}`));

const email = (targetValue: unknown) => ({
  conditions: [{ type: "email", operator: "any", targetValue }],
});
const split = (passPercentage: number) => ({ ...a, variants: [{ name: "x", passPercentage }] });

const lineOf = (before: unknown, after: unknown) => ruleListText(before, after, { hidesBefore: true });

const who = (name: string) => `users whose e-mail is ${name}`;

describe("the line about two lists", () => {
  test.each<[string, unknown, unknown, string | undefined]>([
    ["nothing", [a, b], [a, b], undefined],
    ["nothing, without any rules", undefined, [], undefined],
    ["a rule on top", [a, b], [c, a, b], `new rule "C": all ${who("C")}; rules "A" and "B" unchanged`],
    [
      "a rule on top, which takes users of another",
      [a, all],
      [c, a, all],
      `new rule "C": all ${who("C")}; rule "A" unchanged`,
    ],
    [
      "a rule that now decides for users of another",
      [a, b, all],
      [all, a, b],
      'rule "All" moves from place 3 to 1',
    ],
    ["rules where there were none", null, [a], `new rule "A": all ${who("A")}`],
    ["all rules removed", [a, b], undefined, 'rule "A" is removed; rule "B" is removed'],
    ["a percentage", [b], [{ ...b, passPercentage: 12.5 }], `100 % → 12.5 % of ${who("B")} (rule "B")`],
    [
      "other users, and not the former ones",
      [a],
      [{ ...a, ...email(["x"]) }],
      `now all ${who("x")} (rule "A")`,
    ],
    [
      ...(["environments", [a], [{ ...a, environments: ["staging"] }]] as const),
      `rule "A" (all ${who("A")}) holds in staging instead of all environments`,
    ],
    [
      ...([
        "a value, and not the former one",
        [{ ...a, returnValue: 1 }],
        [{ ...a, returnValue: 2 }],
      ] as const),
      'rule "A" gives 2',
    ],
    ["the share of a variant", [split(10)], [split(20)], 'rule "A" gives x 20 %'],
    ["another name", [a, b], [a, { ...b, name: "C" }], 'rule "C" was called "B"; rule "A" unchanged'],
    [
      "two rules in each other's place",
      [a, b],
      [b, a],
      'rule "A" moves from place 1 to 2; rule "B" unchanged',
    ],
    [
      "the last one first",
      [a, b, c, d],
      [d, a, b, c],
      'rule "D" moves from place 4 to 1; 3 other rules unchanged',
    ],
    [
      "the first one last",
      [a, b, c, d],
      [b, c, d, a],
      'rule "A" moves from place 1 to 4; 3 other rules unchanged',
    ],
    [
      ...(["a moved rule that changed too", [a, b, c], [b, c, { ...a, passPercentage: 1 }]] as const),
      `100 % → 1 % of ${who("A")} (rule "A"), rule "A" moves from place 1 to 3; rules "B" and "C" unchanged`,
    ],
    [
      ...(["rules without names", [{ passPercentage: 1 }], [{ passPercentage: 2 }]] as const),
      "rule no. 1 is removed; new rule no. 1: 2 % of everyone",
    ],
    ["a name that a terminal would obey", [rule("\u001b[2J")], [], 'rule "\\u001b[2J" is removed'],
    ["a list that is not known yet", [a], UNKNOWN, "not known yet"],
    [
      ...(["an unknown rule", [a, b], [a, UNKNOWN]] as const),
      'rule "B" may be removed; rule no. 2 not known yet; rule "A" unchanged',
    ],
    ["an unknown name", [a], [{ ...a, name: UNKNOWN }], 'rule "A" may be removed; rule no. 1 not known yet'],
    [
      ...(["an unknown share", [a], [{ ...a, passPercentage: UNKNOWN }]] as const),
      `now ${who("A")} (share not known yet) (rule "A")`,
    ],
    [
      ...(["an unknown value", [a], [{ ...a, ...email(UNKNOWN) }]] as const),
      `now all ${who("not known yet")} (rule "A")`,
    ],
  ])("tells %s", (_, before, after, text) => {
    expect(lineOf(before, after)).toBe(text);
  });

  test("names some of many and counts the rest", () => {
    const text = lineOf(many(30, 100), [...many(30, 200)]);
    expect(text).toMatch(/^(?:rule "R10\d" is removed; |new rule "R20\d": [^;]+; ){4}56 more changes$/);
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
      expect(lineOf(before, structuredClone(before))).toBeUndefined();
      expect(lineOf(before, after) === undefined).toBe(equalJson(before, after));
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
