import { expect, test } from "@jest/globals";
import type { JsonObject } from "../../../src/provider/schema/json";
import { type Desk, ruleFor } from "../desk";
import { type ServerSdk, startBoth, type User } from "./server-sdks";
import { sharedSdks } from "./test-sdks";

let api: Desk;
const reason = { decisionReason: "better" };

/** Half of an experiment each, with one value of their own. */
const halves = (name: string, one: string, other: string) => [
  { name: "Control", size: 50, parameterValues: { [name]: one } },
  { name: "Test", size: 50, parameterValues: { [name]: other } },
];
const put = (path: string, body: object) => api.must("PUT", `/experiments/${path}`, body);
const prepare = (id: string, rest: object = {}) =>
  api.must("POST", "/experiments", { id, name: id, groups: halves("v", "c", "t"), ...rest });
const start = async (id: string, rest: object = {}) => {
  await prepare(id, rest);
  await put(`${id}/start`, {});
};
const groupId = async (id: string, name: string): Promise<string> => {
  const { groups } = await api.must("GET", `/experiments/${id}`);
  return String((groups as JsonObject[]).find((one) => one.name === name)?.id);
};
const ship = async (id: string) => put(`${id}/make_decision`, { id: await groupId(id, "Test"), ...reason });
/** Holds back one user alone, from these members. */
const holdBack = async (name: string, members: object, userID: string) => {
  await api.must("POST", "/holdouts", { name, idType: "userID" });
  await api.must("PATCH", `/holdouts/${name}`, { isEnabled: true, passPercentage: 0, ...members });
  await api.must("POST", `/holdouts/${name}/overrides`, {
    ...{ passingUserIDs: [userID], failingUserIDs: [], passingCustomIDs: [], failingCustomIDs: [] },
    environmentOverrides: [],
  });
};
const layer = async (name: string) => {
  const color = { name: "color", type: "string", defaultValue: "grey" };
  const parameters = [color, { name: "size", type: "number", defaultValue: 1 }];
  await api.must("POST", "/layers", { name, idType: "userID" });
  await api.must("PATCH", `/layers/${name}`, { parameters });
};
const inLayer = (layerID: string, allocation: number, one: string, other: string) => ({
  ...{ layerID, allocation, groups: halves("color", one, other) },
});
const dutch = {
  ...ruleFor("Dutch"),
  conditions: [{ type: "country", operator: "any", targetValue: ["NL"] }],
};

/** Who is in a variant is drawn by the id of its rule, which a seed can give. */
const drawn = { ...ruleFor("All"), id: "all", baseID: "all" };
const variants = Object.entries({ one: 25, two: 50 }).map(([name, passPercentage]) => ({
  ...{ name, passPercentage, returnValue: { name } },
}));
const seed = { dynamic_configs: [{ name: "variants", rules: [{ ...drawn, variants }] }] };

async function seedExperiments(): Promise<void> {
  const sizes = Object.entries({ A: 10, B: 30, C: 60 });
  await start("sized", { groups: sizes.map(([name, size]) => ({ name, size, parameterValues: {} })) });
  await start("half_allocated", { allocation: 50 });
  await prepare("not_started");
  await prepare("early", { enabledNonProdEnvironments: ["staging"] });
  await prepare("due");
  await api.must("POST", "/experiments/due/schedule_start", { scheduledTime: Date.now() - 1000 });
  await start("decided");
  await ship("decided");
  await start("dropped");
  await put("dropped/abandon", reason);
  await start("one_off");
  await api.must("POST", "/experiments/one_off/disable_groups", { group_names: ["Test"] });
  await api.must("POST", "/gates", { id: "dutch", rules: [dutch] });
  await start("targeted", { targetingGateID: "dutch" });
  await prepare("forced");
  await api.must("POST", "/experiments/forced/overrides", {
    overrides: [{ type: "gate", id: "dutch", groupID: await groupId("forced", "Control") }],
    userIDOverrides: [{ groupID: await groupId("forced", "Test"), ids: ["always"] }],
  });
  await start("held");
  await holdBack("no_experiments", { experimentIDs: ["held"] }, "out");
}

async function seedLayers(): Promise<void> {
  for (const name of ["page", "empty", "shipped"]) await layer(name);
  await start("page_one", inLayer("page", 30, "red", "blue"));
  await start("page_two", inLayer("page", 60, "green", "pink"));
  await prepare("page_none", inLayer("page", 10, "x", "y"));
  const override = { groupName: "Test", experimentName: "page_one", ids: ["always blue"], idType: "userID" };
  await api.must("POST", "/layers/page/overrides", { conditionalOverrides: [], idOverrides: [override] });
  await holdBack("no_page", { layerIDs: ["page"] }, "out");
  await start("page_won", inLayer("shipped", 100, "red", "blue"));
  await ship("page_won");
}

async function seedConfigs(): Promise<void> {
  for (const [name, isEnabled] of Object.entries({ words: true, words_off: false })) {
    const rules = [{ ...dutch, returnValue: { hello: "hoi" } }];
    await api.must("POST", "/dynamic_configs", { name, isEnabled, defaultValue: { hello: "hi" }, rules });
  }
}

const { both } = sharedSdks(
  async (own) => {
    api = own;
    await seedConfigs();
    await seedExperiments();
    await seedLayers();
  },
  { seed },
);

const people = Array.from({ length: 1500 }, (_, index): User => ({ userID: `p${index}` }));
const count = (values: readonly unknown[], wanted: unknown) => values.filter((one) => one === wanted).length;
const expectShare = (found: number, part: number, of = people.length): void =>
  expect(Math.abs(found - of * part)).toBeLessThanOrEqual(4 * Math.sqrt(of * part * (1 - part)));
const inNl: User = { userID: "u", country: "NL" };
const inDe: User = { userID: "u", country: "DE" };
const [anyone, out, forced, blue] = ["u", "out", "always", "always blue"].map((userID) => ({ userID }));
const assigned = { v: expect.stringMatching(/^[ct]$/) };
const shownColor = (color: string) => ({ color, size: 1 });

test.each<[name: string, user: User | undefined, value: JsonObject]>([
  ["not_started", anyone, {}],
  ["early", anyone, {}],
  ["early", { ...anyone, statsigEnvironment: { tier: "staging" } }, assigned],
  ["due", anyone, assigned],
  ["dropped", anyone, {}],
  ["targeted", inNl, assigned],
  ["targeted", inDe, {}],
  // Overrides force a group before the start too.
  ["forced", forced, { v: "t" }],
  ["forced", inNl, { v: "c" }],
  ["forced", inDe, {}],
  ["held", out, {}],
  ["held", anyone, assigned],
  ["page_one", out, shownColor("grey")],
  ["page_one", blue, shownColor("blue")],
  ["page_won", anyone, shownColor("blue")],
])("the experiment %s answers %j with %j", (name, user = {}, value) => {
  expect(both((sdk) => sdk.experiment(name, user).value)).toEqual(value);
});

test.each<[name: string, user: User | undefined, value: JsonObject]>([
  ["page", out, { color: "grey", none: null }],
  ["page", blue, { color: "blue", none: null }],
  ["empty", anyone, { color: "grey", none: null }],
  // What a decision has shipped.
  ["shipped", anyone, { color: "blue", none: null }],
])("the layer %s answers %j with %j", (name, user = {}, value) => {
  expect(both((sdk) => sdk.layer(name, user, ["color", "none"]))).toEqual(value);
});

test.each<[name: string, user: User, hello: string]>([
  ["words", inNl, "hoi"],
  ["words", inDe, "hi"],
  ["words_off", inNl, "hi"],
])("the config %s answers %j with %j", (name, user, hello) => {
  expect(both((sdk) => sdk.config(name, user).value)).toEqual({ hello });
});

test("variants, groups and allocations have their shares; who is in none gets the default", () => {
  const chosen = both((sdk) => people.map((user) => sdk.config("variants", user).value.name));
  for (const [name, part] of [
    ["one", 0.25],
    ["two", 0.5],
    [undefined, 0.25],
  ] as const)
    expectShare(count(chosen, name), part);
  const groups = both((sdk) => people.map((user) => sdk.experiment("sized", user).group));
  for (const [name, part] of Object.entries({ A: 0.1, B: 0.3, C: 0.6 }))
    expectShare(count(groups, name), part);
  const valuesOf = (name: string) => both((sdk) => people.map((user) => sdk.experiment(name, user).value.v));
  const half = valuesOf("half_allocated");
  for (const [value, part] of [
    [undefined, 0.5],
    ["c", 0.25],
    ["t", 0.25],
  ] as const)
    expectShare(count(half, value), part);
  const oneOff = valuesOf("one_off");
  expectShare(count(oneOff, "c"), 0.5);
  expect([count(oneOff, "t"), count(valuesOf("decided"), "t")]).toEqual([0, people.length]);
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
  expectShare(count(one, true), 0.3);
  expectShare(count(two, true), 0.6);
});

test("who is in an experiment stays in it when another one of its layer ends and a third one starts", async () => {
  const groupsIn = (sdk: ServerSdk) => people.map((user) => sdk.experiment("page_two", user).group);
  const before = both(groupsIn);
  expect(before.some((group) => group !== null)).toBe(true);
  await put("page_one/abandon", reason);
  await api.must("PATCH", "/experiments/page_none", { allocation: 40 });
  await put("page_none/start", {});
  const fresh = await startBoth(api.emulator.url);
  for (const sdk of fresh) {
    expect(groupsIn(sdk)).toEqual(before);
    const third = people.filter((user) => sdk.experiment("page_none", user).group !== null).length;
    expectShare(third, 0.4);
  }
  await Promise.all(fresh.map((sdk) => sdk.stop()));
});
