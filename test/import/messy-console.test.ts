import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import type { RunningEmulator } from "../../src/emulator";
import { type KindName, parts } from "../../src/provider/definitions";
import { isObject, type JsonObject } from "../../src/provider/schema/json";
import { shownKinds } from "../support/shown-kinds";
import { type Contents, contentsOf, idsOf } from "./console/contents";
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
const conditions = (kind: KindName): JsonObject[] =>
  within(kind, "rules").flatMap((rule) => listed(rule.conditions));

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

test.each([60, 75, 200])("a messy console of %d objects has every kind too", (count) => {
  const { counts } = planMessyConsole({ seed: 3, count });
  expect(Object.values(counts).reduce((sum, one) => sum + one, 0)).toBe(count);
  expect(Object.keys(counts)).toHaveLength(shownKinds.length + Object.keys(parts).length);
});

test("the same seed makes the same console, and another seed another", () => {
  const wish = { seed: 5, count: 60 };
  expect(planMessyConsole(wish)).toEqual(planMessyConsole(wish));
  expect(planMessyConsole({ ...wish, seed: 6 })).not.toEqual(planMessyConsole(wish));
});

const member = (kind: KindName, name: string) => all(kind).map((one) => one[name]);
const within = (kind: KindName, list: string) => all(kind).flatMap((one) => listed(one[list]));
const filled = (values: readonly unknown[]) =>
  values.filter((value) => (Array.isArray(value) ? value.length > 0 : Boolean(value)));
const states = ["setup", "active", "decision_made", "abandoned", "archived", "experiment_stopped"];
const shared = () =>
  keys("gate").filter((key) => contents.dynamicConfig.has(key) && contents.experiment.has(key));
const lengths = (values: readonly unknown[]) => values.map((value) => listed(value).length);

/** What is awkward, and in which values it has to be. */
test.each<[what: string, wanted: readonly unknown[], found: () => readonly unknown[]]>([
  ["words of the language", ["default", "class", "constructor", "__proto__", "..."], () => keys("gate")],
  ["keys of one identifier", ["checkout-v2", "checkout_v2", "checkoutV2", "checkout.v2"], () => keys("gate")],
  ["one key of several kinds", ["staff"], shared],
  ["names that are classes, and paths", ["fc", "pulumi", "../../outside", "two\nlines"], () => keys("tag")],
  ["values that break a writer", awkwardValues, () => member("dynamicConfig", "defaultValue")],
  [
    "fine shares",
    [12.5, 0.01, 99.99, 0, 100],
    () => within("gate", "rules").map((one) => one.passPercentage),
  ],
  ["forty rules in one gate", [40], () => lengths(member("gate", "rules"))],
  ["conditions of tomorrow", ["weather"], () => conditions("gate").map(({ type }) => type)],
  [
    "values without brackets",
    ["1", "31", "Test"],
    () => conditions("gate").map(({ targetValue }) => targetValue),
  ],
  ["metrics of tomorrow", ["median"], () => member("metric", "type")],
  ["directions of tomorrow", ["neutral"], () => member("metric", "directionality")],
  ["thresholds of tomorrow", ["97%"], () => member("autotune", "winnerThreshold")],
  ["states of gates", ["In Progress", "Launched", "Disabled", "Archived"], () => member("gate", "status")],
  ["states of configs", ["Enabled", "Disabled", "Archived"], () => member("dynamicConfig", "status")],
  ["states of experiments", [...states, "assignment_stopped"], () => member("experiment", "status")],
  ["groups that are off", [true], () => within("experiment", "groups").map(({ disabled }) => disabled)],
  ["sizes of id lists", [0, 1, 100, 101, 50_000], () => member("segment", "count")],
])("%s are there: %j", (_, wanted, found) => {
  const there = new Set(found().map((one) => JSON.stringify(one)));
  expect(wanted.filter((one) => !there.has(JSON.stringify(one)))).toEqual([]);
});

test("texts, queries and values hold what breaks a writer of TypeScript", () => {
  const text = JSON.stringify(Object.values(contents).map((of) => [...of.values()]));
  const missing = [...awkwardTexts, ...queries, ...commentedValues.map(([one]) => one)].filter(
    (one) => !text.includes(JSON.stringify(one).slice(1, -1)),
  );
  expect(missing).toEqual([]);
  expect(all("gate").some(({ name }) => /^ .* $/.test(String(name)))).toBe(true);
  expect(all("alert").filter(({ name }) => name === "Sales below 5 %")).toHaveLength(2);
  expect(new Set(conditions("gate").map(({ type }) => type)).size).toBeGreaterThan(22);
  expect(JSON.stringify(member("gate", "tags"))).toContain("★");
  expect(filled(within("metric", "metricEvents").map(({ criteria }) => criteria))).not.toEqual([]);
  expect(filled(within("releasePipeline", "phases").map((one) => one.rules))).not.toEqual([]);
});

test("gates and segments ask each other: a pair, a ring of three, one that asks itself, and across kinds", () => {
  const asking = (kind: KindName) => within(kind, "rules").filter(({ name }) => name === "Asks another");
  expect([asking("gate").length, asking("segment").length]).toEqual([6, 2]);
  const targets = conditions("segment").flatMap((one) => (one.type === "passes_gate" ? one.targetValue : []));
  expect(targets).toEqual(["asks_a_segment"]);
  expect(conditions("gate").map(({ targetValue }) => targetValue)).toContain("asks_a_gate");
});

test("an id list has awkward ids, and gates have overrides", async () => {
  const [hundred = ""] = [...contents.segment].flatMap(([id, { count }]) => (count === 101 ? [id] : []));
  const awkward = ["007", "back\\slash", "# no comment", " padded "];
  expect(await idsOf(emulator, hundred)).toEqual(expect.arrayContaining(awkward));
  const overrides = plan.made.flatMap(({ kind, body }) =>
    kind === "gateOverrides" ? Object.keys(body) : [],
  );
  expect(overrides).toEqual(expect.arrayContaining(["passingUserIDs", "environmentOverrides"]));
});
