import { expect, test } from "@jest/globals";
import { catalog, type KindName } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { pathText } from "../../src/provider/schema/path";
import { problemsOf, withRule } from "./subjects";

const operator = "rules[0].conditions[0].operator";
const target = "rules[0].conditions[0].targetValue";

/** What is unusual, in which kind, the condition, and what a preview tells. */
type Case = readonly [what: string, kind: KindName, condition: JsonObject, ...warnings: string[]];

const cases: Case[] = [
  [
    "[X4] no operator",
    "gate",
    { type: "email", targetValue: ["a"] },
    `${operator}: no operator is unusual for "email": usual is any, none, str_contains_any, str_contains_none, str_matches`,
  ],
  [
    "an operator of another type",
    "gate",
    { type: "country", operator: "gt", targetValue: ["CH"] },
    `${operator}: "gt" is unusual for "country": usual is any, none`,
  ],
  [
    "an operator where there is usually none",
    "gate",
    { type: "passes_gate", operator: "any", targetValue: "other" },
    `${operator}: "any" is unusual for "passes_gate": usual is none`,
  ],
  [
    "no target value",
    "gate",
    { type: "user_id", operator: "any" },
    `${target}: missing; "any" usually has one`,
  ],
  [
    "no segment to pass",
    "segment",
    { type: "passes_segment" },
    `${target}: missing; "passes_segment" usually has one`,
  ],
  [
    "an empty gate id",
    "gate",
    { type: "passes_gate", targetValue: "" },
    `${target}: missing; "passes_gate" usually has one`,
  ],
  [
    "two values where there is usually one",
    "gate",
    { type: "app_version", operator: "version_gt", targetValue: ["1", "2"] },
    `${target}: found 2 values; "version_gt" usually has one`,
  ],
  [
    "text where there is usually a number",
    "gate",
    { type: "time", operator: "after", targetValue: "tomorrow" },
    `${target}: found "tomorrow"; "after" usually has a number`,
  ],
  [
    "a blank where there is usually a number",
    "gate",
    { type: "time", operator: "after", targetValue: " " },
    `${target}: found " "; "after" usually has a number`,
  ],
  [
    "a target value of public",
    "gate",
    { type: "public", targetValue: ["x"] },
    `${target}: "public" takes none: it is not sent`,
  ],
  [
    "a target value of is_null",
    "segment",
    { type: "unit_id", customID: "c", operator: "is_null", targetValue: "x" },
    `${target}: "is_null" takes none: it is not sent`,
  ],
  ["several segments", "gate", { type: "passes_segment", targetValue: ["a", "b"] }],
];

test.each(cases)("%s in a %s passes, and a preview says so", (_what, kind, condition, ...warnings) => {
  const args = withRule([condition]);
  expect(problemsOf(kind, args)).toEqual([]);
  const definition: ResourceDefinition = catalog[kind];
  const told = (definition.warnings?.({}, args) ?? []).map(
    ({ path, message }) => `${pathText(path)}: ${message}`,
  );
  expect(told).toEqual(warnings);
});
