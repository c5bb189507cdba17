import { describe, expect, test } from "@jest/globals";
import { emptyTeam } from "../laws/furniture";
import { ruleFor } from "./desk";
import { desksOfTests } from "./test-desk";

const open = desksOfTests();
const refusal = (message: string) => ({ status: 400, message });
const changesOf = (path: string): [string, string, unknown][] => [
  ["PATCH", path, { description: "new" }],
  ["PUT", `${path}/disable`, undefined],
];

describe("requiredReviews", () => {
  const held = refusal("A change of this gate requires a review: open one in the console");
  const own = { reviewSettings: { requiredReview: true } };

  test("apply: the write applies", async () => {
    const desk = await open({ behaviour: { requiredReviews: "apply" } });
    await desk.must("POST", "/gates", { id: "one", ...own });
    for (const change of changesOf("/gates/one")) await desk.must(...change);
  });

  test("refuse: by the setting of the gate, until it is deleted; a create is no change", async () => {
    const desk = await open({ behaviour: { requiredReviews: "refuse" } });
    await desk.must("POST", "/gates", { id: "one", ...own });
    await desk.must("POST", "/gates", { id: "free" });
    for (const change of changesOf("/gates/one")) expect((await desk.ask(...change)).body).toEqual(held);
    expect((await desk.ask("POST", "/gates/one/rule", ruleFor("r"))).body).toEqual(held);
    expect(await desk.must("GET", "/gates/one")).toMatchObject({ version: 1, description: "" });
    for (const change of changesOf("/gates/free")) await desk.must(...change);
    await desk.must("DELETE", "/gates/one");
  });

  test("refuse: by the setting of the project, of every kind whose reviews can be committed", async () => {
    const desk = await open({ behaviour: { requiredReviews: "refuse" } });
    await desk.must("POST", "/gates", { id: "one" });
    await desk.must("POST", "/dynamic_configs", { name: "one" });
    await desk.must("POST", "/experiments", { name: "one" });
    await desk.must("POST", "/segments", { name: "one", type: "rule_based" });
    await desk.must("POST", "/layers", { name: "one", idType: "userID" });
    const settings = (required: boolean) => ({
      is_config_review_required: required,
      is_metric_review_required: false,
      is_metric_review_required_on_verified_only: false,
    });
    await desk.must("POST", "/settings/reviews", settings(true));
    const writes: [string, string, unknown][] = [
      ["PATCH", "/gates/one", { description: "new" }],
      ["PATCH", "/dynamic_configs/one", { description: "new" }],
      ["PATCH", "/experiments/one", { description: "new" }],
      ["POST", "/segments/one/conditional", []],
    ];
    for (const write of writes) expect((await desk.ask(...write)).status).toBe(400);
    await desk.must("PATCH", "/layers/one", { description: "new" });
    await desk.must("POST", "/settings/reviews", settings(false));
    for (const write of writes) await desk.must(...write);
  });

  test("refuse: by the setting of the team, by its id or its name", async () => {
    const desk = await open({ behaviour: { requiredReviews: "refuse" } });
    const growth = { ...emptyTeam, name: "growth", requireReviews: true };
    const team = await desk.must("POST", "/users/teams", growth);
    await desk.must("POST", "/users/teams", { ...emptyTeam, name: "other" });
    for (const [id, whose] of [
      ["by_id", { teamID: team.id }],
      ["by_name", { team: "growth" }],
    ] as const) {
      await desk.must("POST", "/gates", { id, ...whose });
      expect((await desk.ask("PATCH", `/gates/${id}`, { description: "new" })).body).toEqual(held);
    }
    await desk.must("POST", "/gates", { id: "free", team: "other" });
    await desk.must("PATCH", "/gates/free", { description: "new" });
  });
});

test("an open review of the seed is committed once, by its id, and changes nothing else", async () => {
  const activeReview = { reviewID: "r1", reviewStatus: "approved", description: "More" };
  const desk = await open({
    seed: { gates: [{ id: "one", description: "old", activeReview }, { id: "two" }] },
  });
  expect(await desk.must("GET", "/gates/one")).toMatchObject({ activeReview });
  const commit = (id: string, review: string) => desk.ask("PUT", `/gates/${id}/reviews/${review}/commit`);
  expect((await commit("one", "r2")).status).toBe(404);
  expect((await commit("two", "r1")).status).toBe(404);
  const committed = await commit("one", "r1");
  expect(committed.body).toEqual({ message: expect.any(String) });
  const after = await desk.must("GET", "/gates/one");
  expect(after).toMatchObject({ id: "one", description: "old", version: 2 });
  expect(after.activeReview).toBeUndefined();
  expect((await commit("one", "r1")).status).toBe(404);
});

describe("suddenRises", () => {
  const strategy = { gradual_rollout_strategy: { type: "bypass" } };
  const risen = refusal('The pass percentage of rule "a" rises at once: set gradual_rollout_strategy');

  test("accept: any rule is taken", async () => {
    const desk = await open({ behaviour: { suddenRises: "accept" } });
    await desk.must("POST", "/gates", { id: "one", rules: [ruleFor("a", 1)] });
    await desk.must("PATCH", "/gates/one", { rules: [ruleFor("a", 100)] });
  });

  test("refuse: a rule that lets more pass, or a new one, needs a strategy; less does not", async () => {
    const desk = await open({ behaviour: { suddenRises: "refuse" } });
    expect((await desk.ask("POST", "/gates", { id: "one", rules: [ruleFor("a", 1)] })).body).toEqual(risen);
    await desk.must("POST", "/gates", { id: "one", rules: [ruleFor("zero", 0)] });
    const made = await desk.must("POST", "/gates", { id: "two", rules: [ruleFor("a", 10)], ...strategy });
    const [rule] = made.rules;
    expect(
      (await desk.ask("PATCH", "/gates/two", { rules: [{ ...rule, passPercentage: 11 }] })).body,
    ).toEqual(risen);
    const path = `/gates/two/rules/${rule?.baseID}`;
    expect((await desk.ask("PATCH", path, { passPercentage: 11 })).body).toEqual(risen);
    await desk.must("PATCH", path, { passPercentage: 9 });
    await desk.must("PATCH", "/gates/two", { description: "new" });
    await desk.must("PATCH", "/gates/two", { rules: [{ ...rule, passPercentage: 100 }], ...strategy });
  });

  test("refuse: a seed may say any rule", async () => {
    const seed = { gates: [{ id: "one", rules: [ruleFor("a", 100)] }] };
    const desk = await open({ behaviour: { suddenRises: "refuse" }, seed });
    expect((await desk.must("GET", "/gates/one")).rules).toHaveLength(1);
  });
});

describe.each([
  ["gate", "/gates"],
  ["dynamic config", "/dynamic_configs"],
])("templates: %s", (title, path) => {
  const template = { name: "one", isTemplate: true };

  test("templateWrites accept: a write applies", async () => {
    const desk = await open({ behaviour: { templateWrites: "accept" } });
    await desk.must("POST", path, template);
    for (const change of changesOf(`${path}/one`)) await desk.must(...change);
  });

  test("templateWrites refuse: it stays, but it can be archived and deleted", async () => {
    const desk = await open({ behaviour: { templateWrites: "refuse" } });
    await desk.must("POST", path, template);
    await desk.must("POST", path, { name: "two" });
    const message = `This ${title} is a template, which cannot be changed through the API`;
    for (const change of changesOf(`${path}/one`))
      expect((await desk.ask(...change)).body).toEqual(refusal(message));
    await desk.must("PATCH", `${path}/two`, { description: "new" });
    await desk.must("PUT", `${path}/one/archive`, {});
    await desk.must("DELETE", `${path}/one`);
  });

  test.each([
    ["said", undefined],
    ["template", "TEMPLATE"],
  ] as const)("templateTypes %s: its type is read as %s", async (templateTypes, read) => {
    const desk = await open({ behaviour: { templateTypes } });
    await desk.must("POST", path, template);
    await desk.must("POST", path, { name: "two" });
    const plain = (await desk.must("GET", `${path}/two`)).type;
    expect((await desk.must("GET", `${path}/one`)).type).toBe(read ?? plain);
    expect((await desk.list(path)).map(({ type }) => type)).toEqual([read ?? plain, plain]);
  });
});
