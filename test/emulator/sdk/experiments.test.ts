import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { JsonObject } from "../../../src/provider/schema/json";
import { type Desk, openDesk } from "../desk";
import { type ServerSdk, startBoth, type User } from "./server-sdks";

let desk: Desk;
let sdks: readonly ServerSdk[] = [];
const soon = Date.now() - 1000;

const group = (name: string, size: number, parameterValues: JsonObject) => ({ name, size, parameterValues });
const halves = [group("Control", 50, { v: "c" }), group("Test", 50, { v: "t" })];
const experiment = async (id: string, rest: JsonObject = {}, started = true) => {
  await desk.must("POST", "/experiments", { id, name: id, groups: halves, ...rest });
  if (started) await desk.must("PUT", `/experiments/${id}/start`, {});
};
const groupId = async (id: string, name: string): Promise<string> => {
  const { groups } = await desk.must("GET", `/experiments/${id}`);
  return String((groups as JsonObject[]).find((one) => one.name === name)?.id);
};
const holdout = async (name: string, members: JsonObject, ids: readonly string[]) => {
  await desk.must("POST", "/holdouts", { name, idType: "userID" });
  await desk.must("PATCH", `/holdouts/${name}`, { isEnabled: true, passPercentage: 0, ...members });
  await desk.must("POST", `/holdouts/${name}/overrides`, {
    ...{ passingUserIDs: ids, failingUserIDs: [], passingCustomIDs: [], failingCustomIDs: [] },
    environmentOverrides: [],
  });
};
const parameters = [
  { name: "color", type: "string", defaultValue: "grey" },
  { name: "size", type: "number", defaultValue: 1 },
];
const layer = async (name: string) => {
  await desk.must("POST", "/layers", { name, idType: "userID" });
  await desk.must("PATCH", `/layers/${name}`, { parameters });
};
const colored = (one: string, other: string) => [
  ...[group("Control", 50, { color: one }), group("Test", 50, { color: other })],
];

const everyone = [{ type: "public" }];

/** Who is in a variant is drawn by the id of its rule, which a seed can give. */
const variants = {
  ...{ id: "variants", name: "variants", isEnabled: true, defaultValue: { n: 0 } },
  rules: [
    {
      ...{ id: "all", baseID: "all", name: "All", passPercentage: 100, conditions: everyone },
      variants: [
        { name: "one", passPercentage: 25, returnValue: { n: 1 } },
        { name: "two", passPercentage: 50, returnValue: { n: 2 } },
      ],
    },
  ],
};

async function seedExperiments(): Promise<void> {
  await experiment("sized", {
    groups: [group("A", 10, { v: "a" }), group("B", 30, { v: "b" }), group("C", 60, { v: "c" })],
  });
  await experiment("half_allocated", { allocation: 50 });
  await experiment("not_started", {}, false);
  await experiment("early", { enabledNonProdEnvironments: ["staging"] }, false);
  await experiment("due", {}, false);
  await desk.must("POST", "/experiments/due/schedule_start", { scheduledTime: soon });
  await experiment("decided");
  const id = await groupId("decided", "Test");
  await desk.must("PUT", "/experiments/decided/make_decision", { id, decisionReason: "better" });
  await experiment("dropped");
  await desk.must("PUT", "/experiments/dropped/abandon", { decisionReason: "no" });
  await experiment("one_off");
  await desk.must("POST", "/experiments/one_off/disable_groups", { group_names: ["Test"] });
  const onlyDutch = [{ type: "country", operator: "any", targetValue: ["NL"] }];
  await desk.must("POST", "/gates", {
    ...{ id: "dutch", name: "dutch", isEnabled: true },
    rules: [{ name: "r", passPercentage: 100, conditions: onlyDutch }],
  });
  await experiment("targeted", { targetingGateID: "dutch" });
  await experiment("forced", {}, false);
  await desk.must("POST", "/experiments/forced/overrides", {
    overrides: [{ type: "gate", id: "dutch", groupID: await groupId("forced", "Control") }],
    userIDOverrides: [{ groupID: await groupId("forced", "Test"), ids: ["always"] }],
  });
  await experiment("held");
  await holdout("no_experiments", { experimentIDs: ["held"] }, ["out"]);
}

async function seedLayers(): Promise<void> {
  await layer("page");
  await experiment("page_one", { layerID: "page", allocation: 30, groups: colored("red", "blue") });
  await experiment("page_two", { layerID: "page", allocation: 60, groups: colored("green", "pink") });
  await experiment("page_none", { layerID: "page", allocation: 10, groups: colored("x", "y") }, false);
  await desk.must("POST", "/layers/page/overrides", {
    conditionalOverrides: [],
    idOverrides: [{ groupName: "Test", experimentName: "page_one", ids: ["always blue"], idType: "userID" }],
  });
  await holdout("no_page", { layerIDs: ["page"] }, ["out"]);
  await layer("empty");
  await layer("shipped");
  await experiment("page_won", { layerID: "shipped", groups: colored("red", "blue") });
  const id = await groupId("page_won", "Test");
  await desk.must("PUT", "/experiments/page_won/make_decision", { id, decisionReason: "better" });
}

async function seedConfigs(): Promise<void> {
  const dutch = [{ type: "country", operator: "any", targetValue: ["NL"] }];
  await desk.must("POST", "/dynamic_configs", {
    ...{ id: "words", name: "words", isEnabled: true, defaultValue: { hello: "hi" } },
    rules: [{ name: "Dutch", passPercentage: 100, conditions: dutch, returnValue: { hello: "hoi" } }],
  });
  await desk.must("POST", "/dynamic_configs", {
    ...{ id: "words_off", name: "words_off", isEnabled: false, defaultValue: { hello: "hi" } },
    rules: [{ name: "All", passPercentage: 100, conditions: everyone, returnValue: { hello: "hoi" } }],
  });
}

beforeAll(async () => {
  desk = await openDesk({ seed: { dynamic_configs: [variants] } });
  await seedConfigs();
  await seedExperiments();
  await seedLayers();
  sdks = await startBoth(desk.emulator.url);
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
const people = Array.from({ length: 1500 }, (_, index): User => ({ userID: `p${index}` }));
const answerOf = (name: string, user: User): unknown => both((sdk) => sdk.experiment(name, user).value);
const valuesOfAll = (name: string): readonly unknown[] =>
  both((sdk) => people.map((user) => sdk.experiment(name, user).value.v));
const count = <T>(values: readonly T[], wanted: T): number => values.filter((one) => one === wanted).length;
const expectShare = (found: number, part: number, of = people.length): void =>
  expect(Math.abs(found - of * part)).toBeLessThanOrEqual(4 * Math.sqrt(of * part * (1 - part)));

test("a config answers its rule's value, its default, and its default when it is off", () => {
  const hello = (name: string, country: string) =>
    both((sdk) => sdk.config(name, { userID: "u", country }).value);
  expect(hello("words", "NL")).toEqual({ hello: "hoi" });
  expect(hello("words", "DE")).toEqual({ hello: "hi" });
  expect(hello("words_off", "NL")).toEqual({ hello: "hi" });
});

test("the variants of a rule have their shares, and who is in none gets the default", () => {
  const values = both((sdk) => people.map((user) => sdk.config("variants", user).value.n));
  expectShare(count(values, 1), 0.25);
  expectShare(count(values, 2), 0.5);
  expectShare(count(values, 0), 0.25);
});

test("groups have their sizes", () => {
  const groups = both((sdk) => people.map((user) => sdk.experiment("sized", user).group));
  for (const [name, part] of [
    ["A", 0.1],
    ["B", 0.3],
    ["C", 0.6],
  ] as const)
    expectShare(count(groups, name), part);
});

test("half an allocation leaves the other half without values, independent of the groups", () => {
  const values = valuesOfAll("half_allocated");
  expectShare(count(values, undefined), 0.5);
  expectShare(count(values, "c"), 0.25);
  expectShare(count(values, "t"), 0.25);
});

test("the states: not started, started early, due, decided, abandoned, a group that is off", () => {
  const user = { userID: "u" };
  expect(answerOf("not_started", user)).toEqual({});
  expect(answerOf("early", user)).toEqual({});
  expect(answerOf("early", { ...user, statsigEnvironment: { tier: "staging" } })).toHaveProperty("v");
  expect(answerOf("due", user)).toHaveProperty("v");
  for (const person of people.slice(0, 20)) expect(answerOf("decided", person)).toEqual({ v: "t" });
  expect(answerOf("dropped", user)).toEqual({});
  const values = valuesOfAll("one_off");
  expectShare(count(values, "c"), 0.5);
  expect(count(values, "t")).toBe(0);
});

test("targeting keeps others out, and overrides force a group, before the start too", () => {
  expect(answerOf("targeted", { userID: "u", country: "NL" })).toHaveProperty("v");
  expect(answerOf("targeted", { userID: "u", country: "DE" })).toEqual({});
  expect(answerOf("forced", { userID: "always" })).toEqual({ v: "t" });
  expect(answerOf("forced", { userID: "u", country: "NL" })).toEqual({ v: "c" });
  expect(answerOf("forced", { userID: "u" })).toEqual({});
});

test("a holdout comes before an experiment and a layer", () => {
  expect(answerOf("held", { userID: "out" })).toEqual({});
  expect(answerOf("held", { userID: "in" })).toHaveProperty("v");
  expect(both((sdk) => sdk.layer("page", { userID: "out" }, ["color"]))).toEqual({ color: "grey" });
  expect(answerOf("page_one", { userID: "out" })).toEqual({ color: "grey", size: 1 });
});

test("nobody is in two experiments of a layer, and a layer shows the one that a unit is in", () => {
  const isIn = (name: string) =>
    both((sdk) => people.map((user) => sdk.experiment(name, user).group !== null));
  const [one, two] = [isIn("page_one"), isIn("page_two")];
  const shown = both((sdk) => people.map((user) => sdk.layer("page", user, ["color", "size"])));
  const wrong = shown.filter(({ color, size }, index) => {
    const colors = one[index] ? ["red", "blue"] : two[index] ? ["green", "pink"] : ["grey"];
    return (one[index] && two[index]) || !colors.includes(String(color)) || size !== 1;
  });
  expect(wrong).toEqual([]);
  expectShare(one.filter(Boolean).length, 0.3);
  expectShare(two.filter(Boolean).length, 0.6);
});

test("an override of a layer forces the group of its experiment", () => {
  const user = { userID: "always blue" };
  expect(both((sdk) => sdk.layer("page", user, ["color"]))).toEqual({ color: "blue" });
  expect(answerOf("page_one", user)).toEqual({ color: "blue", size: 1 });
});

test("a layer without experiments answers its defaults, and after a decision what was shipped", () => {
  const user = { userID: "u" };
  expect(both((sdk) => sdk.layer("empty", user, ["color", "size", "none"]))).toEqual({
    ...{ color: "grey", size: 1, none: null },
  });
  expect(both((sdk) => sdk.layer("shipped", user, ["color"]))).toEqual({ color: "blue" });
  expect(answerOf("page_won", user)).toEqual({ color: "blue", size: 1 });
});

test("who is in an experiment stays in it when another one of its layer ends and a third one starts", async () => {
  const inTwo = () => people.filter((user) => sdks[0]?.experiment("page_two", user).group !== null).length;
  const before = people.map((user) => sdks[0]?.experiment("page_two", user).group);
  expect(inTwo()).toBeGreaterThan(0);
  await desk.must("PUT", "/experiments/page_one/abandon", { decisionReason: "no" });
  await desk.must("PATCH", "/experiments/page_none", { allocation: 40 });
  await desk.must("PUT", "/experiments/page_none/start", {});
  const fresh = await startBoth(desk.emulator.url);
  for (const sdk of fresh) {
    expect(people.map((user) => sdk.experiment("page_two", user).group)).toEqual(before);
    const third = people.filter((user) => sdk.experiment("page_none", user).group !== null).length;
    expectShare(third, 0.4);
  }
  await Promise.all(fresh.map((sdk) => sdk.stop()));
});
