import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import type { RunningEmulator } from "../../src/emulator";
import { type KindName, parts } from "../../src/provider/definitions";
import { isObject, type JsonObject } from "../../src/provider/schema/json";
import { shownKinds } from "../support/shown-kinds";
import { type Contents, contentsOf, idsOf, lasting, overridesOf } from "./console/contents";
import { openMessyConsole, planMessyConsole } from "./console/messy-console";
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
  expect(Object.values(plan.counts).reduce((sum, one) => sum + one, 0)).toBe(800);
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
  const wish = { seed: 5, count: 60 };
  expect(planMessyConsole(wish)).toEqual(planMessyConsole(wish));
  expect(planMessyConsole({ ...wish, seed: 6 })).not.toEqual(planMessyConsole(wish));
  const shown = async () => {
    const one = await openMessyConsole(planMessyConsole(wish));
    const held = Object.values(await contentsOf(one)).map((of) => [...of.values()].map(lasting));
    await one.close();
    return held;
  };
  expect(await shown()).toEqual(await shown());
});

const member = (kind: KindName, name: string) => () => all(kind).map((one) => one[name]);
const lengths = (values: readonly unknown[]) =>
  values.map((value) => (Array.isArray(value) ? value.length : 0));
const groups = () => all("experiment").flatMap((one) => listed(one.groups));

const keyed = ["dynamicConfig", "segment", "experiment"] as const;

/** What is awkward, and in which values it has to be. */
test.each<[what: string, wanted: readonly unknown[], found: () => readonly unknown[]]>([
  [
    "words of the language as keys",
    ["default", "class", "constructor", "__proto__", "...", "007"],
    () => keys("gate"),
  ],
  ["keys of one identifier", ["checkout-v2", "checkout_v2", "checkoutV2", "checkout.v2"], () => keys("gate")],
  [
    "one key of several kinds",
    ["staff"],
    () => keys("gate").filter((key) => keyed.every((kind) => contents[kind].has(key))),
  ],
  [
    "every legal character",
    [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."],
    () => [...keys("gate").join("")],
  ],
  ["long keys", [100], () => keys("gate").map(({ length }) => length)],
  ["names that are classes, and paths", ["fc", "pulumi", "../../outside", "two\nlines"], () => keys("tag")],
  ["values that break a writer", awkwardValues, member("dynamicConfig", "defaultValue")],
  [
    "fine shares",
    [12.5, 0.01, 99.99, 0, 100],
    () => rules("gate").map(({ passPercentage }) => passPercentage),
  ],
  ["environments in each form", [null, []], () => rules("gate").map(({ environments }) => environments)],
  ["several environments", [2], () => lengths(rules("gate").map(({ environments }) => environments))],
  ["variants", [2], () => rules("dynamicConfig").map(({ variants }) => listed(variants).length)],
  ["forty rules in one gate", [40], () => lengths(member("gate", "rules")())],
  [
    "a type of condition that this version does not know",
    ["weather"],
    () => conditions("gate").map(({ type }) => type),
  ],
  [
    "one value without brackets",
    ["country"],
    () =>
      conditions("gate").flatMap(({ type, targetValue }) => (typeof targetValue === "string" ? [type] : [])),
  ],
  ["metrics of tomorrow", ["median"], member("metric", "type")],
  ["directions of tomorrow", ["neutral"], member("metric", "directionality")],
  ["thresholds of tomorrow", ["97%"], member("autotune", "winnerThreshold")],
  ["states of gates", ["In Progress", "Launched", "Disabled", "Archived"], member("gate", "status")],
  ["types of gates", ["TEMPORARY", "PERMANENT", "STALE"], member("gate", "type")],
  ["templates of gates", [true, false], member("gate", "isTemplate")],
  ["states of configs", ["Enabled", "Disabled", "Archived"], member("dynamicConfig", "status")],
  ["templates of configs", [true, false], member("dynamicConfig", "isTemplate")],
  [
    "types of segments",
    ["rule_based", "id_list", "analysis_list", "user_store_id_list"],
    member("segment", "type"),
  ],
  [
    "states of experiments",
    ["setup", "active", "decision_made", "abandoned", "archived", "experiment_stopped", "assignment_stopped"],
    member("experiment", "status"),
  ],
  ["started autotunes", [true, false], member("autotune", "isStarted")],
  ["global holdouts", [true, false], member("holdout", "isGlobal")],
  ["holdouts that are on", [true, false], member("holdout", "isEnabled")],
  ["core tags", [true, false], member("tag", "isCore")],
  ["groups that are off", [true], () => groups().map(({ disabled }) => disabled)],
  ["groups in thirds", [33.33], () => groups().map(({ size }) => size)],
  ["sizes of id lists", [0, 1, 100, 101, 50_000], member("segment", "count")],
])("%s are there: %j", (_, wanted, found) => {
  const there = new Set(found().map((one) => JSON.stringify(one)));
  expect(wanted.filter((one) => !there.has(JSON.stringify(one)))).toEqual([]);
});

test("texts, queries and values hold what breaks a writer of TypeScript", () => {
  const text = everyText();
  const missing = [...awkwardTexts, ...queries, ...commentedValues.map(([one]) => one)].filter(
    (one) => !text.includes(JSON.stringify(one).slice(1, -1)),
  );
  expect(missing).toEqual([]);
  expect(all("gate").some(({ name }) => /^ .* $/.test(String(name)))).toBe(true);
  expect(all("alert").filter(({ name }) => name === "Sales below 5 %")).toHaveLength(2);
  expect(new Set(conditions("gate").map(({ type }) => type)).size).toBeGreaterThan(22);
});

test("gates and segments ask each other, in pairs, in a ring, across kinds, and one asks itself", () => {
  const gates = asked("gate", "passes_gate");
  const leadsTo = (key: string, to: unknown[], next: (key: string) => boolean) =>
    to.some((one) => one !== key && gates.get(String(one))?.some((other) => next(String(other))));
  const pairs = [...gates].filter(([key, to]) => leadsTo(key, to, (other) => other === key));
  expect(pairs.length).toBeGreaterThanOrEqual(2);
  expect([...gates].filter(([key, to]) => to.includes(key))).toHaveLength(1);
  const ring = [...gates].filter(([key, to]) =>
    leadsTo(key, to, (other) => other !== key && gates.get(other)?.includes(key) === true),
  );
  expect(ring.length).toBeGreaterThanOrEqual(3);
  const segments = asked("segment", "passes_segment");
  expect([...segments].some(([key, to]) => to.some((one) => segments.get(String(one))?.includes(key)))).toBe(
    true,
  );
  expect(asked("segment", "passes_gate").get("asks_a_gate")).toEqual(["asks_a_segment"]);
  expect(asked("gate", "passes_segment").get("asks_a_segment")).toEqual(["asks_a_gate"]);
});

/** Members that some objects have, and at least how many. */
test.each<[KindName, string, number]>([
  ["dynamicConfig", "schema", 6],
  ["holdout", "gateIDs", 1],
  ["holdout", "experimentIDs", 1],
  ["holdout", "layerIDs", 1],
  ["holdout", "targetingGateID", 1],
  ["gate", "holdoutIDs", 1],
  ["experiment", "holdoutIDs", 1],
  ["layer", "holdoutIDs", 1],
  ["experiment", "layerID", 1],
  ["experiment", "launchedGroupID", 1],
  ["experiment", "targetingGateID", 1],
  ["gate", "tags", 51],
  ["gate", "targetApps", 21],
  ["gate", "team", 11],
  ["gate", "teamID", 11],
  ["gate", "releasePipelineID", 6],
  ["gate", "creatorEmail", 6],
  ["gate", "monitoringMetrics", 6],
])("of %s objects, %s is set on %i or more", (kind, name, least) => {
  const set = member(kind, name)().filter((value) =>
    Array.isArray(value) ? value.length > 0 : Boolean(value),
  );
  expect(set.length).toBeGreaterThanOrEqual(least);
});

test("objects carry core tags, criteria, phases with rules, awkward ids and overrides", async () => {
  const filled = (value: unknown) => Array.isArray(value) && value.length > 0;
  expect(JSON.stringify(member("gate", "tags")())).toContain("★");
  expect(
    all("metric")
      .flatMap((one) => listed(one.metricEvents))
      .some(({ criteria }) => filled(criteria)),
  ).toBe(true);
  expect(
    all("releasePipeline")
      .flatMap((one) => listed(one.phases))
      .some((one) => filled(one.rules)),
  ).toBe(true);
  const [hundred = ""] = [...contents.segment].flatMap(([id, { count }]) => (count === 101 ? [id] : []));
  expect(await idsOf(emulator, hundred)).toEqual(
    expect.arrayContaining(["007", "back\\slash", "# no comment", " padded "]),
  );
  const gates = plan.requests.flatMap(({ path }) => /^\/gates\/([^/]+)\/overrides$/.exec(path)?.[1] ?? []);
  const overrides = await Promise.all(
    gates.map((gate) => overridesOf(emulator, "gateOverrides", decodeURIComponent(gate))),
  );
  expect(overrides.some(({ passingUserIDs }) => filled(passingUserIDs))).toBe(true);
  expect(overrides.some(({ environmentOverrides }) => filled(environmentOverrides))).toBe(true);
});
