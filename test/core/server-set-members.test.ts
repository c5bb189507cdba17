import { expect, test } from "@jest/globals";
import type { KindName } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { withKnownIds, withLiveMembers } from "../../src/provider/values/server-set-members";
import { kind } from "./subjects";

const rule = (name: string, passPercentage: number, members: JsonObject = {}): JsonObject => ({
  ...{ name, passPercentage, conditions: [], ...members },
});
const live = (base: string, one: JsonObject): JsonObject => ({
  ...{ ...one, id: `${base}:1.00:2`, baseID: base, environments: null, pendingAutomatedRollouts: [] },
});
const named = (field: string, value: unknown, from: unknown, name: KindName = "gate") =>
  withLiveMembers(kind(name), "identity", field, value, from) as JsonObject[];
const bases = (rules: JsonObject[]) => rules.map(({ baseID }) => baseID);

const staff = rule("Staff", 100);
const beta = rule("Beta", 50);
const liveRules = [live("s", staff), live("b", beta)];
const twins = [live("s", rule("A", 5)), live("b", rule("B", 5))];

test.each<[string, JsonObject[], unknown[], JsonObject[]?]>([
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
  ["when both of one content are renamed", [rule("C", 5), rule("D", 5)], ["s", "b"], twins],
  ["when one of two of one content is renamed", [rule("C", 5), rule("B", 5)], ["s", "b"], twins],
])("a rule keeps its identity %s", (_, wanted, expected, from = liveRules) => {
  expect(bases(named("rules", wanted, from))).toEqual(expected);
});

test("a rule keeps its identity when it is renamed and the console says its content in another form", () => {
  const [condition, returnValue] = [{ type: "user_id", operator: "any" }, { a: 1 }];
  const conditions = [{ ...condition, targetValue: ["1", "2"] }];
  const shown = [{ ...condition, targetValue: [2, 1], field: null }];
  const seen = rule("Old", 100, { returnValue, returnValueJson5: '{"a":1}', conditions: shown });
  const wanted = rule("New", 100, { returnValue, conditions });
  expect(bases(named("rules", [wanted], [live("x", seen)], "dynamicConfig"))).toEqual(["x"]);
});

test("a rule is otherwise sent as the program says it", () => {
  const changed = rule("Staff", 7);
  expect(named("rules", [changed], liveRules)).toEqual([{ id: "s:1.00:2", baseID: "s", ...changed }]);
  expect(named("rules", [staff], [{ ...staff, id: "", baseID: "s" }])).toEqual([{ ...staff, baseID: "s" }]);
});

test.each([undefined, null, [], live("s", staff)].map((from) => [from]))(
  "a rule has no identity while the console shows %j",
  (from) => expect(named("rules", [staff], from)).toEqual([staff]),
);

test("variants keep theirs when the order changes or one is renamed", () => {
  const variant = (name: string, v?: number, id?: string) => ({
    ...{ name, passPercentage: 50, ...(v && { returnValue: { v } }), ...(id && { id }) },
  });
  const split = (...variants: JsonObject[]) => rule("Split", 100, { variants });
  const seen = live("r", split(variant("a", 1, "va"), variant("b", 2, "vb")));
  const wanted = split(variant("b", 2), variant("c", 1), variant("d"));
  const [sent] = named("rules", [wanted], [seen], "dynamicConfig");
  const ids = ((sent?.variants ?? []) as JsonObject[]).map(({ id, name }) => [id, name]);
  expect(ids).toEqual([
    ["vb", "b"],
    ["va", "c"],
    [undefined, "d"],
  ]);
});

test.each<[KindName, string, unknown]>([
  ["gate", "tags", ["a"]],
  ["gate", "description", "x"],
  ["layer", "parameters", [{ name: "p", type: "object", defaultValue: { id: 1 } }]],
  ["gate", "nothing_known", [1]],
  ["dynamicConfig", "defaultValue", { rules: [{ name: "Staff" }], list: [{ name: "a" }] }],
])("of a %s %s has no identities", (name, field, value) => {
  const from = field === "defaultValue" ? { rules: liveRules } : value;
  expect(withLiveMembers(kind(name), "identity", field, value, from)).toEqual(value);
});

test("a preview knows the id of each group that stays: others refer to it", () => {
  const group = (name: string, size: number) => ({ name, size, parameterValues: { name } });
  const seen = [group("a", 50), group("b", 50)].map((one) => ({ ...one, id: `id of ${one.name}` }));
  const known = (program: unknown) =>
    (withKnownIds(kind("experiment"), "groups", program, seen) as JsonObject[]).map(({ id }) => id);
  expect(known([group("b", 40), group("a", 20), group("c", 40)])).toEqual(["id of b", "id of a", UNKNOWN]);
  expect(known([{ ...group("b", 50), name: "B" }, group("a", 50)])).toEqual(["id of b", "id of a"]);
  expect(withKnownIds(kind("experiment"), "groups", UNKNOWN, seen)).toBe(UNKNOWN);
});
