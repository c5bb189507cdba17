import { expect, test } from "@jest/globals";
import { gate } from "../../src/provider/definitions/flags/gate";
import { conditionTypes } from "../../src/provider/definitions/parts/condition-types";
import { itemsOf, type Node, propertiesOf, treeOf } from "../../src/provider/schema/tree";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { audienceText, clauseText, conditionText } from "../../src/provider/words";

const inside = (node: Node | undefined, name: string) => propertiesOf(itemsOf(node as Node) as Node)?.[name];
const operatorNode = inside(inside(treeOf(gate).rules?.node, "conditions"), "operator") as Node;
const operators = [operatorNode, ...(operatorNode.anyOf ?? [])].flatMap((node) =>
  (node.enum ?? []).map(String),
);

test("there are 25 types and 26 operators to have words for", () => {
  expect(Object.keys(conditionTypes)).toHaveLength(25);
  expect(operators.filter((operator) => operator !== "")).toHaveLength(26);
});

test.each(Object.keys(conditionTypes))("%s has words with every operator", (type) => {
  for (const operator of operators) {
    const text = conditionText({
      type,
      operator,
      field: "plan",
      customID: "companyID",
      targetValue: ["1", "2"],
    });
    // What the API calls things is no word.
    expect(text).not.toMatch(/_/);
    expect(text.length).toBeGreaterThan(3);
  }
});

const words: [condition: object, text: string][] = [
  [{ type: "country", operator: "any", targetValue: ["NZ", "AU"] }, "in NZ, AU"],
  [{ type: "country", operator: "none", targetValue: ["NZ"] }, "not in NZ"],
  [
    { type: "email", operator: "str_contains_any", targetValue: ["@example.com"] },
    "e-mail contains @example.com",
  ],
  [{ type: "email", operator: "str_matches", targetValue: "^a.*$" }, 'e-mail matches the pattern "^a.*$"'],
  [{ type: "passes_segment", targetValue: "staff" }, 'in segment "staff"'],
  [{ type: "passes_segment", targetValue: ["staff", "beta"] }, 'in segment "staff" or "beta"'],
  [{ type: "fails_gate", targetValue: "x" }, 'not in gate "x"'],
  [{ type: "public" }, "everyone"],
  [{ type: "app_version", operator: "version_gte", targetValue: "2.4.0" }, "app version is 2.4.0 or later"],
  [{ type: "custom_field", field: "age", operator: "gt", targetValue: 17 }, "age is more than 17"],
  [{ type: "custom_field", field: "plan", operator: "is_null" }, "plan is not set"],
  [
    { type: "custom_field", field: "born", operator: "before", targetValue: 0 },
    "born is before 1970-01-01 00:00 UTC",
  ],
  [{ type: "time", operator: "after", targetValue: 1_767_225_600_000 }, "after 2026-01-01 00:00 UTC"],
  [{ type: "unit_id", customID: "companyID", operator: "any", targetValue: ["c-42"] }, "companyID is c-42"],
  [{ type: "environment_tier", targetValue: ["staging"] }, "in environment staging"],
  [{ type: "os_name", operator: "none", targetValue: ["iOS"] }, "not on iOS"],
  [
    { type: "user_id", operator: "any", targetValue: ["1", "2", "3", "4", "5", "6", "7"] },
    "with id 1, 2, 3, 4, 5 and 2 more",
  ],
  // B16
  [{ type: "app_version", operator: "version_eq", targetValue: ["1.0"] }, "app version is 1.0"],
  [{ type: "custom_field", field: "build", operator: "version_eq", targetValue: "2" }, "build is version 2"],
  [{ type: "country", operator: "any", targetValue: [] }, "country is one of no values"],
  [{ type: "user_id", operator: "none", targetValue: [] }, "id is none of no values"],
  [{ type: "email", operator: "str_contains_any", targetValue: [] }, "e-mail contains one of no values"],
  [{ type: "passes_segment", targetValue: [] }, "in one of no segments"],
  // What this version does not know is named as it is.
  [{ type: "shoe_size", operator: "any", targetValue: ["42"] }, "shoe_size is 42"],
  [{ type: "email", operator: "sounds_like", targetValue: ["bob"] }, "e-mail sounds_like bob"],
  [{ type: "passes_gate", targetValue: UNKNOWN }, "in gate not known yet"],
  [{ type: "email", operator: "any", targetValue: "[secret]" }, "e-mail is [secret]"],
];

test.each(words)("%j", (condition, text) => {
  expect(conditionText(condition)).toBe(text);
});

test("after a noun a condition reads on", () => {
  expect(clauseText({ type: "email", operator: "any", targetValue: ["a@example.com"] })).toBe(
    "whose e-mail is a@example.com",
  );
  const conditions = [
    { type: "country", operator: "any", targetValue: ["NZ"] },
    { type: "email", operator: "str_contains_none", targetValue: ["test"] },
  ];
  expect(audienceText(conditions)).toBe("users in NZ and whose e-mail does not contain test");
  expect(audienceText(conditions, { idType: "companyID" })).toMatch(/^units of companyID in NZ/);
  expect(audienceText([{ type: "public" }])).toBe("everyone");
  expect(audienceText([])).toBe("everyone");
});

test("an object whose id only the update will tell is called by what is new", () => {
  const condition = { type: "passes_segment", targetValue: UNKNOWN };
  expect(conditionText(condition, (kind) => `"fresh" (new ${kind})`)).toBe(
    'in segment "fresh" (new segment)',
  );
});
