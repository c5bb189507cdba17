import { describe, expect, test } from "@jest/globals";
import { gate } from "../../src/provider/definitions/flags/gate";
import { holdout } from "../../src/provider/definitions/flags/holdout";
import { conditionOperators } from "../../src/provider/definitions/parts/condition-operators";
import { conditionTypes } from "../../src/provider/definitions/parts/condition-types";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { itemsOf, type Node, propertiesOf, treeOf } from "../../src/provider/schema/tree";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import {
  argumentChangeText,
  audienceText,
  clauseText,
  conditionText,
  ruleRows,
  ruleRowText,
  valueChangesText,
} from "../../src/provider/words";
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

describe("conditions", () => {
  const inside = (node: Node | undefined, name: string) =>
    propertiesOf(itemsOf(node as Node) as Node)?.[name];
  const operatorNode = inside(inside(treeOf(gate).rules?.node, "conditions"), "operator") as Node;
  const operators = [operatorNode, ...(operatorNode.anyOf ?? [])].flatMap((node) =>
    (node.enum ?? []).map(String),
  );

  test("there are at least 25 types and 26 operators to have words for", () => {
    expect(Object.keys(conditionTypes).length).toBeGreaterThanOrEqual(25);
    const named = Object.keys(conditionOperators).filter((operator) => operator !== "");
    expect(operators.filter((operator) => operator !== "")).toEqual(named);
    expect(named.length).toBeGreaterThanOrEqual(26);
  });

  test.each(Object.keys(conditionTypes))("%s has words with every operator", (type) => {
    for (const operator of operators) {
      const condition = { type, operator, field: "plan", customID: "companyID", targetValue: ["1", "2"] };
      // What the API calls things is no word.
      expect(conditionText(condition)).toMatch(/^[^_]{4,}$/);
    }
  });

  const one = (type: string, operator: string | undefined, targetValue?: unknown) => ({
    ...{ type, operator, targetValue },
  });
  const field = (name: string, operator: string, targetValue?: unknown) => ({
    ...{ ...one("custom_field", operator, targetValue), field: name },
  });
  const asks = (type: string, targetValue: unknown) => ({ type, targetValue });
  const company = { ...one("unit_id", "any", ["c-42"]), customID: "companyID" };

  test.each<[condition: object, text: string]>([
    [one("country", "any", ["NZ", "AU"]), "in NZ, AU"],
    [one("country", "none", ["NZ"]), "not in NZ"],
    [one("email", "str_contains_any", ["@example.com"]), "e-mail contains @example.com"],
    [one("email", "str_matches", "^a.*$"), 'e-mail matches the pattern "^a.*$"'],
    [asks("passes_segment", "staff"), 'in segment "staff"'],
    [asks("passes_segment", ["staff", "beta"]), 'in segment "staff" or "beta"'],
    [asks("fails_gate", "x"), 'not in gate "x"'],
    [{ type: "public" }, "everyone"],
    [one("app_version", "version_gte", "2.4.0"), "app version is 2.4.0 or later"],
    [field("age", "gt", 17), "age is more than 17"],
    [field("plan", "is_null"), "plan is not set"],
    [field("born", "before", 0), "born is before 1970-01-01 00:00 UTC"],
    [one("time", "after", 1_767_225_600_000), "after 2026-01-01 00:00 UTC"],
    [company, "companyID is c-42"],
    [asks("environment_tier", ["staging"]), "in environment staging"],
    [one("os_name", "none", ["iOS"]), "not on iOS"],
    [one("user_id", "any", ["1", "2", "3", "4", "5", "6", "7"]), "with id 1, 2, 3, 4, 5 and 2 more"],
    [one("app_version", "version_eq", ["1.0"]), "app version is 1.0"],
    [field("build", "version_eq", "2"), "build is version 2"],
    [one("country", "any", []), "country is one of no values"],
    [one("user_id", "none", []), "id is none of no values"],
    [one("email", "str_contains_any", []), "e-mail contains one of no values"],
    [asks("passes_segment", []), "in one of no segments"],
    // What this version does not know is named as it is.
    [one("shoe_size", "any", ["42"]), "shoe_size is 42"],
    [one("email", "sounds_like", ["bob"]), "e-mail sounds_like bob"],
    [asks("passes_gate", UNKNOWN), "in gate not known yet"],
    [one("email", "any", "[secret]"), "e-mail is [secret]"],
  ])("%j: %s", (condition, text) => {
    expect(conditionText(condition)).toBe(text);
  });

  test("after a noun a condition reads on", () => {
    expect(clauseText(one("email", "any", ["a@example.com"]))).toBe("whose e-mail is a@example.com");
    const conditions = [one("country", "any", ["NZ"]), one("email", "str_contains_none", ["test"])];
    expect(audienceText(conditions)).toBe("users in NZ and whose e-mail does not contain test");
    expect(audienceText(conditions, { idType: "companyID" })).toMatch(/^units of companyID in NZ/);
    expect([audienceText([{ type: "public" }]), audienceText([])]).toEqual(["everyone", "everyone"]);
  });

  test("an object whose id only the update will tell is called by what is new", () => {
    const text = conditionText(asks("passes_segment", UNKNOWN), (kind) => `"fresh" (new ${kind})`);
    expect(text).toBe('in segment "fresh" (new segment)');
  });
});
