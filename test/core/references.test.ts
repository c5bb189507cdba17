import { describe, expect, test } from "@jest/globals";
import { everyKind, type KindName, managed } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { MeantKind } from "../../src/provider/schema/field";
import type { JsonObject } from "../../src/provider/schema/json";
import { idMember } from "../../src/provider/schema/object-id";
import { pathText } from "../../src/provider/schema/path";
import { kindInWords, referencesIn, wrongKindProblems } from "../../src/provider/schema/references";
import { type Node, treeOf } from "../../src/provider/schema/tree";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { withRule } from "./subjects";

type ManagedName = keyof typeof managed;

/** What check would say of resources of these kinds at these places, one line a problem. */
function problems(name: ManagedName, args: JsonObject, kinds: Record<string, string>): string[] {
  const definition: ResourceDefinition = managed[name];
  const found = wrongKindProblems(definition, args, kinds);
  return found.map(({ path, message }) => `${pathText(path)}: ${message}`);
}

const target = "rules[0].conditions[0].targetValue";
const condition = (type: string, targetValue: unknown = UNKNOWN) => withRule([{ type, targetValue }]);

describe("a resource of the wrong kind", () => {
  const asking = condition("passes_segment");
  const phase = { phases: [{ name: "First", ...asking }] };
  const stored = { parameters: [{ name: "a", refType: "experiment", experimentName: UNKNOWN }] };
  const warehouse = { warehouseNative: { components: [{ metricSourceName: UNKNOWN }] } };
  const source = "warehouseNative.components[0].metricSourceName";
  const fails = condition("fails_segment", [UNKNOWN]);
  const [segment, gate] = [
    'condition "passes_segment" takes a segment',
    'condition "fails_gate" takes a gate',
  ];
  const trigger = { trigger: UNKNOWN };
  const pipeline = { releasePipelineID: UNKNOWN };

  test.each<[ManagedName, JsonObject, path: string, given: string, takes: string]>([
    ["gate", asking, target, "Gate", segment],
    ["segment", asking, target, "Gate", segment],
    ["gate", fails, `${target}[0]`, "Experiment", 'condition "fails_segment" takes a segment'],
    ["gate", condition("fails_gate", "staff"), target, "Segment", gate],
    ["releasePipeline", phase, `phases[0].${target}`, "Gate", segment],
    ["experiment", { layerID: UNKNOWN }, "layerID", "Holdout", '"layerID" takes a layer'],
    ["holdout", { targetingGateID: UNKNOWN }, "targetingGateID", "Segment", '"targetingGateID" takes a gate'],
    ["holdout", { gateIDs: ["one", UNKNOWN] }, "gateIDs[1]", "DynamicConfig", '"gateIDs" takes a gate'],
    ["releaseApproval", trigger, "trigger", "Gate", '"trigger" takes a release pipeline trigger'],
    ["paramStore", stored, "parameters[0].experimentName", "Layer", '"experimentName" takes an experiment'],
    ["metric", warehouse, source, "AssignmentSource", '"metricSourceName" takes a metric source'],
    ["gate", pipeline, "releasePipelineID", "Gate", '"releasePipelineID" takes a release pipeline'],
  ])("of %s %j, at %s: %s", (name, args, path, given, takes) => {
    const words = kindInWords(given);
    const [, meant] = takes.split(" takes ");
    expect(problems(name, args, { [path]: given })).toEqual([
      `${path}: found ${/^[ae]/.test(words) ? "an" : "a"} ${words} where ${meant} is meant: ${takes}`,
    ]);
  });

  const apps = '"targetApps" takes the name of a target app';
  const environments = '"environments" takes the name of an environment';
  const within = withRule([], { environments: [UNKNOWN] });
  const environment = "rules[0].environments[0]";

  test.each<[JsonObject, path: string, given: string, message: string]>([
    [{ targetApps: [UNKNOWN] }, "targetApps[0]", "Tag", `a tag where a target app is meant: ${apps}`],
    [{ targetApps: UNKNOWN }, "targetApps", "TargetApp", `a target app, which stands for its id: ${apps}`],
    [within, environment, "Environments", `an environment, which stands for its id: ${environments}`],
  ])("of a gate where a name is meant: %j at %s: %s", (args, path, given, found) => {
    expect(problems("gate", args, { [path]: given })).toEqual([`${path}: found ${found}`]);
  });

  test("several at once are all told", () => {
    const kinds = { gateIDs: "Gate", "gateIDs[0]": "Layer", "layerIDs[0]": "Gate", targetingGateID: "Gate" };
    const args = { gateIDs: [UNKNOWN], layerIDs: [UNKNOWN], targetingGateID: UNKNOWN };
    expect(problems("holdout", args, kinds)).toHaveLength(2);
  });

  const own = { defaultValue: { layerID: "x" } };
  const wrong = { gateIDs: { a: 1 }, layerIDs: 5 };

  test.each<[string, ManagedName, JsonObject, Record<string, string>]>([
    ["of the right kind", "gate", asking, { [target]: "Segment" }],
    ["of a kind of another package", "gate", asking, {}],
    ["where any text fits", "gate", { description: UNKNOWN }, { description: "Segment" }],
    ["of a condition that takes no object", "gate", condition("user_id"), { [target]: "Gate" }],
    ["of a type that is not known yet", "gate", condition(UNKNOWN), { [target]: "Gate" }],
    ["of a type that does not exist", "gate", condition("constructor"), { [target]: "Gate" }],
    ["of a unit id type, whose id is its name", "gate", { idType: UNKNOWN }, { idType: "UnitIdType" }],
    ["where ids are taken", "paramStore", { targetAppIDs: ["x"] }, { "targetAppIDs[0]": "TargetApp" }],
    ["inside a value of the program", "dynamicConfig", own, { "defaultValue.layerID": "Gate" }],
    ["of arguments that are not known yet", "holdout", { gateIDs: UNKNOWN }, {}],
    ["of wrong arguments", "holdout", wrong, { "gateIDs.a": "Layer" }],
  ])("is none %s", (_, name, args, kinds) => {
    expect(problems(name, args, kinds)).toEqual([]);
  });
});

test("the references of a gate are those to other objects", () => {
  const conditions = [
    { type: "passes_segment", targetValue: "staff" },
    { type: "unit_id", customID: "deviceID", operator: "any", targetValue: ["1"] },
    { type: "target_app", operator: "any", targetValue: ["phone"] },
  ];
  const rules = [{ name: "Staff", environments: ["staging"], conditions }];
  const args = { key: "checkout", targetApps: "web", idType: "companyID", rules };
  const found = referencesIn(managed.gate, args);
  expect(found.map(({ path, kind, by, value }) => [pathText(path), kind, by, value])).toEqual([
    ["rules[0].conditions[0].targetValue", "segment", "id", "staff"],
    ["rules[0].conditions[1].customID", "unitIdType", "id", "deviceID"],
    ["rules[0].conditions[2].targetValue[0]", "targetApp", "name", "phone"],
    ["rules[0].environments[0]", "environments", "name", "staging"],
    ["idType", "unitIdType", "id", "companyID"],
    ["targetApps", "targetApp", "name", "web"],
  ]);
});

describe("the facts of all kinds", () => {
  const namesIn = (fact: MeantKind) => (typeof fact === "string" ? [fact] : Object.values(fact.of));
  const factsIn = ({ refersTo, names, properties = {}, anyOf = [], items }: Node): [MeantKind, boolean][] => [
    ...(refersTo === undefined ? [] : ([[refersTo, false]] as [MeantKind, boolean][])),
    ...(names === undefined ? [] : ([[names, true]] as [MeantKind, boolean][])),
    ...[...Object.values(properties), ...anyOf, ...(items ? [items] : [])].flatMap(factsIn),
  ];
  const facts = Object.values(managed).flatMap((definition: ResourceDefinition) =>
    Object.values(treeOf(definition)).flatMap(({ node }) => factsIn(node)),
  );

  test("speak of kinds that there are", () => {
    const meant = facts.flatMap(([fact]) => namesIn(fact));
    expect(meant.length).toBeGreaterThan(50);
    expect(meant.filter((name) => !(name in everyKind))).toEqual([]);
  });

  test("call by name only what has another id", () => {
    const byName = facts.flatMap(([fact, isName]) => (isName ? namesIn(fact) : []));
    const ids = new Set(byName.map((name) => idMember(everyKind[name as KindName])));
    expect([...ids]).toEqual(["id"]);
  });
});

test("every kind is called in words as its definition says, but for the one of which there is one", () => {
  const other = Object.values(everyKind).filter(({ kind, title }) => kindInWords(kind) !== title);
  expect(other.map(({ kind }) => kind)).toEqual(["Environments"]);
  for (const { kind, name } of Object.values(everyKind))
    expect(name).toBe(kind.charAt(0).toLowerCase() + kind.slice(1));
});
