import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import type { RunningEmulator } from "../../src/emulator";
import { type KindName, parts } from "../../src/provider/definitions";
import { isObject, type JsonObject } from "../../src/provider/schema/json";
import { shownKinds } from "../support/shown-kinds";
import { type Contents, contentsOf, idsOf, lasting, overridesOf } from "./console/contents";
import { openMessyConsole, planManyGates, planMessyConsole } from "./console/messy-console";
import { awkwardTexts, awkwardValues, commentedValues, queries } from "./console/texts";

jest.setTimeout(120_000);

const plan = planMessyConsole({ seed: 14, count: 800 });
let emulator: RunningEmulator;
let contents: Contents;

beforeAll(async () => {
  emulator = await openMessyConsole(plan);
  contents = await contentsOf(emulator);
});
afterAll(() => emulator?.close());

const all = (kind: KindName): JsonObject[] => [...contents[kind].values()];
const keys = (kind: KindName): string[] => [...contents[kind].keys()];
const listed = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
const rules = (kind: KindName): JsonObject[] => all(kind).flatMap((one) => listed(one.rules));
const conditions = (kind: KindName): JsonObject[] => rules(kind).flatMap((rule) => listed(rule.conditions));
const everyText = (): string => JSON.stringify(Object.values(contents).map((of) => [...of.values()]));

/** How often an object asks another: key -> keys of those whom its rules name. */
function asked(kind: KindName, type: string): Map<string, unknown[]> {
  return new Map(
    [...contents[kind]].map(([key, one]) => {
      const targets = listed(one.rules)
        .flatMap((rule) => listed(rule.conditions))
        .filter((condition) => condition.type === type)
        .flatMap(({ targetValue }) => targetValue);
      return [key, targets];
    }),
  );
}

test("a messy console has as many objects as were asked for, of every kind", () => {
  const counts = Object.values(plan.counts);
  expect(counts.reduce((sum, one) => sum + one, 0)).toBe(800);
  expect(Object.keys(plan.counts).sort()).toEqual([...shownKinds, ...Object.keys(parts)].sort());
  for (const kind of shownKinds) {
    const found = all(kind).filter(({ isImplicitLayer }) => isImplicitLayer !== true).length;
    // Nothing came to be only because something named it.
    expect([kind, found]).toEqual([kind, plan.counts[kind]]);
  }
  expect(plan.counts.gate).toBeGreaterThan(250);
});

test.each([60, 75, 200])("a messy console of %d objects has every kind too", async (count) => {
  const small = planMessyConsole({ seed: 3, count });
  expect(Object.values(small.counts).reduce((sum, one) => sum + one, 0)).toBe(count);
  expect(Object.keys(small.counts)).toHaveLength(shownKinds.length + Object.keys(parts).length);
  await (await openMessyConsole(small)).close();
});

test("the same seed makes the same console, and another seed another", async () => {
  const wish = { seed: 5, count: 90 };
  expect(planMessyConsole(wish)).toEqual(planMessyConsole(wish));
  expect(planMessyConsole({ ...wish, seed: 6 })).not.toEqual(planMessyConsole(wish));
  const shown = await Promise.all(
    [1, 2].map(async () => {
      const one = await openMessyConsole(planMessyConsole(wish));
      const held = Object.values(await contentsOf(one)).map((of) => [...of.values()].map(lasting));
      await one.close();
      return held;
    }),
  );
  expect(shown[0]).toEqual(shown[1]);
});

test("keys and names have every legal character, are words of the language, and share an identifier", () => {
  const gates = keys("gate");
  expect(gates).toEqual(
    expect.arrayContaining(["default", "class", "constructor", "__proto__", "...", "007"]),
  );
  expect(gates).toEqual(expect.arrayContaining(["checkout-v2", "checkout_v2", "checkoutV2", "checkout.v2"]));
  for (const kind of ["gate", "dynamicConfig", "segment", "experiment"] as const)
    expect(keys(kind)).toContain("staff");
  const letters = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."];
  expect(letters.filter((one) => !gates.join("").includes(one))).toEqual([]);
  expect(gates.some((key) => key.length === 100)).toBe(true);
  expect(all("gate").some(({ name }) => /^ .* $/.test(String(name)))).toBe(true);
  expect(all("alert").filter(({ name }) => name === "Sales below 5 %")).toHaveLength(2);
  expect(keys("tag")).toEqual(expect.arrayContaining(["fc", "pulumi", "../../outside", "two\nlines"]));
});

test("texts, queries and values hold what breaks a writer of TypeScript", () => {
  const text = everyText();
  const missing = [...awkwardTexts, ...queries, ...commentedValues.map(([one]) => one)].filter(
    (one) => !text.includes(JSON.stringify(one).slice(1, -1)),
  );
  expect(missing).toEqual([]);
  const values = all("dynamicConfig").map(({ defaultValue }) => JSON.stringify(defaultValue));
  expect(awkwardValues.filter((one) => !values.includes(JSON.stringify(one)))).toEqual([]);
  expect(
    all("dynamicConfig").filter(({ schema }) => typeof schema === "string" && schema !== "").length,
  ).toBeGreaterThan(5);
});

test("rules have fine shares, variants, environments in each form, and forty in one gate", () => {
  const shares = new Set(rules("gate").map(({ passPercentage }) => passPercentage));
  expect([12.5, 0.01, 99.99, 0, 100].filter((share) => !shares.has(share))).toEqual([]);
  const environments = rules("gate").map((rule) => rule.environments);
  expect(environments).toEqual(expect.arrayContaining([null, []]));
  expect(environments.some((some) => Array.isArray(some) && some.length > 1)).toBe(true);
  expect(rules("dynamicConfig").some(({ variants }) => listed(variants).length === 2)).toBe(true);
  expect(all("gate").some((gate) => listed(gate.rules).length === 40)).toBe(true);
});

test("conditions are of every type and of some that this version does not know", () => {
  const types = new Set(conditions("gate").map(({ type }) => type));
  expect(types.size).toBeGreaterThan(22);
  expect(types).toContain("weather");
  const single = conditions("gate").filter(({ targetValue }) => typeof targetValue === "string");
  expect(single.some(({ type }) => type === "country")).toBe(true);
  expect(all("metric").filter(({ type }) => type === "median").length).toBeGreaterThan(0);
  expect(all("metric").filter(({ directionality }) => directionality === "neutral").length).toBeGreaterThan(
    0,
  );
  expect(all("autotune").some(({ winnerThreshold }) => winnerThreshold === "97%")).toBe(true);
});

test("gates and segments ask each other, in pairs, in a ring, across kinds, and one asks itself", () => {
  const gates = asked("gate", "passes_gate");
  const pairs = [...gates].filter(([key, to]) =>
    to.some((one) => one !== key && gates.get(String(one))?.includes(key)),
  );
  expect(pairs.length).toBeGreaterThanOrEqual(2);
  expect([...gates].filter(([key, to]) => to.includes(key))).toHaveLength(1);
  const ring = [...gates].filter(([key, to]) =>
    to.some((one) =>
      gates.get(String(one))?.some((next) => next !== key && gates.get(String(next))?.includes(key)),
    ),
  );
  expect(ring.length).toBeGreaterThanOrEqual(3);
  const segments = asked("segment", "passes_segment");
  expect([...segments].some(([key, to]) => to.some((one) => segments.get(String(one))?.includes(key)))).toBe(
    true,
  );
  expect(asked("segment", "passes_gate").get("asks_a_gate")).toEqual(["asks_a_segment"]);
  expect(asked("gate", "passes_segment").get("asks_a_segment")).toEqual(["asks_a_gate"]);
});

test.each<[KindName, string, readonly unknown[]]>([
  ["gate", "status", ["In Progress", "Launched", "Disabled", "Archived"]],
  ["gate", "type", ["TEMPORARY", "PERMANENT", "STALE"]],
  ["gate", "isTemplate", [true, false]],
  ["dynamicConfig", "status", ["Enabled", "Disabled", "Archived"]],
  ["dynamicConfig", "isTemplate", [true, false]],
  ["segment", "type", ["rule_based", "id_list", "analysis_list", "user_store_id_list"]],
  [
    ...(["experiment", "status"] as const),
    ["setup", "active", "decision_made", "abandoned", "archived", "experiment_stopped", "assignment_stopped"],
  ],
  ["autotune", "isStarted", [true, false]],
  ["holdout", "isGlobal", [true, false]],
  ["holdout", "isEnabled", [true, false]],
  ["tag", "isCore", [true, false]],
])("every %s %s is there: %j", (kind, member, wanted) => {
  const found = new Set(all(kind).map((one) => one[member]));
  expect(wanted.filter((one) => !found.has(one))).toEqual([]);
});

test("holdouts hold gates, experiments and layers, and those show it", () => {
  const held = (member: string) =>
    all("holdout").some((one) => Array.isArray(one[member]) && one[member].length > 0);
  expect(["gateIDs", "experimentIDs", "layerIDs"].filter((member) => !held(member))).toEqual([]);
  expect(all("holdout").some(({ targetingGateID }) => Boolean(targetingGateID))).toBe(true);
  for (const kind of ["gate", "experiment", "layer"] as const)
    expect(all(kind).some(({ holdoutIDs }) => Array.isArray(holdoutIDs) && holdoutIDs.length > 0)).toBe(true);
});

test("experiments switch groups off, live in layers, and are shared out in thirds", () => {
  const groups = all("experiment").flatMap((one) => listed(one.groups));
  expect(groups.some(({ disabled }) => disabled === true)).toBe(true);
  expect(groups.some(({ size }) => size === 33.33)).toBe(true);
  expect(all("experiment").some(({ layerID }) => typeof layerID === "string" && layerID !== "")).toBe(true);
  expect(all("experiment").some(({ launchedGroupID }) => Boolean(launchedGroupID))).toBe(true);
  expect(all("experiment").some(({ targetingGateID }) => Boolean(targetingGateID))).toBe(true);
});

test("id lists have 0, 1, 100, 101 and 50,000 ids, and some that are awkward in a file", async () => {
  const sizes = all("segment").flatMap(({ type, count }) => (type === "id_list" ? [count] : []));
  expect([0, 1, 100, 101, 50_000].filter((size) => !sizes.includes(size))).toEqual([]);
  const [hundred = ""] = [...contents.segment].flatMap(([id, { count }]) => (count === 101 ? [id] : []));
  expect(await idsOf(emulator, hundred)).toEqual(
    expect.arrayContaining(["007", "back\\slash", "# no comment", " padded "]),
  );
});

test("objects carry tags, apps, teams by name and id, pipelines, reviews, authors and overrides", async () => {
  const some = (test: (gate: JsonObject) => boolean) => all("gate").filter(test).length;
  const filled = (value: unknown) => Array.isArray(value) && value.length > 0;
  expect(some(({ tags }) => filled(tags))).toBeGreaterThan(50);
  expect(
    some(({ tags }) => Array.isArray(tags) && tags.some((tag) => String(tag).startsWith("★"))),
  ).toBeGreaterThan(0);
  expect(some(({ targetApps }) => filled(targetApps))).toBeGreaterThan(20);
  expect(some(({ team }) => Boolean(team))).toBeGreaterThan(10);
  expect(some(({ teamID }) => Boolean(teamID))).toBeGreaterThan(10);
  expect(some(({ releasePipelineID }) => Boolean(releasePipelineID))).toBeGreaterThan(5);
  expect(some(({ creatorEmail }) => String(creatorEmail).includes("@"))).toBeGreaterThan(5);
  expect(some(({ monitoringMetrics }) => filled(monitoringMetrics))).toBeGreaterThan(5);
  expect(
    all("metric").some(({ metricEvents }) => listed(metricEvents).some(({ criteria }) => filled(criteria))),
  ).toBe(true);
  expect(all("releasePipeline").some(({ phases }) => listed(phases).some((one) => filled(one.rules)))).toBe(
    true,
  );
  const bodies = plan.requests.filter(
    ({ path }) => path.startsWith("/gates/") && path.endsWith("/overrides"),
  );
  const gates = bodies.map(({ path }) => decodeURIComponent(path.split("/")[2] ?? ""));
  const overrides = await Promise.all(gates.map((gate) => overridesOf(emulator, "gateOverrides", gate)));
  expect(overrides.some(({ passingUserIDs }) => filled(passingUserIDs))).toBe(true);
  expect(overrides.some(({ environmentOverrides }) => filled(environmentOverrides))).toBe(true);
});

test("a console of gates alone has as many as asked for", async () => {
  const many = await openMessyConsole(planManyGates(500));
  expect((await contentsOf(many)).gate.size).toBe(500);
  await many.close();
});
