import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { JsonObject } from "../../../src/provider/schema/json";
import { type Desk, openDesk } from "../desk";
import { shareGates, sharesOf } from "./measure";
import { type ServerSdk, startBoth, type User } from "./server-sdks";

let desk: Desk;
let sdks: readonly ServerSdk[] = [];
const everyone = [{ type: "public" }];
const rule = (name: string, passPercentage: number, conditions: readonly JsonObject[] = everyone) => ({
  ...{ name, passPercentage, conditions },
});
const gate = (id: string, rules: readonly JsonObject[], rest: JsonObject = {}) =>
  desk.must("POST", "/gates", { id, name: id, isEnabled: true, rules, ...rest });

const names = ["Ann", "Bob"];

async function seed(): Promise<void> {
  await gate("first_rule", [
    rule("Staff", 100, [{ type: "email", operator: "str_contains_any", targetValue: ["@staff.test"] }]),
    rule("Nobody from here", 0, [{ type: "country", operator: "any", targetValue: ["NZ"] }]),
    rule("Everyone", 100),
  ]);
  await gate("no_rules", []);
  await gate("off", [rule("r", 100)], { isEnabled: false });
  await gate("launched", [rule("r", 0)]);
  await desk.must("PUT", "/gates/launched/launch", {});
  await gate("archived", [rule("r", 100)]);
  await desk.must("PUT", "/gates/archived/archive", {});
  await gate("per_company", [rule("r", 50)], { idType: "companyID" });
  await gate("overridden", [rule("r", 100, [{ type: "country", operator: "any", targetValue: ["NL"] }])]);
  await desk.must("POST", "/gates/overridden/overrides", {
    ...{ passingUserIDs: ["always"], failingUserIDs: ["never"], passingCustomIDs: [], failingCustomIDs: [] },
    environmentOverrides: [
      { environment: "staging", unitID: "userID", passingIDs: ["in_staging"], failingIDs: [] },
    ],
  });
  await gate("held_out", [rule("r", 100)]);
  await gate("not_held_out", [rule("r", 100)]);
  const held = { isEnabled: true, passPercentage: 10, gateIDs: ["held_out"] };
  await desk.must("POST", "/holdouts", { name: "quarter", idType: "userID" });
  await desk.must("PATCH", "/holdouts/quarter", held);
  await desk.must("POST", "/holdouts/quarter/overrides", {
    ...{ passingUserIDs: names, failingUserIDs: [], passingCustomIDs: [], failingCustomIDs: [] },
    environmentOverrides: [],
  });
  const several = Array.from({ length: 1500 }, (_, index) => `id${index}`);
  await desk.must("POST", "/segments", { id: "long_list", name: "long_list", type: "id_list" });
  await desk.must("PATCH", "/segments/long_list/id_list", { ids: several });
  await gate("for_long_list", [rule("r", 100, [{ type: "passes_segment", targetValue: "long_list" }])]);
  await desk.must("POST", "/segments", { id: "gone", name: "gone", type: "id_list" });
  await desk.must("PATCH", "/segments/gone/id_list", { ids: ["g"] });
  await desk.must("PUT", "/segments/gone/archive", {});
  await gate("for_gone", [rule("r", 100, [{ type: "passes_segment", targetValue: "gone" }])]);
}

beforeAll(async () => {
  desk = await openDesk({ seed: { gates: shareGates } });
  await seed();
  sdks = await startBoth(desk.emulator.url, { idLists: true });
});
afterAll(async () => {
  await Promise.all(sdks.map((sdk) => sdk.stop()));
  await desk.close();
});

/** What both say; fails where they differ. */
function both<T>(ask: (sdk: ServerSdk) => T): T {
  const [node, core] = sdks.map(ask);
  expect(core).toEqual(node);
  return node as T;
}

const answers = (name: string, ...users: readonly User[]): boolean[] =>
  both((sdk) => users.map((user) => sdk.gate(name, user)));

test("the first rule whose conditions hold decides, whatever its percentage", () => {
  const users = [
    { userID: "a", email: "a@staff.test", country: "NZ" },
    { userID: "b", country: "NZ" },
    { userID: "c" },
  ];
  expect(answers("first_rule", ...users)).toEqual([true, false, true]);
});

test("gates that are off, launched, archived, unknown or without rules", () => {
  const states = ["no_rules", "off", "launched", "archived", "unknown"];
  expect(states.map((name) => answers(name, { userID: "u" })[0])).toEqual([false, false, true, false, false]);
});

test("units that always pass or fail come before the rules, in their environment alone where one is named", () => {
  const staging = { statsigEnvironment: { tier: "staging" } };
  const users = [
    { userID: "always" },
    { userID: "never", country: "NL" },
    { userID: "in_staging", ...staging },
    { userID: "in_staging" },
    { userID: "other", country: "NL" },
  ];
  expect(answers("overridden", ...users)).toEqual([true, false, true, false, true]);
});

test("who is held out fails, before any rule", () => {
  expect(answers("held_out", ...names.map((userID) => ({ userID })))).toEqual([false, false]);
  const ids = Array.from({ length: 2000 }, (_, index) => ({ userID: `u${index}` }));
  const out = both((sdk) => ids.filter((user) => !sdk.quietGate("held_out", user)).length);
  expect(Math.abs(out - 200)).toBeLessThan(4 * Math.sqrt(2000 * 0.1 * 0.9));
  expect(answers("not_held_out", ...ids.slice(0, 50))).not.toContain(false);
});

test("a long list of ids comes by its file, and an archived segment has nobody", () => {
  expect(answers("for_long_list", { userID: "id1499" }, { userID: "id1500" })).toEqual([true, false]);
  expect(answers("for_gone", { userID: "g" })).toEqual([false]);
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
test("the shares of twenty rules, and the same ids in both SDKs", () => {
  for (const [index, { rules }] of shareGates.entries()) {
    const found = sharesOf(sdks, index, Number(rules[0]?.passPercentage), 2000);
    for (const { errors, differing } of found) expect([errors <= 4, differing]).toEqual([true, 0]);
  }
});

test("the same ids pass after a restart, and a higher percentage keeps everyone who passed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "restart-"));
  const users = Array.from({ length: 3000 }, (_, index) => ({ userID: `person ${index}` }));
  /** Who passes, by a console that is started anew; what both SDKs say. */
  const run = async (write: (own: Desk) => Promise<unknown>): Promise<readonly string[]> => {
    const own = await openDesk({ data: join(folder, "console.db") });
    await write(own);
    const some = await startBoth(own.emulator.url);
    const [node = [], core] = some.map((sdk) => users.filter((user) => sdk.quietGate("rising", user)));
    await Promise.all(some.map((sdk) => sdk.stop()));
    await own.close();
    expect(core).toEqual(node);
    return node.map(({ userID }) => userID);
  };
  const before = await run((own) =>
    own.must("POST", "/gates", { id: "rising", name: "rising", isEnabled: true, rules: [rule("r", 10)] }),
  );
  expect(await run(async () => {})).toEqual(before);
  const after = await run(async (own) => {
    const { rules } = await own.must("GET", "/gates/rising");
    await own.must("PATCH", "/gates/rising", { rules: [{ ...rules[0], passPercentage: 40 }] });
  });
  rmSync(folder, { recursive: true });
  expect(before.length).toBeGreaterThan(200);
  expect(after.length).toBeGreaterThan(before.length * 3);
  expect(before.filter((id) => !after.includes(id))).toEqual([]);
});
