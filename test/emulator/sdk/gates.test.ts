import { expect, test } from "@jest/globals";
import type { JsonObject } from "../../../src/provider/schema/json";
import { type Desk, ruleFor } from "../desk";
import { measureShares } from "./measure";
import type { User } from "./server-sdks";
import { sharedSdks } from "./test-sdks";

const rule = (name: string, passPercentage: number, ...conditions: JsonObject[]) => ({
  ...ruleFor(name, passPercentage),
  ...(conditions.length > 0 && { conditions }),
});
const inCountry = (country: string) => ({ type: "country", operator: "any", targetValue: [country] });
const passes = (segment: string) => ({ type: "passes_segment", targetValue: segment });
const overrides = (passingUserIDs: readonly string[], failingUserIDs: string[] = []) => ({
  ...{ passingUserIDs, failingUserIDs, passingCustomIDs: [], failingCustomIDs: [] },
  environmentOverrides: [],
});

const names = ["Ann", "Bob"];

async function fill({ must }: Desk): Promise<void> {
  const gate = (id: string, rules: readonly JsonObject[], rest: JsonObject = {}) =>
    must("POST", "/gates", { id, rules, ...rest });
  const list = async (name: string, ids: readonly string[]) => {
    await must("POST", "/segments", { name, type: "id_list" });
    await must("PATCH", `/segments/${name}/id_list`, { ids });
    await gate(`for_${name}`, [rule("r", 100, passes(name))]);
  };
  await gate("first_rule", [
    rule("Staff", 100, { type: "email", operator: "str_contains_any", targetValue: ["@staff.test"] }),
    rule("Nobody from here", 0, inCountry("NZ")),
    rule("Everyone", 100),
  ]);
  await gate("no_rules", []);
  await gate("off", [rule("r", 100)], { isEnabled: false });
  await gate("launched", [rule("r", 0)]);
  await must("PUT", "/gates/launched/launch", {});
  await gate("archived", [rule("r", 100)]);
  await must("PUT", "/gates/archived/archive", {});
  await gate("per_company", [rule("r", 50)], { idType: "companyID" });
  await gate("overridden", [rule("r", 100, inCountry("NL"))]);
  const inStaging = { environment: "staging", unitID: "userID", passingIDs: ["in_staging"], failingIDs: [] };
  const environmentOverrides = [inStaging];
  await must("POST", "/gates/overridden/overrides", {
    ...overrides(["always"], ["never"]),
    environmentOverrides,
  });
  for (const id of ["held_out", "not_held_out"]) await gate(id, [rule("r", 100)]);
  await must("POST", "/holdouts", { name: "tenth", idType: "userID" });
  await must("PATCH", "/holdouts/tenth", { isEnabled: true, passPercentage: 10, gateIDs: ["held_out"] });
  await must("POST", "/holdouts/tenth/overrides", overrides(names));
  await list(
    "long_list",
    Array.from({ length: 1500 }, (_, index) => `id${index}`),
  );
  await list("gone", ["g"]);
  await must("PUT", "/segments/gone/archive", {});
}

const { both } = sharedSdks(fill, { idLists: true });

const answers = (name: string, ...users: readonly User[]): boolean[] =>
  both((sdk) => users.map((user) => sdk.gate(name, user)));

const inTier = (userID: string, tier: string): User => ({ userID, statsigEnvironment: { tier } });
test.each<[what: string, gate: string, users: User[], passes: boolean[]]>([
  [
    "the first rule whose conditions hold decides, whatever its percentage",
    "first_rule",
    [{ email: "a@staff.test", country: "NZ" }, { userID: "b", country: "NZ" }, { userID: "c" }],
    [true, false, true],
  ],
  ["without rules nobody passes", "no_rules", [{}], [false]],
  ["nor where it is off", "off", [{}], [false]],
  ["launched, everybody passes", "launched", [{}], [true]],
  ["archived, nobody", "archived", [{}], [false]],
  ["nor where there is no such gate", "unknown", [{}], [false]],
  [
    "units that always pass or fail come before the rules",
    "overridden",
    [{ userID: "always" }, { userID: "never", country: "NL" }, { userID: "other", country: "NL" }],
    [true, false, true],
  ],
  [
    "and in an environment alone where one is named",
    "overridden",
    [inTier("in_staging", "staging"), inTier("in_staging", "production"), { userID: "in_staging" }],
    [true, false, false],
  ],
  [
    "a long list of ids comes by its file",
    "for_long_list",
    [{ userID: "id1499" }, { userID: "id1500" }],
    [true, false],
  ],
  ["an archived segment has nobody", "for_gone", [{ userID: "g" }], [false]],
])("%s", (_, name, users, passes) => {
  expect(answers(name, ...users)).toEqual(passes);
});

test("who is held out fails, before any rule", () => {
  expect(answers("held_out", ...names.map((userID) => ({ userID })))).toEqual([false, false]);
  const ids = Array.from({ length: 2000 }, (_, index) => ({ userID: `u${index}` }));
  const out = both((sdk) => ids.filter((user) => !sdk.quietGate("held_out", user)).length);
  expect(Math.abs(out - 200)).toBeLessThan(4 * Math.sqrt(2000 * 0.1 * 0.9));
  expect(answers("not_held_out", ...ids.slice(0, 50))).not.toContain(false);
});

test("units of another type are drawn by their own id", () => {
  const ofCompany = (company: number, user: number) => ({
    ...{ userID: `u${user}`, customIDs: { companyID: `c${company}` } },
  });
  for (let company = 0; company < 20; company += 1) {
    const first = answers("per_company", ofCompany(company, 0))[0];
    expect(answers("per_company", ofCompany(company, 1), ofCompany(company, 2))).toEqual([first, first]);
  }
});

// `npm run prove -- sdk` does the same with 100,000 ids.
test("the shares of twenty rules, the same ids in both SDKs and after a restart, and more when they rise", async () => {
  const { found, steadiness } = await measureShares(2000);
  expect(found.filter(({ errors, differing }) => errors > 4 || differing > 0)).toEqual([]);
  expect(steadiness).toMatchObject({ changedByRestart: 0, lostByRise: 0 });
  expect(steadiness.wonByRise).toBeGreaterThan(200);
});
