import { describe, expect, test } from "@jest/globals";
import { catalog, type KindName, managed } from "../../src/provider/definitions";
import { acceptedFields, type ResourceDefinition, routeOf } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import {
  expectedId,
  hasNameBeside,
  idArguments,
  idMember,
  nameArguments,
  nameFor,
  programId,
  programIdArgument,
} from "../../src/provider/schema/object-id";
import { fromWire, toWire, wirePath, withArgumentNames } from "../../src/provider/schema/wire-names";
import { kind } from "./subjects";

describe("names on the wire", () => {
  const bypass = { type: "bypass" };
  const parameters = { name: "x", parameters: [{ name: "key", type: "object", defaultValue: { key: 1 } }] };
  const value = { defaultValue: { key: "k", gradualRolloutStrategy: 1 } };
  const empty = { team: null, tags: [], description: "" };
  const rules = { rules: [{ id: "i", baseID: "b", name: "r", passPercentage: 1, conditions: [] }] };
  const stored = { gateName: "kept", ref_type: "kept" };
  const [name, failValue] = ["p", {}];
  const byGate = { name, refType: "gate", paramType: "object", gateName: "g", passValue: stored, failValue };
  const sent = { name, ref_type: "gate", param_type: "object", gate_name: "g", pass_value: stored };

  test.each<[string, KindName, JsonObject, JsonObject?]>([
    ["the key is the API's id", "gate", { key: "a_gate", name: "A gate" }, { id: "a_gate", name: "A gate" }],
    ["snake_case", "gate", { gradualRolloutStrategy: bypass }, { gradual_rollout_strategy: bypass }],
    ["a layer has no key", "layer", parameters],
    ["a JSON value is left alone", "dynamicConfig", value],
    ["empty values are kept", "gate", empty],
    ["rules with the console's ids", "gate", rules],
    ["members", "paramStore", { parameters: [byGate] }, { parameters: [{ ...sent, fail_value: failValue }] }],
  ])("%s (%s)", (_, of, here, wire = here) => {
    expect(toWire(kind(of), here)).toEqual(wire);
    expect(fromWire(kind(of), wire)).toEqual(here);
  });

  const odd = { rules: { name: "r" }, tags: "a", owner: "me", targetApps: "web" };

  test.each<[string, JsonObject, JsonObject]>([
    ["members that are not known here are left out", { id: "a", brandNew: 1 }, { key: "a" }],
    ["inner ones are kept", { rules: [{ name: "r", new: 2 }] }, { rules: [{ name: "r", new: 2 }] }],
    ["values of another form than declared are kept", { id: 5, ...odd }, { key: 5, ...odd }],
    ["members of every object are none", JSON.parse('{"__proto__": {"name": "x"}, "constructor": 1}'), {}],
  ])("of an answer %s", (_, wire, here) => {
    expect(fromWire(kind("gate"), wire)).toEqual(here);
  });

  test("a place has the API's names, too", () => {
    const place = wirePath(catalog.paramStore, ["parameters", 0, "passValue"]);
    expect(place).toEqual(["parameters", "0", "pass_value"]);
  });

  test("a message of the console says what its names are called in a program", () => {
    const named = (message: string) => withArgumentNames(kind("gate"), message);
    const asked = "PATCH /gates/a answered 400: say gradual_rollout_strategy.";
    expect(named(asked)).toBe(`${asked} In the program, gradual_rollout_strategy is gradualRolloutStrategy.`);
    const path = "PATCH /gates/gradual_rollout_strategy answered 400";
    const other = `gate "gradual_rollout_strategy": ${path}: rules cannot change.`;
    for (const text of ["The id is taken.", other]) expect(named(text)).toBe(text);
  });
});

test.each<[KindName, string, string[], string[]]>([
  ["gate", "create", ["key", "isTemplate", "rules"], ["status", "version"]],
  ["gate", "patch", ["name", "rules", "team"], ["key", "isTemplate", "status"]],
  ["segment", "create", ["key", "rules", "tags"], ["ids"]],
  ["layer", "create", ["name", "idType"], ["parameters"]],
  ["layer", "patch", ["description", "parameters", "targetApps"], ["name", "idType", "team"]],
  ["assignmentSource", "patch", ["description", "idTypeMapping"], ["sql"]],
  ["assignmentSource", "update", ["sql", "description"], []],
  ["gate", "archive", [], ["name", "key"]],
])("the route of a %s to %s takes %j, and not %j", (name, route, takes, leaves) => {
  const accepted = acceptedFields(kind(name), routeOf(kind(name), route));
  expect(accepted).toEqual(expect.arrayContaining(takes));
  expect(accepted.filter((field) => leaves.includes(field))).toEqual([]);
});

test("a route that does not exist is a mistake in the definition", () => {
  expect(() => routeOf(kind("layer"), "archive")).toThrow('Layer has no route "archive"');
});

/** For each way to an id: the id and the name of an object, the arguments of both, and whether the name stands beside the key. */
test.each<
  [keyof typeof managed, string, JsonObject, string | undefined, string, string[], string[], boolean]
>([
  ["gate", "key", { key: "A.Gate-1", name: "Other" }, "A.Gate-1", "A.Gate-1", ["key"], ["key", "name"], true],
  ["tag", "key", { name: "Beta 1" }, "Beta 1", "Beta 1", ["name"], ["name"], false],
  ["layer", "slug", { name: "All  2026" }, "all__2026", "All  2026", ["name"], ["name"], false],
  ["metric", "template", { name: "A", type: "sum" }, "A::sum", "A", ["name", "type"], ["name"], false],
  ["alert", "server", { name: "Too slow" }, undefined, "Too slow", ["name"], ["name"], false],
  ["environments", "singleton", { environments: [] }, "project", "project", [], [], false],
  ["gateLaunch", "template", { gate: "new_gate" }, "new_gate:launch", "new_gate", ["gate"], [], false],
])("the id of a %s comes by %s: %j", (name, how, args, id, called, made, naming, beside) => {
  const definition: ResourceDefinition = managed[name];
  expect(definition.identity.how).toBe(how);
  expect([expectedId(definition, args), programId(definition, args)]).toEqual([id, called]);
  expect([idArguments(definition), nameArguments(definition)]).toEqual([made, naming]);
  expect(programIdArgument(definition)).toBe(made[0]);
  expect(idMember(definition)).toBe(name === "tag" ? "name" : "id");
  expect(hasNameBeside(definition)).toBe(beside);
});

test("what has a name is called by its key where nobody says a name", () => {
  expect(nameFor(managed.gate, { key: "new_gate" })).toBe("new_gate");
  expect(nameFor(managed.gate, { key: "new_gate", name: "New gate" })).toBe("New gate");
  expect(nameFor(managed.gateLaunch, { gate: "new_gate" })).toBeUndefined();
});
