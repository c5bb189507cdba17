import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { conditionTypes } from "../../../src/provider/definitions/parts/condition-types";
import type { JsonObject } from "../../../src/provider/schema/json";
import { type Desk, openDesk } from "../desk";
import { type ServerSdk, startBoth, type User } from "./server-sdks";

/** A condition, somebody who meets it, and somebody who does not. */
type Row = readonly [title: string, condition: JsonObject, passes: User, fails: User];

const noon = 1_700_000_000_000;
const later = 4_000_000_000_000;
const safari =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 16_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.5 Mobile/15E148 Safari/604.1";
const chrome =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0 Safari/537.36";

const custom = (operator: string, targetValue?: unknown) => ({
  ...{ type: "custom_field", field: "f", operator },
  ...(targetValue === undefined ? {} : { targetValue }),
});
const having = (f: string | number | boolean | string[]): User => ({ userID: "u", custom: { f } });
const nobody: User = { userID: "u" };

const rows: readonly Row[] = [
  [
    "user_id any",
    { type: "user_id", operator: "any", targetValue: ["A1"] },
    { userID: "a1" },
    { userID: "b" },
  ],
  [
    "user_id none",
    { type: "user_id", operator: "none", targetValue: ["a1"] },
    { userID: "b" },
    { userID: "a1" },
  ],
  [
    "user_id, one id as a number",
    { type: "user_id", operator: "any", targetValue: [7] },
    { userID: "7" },
    { userID: "8" },
  ],
  [
    "email any",
    { type: "email", operator: "any", targetValue: ["a@b.c"] },
    { email: "A@b.c" },
    { email: "x@b.c" },
  ],
  [
    "email none, without an email",
    { type: "email", operator: "none", targetValue: ["a@b.c"] },
    nobody,
    { email: "a@b.c" },
  ],
  [
    "email contains",
    { type: "email", operator: "str_contains_any", targetValue: ["@acme.test"] },
    { email: "x@ACME.test" },
    { email: "x@other.test" },
  ],
  [
    "email contains none",
    { type: "email", operator: "str_contains_none", targetValue: ["@acme.test"] },
    { email: "x@other.test" },
    { email: "x@acme.test" },
  ],
  [
    "email matches",
    { type: "email", operator: "str_matches", targetValue: ["^x\\d+@"] },
    { email: "x1@a.b" },
    { email: "xy@a.b" },
  ],
  [
    "email matches one of two",
    { type: "email", operator: "str_matches", targetValue: ["^x", "^y"] },
    { email: "y@a.b" },
    { email: "z@a.b" },
  ],
  [
    "app_version",
    { type: "app_version", operator: "version_gte", targetValue: ["2.4"] },
    { appVersion: "2.4.1" },
    { appVersion: "2.3.9" },
  ],
  [
    "ip_address",
    { type: "ip_address", operator: "any", targetValue: ["192.0.2.1"] },
    { ip: "192.0.2.1" },
    { ip: "192.0.2.2" },
  ],
  [
    "locale",
    { type: "locale", operator: "any", targetValue: ["nl-NL"] },
    { locale: "nl-NL" },
    { locale: "de-DE" },
  ],
  [
    "user_agent",
    { type: "user_agent", operator: "str_contains_any", targetValue: ["iPhone"] },
    { userAgent: safari },
    { userAgent: chrome },
  ],
  [
    "url",
    { type: "url", operator: "str_contains_any", targetValue: ["/pay"] },
    { custom: { url: "https://a.test/pay" } },
    { custom: { url: "https://a.test/" } },
  ],
  [
    "device_model",
    { type: "device_model", operator: "any", targetValue: ["iPhone15,2"] },
    { custom: { device_model: "iPhone15,2" } },
    { custom: { device_model: "other" } },
  ],
  [
    "browser_name",
    { type: "browser_name", operator: "any", targetValue: ["Chrome"] },
    { userAgent: chrome },
    { userAgent: safari },
  ],
  [
    "browser_version",
    { type: "browser_version", operator: "version_gt", targetValue: "100" },
    { userAgent: chrome },
    { userAgent: safari },
  ],
  [
    "os_name",
    { type: "os_name", operator: "any", targetValue: ["iOS"] },
    { userAgent: safari },
    { userAgent: chrome },
  ],
  [
    "os_version",
    { type: "os_version", operator: "version_gte", targetValue: "16.0" },
    { userAgent: safari },
    { userAgent: chrome },
  ],
  [
    "country",
    { type: "country", operator: "any", targetValue: ["NZ"] },
    { country: "NZ" },
    { country: "NL" },
  ],
  [
    "country by the address",
    { type: "country", operator: "any", targetValue: ["US"] },
    { ip: "8.8.8.8" },
    { country: "NL" },
  ],
  [
    "environment_tier without operator",
    { type: "environment_tier", targetValue: ["staging"] },
    { statsigEnvironment: { tier: "staging" } },
    { statsigEnvironment: { tier: "production" } },
  ],
  [
    "environment_tier none",
    { type: "environment_tier", operator: "none", targetValue: ["staging"] },
    { statsigEnvironment: { tier: "production" } },
    { statsigEnvironment: { tier: "staging" } },
  ],
  [
    "unit_id",
    { type: "unit_id", customID: "companyID", operator: "any", targetValue: ["c-42"] },
    { customIDs: { companyID: "c-42" } },
    { customIDs: { companyID: "c-1" } },
  ],
  [
    "unit_id is null",
    { type: "unit_id", customID: "companyID", operator: "is_null" },
    nobody,
    { customIDs: { companyID: "c-1" } },
  ],
  [
    "unit_id is not null",
    { type: "unit_id", customID: "companyID", operator: "is_not_null" },
    { customIDs: { companyID: "c-1" } },
    nobody,
  ],
  [
    "unit_id contains",
    { type: "unit_id", customID: "companyID", operator: "str_contains_any", targetValue: ["c-"] },
    { customIDs: { companyID: "c-1" } },
    { customIDs: { companyID: "d" } },
  ],
  [
    "passes_gate",
    { type: "passes_gate", targetValue: "for_staff" },
    { email: "a@staff.test" },
    { email: "a@b.c" },
  ],
  [
    "fails_gate",
    { type: "fails_gate", targetValue: "for_staff" },
    { email: "a@b.c" },
    { email: "a@staff.test" },
  ],
  ["passes_segment", { type: "passes_segment", targetValue: "testers" }, { userID: "t1" }, { userID: "x" }],
  ["fails_segment", { type: "fails_segment", targetValue: "testers" }, { userID: "x" }, { userID: "t1" }],
  [
    "passes_segment, one of two",
    { type: "passes_segment", targetValue: ["testers", "dutch"] },
    { userID: "x", country: "NL" },
    { userID: "x", country: "DE" },
  ],
  [
    "fails_segment, neither of two",
    { type: "fails_segment", targetValue: ["testers", "dutch"] },
    { userID: "x", country: "DE" },
    { userID: "t2" },
  ],
  ["custom any", custom("any", ["pro", "31"]), having(31), having("x")],
  ["custom any, a truth value", custom("any", ["true"]), having(true), having(false)],
  ["custom none", custom("none", ["pro"]), nobody, having("PRO")],
  ["custom any_case_sensitive", custom("any_case_sensitive", ["Pro"]), having("Pro"), having("pro")],
  ["custom none_case_sensitive", custom("none_case_sensitive", ["Pro"]), having("pro"), having("Pro")],
  ["custom str_contains_any", custom("str_contains_any", ["ro"]), having("PRO"), having("x")],
  ["custom str_contains_none", custom("str_contains_none", ["ro"]), nobody, having("pro")],
  ["custom str_matches", custom("str_matches", ["^p.o$"]), having("pro"), having("Pro")],
  ["custom gt", custom("gt", [5]), having(6), having(5)],
  ["custom gte", custom("gte", "5"), having(5), having(4)],
  ["custom lt", custom("lt", 5), having(4), having(5)],
  ["custom lte", custom("lte", 5), having(5), having(6)],
  ["custom version_gt", custom("version_gt", "1.9"), having("1.10"), having("1.9")],
  ["custom version_gte", custom("version_gte", ["1.9"]), having("1.9.0"), having("1.8")],
  ["custom version_lt", custom("version_lt", "2"), having("1.99"), having("2.0")],
  ["custom version_lte", custom("version_lte", "2"), having("2.0.0"), having("2.0.1")],
  ["custom version_eq", custom("version_eq", "2.0"), having("2"), having("2.1")],
  ["custom before", custom("before", noon), having(noon - 1), having(noon + 1)],
  ["custom after", custom("after", [String(noon)]), having(noon + 1), having(noon - 1)],
  ["custom on", custom("on", noon), having(noon), having(noon + 3 * 86_400_000)],
  ["custom is_null", custom("is_null"), nobody, having("x")],
  ["custom is_not_null", custom("is_not_null"), having("x"), nobody],
  ["custom array_contains_any", custom("array_contains_any", ["a", "b"]), having(["b", "c"]), having(["c"])],
  ["custom array_contains_none", custom("array_contains_none", ["a"]), having(["c"]), having(["a"])],
  [
    "custom array_contains_all",
    custom("array_contains_all", ["a", "b"]),
    having(["a", "b", "c"]),
    having(["a"]),
  ],
  [
    "custom not_array_contains_all",
    custom("not_array_contains_all", ["a", "b"]),
    having(["a"]),
    having(["a", "b"]),
  ],
];

/** Everybody meets or nobody meets these. */
const always: readonly (readonly [title: string, condition: JsonObject, answer: boolean])[] = [
  ["public", { type: "public" }, true],
  ["any of nothing", { type: "user_id", operator: "any", targetValue: [] }, false],
  ["none of nothing", { type: "user_id", operator: "none", targetValue: [] }, true],
  ["time after", { type: "time", operator: "after", targetValue: noon }, true],
  ["time before", { type: "time", operator: "before", targetValue: noon }, false],
  ["time before, still to come", { type: "time", operator: "before", targetValue: later }, true],
  ["time as a number comparison", { type: "time", operator: "gt", targetValue: noon }, true],
  ["time on", { type: "time", operator: "on", targetValue: noon }, false],
  ["passes an unknown gate", { type: "passes_gate", targetValue: "unknown" }, false],
  ["fails an unknown segment", { type: "fails_segment", targetValue: "unknown" }, true],
];

/** What cannot be had: the answer is the SDK's default, and the log says why. */
const impossible: readonly (readonly [condition: JsonObject, said: RegExp])[] = [
  [
    { type: "javascript", targetValue: ["true"] },
    /gate never_0: rule "r": no server SDK evaluates a condition of type javascript/,
  ],
  [custom("encoded_any", ["u"]), /gate never_1: rule "r": no server SDK evaluates the operator encoded_any/],
  [custom("gt", "much"), /gate never_2: rule "r": the operator gt takes a number, not "much"/],
];

let desk: Desk;
let sdks: readonly ServerSdk[] = [];
const said: string[] = [];
const gate = (id: string, conditions: readonly unknown[], rest: JsonObject = {}) =>
  desk.must("POST", "/gates", {
    ...{ id, name: id, isEnabled: true },
    rules: [{ name: "r", passPercentage: 100, conditions, ...rest }],
  });

beforeAll(async () => {
  desk = await openDesk({ log: (line) => said.push(line) });
  await gate("for_staff", [{ type: "email", operator: "str_contains_any", targetValue: ["@staff.test"] }]);
  await desk.must("POST", "/segments", { id: "testers", name: "testers", type: "id_list" });
  await desk.must("PATCH", "/segments/testers/id_list", { ids: ["t1", "t2"] });
  const dutch = [{ type: "country", operator: "any", targetValue: ["NL"] }];
  const rules = [{ name: "r", passPercentage: 100, conditions: dutch }];
  await desk.must("POST", "/segments", { id: "dutch", name: "dutch", type: "rule_based", rules });
  for (const [index, [, condition]] of rows.entries()) await gate(`row_${index}`, [condition]);
  for (const [index, [, condition]] of always.entries()) await gate(`always_${index}`, [condition]);
  for (const [index, [condition]] of impossible.entries()) await gate(`never_${index}`, [condition]);
  await gate("in_staging", [], { environments: ["staging"] });
  await gate("nowhere", [], { environments: [] });
  await gate("of_group", [
    { type: "experiment_group", field: "exp", operator: "any", targetValue: ["Test"] },
  ]);
  sdks = await startBoth(desk.emulator.url);
});
afterAll(async () => {
  await Promise.all(sdks.map((sdk) => sdk.stop()));
  await desk.close();
});

describe.each(["node", "core"])("%s", (family) => {
  const answer = (name: string, user: User): boolean | undefined =>
    sdks.find((sdk) => sdk.family === family)?.gate(name, user);

  test.each(rows.map(([title, , passes, fails], index) => ({ title, index, passes, fails })))(
    "$title",
    ({ index, passes, fails }) => {
      expect([answer(`row_${index}`, passes), answer(`row_${index}`, fails)]).toEqual([true, false]);
    },
  );

  test("conditions that all or none meet", () => {
    expect(always.map(([title], index) => [title, answer(`always_${index}`, nobody)])).toEqual(
      always.map(([title, , wanted]) => [title, wanted]),
    );
  });

  test("the environments of a rule", () => {
    const tiers = ["staging", "production"].map((tier) => ({ userID: "u", statsigEnvironment: { tier } }));
    expect(tiers.map((user) => answer("in_staging", user))).toEqual([true, false]);
    expect(tiers.map((user) => answer("nowhere", user))).toEqual([false, false]);
  });

  test("what no SDK evaluates answers its default", () => {
    expect(impossible.map((_, index) => answer(`never_${index}`, having("u")))).toEqual(
      impossible.map(() => false),
    );
  });
});

test("what cannot be had is said once, by name", () => {
  for (const [, text] of impossible) expect(said.filter((line) => text.test(line))).toHaveLength(1);
  expect(
    said.filter((line) => /gate of_group: .*statsig-node does not know experiment_group/.test(line)),
  ).toHaveLength(1);
  expect(said).toHaveLength(impossible.length + 1);
});

test("every condition type of the catalog has a row", () => {
  const elsewhere = ["public", "time", "javascript", "experiment_group", "target_app"];
  const shown = new Set([...rows.map(([, { type }]) => String(type)), ...elsewhere]);
  expect(Object.keys(conditionTypes).filter((type) => !shown.has(type))).toEqual([]);
});
