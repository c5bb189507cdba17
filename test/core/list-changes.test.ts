import { describe, expect, test } from "@jest/globals";
import type { KindName } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { managedMember } from "../../src/provider/values/managed";
import { listChangeLines } from "../../src/provider/words/rule-changes-text";
import { kind } from "./subjects";

const everyone = { name: "Everyone", passPercentage: 10, conditions: [{ type: "public" }] };
const staff = {
  name: "Staff",
  passPercentage: 100,
  conditions: [{ type: "email", operator: "any", targetValue: ["a@example.com", "b@example.com"] }],
};
/** As a state shows rules: with what the console adds. */
const marked = (rule: JsonObject, id: string) => ({
  ...rule,
  id,
  baseID: id,
  completedAutomatedRollouts: [],
});
const state = { rules: [marked(staff, "1"), marked(everyone, "2")], [managedMember]: ["rules"] };

function lines(name: KindName, olds: JsonObject, news: JsonObject): string[] {
  return listChangeLines(kind(name), olds, news);
}

describe.each<KindName>(["gate", "dynamicConfig", "segment"])("a %s", (name) => {
  test("tells what becomes of its rules", () => {
    const zero = { name: "Zero", passPercentage: 0, conditions: [] };
    const rules = [zero, staff, { ...everyone, passPercentage: 25 }];
    expect(lines(name, state, { rules })).toEqual([
      'rules: + "Zero" at 1; "Everyone" 10 → 25 %; 1 unchanged',
    ]);
  });

  test("tells nothing of what only looks different", () => {
    const [condition] = staff.conditions;
    const turned = { ...condition, targetValue: ["b@example.com", "a@example.com"], field: "" };
    const rules = [{ ...staff, environments: null, conditions: [turned] }, everyone];
    expect(lines(name, state, { rules })).toEqual([]);
  });

  test("tells that rules go which the program says no more, and nothing of those it never said", () => {
    expect(lines(name, state, {})).toEqual(['rules: − "Staff" (was 1); − "Everyone" (was 2)']);
    expect(lines(name, { ...state, [managedMember]: [] }, {})).toEqual([]);
  });

  test("tells what is not known yet", () => {
    expect(lines(name, state, { rules: UNKNOWN })).toEqual(["rules: not known yet"]);
  });
});

test("a percentage that a config leaves out is the one that the console fills in", () => {
  const rules = [{ ...staff, returnValue: { a: 1 } }];
  const { passPercentage: _, ...silent } = { ...staff, returnValue: { a: 2 } };
  expect(lines("dynamicConfig", { rules, [managedMember]: ["rules"] }, { rules: [silent] })).toEqual([
    'rules: "Staff" returnValue',
  ]);
});

test("a value in its other form is the same value", () => {
  const rules = [{ ...staff, returnValue: { a: 1 } }];
  const other = [{ ...staff, returnValueJson5: "{a: 1} // one" }, everyone];
  expect(lines("dynamicConfig", { rules, [managedMember]: ["rules"] }, { rules: other })).toEqual([
    'rules: + "Everyone" at 2; 1 unchanged',
  ]);
});

test("a kind without such a list tells nothing", () => {
  const parameters = [{ name: "colour", type: "string", defaultValue: "" }];
  expect(lines("layer", { parameters, [managedMember]: ["parameters"] }, { parameters: [] })).toEqual([]);
});
