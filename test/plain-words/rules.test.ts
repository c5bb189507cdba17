import { expect, test } from "@jest/globals";
import { gate } from "../../src/provider/definitions/flags/gate";
import { holdout } from "../../src/provider/definitions/flags/holdout";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { argumentChangeText, ruleRows, ruleRowText, valueChangesText } from "../../src/provider/words";
import { stateMove } from "../../src/tools/review/changes/state-moves";

const everyone = { type: "public" };
const inCountry = (...targetValue: string[]) => ({ type: "country", operator: "any", targetValue });
const inNz = inCountry("NZ");
const notInNz = { ...inNz, operator: "none" };
const plans = (...targetValue: string[]) => ({
  ...{ type: "custom_field", field: "plan", operator: "any", targetValue },
});
const rule = (name: string, passPercentage: unknown, conditions: object | object[], more: object = {}) => ({
  ...{ name, passPercentage, conditions: [conditions].flat(), ...more },
});
const within = (...environments: string[]) => ({ environments });
const nz = (share: number, ...more: object[]) => rule("NZ", share, [inNz, ...more]);
const all = (share: unknown, more: object = {}) => rule("All", share, everyone, more);
const uk = rule("UK", 100, inCountry("GB"));
const last = rule("Last", 5, inCountry("US"));
const most = { returnValue: { most: 1 } };

test.each<[what: string, before: readonly object[], after: readonly unknown[], ...texts: string[]]>([
  ["a share", [nz(10)], [nz(50)], '10 % → 50 % of users in NZ (rule "NZ")'],
  ["nothing", [all(10)], [all(10)]],
  ["a new rule", [], [all(12.5)], 'new rule "All": 12.5 % of everyone'],
  ["one that goes", [nz(100)], [], 'rule "NZ" is removed (it let in all users in NZ)'],
  [
    ...(["an order that matters", [nz(100), all(5)], [all(5), nz(100)]] as const),
    'rule "All" now reaches users in NZ too',
    'rule "NZ" moves from place 1 to 2, where nobody reaches it: rule "All" before it takes everyone',
  ],
  [
    "an order that changes where other rules come and go, so that a place has the same number",
    [rule("Old", 5, inCountry("AU")), nz(100), uk, last],
    [uk, nz(100), last],
    'rule "Old" is removed (it let in 5 % of users in AU)',
    'rule "NZ" now comes after rule "UK"',
  ],
  [
    "rules that take everyone before it, each in one of its environments",
    [],
    [
      rule("Live", 5, everyone, within("production")),
      rule("Try", 5, everyone, within("staging")),
      rule("NZ", 100, inNz, within("production", "staging")),
    ],
    'new rule "Live": 5 % of everyone',
    'new rule "Try": 5 % of everyone',
    'new rule "NZ": all users in NZ, where nobody reaches it: rules "Live" and "Try" before it take everyone',
  ],
  [
    ...(["conditions that exclude each other", [nz(100)], [nz(100, notInNz)]] as const),
    'all users in NZ → all users in NZ and not in NZ (rule "NZ"), where nobody can match it: two of its parts exclude each other',
  ],
  [
    ...(["other environments", [all(100, within("staging"))], [all(100)]] as const),
    'rule "All" (everyone) holds in all environments instead of staging',
  ],
  [
    "other environments, and a rule before it that goes",
    [nz(5), all(5)],
    [all(5, within("staging"))],
    'rule "NZ" is removed (it let in 5 % of users in NZ)',
    'rule "All" (5 % of everyone) holds in staging instead of all environments, and it now reaches users in NZ in staging too',
  ],
  [
    "another name",
    [rule("A", 100, everyone, most)],
    [rule("B", 100, everyone, most)],
    'rule "B" was called "A"',
  ],
  [
    ...(["one condition of two", [nz(25, plans("pro"))], [nz(25, plans("pro", "team"))]] as const),
    'plan is pro → plan is one of pro, team (rule "NZ", 25 %)',
  ],
  [
    "an unknown share",
    [all(5)],
    [all(UNKNOWN)],
    '5 % of everyone → everyone (share not known yet) (rule "All")',
  ],
  [
    ...(["a rule that gets the audience of its name", [rule("Everyone", 5, inNz)]] as const),
    ...([[rule("Everyone", 100, everyone)], '5 % of users in NZ → everyone (rule "Everyone")'] as const),
  ],
  ["a rule that is not known yet", [], [UNKNOWN], "rule no. 1 not known yet"],
])("%s", (_, before, after, ...texts) => {
  expect(ruleRows(before, after).flatMap((row) => ruleRowText(row) ?? [])).toEqual(texts);
});

test("a rule that only some environments take everyone before is reached", () => {
  const rows = ruleRows([], [all(100, within("staging")), nz(1)]);
  expect(rows.map((row) => row.unreachable)).toEqual([undefined, undefined]);
});

const [red, beta] = [
  { most: 20, colour: "red" },
  { most: 50, beta: true },
];

test.each<[before: unknown, after: unknown, text: string | undefined]>([
  [{ most: 1 }, { most: 1 }, undefined],
  [red, beta, "most 20 → 50, colour removed (was red), beta true (new)"],
  [{ deep: { deeper: [1, 2] } }, { deep: { deeper: [2, 3] } }, "deep.deeper: 3 added, 1 removed"],
  [["a", "b"], ["b", "a"], "in another order"],
  ['{"most": 1}', '{"most": 2}', "most 1 → 2"],
])("%j → %j", (before, after, text) => {
  expect(valueChangesText(before, after)).toBe(text);
});

const kind = gate as ResourceDefinition;
const share = "share of units that is held back: 2 % → 5 %";

test.each<[ResourceDefinition, string, unknown, unknown, string]>([
  [holdout as ResourceDefinition, "passPercentage", 2, 5, share],
  [kind, "description", "[secret]", "[secret]", "description: a secret changes"],
  [kind, "tags", ["a"], ["a", "b"], "tags: b added"],
])("of a $title %s %j → %j", (definition, field, before, after, text) => {
  expect(argumentChangeText(definition, field, before, after)).toBe(text);
});

test.each<[string, unknown, unknown, string]>([
  ["isEnabled", true, false, "is switched off: nobody passes"],
  ["isEnabled", false, true, "is switched on"],
  ["status", "In Progress", "Launched", "is launched: everyone gets it"],
])("%s %j → %j of a gate: %s", (field, from, to, text) => {
  expect(stateMove(kind, field, { from, to, args: {} }).text).toBe(text);
});
