import { expect, test } from "@jest/globals";
import { gate } from "../../src/provider/definitions/flags/gate";
import { holdout } from "../../src/provider/definitions/flags/holdout";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { argumentChangeText, ruleRows, ruleRowText, valueChangesText } from "../../src/provider/words";
import { stateMove } from "../../src/tools/review/changes/state-moves";

const everyone = { type: "public" };
const inNz = { type: "country", operator: "any", targetValue: ["NZ"] };
const [inAu, inUk, inUs] = ["AU", "GB", "US"].map((one) => ({ ...inNz, targetValue: [one] })) as object[] as [
  object,
  object,
  object,
];
const rule = (name: string, passPercentage: unknown, conditions: object[], more: object = {}) => ({
  ...{ name, passPercentage, conditions },
  ...more,
});

const said = (before: object[], after: unknown[]) =>
  ruleRows(before, after).flatMap((row) => ruleRowText(row) ?? []);

test.each<[what: string, before: object[], after: unknown[], texts: string[]]>([
  [
    "a share",
    [rule("Oceania", 10, [inNz])],
    [rule("Oceania", 50, [inNz])],
    ['10 % → 50 % of users in NZ (rule "Oceania")'],
  ],
  ["nothing", [rule("All", 10, [everyone])], [rule("All", 10, [everyone])], []],
  ["a new rule", [], [rule("All", 12.5, [everyone])], ['new rule "All": 12.5 % of everyone']],
  ["one that goes", [rule("All", 100, [inNz])], [], ['rule "All" is removed (it let in all users in NZ)']],
  [
    "an order that matters",
    [rule("NZ", 100, [inNz]), rule("All", 5, [everyone])],
    [rule("All", 5, [everyone]), rule("NZ", 100, [inNz])],
    [
      'rule "All" now reaches users in NZ too',
      'rule "NZ" moves from place 1 to 2, where nobody reaches it: rule "All" before it takes everyone',
    ],
  ],
  [
    "an order that changes where other rules come and go, so that a place has the same number",
    [rule("Old", 5, [inAu]), rule("NZ", 100, [inNz]), rule("UK", 100, [inUk]), rule("Last", 5, [inUs])],
    [rule("UK", 100, [inUk]), rule("NZ", 100, [inNz]), rule("Last", 5, [inUs])],
    ['rule "Old" is removed (it let in 5 % of users in AU)', 'rule "NZ" now comes after rule "UK"'],
  ],
  [
    "rules that take everyone before it, each in one of its environments",
    [],
    [
      rule("Live", 5, [everyone], { environments: ["production"] }),
      rule("Try", 5, [everyone], { environments: ["staging"] }),
      rule("NZ", 100, [inNz], { environments: ["production", "staging"] }),
    ],
    [
      'new rule "Live": 5 % of everyone',
      'new rule "Try": 5 % of everyone',
      'new rule "NZ": all users in NZ, where nobody reaches it: rules "Live" and "Try" before it take everyone',
    ],
  ],
  [
    "conditions that exclude each other",
    [rule("NZ", 100, [inNz])],
    [rule("NZ", 100, [inNz, { type: "country", operator: "none", targetValue: ["NZ"] }])],
    [
      'all users in NZ → all users in NZ and not in NZ (rule "NZ"), where nobody can match it: two of its parts exclude each other',
    ],
  ],
  [
    "other environments",
    [rule("All", 100, [everyone], { environments: ["staging"] })],
    [rule("All", 100, [everyone])],
    ['rule "All" (everyone) holds in all environments instead of staging'],
  ],
  [
    "other environments, and a rule before it that goes",
    [rule("NZ", 5, [inNz]), rule("All", 5, [everyone])],
    [rule("All", 5, [everyone], { environments: ["staging"] })],
    [
      'rule "NZ" is removed (it let in 5 % of users in NZ)',
      'rule "All" (5 % of everyone) holds in staging instead of all environments, and it now reaches users in NZ in staging too',
    ],
  ],
  [
    "another name and another value",
    [rule("A", 100, [everyone], { returnValue: { most: 1 } })],
    [rule("B", 100, [everyone], { returnValue: { most: 1 } })],
    ['rule "B" was called "A"'],
  ],
  [
    "one condition of two",
    [rule("NZ", 25, [inNz, { type: "custom_field", field: "plan", operator: "any", targetValue: ["pro"] }])],
    [
      rule("NZ", 25, [
        inNz,
        { type: "custom_field", field: "plan", operator: "any", targetValue: ["pro", "team"] },
      ]),
    ],
    ['plan is pro → plan is one of pro, team (rule "NZ", 25 %)'],
  ],
  [
    "a share that is not known yet",
    [rule("All", 5, [everyone])],
    [rule("All", UNKNOWN, [everyone])],
    ['5 % of everyone → everyone (share not known yet) (rule "All")'],
  ],
  ["a rule that is not known yet", [], [UNKNOWN], ["rule no. 1 not known yet"]],
])("%s", (_, before, after, texts) => {
  expect(said(before, after)).toEqual(texts);
});

test("a rule that only some environments take everyone before is reached", () => {
  const staging = rule("All", 100, [everyone], { environments: ["staging"] });
  expect(ruleRows([], [staging, rule("NZ", 1, [inNz])]).map((row) => row.unreachable)).toEqual([
    undefined,
    undefined,
  ]);
});

test.each<[before: unknown, after: unknown, text: string | undefined]>([
  [{ most: 1 }, { most: 1 }, undefined],
  [
    { most: 20, colour: "red" },
    { most: 50, beta: true },
    "most 20 → 50, colour removed (was red), beta true (new)",
  ],
  [{ deep: { deeper: [1, 2] } }, { deep: { deeper: [2, 3] } }, "deep.deeper: 3 added, 1 removed"],
  [["a", "b"], ["b", "a"], "in another order"],
  ['{"most": 1}', '{"most": 2}', "most 1 → 2"],
])("%j → %j", (before, after, text) => {
  expect(valueChangesText(before, after)).toBe(text);
});

test("arguments and states", () => {
  const [kind, other] = [gate, holdout] as ResourceDefinition[] as [ResourceDefinition, ResourceDefinition];
  expect(argumentChangeText(other, "passPercentage", 2, 5)).toBe(
    "share of units that is held back: 2 % → 5 %",
  );
  expect(argumentChangeText(kind, "description", "[secret]", "[secret]")).toBe(
    "description: a secret changes",
  );
  expect(argumentChangeText(kind, "tags", ["a"], ["a", "b"])).toBe("tags: b added");
  const move = (field: string, from: unknown, to: unknown) =>
    stateMove(kind, field, { from, to, args: {} }).text;
  expect(move("isEnabled", true, false)).toBe("is switched off: nobody passes");
  expect(move("isEnabled", false, true)).toBe("is switched on");
  expect(move("status", "In Progress", "Launched")).toBe("is launched: everyone gets it");
});
