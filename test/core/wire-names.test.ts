import { describe, expect, test } from "@jest/globals";
import type { KindName } from "../../src/provider/definitions";
import { acceptedFields, routeOf } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { expectedId } from "../../src/provider/schema/object-id";
import { fromWire, toWire, withArgumentNames } from "../../src/provider/schema/wire-names";
import { kind } from "./subjects";

describe("names on the wire", () => {
  test.each<[string, KindName, JsonObject, JsonObject]>([
    ["the key is the API's id", "gate", { key: "a_gate", name: "A gate" }, { id: "a_gate", name: "A gate" }],
    [
      "snake_case of the API",
      "gate",
      { gradualRolloutStrategy: { type: "bypass" } },
      { gradual_rollout_strategy: { type: "bypass" } },
    ],
    [
      "a layer has no key",
      "layer",
      { name: "x", parameters: [{ name: "key", type: "object", defaultValue: { key: 1 } }] },
      { name: "x", parameters: [{ name: "key", type: "object", defaultValue: { key: 1 } }] },
    ],
    [
      "a JSON value is left alone",
      "dynamicConfig",
      { defaultValue: { key: "k", gradualRolloutStrategy: 1 } },
      { defaultValue: { key: "k", gradualRolloutStrategy: 1 } },
    ],
    [
      "empty values are kept",
      "gate",
      { team: null, tags: [], description: "" },
      { team: null, tags: [], description: "" },
    ],
    [
      "rules with the console's ids",
      "gate",
      { rules: [{ id: "i", baseID: "b", name: "r", passPercentage: 1, conditions: [] }] },
      { rules: [{ id: "i", baseID: "b", name: "r", passPercentage: 1, conditions: [] }] },
    ],
  ])("%s", (_, name, here, wire) => {
    expect(toWire(kind(name), here)).toEqual(wire);
    expect(fromWire(kind(name), wire)).toEqual(here);
  });

  test("members of an answer that are not known here are left out, inner ones kept", () => {
    expect(fromWire(kind("gate"), { id: "a", brandNew: 1, rules: [{ name: "r", brandNew: 2 }] })).toEqual({
      key: "a",
      rules: [{ name: "r", brandNew: 2 }],
    });
  });

  test("values of another form than declared are kept", () => {
    const odd = { id: 5, rules: { name: "r" }, tags: "a", owner: "me", targetApps: "web" };
    expect(fromWire(kind("gate"), odd)).toEqual({
      key: 5,
      rules: { name: "r" },
      tags: "a",
      owner: "me",
      targetApps: "web",
    });
  });

  test("a member called like one of every object is no field", () => {
    expect(
      fromWire(
        kind("gate"),
        JSON.parse('{"id": "a", "__proto__": {"name": "x"}, "constructor": 1}') as JsonObject,
      ),
    ).toEqual({ key: "a" });
  });
});

describe("what a route takes", () => {
  test.each<[KindName, string, string[], string[]]>([
    ["gate", "create", ["key", "isTemplate", "rules"], ["status", "version"]],
    ["gate", "patch", ["name", "rules", "team"], ["key", "isTemplate", "status"]],
    ["segment", "create", ["key", "rules", "tags"], ["ids"]],
    ["layer", "create", ["name", "idType"], ["parameters"]],
    ["layer", "patch", ["description", "parameters", "targetApps"], ["name", "idType", "team"]],
    ["assignmentSource", "patch", ["description", "idTypeMapping"], ["sql"]],
    ["assignmentSource", "update", ["sql", "description"], []],
    ["gate", "archive", [], ["name", "key"]],
    ["gate", "delete", [], ["name", "key"]],
  ])("%s %s", (name, route, takes, leaves) => {
    const accepted = acceptedFields(kind(name), routeOf(kind(name), route));
    expect(accepted).toEqual(expect.arrayContaining(takes));
    expect(accepted.filter((field) => leaves.includes(field))).toEqual([]);
  });

  test("a route that does not exist is a mistake in the definition", () => {
    expect(() => routeOf(kind("layer"), "archive")).toThrow('Layer has no route "archive"');
  });
});

describe("the id that the console will give", () => {
  test.each<[KindName, JsonObject, string]>([
    ["gate", { key: "A.Gate-1", name: "Other" }, "A.Gate-1"],
    ["layer", { name: "Search Layer  2" }, "search_layer__2"],
    ["assignmentSource", { name: "My Source / 2" }, "My Source / 2"],
  ])("of a %s with %j is %s", (name, args, id) => {
    expect(expectedId(kind(name), args)).toBe(id);
  });
});

test("a message of the console says what its names are called in a program", () => {
  const named = (message: string) => withArgumentNames(kind("gate"), message);
  const asked = "PATCH /gates/a answered 400: say gradual_rollout_strategy.";
  expect(named(asked)).toBe(`${asked} In the program, gradual_rollout_strategy is gradualRolloutStrategy.`);
  const other =
    'gate "gradual_rollout_strategy": PATCH /gates/gradual_rollout_strategy answered 400: rules cannot change.';
  for (const text of ["The id is taken.", other]) expect(named(text)).toBe(text);
});
