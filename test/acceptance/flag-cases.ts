import type { JsonObject } from "../../src/provider/schema/json";
import { type Case, namedCases, ofTeams } from "./cases";
import { conditions } from "./conditions";

const rule = (name: string, conditions: readonly JsonObject[], rest: JsonObject = {}): JsonObject => ({
  name,
  passPercentage: 10.25,
  conditions,
  ...rest,
});
const emptyMembers = { operator: "", field: "", customID: "" };
const emptyIds = { id: "", baseID: "" };
const { everyone } = conditions;
const creator = { creatorID: "somebody", creatorEmail: "somebody@example.com" };
const emptyOwner = { creatorID: "", creatorEmail: "" };

const gates = namedCases("gate", {
  sparse: { name: "Only A Name" },
  "an id only": { id: "only_an_id" },
  "an id of its own": { id: "own.id-1", name: "Another name" },
  "every argument": {
    ...{ id: "full", name: "Full gate", isEnabled: false, description: "Everything" },
    rules: [
      rule("first", [everyone], { environments: ["production"] }),
      rule("second", [conditions["e-mails"], conditions.countries], { environments: null }),
      rule("third", [], { passPercentage: 0 }),
    ],
    ...{ tags: ["checkout"], type: "PERMANENT", idType: "stableID", targetApps: ["web"], ...creator },
    ...{ measureMetricLifts: false, monitoringMetrics: [{ name: "buys", type: "sum" }] },
    ...{ reviewSettings: { requiredReview: true }, releasePipelineID: null, isTemplate: false },
  },
  "empty strings": {
    ...{ id: "empty", name: "empty", description: "", team: "", ...emptyOwner },
    ...{ tags: [], targetApps: [], rules: [], monitoringMetrics: [] },
  },
  nulls: { team: null, teamID: null, creatorID: null, creatorEmail: null, releasePipelineID: null },
  "one target app as text": { targetApps: "web" },
  "new rules with empty ids": { rules: [rule("a", [everyone], emptyIds), rule("b", [], emptyIds)] },
  "conditions with empty members": {
    rules: [rule("a", [{ type: "passes_gate", targetValue: "beta", ...emptyMembers }])],
  },
  ...ofTeams(),
  "a release pipeline": { releasePipelineID: "careful" },
  "a sudden rollout": { gradual_rollout_strategy: { type: "bypass" }, rules: [rule("a", [])] },
  "a gradual rollout": {
    gradual_rollout_strategy: {
      type: "gradual",
      phases: [{ pass_percent: 10, isComplete: false, phaseDurationMs: 1000 }],
    },
  },
});

const conditional = Object.entries(conditions).flatMap(([what, condition]) =>
  namedCases("gate", { [`a rule for ${what}`]: { name: "conditional", rules: [rule("one", [condition])] } }),
);

const configs = namedCases("dynamicConfig", {
  ...ofTeams(),
  "a release pipeline": { releasePipelineID: "careful" },
  sparse: { name: "Only A Name" },
  "an id of its own": { id: "own.id-2", name: "Another name" },
  "every argument": {
    ...{ id: "full", name: "Full config", isEnabled: false, type: "PERMANENT", description: "Everything" },
    ...{ idType: "stableID" },
    rules: [
      rule("first", [everyone], {
        environments: ["development"],
        returnValue: { a: 2, deep: { b: [1, null] } },
      }),
      {
        name: "second",
        conditions: [],
        variants: [
          { name: "x", passPercentage: 50, returnValue: { a: 3 } },
          { name: "y", passPercentage: 50, returnValue: { a: 4 }, id: "" },
        ],
      },
    ],
    defaultValue: { a: 1, deep: { b: [] } },
    schema: JSON.stringify({ type: "object", properties: { a: { type: "number" } } }),
    ...{ tags: ["checkout"], targetApps: ["web"], ...creator, isTemplate: false },
    owner: { ownerID: "u1", ownerType: "USER", ownerName: "Somebody", ownerEmail: "somebody@example.com" },
  },
  "empty strings": { description: "", team: "", tags: [], targetApps: [], rules: [], ...emptyOwner },
  nulls: { team: null, schema: null, schemaJson5: null, releasePipelineID: null },
  "a default value with comments": [
    { name: "commented", defaultValueJson5: "{\n// why\na: 1 }" },
    { defaultValue: { a: 1 } },
  ],
  "a rule's value with comments": {
    name: "commented rule",
    rules: [rule("a", [everyone], { returnValueJson5: "{ a: 1 /* one */ }" })],
  },
  "a schema with comments": { schemaJson5: "{ type: 'object' /* any */ }" },
  "new rules with empty ids": {
    rules: [rule("a", [{ ...everyone, ...emptyMembers }], { ...emptyIds, returnValue: {} })],
  },
});

const segments = [
  ...namedCases("segment", {
    ...ofTeams({ type: "rule_based" }),
    sparse: { name: "Rule Based Segment", type: "rule_based" },
    "every argument": {
      ...{ id: "full", name: "Full", type: "rule_based", description: "Everything", idType: "userID" },
      ...{ tags: ["checkout"], ...creator },
      rules: [
        rule("first", [conditions["e-mails"], conditions["unit ids"]]),
        rule("second", [conditions["a segment"]]),
      ],
    },
    "empty strings": { type: "rule_based", description: "", team: "", tags: [], rules: [], ...emptyOwner },
    "rules with empty ids and members": {
      ...{ id: "own_id", name: "ids", type: "rule_based" },
      rules: [rule("a", [{ type: "passes_segment", targetValue: "staff", ...emptyMembers }], emptyIds)],
    },
    "a list for analysis": { type: "analysis_list", idType: "stableID" },
    "ids kept by the user store": { type: "user_store_id_list", idType: "userID" },
  }),
  ...namedCases("idList", {
    sparse: { name: "Testers", type: "id_list" },
    "every argument": {
      ...{ id: "full", name: "Full", type: "id_list", description: "Everything", idType: "stableID" },
      ...{ tags: ["checkout"], ...creator },
      ...{ ids: ["1", "b", "c"] },
    },
    "no ids": { type: "id_list", description: "", team: "", ids: [] },
  }),
];

export const flagCases: readonly Case[] = [...gates, ...conditional, ...configs, ...segments];
