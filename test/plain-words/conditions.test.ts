import { expect, test } from "@jest/globals";
import { gate } from "../../src/provider/definitions/flags/gate";
import { conditionOperators } from "../../src/provider/definitions/parts/condition-operators";
import { conditionTypes } from "../../src/provider/definitions/parts/condition-types";
import { itemsOf, type Node, propertiesOf, treeOf } from "../../src/provider/schema/tree";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { audienceText, clauseText, conditionText } from "../../src/provider/words";

const inside = (node: Node | undefined, name: string) => propertiesOf(itemsOf(node as Node) as Node)?.[name];
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
