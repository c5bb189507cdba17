import { beforeEach, describe, expect, test } from "@jest/globals";
import { type Item, ruleFor } from "./desk";
import { sharedDesk } from "./test-desk";

const { ask, must, list, refused } = sharedDesk();

const unknownRule = "400 rules: A provided rule ID does not match an existing rule ID";

describe("rules of a gate", () => {
  let [first, second] = [] as unknown as [Item, Item];
  beforeEach(async () => {
    const rules = [ruleFor("first", 10), ruleFor("second", 20)];
    [first, second] = (await must("POST", "/gates", { name: "gate", rules })).rules as [Item, Item];
  });
  const patch = async (...rules: object[]) => (await must("PATCH", "/gates/gate", { rules })).rules;
  /** Sends the rules to the gate, and to a new one. */
  const refusals = async (...rules: object[]) => [
    await refused("PATCH", "/gates/gate", { rules }),
    await refused("POST", "/gates", { name: "another", rules }),
  ];

  test("a new rule gets a base id, and an id of it, its percentage and a counter", () => {
    expect(first.baseID).toMatch(/^[A-Za-z0-9]{8,}$/);
    expect(first).toMatchObject({ id: `${first.baseID}:10.00:1`, environments: null });
  });

  test("the id changes with the percentage, the base id never", async () => {
    const { id, baseID } = first;
    const [changed, same] = await patch({ ...ruleFor("first", 12.5), id, baseID }, second);
    expect(changed).toMatchObject({ baseID, id: `${baseID}:12.50:2` });
    expect(same).toEqual(second);
    expect((await patch({ ...ruleFor("first", 13), id, baseID }))[0]?.baseID).toBe(baseID);
  });

  test.each([
    ["custom_field", "field"],
    ["unit_id", "customID"],
  ])("a %s condition needs %s", async (type, member) => {
    const conditions = [{ type: "public" }, { type, operator: "any", targetValue: ["x"] }];
    const required = `400 rules.1.conditions.1.${member}: Required`;
    expect(await refusals(ruleFor("fine"), { ...ruleFor("not"), conditions })).toEqual([required, required]);
  });

  test("order is kept; a rule sent without ids is a new one, one that is left out is gone", async () => {
    expect(await patch(second, first)).toEqual([second, first]);
    const rules = await patch(ruleFor("first", 10));
    expect(rules).toHaveLength(1);
    expect(rules[0]?.baseID).not.toBe(first.baseID);
  });

  test("no two rules share a name or an id, and an unknown id is none of them", async () => {
    for (const ids of [{ id: "unknown" }, { baseID: "unknown" }, { id: "unknown:10.00:1" }])
      expect(await refusals({ ...ruleFor("x"), ...ids })).toEqual([unknownRule, unknownRule]);
    const twice = "400 rules: Duplicate rule name(s) given";
    expect(await refusals(ruleFor("a"), ruleFor("a"))).toEqual([twice, twice]);
    expect(await refused("POST", "/gates/gate/rule", ruleFor("first"))).toBe(twice);
    const rules = ["a", "b"].map((name) => ({ ...ruleFor(name), id: first.id }));
    expect((await ask("PATCH", "/gates/gate", { rules })).status).toBe(400);
  });

  test("what the console keeps about a rule is not taken from a body", async () => {
    const completedAutomatedRollouts = [{ passPercent: 1, time: 1 }];
    const [rule] = await patch({ ...ruleFor("a"), completedAutomatedRollouts });
    expect(rule).not.toHaveProperty("completedAutomatedRollouts");
  });

  test("one rule is added, changed and removed, by id or base id", async () => {
    const added = (await must("POST", "/gates/gate/rule", ruleFor("third", 1))).rules;
    expect(added.map((rule) => rule.name)).toEqual(["first", "second", "third"]);
    const at = (id: string) => `/gates/gate/rules/${encodeURIComponent(id)}`;
    const byId = await must("PATCH", at(first.id), { passPercentage: 11 });
    expect(byId.rules[0]).toMatchObject({ name: "first", passPercentage: 11, baseID: first.baseID });
    const byBase = await must("PATCH", at(first.baseID), { environments: ["production"] });
    expect(byBase.rules[0]).toMatchObject({ passPercentage: 11, environments: ["production"] });
    const left = (await must("DELETE", at(first.baseID))).rules;
    expect(left).toHaveLength(2);
    expect((await must("GET", "/gates/gate/rules")).rules).toEqual(left);
  });

  test("several rules are appended, or take the place of all, in one request", async () => {
    const path = "/gates/gate/rules";
    const added = await must("POST", path, { rules: [ruleFor("b"), ruleFor("c")] });
    expect(added.rules.map(({ name }) => name)).toEqual(["first", "second", "b", "c"]);
    const { rules } = await must("PATCH", path, { rules: [ruleFor("c"), first] });
    expect(rules).toMatchObject([{ name: "c" }, { name: "first", baseID: first.baseID }]);
    expect((await ask("POST", path, { rules: [{ name: "d" }] })).status).toBe(400);
    expect(await refused("PATCH", path, {})).toBe("400 rules: Required");
  });

  test("results of a rule are calculated when asked for, and there are none", async () => {
    const load = (ruleId: unknown) =>
      ["POST", "/gates/gate/load_pulse", { ruleId, turboMode: true }] as const;
    expect((await ask(...load(first.id))).body).toEqual({ message: "Pulse load started successfully." });
    expect(await refused(...load(undefined))).toBe("400 ruleId: Required");
    const at = `/gates/gate/rules/${first.baseID}`;
    expect(await must("GET", `${at}/pulse_results`)).toEqual({});
    const loads = await ask("GET", `${at}/pulse_load_history`);
    expect(loads).toMatchObject({ status: 200, data: [], body: { pagination: { totalItems: 0 } } });
    const unknown = "/gates/gate/rules/unknown";
    expect(await refused(...load("unknown"))).toBe(unknownRule);
    for (const method of ["PATCH", "DELETE"]) expect(await refused(method, unknown, {})).toBe(unknownRule);
    for (const rest of ["pulse_load_history", "pulse_results"])
      expect(await refused("GET", `${unknown}/${rest}`)).toBe(unknownRule);
  });
});

describe("rules of a dynamic config", () => {
  const rule = { name: "staff", conditions: [], returnValue: { on: true } };
  let first: Item;
  let path: string;
  beforeEach(async () => {
    const { rules } = await must("POST", "/dynamic_configs", { name: "config", rules: [rule] });
    first = rules[0] as Item;
    path = `/dynamic_configs/config/rule/${first.baseID}`;
  });

  test("are listed as one object on a page of 20000", async () => {
    const staff = { name: "staff", passPercentage: 100, returnValueJson5: '{"on":true}' };
    expect(await ask("GET", "/dynamic_configs/config/rules")).toMatchObject({
      data: [{ rules: [staff] }],
      body: { pagination: { itemsPerPage: 20_000, totalItems: 1 } },
    });
  });

  test("are read, changed and removed one by one, and added with the config alone", async () => {
    expect(await must("GET", path)).toEqual(first);
    const change = { passPercentage: 7, returnValueJson5: "{on: false} // off" };
    const rules = [{ name: "staff", passPercentage: 7, returnValue: { on: false } }];
    expect(await must("PATCH", path, change)).toMatchObject({ id: "config", rules });
    expect(await must("DELETE", path)).toMatchObject({ id: "config", rules: [] });
    expect(await refused("GET", path)).toBe(unknownRule);
    for (const gone of ["rule", "rules"])
      expect((await ask("POST", `/dynamic_configs/config/${gone}`, rule)).status).toBe(404);
  });

  test("keep their percentage when a body leaves it out, and name their variants", async () => {
    await must("PATCH", path, { passPercentage: 7 });
    const variants = [{ name: "a", passPercentage: 50, returnValue: {} }];
    const sent = [{ ...rule, baseID: first.baseID, variants }];
    const config = await must("PATCH", "/dynamic_configs/config", { rules: sent });
    const named = [{ id: expect.any(String), returnValueJson5: "{}" }];
    expect(config.rules[0]).toMatchObject({ passPercentage: 7, variants: named });
    const [shown] = await list("/dynamic_configs/config/rules");
    expect(shown?.rules[0]).toEqual(config.rules[0]);
  });
});
