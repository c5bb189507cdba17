import { describe, expect, test } from "@jest/globals";
import type { EmulatorOptions } from "../../src/emulator";
import { emptyTeam } from "../laws/furniture";
import { requireReviews, ruleFor } from "./desk";
import { desksOfTests } from "./test-desk";

const openDesk = desksOfTests();
const open = (behaviour: NonNullable<EmulatorOptions["behaviour"]>, options: EmulatorOptions = {}) =>
  openDesk({ ...options, behaviour });
const changesOf = (path: string): [string, string, unknown][] => [
  ["PATCH", path, { description: "new" }],
  ["PUT", `${path}/disable`, undefined],
];

describe("requiredReviews", () => {
  const held = "400 A change of this gate requires a review: open one in the console";
  const own = { reviewSettings: { requiredReview: true } };

  test("refuse: by the setting of the gate, until it is deleted; a create is no change", async () => {
    const { must, refused } = await open({ requiredReviews: "refuse" });
    await must("POST", "/gates", { id: "one", ...own });
    await must("POST", "/gates", { id: "free" });
    for (const change of changesOf("/gates/one")) expect(await refused(...change)).toBe(held);
    expect(await refused("POST", "/gates/one/rule", ruleFor("r"))).toBe(held);
    expect(await must("GET", "/gates/one")).toMatchObject({ version: 1, description: "" });
    for (const change of changesOf("/gates/free")) await must(...change);
    await must("DELETE", "/gates/one");
  });

  test("refuse: by the setting of the project, of every kind whose reviews can be committed", async () => {
    const api = await open({ requiredReviews: "refuse" });
    const { must, refused } = api;
    const description = { description: "new" };
    for (const [list, more] of Object.entries({
      ...{ gates: {}, dynamic_configs: {}, experiments: {} },
      ...{ segments: { type: "rule_based" }, layers: { idType: "userID" } },
    }))
      await must("POST", `/${list}`, { name: "one", ...more });
    await requireReviews(api);
    const writes: [string, string, unknown][] = [
      ["PATCH", "/gates/one", description],
      ["PATCH", "/dynamic_configs/one", description],
      ["PATCH", "/experiments/one", description],
      ["POST", "/segments/one/conditional", []],
    ];
    for (const write of writes) expect(await refused(...write)).toMatch(/^400 /);
    await must("PATCH", "/layers/one", description);
    await requireReviews(api, false);
    for (const write of writes) await must(...write);
  });

  test("refuse: by the setting of the team, by its id or its name", async () => {
    const { must, refused } = await open({ requiredReviews: "refuse" });
    const team = await must("POST", "/users/teams", { ...emptyTeam, name: "growth", requireReviews: true });
    await must("POST", "/users/teams", { ...emptyTeam, name: "other" });
    for (const whose of [{ teamID: team.id }, { team: "growth" }]) {
      const [id = ""] = Object.keys(whose);
      await must("POST", "/gates", { id, ...whose });
      expect(await refused("PATCH", `/gates/${id}`, { description: "new" })).toBe(held);
    }
    await must("POST", "/gates", { id: "free", team: "other" });
    await must("PATCH", "/gates/free", { description: "new" });
  });
});

test("an open review of the seed is committed once, by its id, and changes nothing else", async () => {
  const activeReview = { reviewID: "r1", reviewStatus: "approved", description: "More" };
  const gates = [{ id: "one", description: "old", activeReview }, { id: "two" }];
  const { must, ask } = await openDesk({ seed: { gates } });
  expect(await must("GET", "/gates/one")).toMatchObject({ activeReview });
  const commit = (gate: string, review: string) => ask("PUT", `/gates/${gate}/reviews/${review}/commit`);
  expect((await commit("one", "r2")).status).toBe(404);
  expect((await commit("two", "r1")).status).toBe(404);
  expect((await commit("one", "r1")).body).toEqual({ message: expect.any(String) });
  const after = await must("GET", "/gates/one");
  expect(after).toMatchObject({ id: "one", description: "old", version: 2 });
  expect(after.activeReview).toBeUndefined();
  expect((await commit("one", "r1")).status).toBe(404);
});

describe("suddenRises", () => {
  const strategy = { gradual_rollout_strategy: { type: "bypass" } };
  const risen = '400 The pass percentage of rule "a" rises at once: set gradual_rollout_strategy';

  test("refuse: a rule that lets more pass, or a new one, needs a strategy; less, and a seed, does not", async () => {
    const seed = { gates: [{ id: "planted", rules: [ruleFor("a", 100)] }] };
    const { must, refused } = await open({ suddenRises: "refuse" }, { seed });
    expect(await refused("POST", "/gates", { id: "one", rules: [ruleFor("a", 1)] })).toBe(risen);
    await must("POST", "/gates", { id: "one", rules: [ruleFor("zero", 0)] });
    const made = await must("POST", "/gates", { id: "two", rules: [ruleFor("a", 10)], ...strategy });
    const rules = (passPercentage: number) => ({ rules: [{ ...made.rules[0], passPercentage }] });
    expect(await refused("PATCH", "/gates/two", rules(11))).toBe(risen);
    const path = `/gates/two/rules/${made.rules[0]?.baseID}`;
    expect(await refused("PATCH", path, { passPercentage: 11 })).toBe(risen);
    await must("PATCH", path, { passPercentage: 9 });
    await must("PATCH", "/gates/two", { description: "new" });
    await must("PATCH", "/gates/two", { ...rules(100), ...strategy });
    expect((await must("GET", "/gates/planted")).rules).toHaveLength(1);
  });
});

describe.each([
  ["gate", "/gates"],
  ["dynamic config", "/dynamic_configs"],
])("templates: %s", (title, path) => {
  const template = { name: "one", isTemplate: true };

  test("templateWrites refuse: it stays, but it can be archived and deleted", async () => {
    const { must, refused } = await open({ templateWrites: "refuse" });
    await must("POST", path, template);
    await must("POST", path, { name: "two" });
    const reason = `400 This ${title} is a template, which cannot be changed through the API`;
    for (const change of changesOf(`${path}/one`)) expect(await refused(...change)).toBe(reason);
    await must("PATCH", `${path}/two`, { description: "new" });
    await must("PUT", `${path}/one/archive`, {});
    await must("DELETE", `${path}/one`);
  });
});
