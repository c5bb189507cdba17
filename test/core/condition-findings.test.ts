import { expect, test } from "@jest/globals";
import { check } from "../../src/provider/decisions/check";
import { catalog, type KindName } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { pathText } from "../../src/provider/schema/path";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { problemsOf, valid, withRule } from "./subjects";

const target = "rules[0].conditions[0].targetValue";

function warningsOf(args: JsonObject, kind: KindName = "gate"): string[] {
  const definition: ResourceDefinition = catalog[kind];
  return (definition.warnings?.({}, args) ?? []).map(({ path, message }) => `${pathText(path)}: ${message}`);
}

const matches = (targetValue: unknown) => ({ type: "email", operator: "str_matches", targetValue });
const version = (targetValue: unknown, operator = "version_gte") => ({
  ...{ type: "app_version", operator, targetValue },
});

test.each<[string, JsonObject, string]>([
  [
    "a pattern that does not compile",
    matches(["("]),
    `${target}[0]: found "("; the pattern does not compile (Unterminated group), so the condition never holds`,
  ],
  [
    "the same as one text, of a field",
    { ...matches("a{2,1}"), type: "custom_field", field: "plan" },
    `${target}: found "a{2,1}"; the pattern does not compile (numbers out of order in {} quantifier), so the condition never holds`,
  ],
  [
    "a version with a letter",
    version("v2.4"),
    `${target}: found "v2.4"; a version is numbers with dots, such as 1.20.3, so the condition never holds`,
  ],
  [
    "no version at all",
    version("-beta", "version_eq"),
    `${target}: found "-beta"; a version is numbers with dots, such as 1.20.3, so the condition never holds`,
  ],
])("%s is refused where it is new", (_, condition, problem) => {
  const args = withRule([condition]);
  for (const kind of ["gate", "dynamicConfig", "segment"] as const)
    expect(problemsOf(kind, args)).toEqual([problem]);
  expect(problemsOf("gate", args, { key: "checkout", rules: [] })).toEqual([problem]);
});

test.each([matches(["("]), version("v2.4")])("%j stays where the console has it, with a warning", (bad) => {
  const args = withRule([bad]);
  const olds = withRule([{ ...bad, targetValue: [bad.targetValue].flat() }]);
  expect(check(catalog.gate, { key: "a", ...olds }, { ...valid.gate, ...args }).problems).toEqual([]);
  expect(check(catalog.gate, { key: "a", ...args }, { ...valid.gate, ...olds }).problems).toEqual([]);
  expect(check(catalog.gate, {}, { ...valid.gate, ...args, adopt: true }).problems).toEqual([]);
  expect(check(catalog.gate, {}, { ...valid.gate, ...args, __adopt: "checkout" }).problems).toEqual([]);
  expect(warningsOf(args)).toEqual([expect.stringMatching(/so the condition never holds$/)]);
});

test("in a phase of a release pipeline", () => {
  const rules = [{ name: "Staff", conditions: [matches("(")] }];
  const phases = [{ name: "A", timeIntervalMs: 1, requiredReview: false, rules }];
  expect(problemsOf("releasePipeline", { name: "pipeline", phases })).toEqual([
    expect.stringContaining('phases[0].rules[0].conditions[0].targetValue: found "("'),
  ]);
});

test.each<[string, JsonObject, string]>([
  [
    "a pattern that JavaScript alone does not compile",
    matches(["(?i)staff"]),
    `${target}[0]: found "(?i)staff"; the pattern does not compile in JavaScript (Invalid group), so with statsig-node the condition never holds`,
  ],
  [
    "one bad pattern of two",
    matches(["^a", "("]),
    `${target}[1]: found "("; the pattern does not compile (Unterminated group), so the condition never holds`,
  ],
  ["an empty pattern", matches([""]), `${target}[0]: found ""; an empty pattern matches every text`],
  [
    "an empty part",
    { type: "email", operator: "str_contains_none", targetValue: ["a", ""] },
    `${target}[1]: found ""; every text contains an empty one`,
  ],
  [
    "a version that SDKs read differently",
    version("1..2"),
    `${target}: found "1..2"; a version is numbers with dots, such as 1.20.3: server SDKs read this one differently`,
  ],
  [
    "a time in seconds",
    { type: "time", operator: "after", targetValue: 1_767_225_600 },
    `${target}: found 1767225600, which is 1970-01-21: times are in milliseconds; did you mean 1767225600000?`,
  ],
  [
    "a time of a field in seconds, as text",
    { type: "custom_field", field: "since", operator: "before", targetValue: "1767225600" },
    `${target}: found "1767225600", which is 1970-01-21: times are in milliseconds; did you mean 1767225600000?`,
  ],
  [
    "a country by its name",
    { type: "country", operator: "any", targetValue: ["NL", "Germany"] },
    `${target}[1]: found "Germany"; a country is two letters such as "NL"; did you mean "DE"?`,
  ],
  [
    "a country by another code",
    { type: "country", operator: "none", targetValue: "UK" },
    `${target}: found "UK"; a country is two letters such as "NL"; did you mean "GB"?`,
  ],
  [
    "no country",
    { type: "country", operator: "any", targetValue: ["EMEA"] },
    `${target}[0]: found "EMEA"; a country is two letters such as "NL"`,
  ],
  [
    "a network for an address",
    { type: "ip_address", operator: "any", targetValue: ["10.0.0.0/8", "::1", "192.0.2.1"] },
    `${target}[0]: found "10.0.0.0/8", which is no address; server SDKs compare whole addresses, such as 192.0.2.1`,
  ],
  [
    "no values that match",
    { type: "country", operator: "any", targetValue: [] },
    `${target}: is empty, so the condition never holds`,
  ],
  [
    "no values that do not match",
    { type: "user_id", operator: "none", targetValue: [] },
    `${target}: is empty, so the condition always holds`,
  ],
  [
    "no segments to be in",
    { type: "passes_segment", targetValue: [] },
    `${target}: is empty, so the condition never holds`,
  ],
  [
    "no environments of a condition",
    { type: "environment_tier", targetValue: [] },
    `${target}: is empty, so the condition never holds`,
  ],
])("%s passes with a warning", (_, condition, warning) => {
  const args = withRule([condition]);
  expect(problemsOf("gate", args)).toEqual([]);
  expect(warningsOf(args)).toEqual([warning]);
});

test("a rule for no environment passes with a warning", () => {
  const args = withRule([{ type: "public" }], { environments: [] });
  expect(problemsOf("gate", args)).toEqual([]);
  expect(warningsOf(args)).toEqual([
    "rules[0].environments: is empty, so the rule holds in no environment; null stands for every one",
  ]);
});

test.each<JsonObject>([
  matches(["^qa\\+\\d+@", "`$"]),
  matches([UNKNOWN, `^${UNKNOWN}(`]),
  matches(UNKNOWN),
  version("2"),
  version("17.0.1-beta.2"),
  version(UNKNOWN),
  { type: "app_version", operator: "any", targetValue: ["v2"] },
  { type: "time", operator: "after", targetValue: 1_767_225_600_000 },
  { type: "time", operator: "before", targetValue: 0 },
  { type: "custom_field", field: "level", operator: "gt", targetValue: 1_767_225_600 },
  { type: "country", operator: "any", targetValue: ["nl", "GB", UNKNOWN] },
  { type: "ip_address", operator: "none", targetValue: ["192.0.2.1", "2001:db8::1", UNKNOWN] },
  { type: "custom_field", field: "plan", operator: "any", targetValue: [""] },
  { type: "public", targetValue: [] },
  { type: "unit_id", customID: "c", operator: "is_null", targetValue: [] },
])("%j is fine", (condition) => {
  const args = withRule([condition]);
  expect(problemsOf("gate", args)).toEqual([]);
  expect(warningsOf(args)).toEqual([]);
});

test.each<JsonObject>([
  matches(["@example[.]com$"]),
  ...["str_contains_any", "str_contains_none", "str_matches"].map((operator) => ({
    ...{ type: "device_model", operator, targetValue: ["Pixel"] },
  })),
  { type: "device_model", operator: "is_null" },
  { type: "unit_id", customID: "stableID", operator: "str_matches", targetValue: ["a"] },
])("%j, which live consoles have, is usual", (condition) => {
  expect(warningsOf(withRule([condition]))).toEqual([]);
});
