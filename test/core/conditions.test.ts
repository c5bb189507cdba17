import { expect, test } from "@jest/globals";
import { check } from "../../src/provider/decisions/check";
import { catalog } from "../../src/provider/definitions";
import { conditionTypes } from "../../src/provider/definitions/parts/condition-types";
import type { JsonObject } from "../../src/provider/schema/json";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { problemsOf, valid, warningsOf, withRule } from "./subjects";

const at = "rules[0].conditions[0]";
const target = `${at}.targetValue`;

const of = (type: string, operator: string | undefined, targetValue?: unknown): JsonObject => ({
  type,
  ...(operator === undefined ? {} : { operator }),
  ...(targetValue === undefined ? {} : { targetValue }),
});
const matches = (targetValue: unknown) => of("email", "str_matches", targetValue);
const version = (targetValue: unknown, operator = "version_gte") => of("app_version", operator, targetValue);
const time = (targetValue: unknown, operator = "after") => of("time", operator, targetValue);
const country = (...targetValue: string[]) => of("country", "any", targetValue);
const field = (name: string, operator: string, targetValue: unknown) => ({
  ...of("custom_field", operator, targetValue),
  field: name,
});
const unit = (customID: string, operator: string, targetValue: unknown) => ({
  ...of("unit_id", operator, targetValue),
  customID,
});
const never = "so the condition never holds";
const broken = "the pattern does not compile";
const numbers = "a version is numbers with dots, such as 1.20.3";
const letters = 'a country is two letters such as "NL"';
const inMs = "which is 1970-01-21: times are in milliseconds; did you mean 1767225600000?";

test.each<[JsonObject, string]>([
  [matches(["("]), `[0]: found "("; ${broken} (Unterminated group), ${never}`],
  [
    field("plan", "str_matches", "a{2,1}"),
    `: found "a{2,1}"; ${broken} (numbers out of order in {} quantifier), ${never}`,
  ],
  [version("v2.4"), `: found "v2.4"; ${numbers}, ${never}`],
  [version("-beta", "version_eq"), `: found "-beta"; ${numbers}, ${never}`],
])("%j is refused where it is new", (condition, problem) => {
  const args = withRule([condition]);
  for (const kind of ["gate", "dynamicConfig", "segment"] as const)
    expect(problemsOf(kind, args)).toEqual([target + problem]);
  expect(problemsOf("gate", args, { key: "checkout", rules: [] })).toEqual([target + problem]);
  const rules = [{ name: "Staff", conditions: [condition] }];
  const phases = [{ name: "A", timeIntervalMs: 1, requiredReview: false, rules }];
  expect(problemsOf("releasePipeline", { name: "pipeline", phases })).toEqual([
    `phases[0].${target}${problem}`,
  ]);
});

test.each([matches(["("]), version("v2.4")])("%j stays where the console has it, with a warning", (bad) => {
  const args = withRule([bad]);
  const olds = withRule([{ ...bad, targetValue: [bad.targetValue].flat() }]);
  for (const [before, now] of [
    [{ key: "a", ...olds }, args],
    [{ key: "a", ...args }, olds],
    [{}, { ...args, adopt: true }],
    [{}, { ...args, __adopt: "checkout" }],
  ] as const)
    expect(check(catalog.gate, before, { ...valid.gate, ...now }).problems).toEqual([]);
  expect(warningsOf("gate", {}, args)).toEqual([expect.stringMatching(/so the condition never holds$/)]);
});

test.each<[JsonObject, string]>([
  [
    matches(["(?i)staff"]),
    `[0]: found "(?i)staff"; ${broken} in JavaScript (Invalid group), so with statsig-node the condition never holds`,
  ],
  [matches(["^a", "("]), `[1]: found "("; ${broken} (Unterminated group), ${never}`],
  [matches([""]), '[0]: found ""; an empty pattern matches every text'],
  [of("email", "str_contains_none", ["a", ""]), '[1]: found ""; every text contains an empty one'],
  [version("1..2"), `: found "1..2"; ${numbers}: server SDKs read this one differently`],
  [time(1_767_225_600), `: found 1767225600, ${inMs}`],
  [field("since", "before", "1767225600"), `: found "1767225600", ${inMs}`],
  [country("NL", "Germany"), `[1]: found "Germany"; ${letters}; did you mean "DE"?`],
  [of("country", "none", "UK"), `: found "UK"; ${letters}; did you mean "GB"?`],
  [country("EMEA"), `[0]: found "EMEA"; ${letters}`],
  [
    of("ip_address", "any", ["10.0.0.0/8", "::1", "192.0.2.1"]),
    '[0]: found "10.0.0.0/8", which is no address; server SDKs compare whole addresses, such as 192.0.2.1',
  ],
  [country(), `: is empty, ${never}`],
  [of("user_id", "none", []), ": is empty, so the condition always holds"],
  [of("passes_segment", undefined, []), `: is empty, ${never}`],
  [of("environment_tier", undefined, []), `: is empty, ${never}`],
  [of("user_id", "any"), ': missing; "any" usually has one'],
  [of("passes_gate", undefined, ""), ': missing; "passes_gate" usually has one'],
  [version(["1", "2"], "version_gt"), ': found 2 values; "version_gt" usually has one'],
  [time("tomorrow"), ': found "tomorrow"; "after" usually has a number'],
  [time(" "), ': found " "; "after" usually has a number'],
  [of("public", undefined, ["x"]), ': "public" takes none: it is not sent'],
])("%j passes with a warning: %s", (condition, warning) => {
  const args = withRule([condition]);
  expect(problemsOf("gate", args)).toEqual([]);
  expect(warningsOf("gate", {}, args)).toEqual([target + warning]);
});

const mailOperators = Object.keys(conditionTypes.email.operators).join(", ");

test.each<[string, "gate" | "segment", JsonObject, string]>([
  [
    ...(["[X4] no operator", "gate", of("email", undefined, ["a"])] as const),
    `${at}.operator: no operator is unusual for "email": usual is ${mailOperators}`,
  ],
  [
    ...(["an operator of another type", "gate", of("country", "gt", ["CH"])] as const),
    `${at}.operator: "gt" is unusual for "country": usual is any, none`,
  ],
  [
    ...(["an operator where there is usually none", "gate", of("passes_gate", "any", "other")] as const),
    `${at}.operator: "any" is unusual for "passes_gate": usual is none`,
  ],
  [
    ...(["no segment to pass", "segment", of("passes_segment", undefined)] as const),
    `${target}: missing; "passes_segment" usually has one`,
  ],
  [
    ...(["a target value of is_null", "segment", unit("c", "is_null", "x")] as const),
    `${target}: "is_null" takes none: it is not sent`,
  ],
])("%s in a %s passes, and a preview says so", (_, kind, condition, warning) => {
  const args = withRule([condition]);
  expect(problemsOf(kind, args)).toEqual([]);
  expect(warningsOf(kind, {}, args)).toEqual([warning]);
});

test("a rule for no environment passes with a warning", () => {
  expect(warningsOf("gate", {}, withRule([{ type: "public" }], { environments: [] }))).toEqual([
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
  version(["v2"], "any"),
  time(1_767_225_600_000),
  time(0, "before"),
  field("level", "gt", 1_767_225_600),
  country("nl", "GB", UNKNOWN),
  of("ip_address", "none", ["192.0.2.1", "2001:db8::1", UNKNOWN]),
  field("plan", "any", [""]),
  of("public", undefined, []),
  unit("c", "is_null", []),
  of("passes_segment", undefined, ["a", "b"]),
  // Live consoles have these.
  matches(["@example[.]com$"]),
  ...["str_contains_any", "str_matches"].map((operator) => of("device_model", operator, ["Pixel"])),
  of("device_model", "is_null"),
  unit("stableID", "str_matches", ["a"]),
])("[O3] %j is fine", (condition) => {
  const args = withRule([condition]);
  expect(problemsOf("gate", args)).toEqual([]);
  expect(warningsOf("gate", {}, args)).toEqual([]);
});
