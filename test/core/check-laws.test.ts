import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { check } from "../../src/provider/decisions/check";
import type { KindName } from "../../src/provider/definitions";
import { inputNames } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { sameMeaning } from "../../src/provider/values/compare";
import { configArgs, gateArgs, layerArgs } from "./arbitraries";
import { kind } from "./subjects";

const kinds: [KindName, fc.Arbitrary<JsonObject>][] = [
  ["gate", gateArgs],
  ["dynamicConfig", configArgs],
  ["layer", layerArgs],
];

const checked = (name: KindName, args: JsonObject, olds: JsonObject = {}) =>
  check(kind(name), olds, { __program: { name: "resource" }, ...args });

describe.each(kinds)("right arguments of a %s", (name, args) => {
  test("pass", () => {
    fc.assert(fc.property(args, (news) => expect(checked(name, news).problems).toEqual([])));
  });

  test("are the same checked twice, at creation and later", () => {
    fc.assert(
      fc.property(args, (news) => {
        const { inputs } = checked(name, news);
        expect(checked(name, inputs)).toEqual({ inputs, problems: [] });
        expect(checked(name, inputs, inputs)).toEqual({ inputs, problems: [] });
      }),
    );
  });

  test("mean the same before and after", () => {
    fc.assert(
      fc.property(args, (news) => {
        const { inputs } = checked(name, news);
        for (const field of Object.keys(news).filter((one) => inputNames(kind(name)).includes(one))) {
          expect([field, sameMeaning(kind(name), field, news[field], inputs[field])]).toEqual([field, true]);
        }
      }),
    );
  });
});

describe("values that are not known yet", () => {
  const condition = (members: JsonObject) => ({
    rules: [
      {
        name: "a",
        passPercentage: 1,
        conditions: [{ type: "email", operator: "any", targetValue: ["x"], ...members }],
      },
    ],
  });
  test.each<[string, JsonObject]>([
    ["rules", { rules: UNKNOWN }],
    ["a rule", { rules: [UNKNOWN] }],
    ["conditions", { rules: [{ name: "a", passPercentage: 1, conditions: UNKNOWN }] }],
    ["a type", condition({ type: UNKNOWN })],
    ["an operator", condition({ operator: UNKNOWN })],
    ["a target value", condition({ targetValue: UNKNOWN })],
    ["one of several target values", condition({ targetValue: ["b", UNKNOWN, "a"] })],
    ["a single number", condition({ type: "time", operator: "after", targetValue: UNKNOWN })],
    ["target apps", { targetApps: UNKNOWN }],
    ["tags", { tags: ["b", UNKNOWN, "a"] }],
    ["a team beside a team id", { team: UNKNOWN, teamID: "t" }],
    ["an option", { onDelete: UNKNOWN, onImmutableChange: UNKNOWN, isTemplate: true }],
  ])("pass through untouched: %s", (_, args) => {
    const inputs = { key: "gate", name: "gate", ...args };
    expect(checked("gate", inputs)).toEqual({ inputs, problems: [] });
  });

  test("do not refuse a change that may be none", () => {
    const olds = { key: "seg", name: "seg", type: "rule_based", description: "Old" };
    expect(checked("segment", { ...olds, description: UNKNOWN }, olds).problems).toEqual([]);
    expect(
      checked("segment", { ...olds, description: "New", onImmutableChange: UNKNOWN }, olds).problems,
    ).toEqual([]);
    expect(
      checked("segment", { ...olds, type: "id_list", onImmutableChange: "replace", rules: UNKNOWN }, olds)
        .problems,
    ).toEqual([]);
  });

  test.each<[string, JsonObject, (string | number)[]]>([
    ["an unknown name", { is_on: UNKNOWN }, ["is_on"]],
    [
      "an unknown member of a rule",
      { rules: [{ name: UNKNOWN, passPercentage: UNKNOWN, conditions: [], percent: UNKNOWN }] },
      ["rules", 0, "percent"],
    ],
    ["an output", { createdTime: UNKNOWN }, ["createdTime"]],
    [
      "the API's id of a rule",
      { rules: [{ name: "a", passPercentage: 1, conditions: [], id: UNKNOWN }] },
      ["rules", 0, "id"],
    ],
    ["an object where an array belongs", { rules: { first: UNKNOWN } }, ["rules"]],
    [
      "a wrong value beside",
      { rules: [{ name: UNKNOWN, passPercentage: 101, conditions: [] }] },
      ["rules", 0, "passPercentage"],
    ],
  ])("do not hide %s", (_, args, path) => {
    expect(checked("gate", args).problems.map((problem) => problem.path)).toEqual([path]);
  });
});
