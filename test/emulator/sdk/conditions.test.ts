import { describe, expect, test } from "@jest/globals";
import { type Reading, translationOf } from "../../../src/emulator/sdk/reading";
import { specConditions } from "../../../src/emulator/sdk/spec/conditions";
import { consoleCondition } from "../../../src/emulator/sdk/spec/console-condition";
import { type ConditionType, conditionTypes } from "../../../src/provider/definitions/parts/condition-types";
import type { JsonObject } from "../../../src/provider/schema/json";
import { conditionText } from "../../../src/provider/words";
import { ruleFor } from "../desk";
import type { User } from "./server-sdks";
import { sharedSdks } from "./test-sdks";

/** A condition, somebody who meets it, and somebody who does not. */
type Row = readonly [title: string, condition: JsonObject, passes: User, fails: User];

const noon = 1_700_000_000_000;
const later = 4_000_000_000_000;
const safari =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 16_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.5 Mobile/15E148 Safari/604.1";
const chrome =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0 Safari/537.36";

/** A condition of a type; left out: it has no such member. */
const is = (type: string, operator?: string, targetValue?: unknown, more: JsonObject = {}): JsonObject => ({
  ...{ type, ...more },
  ...(operator === undefined ? {} : { operator }),
  ...(targetValue === undefined ? {} : { targetValue }),
});
const custom = (operator: string, target?: unknown) => is("custom_field", operator, target, { field: "f" });
const company = (operator: string, target?: unknown) =>
  is("unit_id", operator, target, { customID: "companyID" });
const having = (f: string | number | boolean | string[]): User => ({ userID: "u", custom: { f } });
const of = (companyID: string): User => ({ customIDs: { companyID } });
const by = (email: string): User => ({ email });
const at = (url: string): User => ({ custom: { url } });
const on = (device_model: string): User => ({ custom: { device_model } });
const inTier = (tier: string): User => ({ userID: "u", statsigEnvironment: { tier } });
const nobody: User = { userID: "u" };
const both = ["testers", "dutch"];
const inCountry = (country: string): User => ({ userID: "x", country });
const [dutch, german] = [inCountry("NL"), inCountry("DE")];
const [a1, b, t1, x] = [{ userID: "a1" }, { userID: "b" }, { userID: "t1" }, { userID: "x" }];
const [onSafari, onChrome] = [{ userAgent: safari }, { userAgent: chrome }];

const rows: readonly Row[] = [
  ["user_id any", is("user_id", "any", ["A1"]), a1, b],
  ["user_id none", is("user_id", "none", ["a1"]), b, a1],
  ["user_id, one id as a number", is("user_id", "any", [7]), { userID: "7" }, { userID: "8" }],
  ["email any", is("email", "any", ["a@b.c"]), by("A@b.c"), by("x@b.c")],
  ["email none, without an email", is("email", "none", ["a@b.c"]), nobody, by("a@b.c")],
  ["email contains", is("email", "str_contains_any", ["@acme.test"]), by("x@ACME.test"), by("x@b.test")],
  ["email contains none", is("email", "str_contains_none", ["@acme.test"]), by("x@b.c"), by("x@acme.test")],
  ["email matches", is("email", "str_matches", ["^x\\d+@"]), by("x1@a.b"), by("xy@a.b")],
  ["email matches one of two", is("email", "str_matches", ["^x", "^y"]), by("y@a.b"), by("z@a.b")],
  [
    "app_version",
    is("app_version", "version_gte", ["2.4"]),
    { appVersion: "2.4.1" },
    { appVersion: "2.3.9" },
  ],
  ["ip_address", is("ip_address", "any", ["192.0.2.1"]), { ip: "192.0.2.1" }, { ip: "192.0.2.2" }],
  ["locale", is("locale", "any", ["nl-NL"]), { locale: "nl-NL" }, { locale: "de-DE" }],
  ["user_agent", is("user_agent", "str_contains_any", ["iPhone"]), onSafari, onChrome],
  ["url", is("url", "str_contains_any", ["/pay"]), at("https://a.test/pay"), at("https://a.test/")],
  ["device_model", is("device_model", "any", ["iPhone15,2"]), on("iPhone15,2"), on("other")],
  ["browser_name", is("browser_name", "any", ["Chrome"]), onChrome, onSafari],
  ["browser_version", is("browser_version", "version_gt", "100"), onChrome, onSafari],
  ["os_name", is("os_name", "any", ["iOS"]), onSafari, onChrome],
  ["os_version", is("os_version", "version_gte", "16.0"), onSafari, onChrome],
  ["country", is("country", "any", ["NZ"]), { country: "NZ" }, { country: "NL" }],
  ["country by the address", is("country", "any", ["US"]), { ip: "8.8.8.8" }, { country: "NL" }],
  ["tier without operator", is("environment_tier", undefined, ["s"]), inTier("s"), inTier("production")],
  ["tier none", is("environment_tier", "none", ["s"]), inTier("production"), inTier("s")],
  ["unit_id", company("any", ["c-42"]), of("c-42"), of("c-1")],
  ["unit_id is null", company("is_null"), nobody, of("c-1")],
  ["unit_id is not null", company("is_not_null"), of("c-1"), nobody],
  ["unit_id contains", company("str_contains_any", ["c-"]), of("c-1"), of("d")],
  ["passes_gate", is("passes_gate", undefined, "for_staff"), by("a@staff.test"), by("a@b.c")],
  ["fails_gate", is("fails_gate", undefined, "for_staff"), by("a@b.c"), by("a@staff.test")],
  ["passes_segment", is("passes_segment", undefined, "testers"), t1, x],
  ["fails_segment", is("fails_segment", undefined, "testers"), x, t1],
  ["passes_segment, one of two", is("passes_segment", undefined, both), dutch, german],
  ["fails_segment, neither of two", is("fails_segment", undefined, both), german, { userID: "t2" }],
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
  ["custom array_contains_all", custom("array_contains_all", ["a", "b"]), having(["a", "b"]), having(["a"])],
  ["custom not array all", custom("not_array_contains_all", ["a", "b"]), having(["a"]), having(["a", "b"])],
];

/** Everybody meets or nobody meets these. */
const always: readonly (readonly [title: string, condition: JsonObject, answer: boolean])[] = [
  ["public", is("public"), true],
  ["any of nothing", is("user_id", "any", []), false],
  ["none of nothing", is("user_id", "none", []), true],
  ["time after", is("time", "after", noon), true],
  ["time before", is("time", "before", noon), false],
  ["time before, still to come", is("time", "before", later), true],
  ["time as a number comparison", is("time", "gt", noon), true],
  ["time on", is("time", "on", noon), false],
  ["passes an unknown gate", is("passes_gate", undefined, "unknown"), false],
  ["fails an unknown segment", is("fails_segment", undefined, "unknown"), true],
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

const said: string[] = [];
const { all } = sharedSdks(
  async ({ must }) => {
    const gate = (id: string, conditions: readonly unknown[], rest: JsonObject = {}) =>
      must("POST", "/gates", { id, rules: [{ ...ruleFor("r"), conditions, ...rest }] });
    await gate("for_staff", [is("email", "str_contains_any", ["@staff.test"])]);
    await must("POST", "/segments", { name: "testers", type: "id_list" });
    await must("PATCH", "/segments/testers/id_list", { ids: ["t1", "t2"] });
    const rules = [{ ...ruleFor("r"), conditions: [is("country", "any", ["NL"])] }];
    await must("POST", "/segments", { name: "dutch", type: "rule_based", rules });
    for (const [index, [, condition]] of rows.entries()) await gate(`row_${index}`, [condition]);
    for (const [index, [, condition]] of always.entries()) await gate(`always_${index}`, [condition]);
    for (const [index, [condition]] of impossible.entries()) await gate(`never_${index}`, [condition]);
    await gate("in_staging", [], { environments: ["staging"] });
    await gate("nowhere", [], { environments: [] });
    await gate("of_group", [is("experiment_group", "any", ["Test"], { field: "exp" })]);
  },
  { log: (line) => said.push(line) },
);

describe.each(["node", "core"])("%s", (family) => {
  const answer = (name: string, user: User): boolean | undefined =>
    all()
      .find((sdk) => sdk.family === family)
      ?.gate(name, user);

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
    const tiers = [inTier("staging"), inTier("production")];
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
  const ofGroup = /gate of_group: .*statsig-node does not know experiment_group/;
  expect(said.filter((line) => ofGroup.test(line))).toHaveLength(1);
  expect(said).toHaveLength(impossible.length + 1);
});

test("every condition type of the catalog has a row", () => {
  const elsewhere = ["public", "time", "javascript", "experiment_group", "target_app"];
  const shown = new Set([...rows.map(([, { type }]) => String(type)), ...elsewhere]);
  expect(Object.keys(conditionTypes).filter((type) => !shown.has(type))).toEqual([]);
});

/** What no SDK is told, so that nothing leads back. */
const untold = new Set(["javascript"]);

const two = ["a", "b"];
const targets: Readonly<Record<string, unknown>> = {
  ...{ texts: two, values: two, text: "1.2", some: "a", number: 1767225600000, none: undefined },
};

const cases = Object.entries<ConditionType>(conditionTypes)
  .filter(([type]) => !untold.has(type))
  .flatMap(([type, { operators, needs }]) => {
    const named = needs === undefined ? {} : { [needs]: "plan" };
    const known: [string, string][] = Object.entries(operators === "any" ? { any: "texts" } : operators);
    return known.map(([operator, shape]): [string, JsonObject] => [
      `${type} ${operator}`,
      {
        ...{ type, ...named, ...(operator === "" ? {} : { operator }) },
        // Several patterns go to an SDK as one.
        targetValue: operator === "str_matches" ? ["a"] : (targets[shape] ?? null),
      },
    ]);
  });

test.each(cases)("%s is said of a server SDK's condition in the same words", (_, condition) => {
  const gate = translationOf({ tell() {}, addGate() {} } as unknown as Reading, "gate", {});
  const [told] = specConditions(gate, { name: "Rule", conditions: [condition] });
  const back = told === undefined ? undefined : consoleCondition(told);
  expect(conditionText(back)).toBe(conditionText(condition));
});
