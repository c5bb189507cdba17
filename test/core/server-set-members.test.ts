import { describe, expect, test } from "@jest/globals";
import type { KindName } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { withElementIds } from "../../src/provider/values/server-set-members";
import { kind } from "./subjects";

const rule = (name: string, passPercentage: number, members: JsonObject = {}): JsonObject => ({
  name,
  passPercentage,
  conditions: [],
  ...members,
});
const live = (base: string, one: JsonObject): JsonObject => ({
  ...one,
  id: `${base}:1.00:2`,
  baseID: base,
  environments: null,
  pendingAutomatedRollouts: [],
});
const named = (field: string, value: unknown, from: unknown, name: KindName = "gate") =>
  withElementIds(kind(name), field, value, from) as JsonObject[];
const bases = (rules: JsonObject[]) => rules.map(({ baseID }) => baseID);

const staff = rule("Staff", 100);
const beta = rule("Beta", 50);
const liveRules = [live("s", staff), live("b", beta)];

describe("a rule keeps its identity", () => {
  test.each<[string, JsonObject[], unknown[]]>([
    ["when nothing changes", [staff, beta], ["s", "b"]],
    ["when its percentage changes", [rule("Staff", 7), beta], ["s", "b"]],
    ["when another is put above it", [rule("New", 1), staff, beta], [undefined, "s", "b"]],
    ["when another is removed", [beta], ["b"]],
    ["when the order changes", [beta, staff], ["b", "s"]],
    ["when it is renamed", [rule("Employees", 100), beta], ["s", "b"]],
    ["when it is renamed and moved", [beta, rule("Employees", 100)], ["b", "s"]],
    ["when two swap their contents, by name", [rule("Staff", 50), rule("Beta", 100)], ["s", "b"]],
    ["and gives it to no other", [staff, rule("Copy", 100)], ["s", undefined]],
    ["but not when name and content are new", [rule("New", 3)], [undefined]],
  ])("%s", (_, wanted, expected) => {
    expect(bases(named("rules", wanted, liveRules))).toEqual(expected);
  });

  test("of two with the same content, each renamed one takes its own", () => {
    const twins = [live("one", rule("A", 5)), live("two", rule("B", 5))];
    expect(bases(named("rules", [rule("C", 5), rule("D", 5)], twins))).toEqual(["one", "two"]);
    expect(bases(named("rules", [rule("C", 5), rule("B", 5)], twins))).toEqual(["one", "two"]);
  });

  test("when it is renamed and the console says its content in another form", () => {
    const wanted = rule("New", 100, {
      returnValue: { a: 1 },
      conditions: [{ type: "user_id", operator: "any", targetValue: ["1", "2"] }],
    });
    const seen = live(
      "x",
      rule("Old", 100, {
        returnValue: { a: 1 },
        returnValueJson5: '{"a":1}',
        conditions: [{ type: "user_id", operator: "any", targetValue: [2, 1], field: null }],
      }),
    );
    expect(bases(named("rules", [wanted], [seen], "dynamicConfig"))).toEqual(["x"]);
  });

  test("and is otherwise sent as the program says it", () => {
    expect(named("rules", [rule("Staff", 7)], liveRules)).toEqual([
      { id: "s:1.00:2", baseID: "s", ...rule("Staff", 7) },
    ]);
  });

  test.each<[string, unknown]>([
    ["none", undefined],
    ["null", null],
    ["no rules", []],
    ["one object", live("s", staff)],
  ])("and has none while the console shows %s", (_, from) => {
    expect(named("rules", [staff], from)).toEqual([staff]);
  });

  test("and an empty id of the console is left out", () => {
    expect(named("rules", [staff], [{ ...staff, id: "", baseID: "s" }])).toEqual([{ ...staff, baseID: "s" }]);
  });
});

describe("identities inside a rule", () => {
  const variant = (name: string, members: JsonObject = {}) => ({ name, passPercentage: 50, ...members });
  const withVariants = (...variants: JsonObject[]) => rule("Split", 100, { variants });
  const seen = [
    live(
      "r",
      withVariants(
        variant("a", { id: "va", returnValue: { v: 1 } }),
        variant("b", { id: "vb", returnValue: { v: 2 } }),
      ),
    ),
  ];

  test("variants keep theirs when the order changes or one is renamed", () => {
    const wanted = withVariants(
      variant("b", { returnValue: { v: 2 } }),
      variant("c", { returnValue: { v: 1 } }),
      variant("d"),
    );
    const [sent] = named("rules", [wanted], seen, "dynamicConfig");
    const variants = (sent?.variants ?? []) as JsonObject[];
    expect(variants.map(({ id, name }) => [id, name])).toEqual([
      ["vb", "b"],
      ["va", "c"],
      [undefined, "d"],
    ]);
  });

  test("a JSON value is left alone, whatever it holds", () => {
    const value = { rules: [{ name: "Staff" }], list: [{ name: "a" }] };
    expect(withElementIds(kind("dynamicConfig"), "defaultValue", value, { rules: liveRules })).toBe(value);
  });

  test.each<[KindName, string, unknown]>([
    ["gate", "tags", ["a"]],
    ["gate", "description", "x"],
    ["layer", "parameters", [{ name: "p", type: "object", defaultValue: { id: 1 } }]],
    ["gate", "nothing_known", [1]],
  ])("%s.%s has none", (name, field, value) => {
    expect(withElementIds(kind(name), field, value, value)).toEqual(value);
  });
});
