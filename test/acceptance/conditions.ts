import type { JsonObject } from "../../src/provider/schema/json";

/** A condition; it has no member that is left out. */
const asks = (type: string, operator?: string, targetValue?: unknown, rest: JsonObject = {}): JsonObject => ({
  type,
  ...rest,
  ...(operator === undefined ? {} : { operator }),
  ...(targetValue === undefined ? {} : { targetValue }),
});
const ofField = (field: string, operator: string, targetValue?: unknown): JsonObject =>
  asks("custom_field", operator, targetValue, { field });
const ofUnit = (operator: string, targetValue?: unknown): JsonObject =>
  asks("unit_id", operator, targetValue, { customID: "stableID" });

/** Every condition type in the usual form of each of its shapes. */
export const conditions = {
  everyone: asks("public"),
  "user ids": asks("user_id", "any", ["1", "2"]),
  "user ids as numbers": asks("user_id", "none", [1, 2]),
  "one user id as text": asks("user_id", "any", "1"),
  "e-mails": asks("email", "str_contains_any", ["@example.com"]),
  "e-mails by pattern": asks("email", "str_matches", ["^a"]),
  "a custom field": ofField("plan", "any_case_sensitive", ["Pro"]),
  "a custom number": ofField("age", "gte", 18),
  "a custom version": ofField("sdk", "version_eq", "1.2"),
  "a custom time": ofField("born", "before", 1_700_000_000_000),
  "a custom list": ofField("roles", "array_contains_all", ["a", "b"]),
  "a missing custom field": ofField("plan", "is_null"),
  "unit ids": ofUnit("any", ["s1"]),
  "no unit id": ofUnit("is_null"),
  "an app version": asks("app_version", "version_gte", "2.0"),
  "app versions": asks("app_version", "any", ["2.0", "2.1"]),
  browsers: asks("browser_name", "any", ["Chrome", "Edge"]),
  "a browser version": asks("browser_version", "version_lt", "99"),
  "operating systems": asks("os_name", "none", ["iOS"]),
  "a system version in a list": asks("os_version", "version_gt", ["11.0.0"]),
  devices: asks("device_model", "any", ["Pixel"]),
  "no device": asks("device_model", "is_null"),
  "countries by pattern": asks("country", "str_matches", ["^C"]),
  countries: asks("country", "any", ["CH", "NZ"]),
  locales: asks("locale", "any", ["de_CH"]),
  addresses: asks("ip_address", "any", ["192.0.2.1"]),
  "addresses of pages": asks("url", "str_contains_any", ["/shop"]),
  agents: asks("user_agent", "str_contains_none", ["bot"]),
  "a target app": asks("target_app", "any", ["web"]),
  "another gate": asks("passes_gate", undefined, "beta"),
  "not another gate": asks("fails_gate", "", "beta"),
  "a segment": asks("passes_segment", undefined, "staff"),
  "segments in a list": asks("fails_segment", undefined, ["staff"]),
  "a time": asks("time", "after", 1_700_000_000_000),
  "an environment": asks("environment_tier", "any", ["production"]),
  "an environment without operator": asks("environment_tier", undefined, ["production"]),
} satisfies Record<string, JsonObject>;

/** A kind whose rules have conditions. */
export type RuledKind = "gate" | "dynamicConfig" | "segment";

const operators: readonly (readonly [kind: RuledKind, what: string, condition: JsonObject])[] = [
  ["gate", "a case-sensitive agent", asks("user_agent", "any_case_sensitive", ["A"])],
  ["gate", "everyone by an operator", asks("public", "any", ["x"])],
  ["gate", "no page", asks("url", "is_null")],
  ["gate", "a later address", asks("ip_address", "version_gt", "10.0")],
  ["gate", "a script", asks("javascript", "any", ["true"])],
  ["gate", "a script alone", asks("javascript", undefined, "return true")],
  ["gate", "a group", asks("experiment_group", "any", ["button:Test"])],
  ["gate", "a group and a field", asks("experiment_group", "none", "Test", { field: "button" })],
  ["gate", "a greater app version", asks("app_version", "gt", 2)],
  ["gate", "a system version on a day", asks("os_version", "on", 1_700_000_000_000)],
  ["gate", "a locale at all", asks("locale", "is_not_null")],
  ["gate", "hashed values of a field", ofField("mail", "encoded_any", ["x"])],
  ["gate", "a time between lists", asks("time", "array_contains_any", [1, 2])],
  ["dynamicConfig", "browsers by pattern", asks("browser_name", "str_matches", ["C.*"])],
  ["dynamicConfig", "an environment by text", asks("environment_tier", "str_contains_any", ["dev"])],
  ["dynamicConfig", "a gate by an operator", asks("fails_gate", "none", "other")],
  ["segment", "countries by pattern", asks("country", "str_matches", ["C."])],
  ["segment", "e-mails as a list", asks("email", "array_contains_any", ["a"])],
  ["segment", "unit ids by pattern", ofUnit("str_matches", ["a.*"])],
  ["segment", "greater unit ids", ofUnit("gt", 5)],
  ["segment", "a segment by an operator", asks("passes_segment", "any", ["staff"])],
];

/** Conditions that a program may set and that are unusual: in their operator, or in the form of what they compare with. */
export const unusualConditions: typeof operators = [
  ...operators,
  ["gate", "one user id as text", asks("user_id", "any", "1")],
  ["gate", "one user id as a number", asks("user_id", "any", 5)],
  ["gate", "user ids as numbers", asks("user_id", "none", [5, 6])],
  ["gate", "a version in a list", asks("app_version", "version_gte", ["1.0"])],
  ["gate", "a time as text", asks("time", "after", "1700000000000")],
  ["gate", "a time in a list", asks("time", "before", [1_700_000_000_000])],
  ["gate", "a gate in a list", asks("passes_gate", undefined, ["other"])],
  ["gate", "a number as text", ofField("age", "gt", "31")],
  ["gate", "no values", asks("email", "any", [])],
  ["gate", "an empty value", asks("email", "none", [""])],
  ["dynamicConfig", "one country as text", asks("country", "any", "CH")],
  ["dynamicConfig", "one environment as text", asks("environment_tier", undefined, "production")],
  ["segment", "one e-mail as text", asks("email", "str_contains_any", "@a")],
  ["segment", "a value of no operator", asks("country", "is_null", ["CH"])],
];
