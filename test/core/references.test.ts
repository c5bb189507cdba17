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
  return wrongKindProblems(definition, args, kinds).map(
    ({ path, message }) => `${pathText(path)}: ${message}`,
  );
}

const target = "rules[0].conditions[0].targetValue";
const condition = (type: string, targetValue: unknown = UNKNOWN) => withRule([{ type, targetValue }]);

describe("a resource of the wrong kind", () => {
  const phase = { phases: [{ name: "First", ...condition("passes_segment") }] };
  const stored = { parameters: [{ name: "a", refType: "experiment", experimentName: UNKNOWN }] };
  const component = "warehouseNative.components[0]";
  const warehouse = { warehouseNative: { components: [{ metricSourceName: UNKNOWN }] } };

  test.each<[ManagedName, JsonObject, path: string, given: string, takes: string]>([
    ["gate", condition("passes_segment"), target, "Gate", 'condition "passes_segment" takes a segment'],
    ["segment", condition("passes_segment"), target, "Gate", 'condition "passes_segment" takes a segment'],
    [
      "gate",
      condition("fails_segment", [UNKNOWN]),
      `${target}[0]`,
      "Experiment",
      'condition "fails_segment" takes a segment',
    ],
    ["gate", condition("fails_gate", "staff"), target, "Segment", 'condition "fails_gate" takes a gate'],
    ["releasePipeline", phase, `phases[0].${target}`, "Gate", 'condition "passes_segment" takes a segment'],
    ["experiment", { layerID: UNKNOWN }, "layerID", "Holdout", '"layerID" takes a layer'],
    ["holdout", { targetingGateID: UNKNOWN }, "targetingGateID", "Segment", '"targetingGateID" takes a gate'],
    ["holdout", { gateIDs: ["one", UNKNOWN] }, "gateIDs[1]", "DynamicConfig", '"gateIDs" takes a gate'],
    [
      "releaseApproval",
      { trigger: UNKNOWN },
      "trigger",
      "ReleasePipeline",
      '"trigger" takes a release pipeline trigger',
    ],
    ["paramStore", stored, "parameters[0].experimentName", "Layer", '"experimentName" takes an experiment'],
    [
      "metric",
      warehouse,
      `${component}.metricSourceName`,
      "AssignmentSource",
      '"metricSourceName" takes a metric source',
    ],
    [
      "gate",
      { releasePipelineID: UNKNOWN },
      "releasePipelineID",
      "Gate",
      '"releasePipelineID" takes a release pipeline',
    ],
  ])("of %s %j, at %s: %s", (name, args, path, given, takes) => {
    const words = kindInWords(given);
    const [, meant] = takes.split(" takes ");
    expect(problems(name, args, { [path]: given })).toEqual([
      `${path}: found ${/^[ae]/.test(words) ? "an" : "a"} ${words} where ${meant} is meant: ${takes}`,
    ]);
  });

  test.each<[string, JsonObject, path: string, given: string, message: string]>([
    [
      "a tag for a target app",
      { targetApps: [UNKNOWN] },
      ...(["targetApps[0]", "Tag"] as const),
      'found a tag where a target app is meant: "targetApps" takes the name of a target app',
    ],
    [
      "a target app, whose id is not its name",
      { targetApps: UNKNOWN },
      ...(["targetApps", "TargetApp"] as const),
      'found a target app, which stands for its id: "targetApps" takes the name of a target app',
    ],
    [
      "all environments for one",
      withRule([], { environments: [UNKNOWN] }),
      ...(["rules[0].environments[0]", "Environments"] as const),
      'found an environment, which stands for its id: "environments" takes the name of an environment',
    ],
  ])("of a gate where a name is meant: %s", (_, args, path, given, message) => {
    expect(problems("gate", args, { [path]: given })).toEqual([`${path}: ${message}`]);
  });

  test("several at once are all told", () => {
    const kinds = { gateIDs: "Gate", "gateIDs[0]": "Layer", "layerIDs[0]": "Gate", targetingGateID: "Gate" };
    const args = { gateIDs: [UNKNOWN], layerIDs: [UNKNOWN], targetingGateID: UNKNOWN };
    expect(problems("holdout", args, kinds)).toHaveLength(2);
  });
});

describe("no problem", () => {
  test.each<[string, ManagedName, JsonObject, Record<string, string>]>([
    ["of the right kind", "gate", condition("passes_segment"), { [target]: "Segment" }],
    ["of a kind of another package", "gate", condition("passes_segment"), {}],
    ["where any text fits", "gate", { description: UNKNOWN }, { description: "Segment" }],
    ["of a condition that takes no object", "gate", condition("user_id"), { [target]: "Gate" }],
    ["of a type that is not known yet", "gate", condition(UNKNOWN), { [target]: "Gate" }],
    ["of a type that does not exist", "gate", condition("constructor"), { [target]: "Gate" }],
    ["of a unit id type, whose id is its name", "gate", { idType: UNKNOWN }, { idType: "UnitIdType" }],
    [
      "of a target app, where ids are taken",
      "paramStore",
      { targetAppIDs: ["x"] },
      { "targetAppIDs[0]": "TargetApp" },
    ],
    [
      "inside a value that is the program's own",
      "dynamicConfig",
      { defaultValue: { layerID: "x" } },
      { "defaultValue.layerID": "Gate" },
    ],
    ["of arguments that are not known yet", "holdout", { gateIDs: UNKNOWN }, {}],
    ["of wrong arguments", "holdout", { gateIDs: { a: 1 }, layerIDs: 5 }, { "gateIDs.a": "Layer" }],
  ])("%s", (_, name, args, kinds) => {
    expect(problems(name, args, kinds)).toEqual([]);
  });
});

test("the references of a gate are those to other objects", () => {
  const found = referencesIn(managed.gate, {
    key: "checkout",
    targetApps: "web",
    idType: "companyID",
    rules: [
      {
        name: "Staff",
        environments: ["staging"],
        conditions: [
          { type: "passes_segment", targetValue: "staff" },
          { type: "unit_id", customID: "deviceID", operator: "any", targetValue: ["1"] },
          { type: "target_app", operator: "any", targetValue: ["phone"] },
        ],
      },
    ],
  });
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
  const facts = Object.values(managed).flatMap((definition: ResourceDefinition) =>
    Object.values(treeOf(definition)).flatMap(({ node }) => factsIn(node)),
  );

  test("speak of kinds that there are", () => {
    const known = Object.keys(everyKind);
    const meant = facts.flatMap(({ fact }) => (typeof fact === "string" ? [fact] : Object.values(fact.of)));
    expect(meant.length).toBeGreaterThan(50);
    expect(meant.filter((name) => !known.includes(name))).toEqual([]);
  });

  test("call by name only what has another id", () => {
    const byName = facts
      .filter(({ isName }) => isName)
      .flatMap(({ fact }) => (typeof fact === "string" ? [fact] : Object.values(fact.of)));
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

function factsIn(node: Node): { fact: MeantKind; isName: boolean }[] {
  const own = [
    ...(node.refersTo === undefined ? [] : [{ fact: node.refersTo, isName: false }]),
    ...(node.names === undefined ? [] : [{ fact: node.names, isName: true }]),
  ];
  const inner = [
    ...Object.values(node.properties ?? {}),
    ...(node.anyOf ?? []),
    ...(node.items ? [node.items] : []),
  ];
  return [...own, ...inner.flatMap(factsIn)];
}
