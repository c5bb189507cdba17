import { beforeEach, describe, expect, test } from "@jest/globals";
import { finding, type Item, ruleFor } from "./desk";
import { sharedDesk } from "./test-desk";

const desk = sharedDesk();

const unknownRule = finding("rules", "A provided rule ID does not match an existing rule ID");
/** The first two rules of the gate. */
const rulesOf = async () => (await desk.must("GET", "/gates/gate")).rules as [Item, Item];
/** The first rule of the config. */
const configRule = async () =>
  ((await desk.list("/dynamic_configs/config/rules"))[0] as Item).rules[0] as Item;

describe("rules of a gate", () => {
  beforeEach(() =>
    desk.must("POST", "/gates", { name: "gate", rules: [ruleFor("first", 10), ruleFor("second", 20)] }),
  );

  test("a new rule gets a base id, and an id of it, its percentage and a counter", async () => {
    const [first] = await rulesOf();
    expect(first.baseID).toMatch(/^[A-Za-z0-9]{8,}$/);
    expect(first).toMatchObject({ id: `${first.baseID}:10.00:1`, environments: null });
  });

  test("the id changes with the percentage, the base id never", async () => {
    const [first, second] = await rulesOf();
    const sent = [{ ...ruleFor("first", 12.5), id: first.id, baseID: first.baseID }, second];
    const [changed, same] = (await desk.must("PATCH", "/gates/gate", { rules: sent })).rules;
    expect(changed).toMatchObject({ baseID: first.baseID, id: `${first.baseID}:12.50:2` });
    expect(same).toEqual(second);
    const stale = [{ ...ruleFor("first", 13), id: first.id, baseID: first.baseID }];
    expect((await desk.must("PATCH", "/gates/gate", { rules: stale })).rules[0]?.baseID).toBe(first.baseID);
  });

  test.each([
    ["custom_field", "field"],
    ["unit_id", "customID"],
  ])("a %s condition needs %s", async (type, member) => {
    const conditions = [{ type: "public" }, { type, operator: "any", targetValue: ["x"] }];
    const rules = [ruleFor("fine"), { ...ruleFor("not"), conditions }];
    const required = finding(`rules.1.conditions.1.${member}`, "Required");
    expect((await desk.ask("PATCH", "/gates/gate", { rules })).body).toEqual(required);
    expect((await desk.ask("POST", "/gates", { name: "another", rules })).body).toEqual(required);
  });

  test("a rule sent without ids is a new one, one that is left out is gone", async () => {
    const [first] = await rulesOf();
    const rules = (await desk.must("PATCH", "/gates/gate", { rules: [ruleFor("first", 10)] })).rules;
    expect(rules).toHaveLength(1);
    expect(rules[0]?.baseID).not.toBe(first.baseID);
  });

  test("order is kept", async () => {
    const [first, second] = await rulesOf();
    const { rules } = await desk.must("PATCH", "/gates/gate", { rules: [second, first] });
    expect(rules).toEqual([second, first]);
  });

  test.each([{ id: "unknown" }, { baseID: "unknown" }, { id: "unknown:10.00:1" }])(
    "%j matches no rule",
    async (ids) => {
      const rules = [{ ...ruleFor("x"), ...ids }];
      expect((await desk.ask("PATCH", "/gates/gate", { rules })).body).toEqual(unknownRule);
      expect((await desk.ask("POST", "/gates", { name: "other", rules })).body).toEqual(unknownRule);
    },
  );

  test("two rules cannot share a name or an id", async () => {
    const twice = finding("rules", "Duplicate rule name(s) given");
    const named = { rules: [ruleFor("a"), ruleFor("a")] };
    expect((await desk.ask("PATCH", "/gates/gate", named)).body).toEqual(twice);
    expect((await desk.ask("POST", "/gates/gate/rule", ruleFor("first"))).body).toEqual(twice);
    const [{ id }] = await rulesOf();
    const rules = ["a", "b"].map((name) => ({ ...ruleFor(name), id }));
    expect((await desk.ask("PATCH", "/gates/gate", { rules })).status).toBe(400);
  });

  test("what the console keeps about a rule is not taken from a body", async () => {
    const rule = { ...ruleFor("a"), completedAutomatedRollouts: [{ passPercent: 1, time: 1 }] };
    const { rules } = await desk.must("PATCH", "/gates/gate", { rules: [rule] });
    expect(rules[0]).not.toHaveProperty("completedAutomatedRollouts");
  });

  test("one rule is added, changed and removed, by id or base id", async () => {
    const [first] = await rulesOf();
    const added = (await desk.must("POST", "/gates/gate/rule", ruleFor("third", 1))).rules;
    expect(added.map((rule) => rule.name)).toEqual(["first", "second", "third"]);
    const at = (id: string) => `/gates/gate/rules/${encodeURIComponent(id)}`;
    const byId = await desk.must("PATCH", at(first.id), { passPercentage: 11 });
    expect(byId.rules[0]).toMatchObject({ name: "first", passPercentage: 11, baseID: first.baseID });
    const byBase = await desk.must("PATCH", at(first.baseID), { environments: ["production"] });
    expect(byBase.rules[0]).toMatchObject({ passPercentage: 11, environments: ["production"] });
    const left = (await desk.must("DELETE", at(first.baseID))).rules;
    expect(left).toHaveLength(2);
    expect((await desk.must("GET", "/gates/gate/rules")).rules).toEqual(left);
  });

  test.each([
    ["PATCH", "", {}],
    ["DELETE", "", undefined],
    ["GET", "/pulse_load_history", undefined],
    ["GET", "/pulse_results", undefined],
  ])("%s of an unknown rule%s is refused", async (method, rest, body) => {
    expect((await desk.ask(method, `/gates/gate/rules/unknown${rest}`, body)).body).toEqual(unknownRule);
  });

  test("loads of results are an empty list", async () => {
    const [first] = await rulesOf();
    const answer = await desk.ask("GET", `/gates/gate/rules/${first.baseID}/pulse_load_history`);
    expect(answer).toMatchObject({ status: 200, data: [], body: { pagination: { totalItems: 0 } } });
  });

  test("results of a rule are calculated when asked for, and there are none", async () => {
    const [first] = await rulesOf();
    const load = (ruleId: unknown) => desk.ask("POST", "/gates/gate/load_pulse", { ruleId, turboMode: true });
    expect((await load(first.id)).body).toEqual({ message: "Pulse load started successfully." });
    expect((await load("unknown")).body).toEqual(unknownRule);
    expect((await load(undefined)).body).toEqual(finding("ruleId", "Required"));
    expect(await desk.must("GET", `/gates/gate/rules/${first.baseID}/pulse_results`)).toEqual({});
  });
});

describe("rules of a dynamic config", () => {
  const rule = { name: "staff", conditions: [], returnValue: { on: true } };
  beforeEach(() => desk.must("POST", "/dynamic_configs", { name: "config", rules: [rule] }));

  test("are listed as one object on a page of 20000", async () => {
    const { data, body } = await desk.ask("GET", "/dynamic_configs/config/rules");
    const staff = { name: "staff", passPercentage: 100, returnValueJson5: '{"on":true}' };
    expect(data).toMatchObject([{ rules: [staff] }]);
    expect(body.pagination).toMatchObject({ itemsPerPage: 20_000, totalItems: 1 });
  });

  test("are read, changed and removed one by one", async () => {
    const first = await configRule();
    const path = `/dynamic_configs/config/rule/${first.baseID}`;
    expect(await desk.must("GET", path)).toEqual(first);
    const change = { passPercentage: 7, returnValueJson5: "{on: false} // off" };
    const rules = [{ name: "staff", passPercentage: 7, returnValue: { on: false } }];
    expect(await desk.must("PATCH", path, change)).toMatchObject({ id: "config", rules });
    expect(await desk.must("DELETE", path)).toMatchObject({ id: "config", rules: [] });
    expect((await desk.ask("GET", path)).body).toEqual(unknownRule);
  });

  test("keep their percentage when a body leaves it out, and name their variants", async () => {
    const first = await configRule();
    await desk.must("PATCH", `/dynamic_configs/config/rule/${first.baseID}`, { passPercentage: 7 });
    const variants = [{ name: "a", passPercentage: 50, returnValue: {} }];
    const sent = [{ ...rule, baseID: first.baseID, variants }];
    const config = await desk.must("PATCH", "/dynamic_configs/config", { rules: sent });
    const named = [{ id: expect.any(String), returnValueJson5: "{}" }];
    expect(config.rules[0]).toMatchObject({ passPercentage: 7, variants: named });
  });

  test.each([
    ["POST", "/dynamic_configs/config/rule"],
    ["POST", "/dynamic_configs/config/rules"],
  ])("%s %s is gone", async (method, path) => {
    expect((await desk.ask(method, path, rule)).status).toBe(404);
  });
});

/** Objects that carry rules: their list, and what a create needs beside the rules. */
const holders = [
  ["gates", { name: "one" }],
  ["dynamic_configs", { name: "one" }],
  ["segments", { name: "one", type: "rule_based" }],
] as const;

const withRule = (condition: unknown, members: object = {}) => ({
  rules: [{ name: "one", passPercentage: 100, conditions: [condition], ...members }],
});

test.each(holders)("[W1] in %s an empty operator, field and customID are none", async (list, body) => {
  const condition = { type: "passes_segment", targetValue: "staff" };
  const sent = withRule({ ...condition, operator: "", field: "", customID: "" });
  const made = await desk.must("POST", `/${list}`, { ...body, ...sent });
  expect(made.rules[0]?.conditions).toEqual([condition]);
});

test.each(holders)("[W2] in %s an empty id of a rule is none: the rule is new", async (list, body) => {
  const sent = withRule({ type: "country", operator: "any", targetValue: ["CH"] }, { id: "", baseID: "" });
  const made = await desk.must("POST", `/${list}`, { ...body, ...sent });
  expect(made.rules[0]?.baseID).toMatch(/./);
});
