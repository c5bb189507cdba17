import type { JsonObject } from "../../src/provider/schema/json";
import { type Case, casesOf } from "./cases";

const rule = (name: string, conditions: readonly JsonObject[], rest: JsonObject = {}): JsonObject => ({
  name,
  passPercentage: 10.25,
  conditions,
  ...rest,
});
const emptyMembers = { operator: "", field: "", customID: "" };
const emptyIds = { id: "", baseID: "" };
const everyone = { type: "public" };
const emptyOwner = { creatorID: "", creatorEmail: "" };

/** Every condition type in the usual form of each of its shapes. */
const conditions: Readonly<Record<string, JsonObject>> = {
  everyone,
  "user ids": { type: "user_id", operator: "any", targetValue: ["1", "2"] },
  "user ids as numbers": { type: "user_id", operator: "none", targetValue: [1, 2] },
  "one user id as text": { type: "user_id", operator: "any", targetValue: "1" },
  "e-mails": { type: "email", operator: "str_contains_any", targetValue: ["@example.com"] },
  "e-mails by pattern": { type: "email", operator: "str_matches", targetValue: ["^a"] },
  "a custom field": {
    type: "custom_field",
    field: "plan",
    operator: "any_case_sensitive",
    targetValue: ["Pro"],
  },
  "a custom number": { type: "custom_field", field: "age", operator: "gte", targetValue: 18 },
  "a custom version": { type: "custom_field", field: "sdk", operator: "version_eq", targetValue: "1.2" },
  "a custom time": {
    type: "custom_field",
    field: "born",
    operator: "before",
    targetValue: 1_700_000_000_000,
  },
  "a custom list": {
    type: "custom_field",
    field: "roles",
    operator: "array_contains_all",
    targetValue: ["a", "b"],
  },
  "a missing custom field": { type: "custom_field", field: "plan", operator: "is_null" },
  "unit ids": { type: "unit_id", customID: "stableID", operator: "any", targetValue: ["s1"] },
  "no unit id": { type: "unit_id", customID: "stableID", operator: "is_null" },
  "an app version": { type: "app_version", operator: "version_gte", targetValue: "2.0" },
  "app versions": { type: "app_version", operator: "any", targetValue: ["2.0", "2.1"] },
  browsers: { type: "browser_name", operator: "any", targetValue: ["Chrome", "Edge"] },
  "a browser version": { type: "browser_version", operator: "version_lt", targetValue: "99" },
  "operating systems": { type: "os_name", operator: "none", targetValue: ["iOS"] },
  "a system version in a list": { type: "os_version", operator: "version_gt", targetValue: ["11.0.0"] },
  devices: { type: "device_model", operator: "any", targetValue: ["Pixel"] },
  "no device": { type: "device_model", operator: "is_null" },
  "countries by pattern": { type: "country", operator: "str_matches", targetValue: ["^C"] },
  countries: { type: "country", operator: "any", targetValue: ["CH", "NZ"] },
  locales: { type: "locale", operator: "any", targetValue: ["de_CH"] },
  addresses: { type: "ip_address", operator: "any", targetValue: ["192.0.2.1"] },
  addresses_: { type: "url", operator: "str_contains_any", targetValue: ["/shop"] },
  agents: { type: "user_agent", operator: "str_contains_none", targetValue: ["bot"] },
  "a target app": { type: "target_app", operator: "any", targetValue: ["web"] },
  "another gate": { type: "passes_gate", targetValue: "beta" },
  "not another gate": { type: "fails_gate", targetValue: "beta", operator: "" },
  "a segment": { type: "passes_segment", targetValue: "staff" },
  "segments in a list": { type: "fails_segment", targetValue: ["staff"] },
  "a time": { type: "time", operator: "after", targetValue: 1_700_000_000_000 },
  "an environment": { type: "environment_tier", operator: "any", targetValue: ["production"] },
  "an environment without operator": { type: "environment_tier", targetValue: ["production"] },
};

const gates = casesOf("gate", {
  sparse: { name: "Only A Name" },
  "an id only": { id: "only_an_id" },
  "an id of its own": { id: "own.id-1", name: "Another name" },
  "every argument": {
    id: "full",
    name: "Full gate",
    isEnabled: false,
    description: "Everything",
    rules: [
      rule("first", [everyone], { environments: ["production"] }),
      rule("second", [conditions["e-mails"] ?? {}, conditions.countries ?? {}], { environments: null }),
      rule("third", [], { passPercentage: 0 }),
    ],
    tags: ["checkout"],
    type: "PERMANENT",
    idType: "stableID",
    targetApps: ["web"],
    creatorID: "somebody",
    creatorEmail: "somebody@example.com",
    measureMetricLifts: false,
    monitoringMetrics: [{ name: "buys", type: "sum" }],
    reviewSettings: { requiredReview: true },
    releasePipelineID: null,
    isTemplate: false,
  },
  "empty strings": {
    ...{ id: "empty", name: "empty", description: "", team: "", ...emptyOwner },
    ...{ tags: [], targetApps: [], rules: [], monitoringMetrics: [] },
  },
  nulls: {
    ...{ name: "nulls", team: null, teamID: null, creatorID: null, creatorEmail: null },
    releasePipelineID: null,
  },
  "one target app as text": { name: "one app", targetApps: "web" },
  "new rules with empty ids": {
    name: "ids",
    rules: [rule("a", [everyone], emptyIds), rule("b", [], emptyIds)],
  },
  "conditions with empty members": {
    name: "empty members",
    rules: [rule("a", [{ type: "passes_gate", targetValue: "beta", ...emptyMembers }])],
  },
  "a team by its name": { name: "by team", team: "Shop" },
  "a team by its id": { name: "by team id", teamID: "team-1" },
  "a release pipeline": { name: "careful", releasePipelineID: "careful" },
  "a sudden rollout": {
    name: "sudden",
    gradual_rollout_strategy: { type: "bypass" },
    rules: [rule("a", [])],
  },
  "a gradual rollout": {
    name: "gradual",
    gradual_rollout_strategy: {
      type: "gradual",
      phases: [{ pass_percent: 10, isComplete: false, phaseDurationMs: 1000 }],
    },
  },
});

const conditional = Object.entries(conditions).flatMap(([what, condition]) =>
  casesOf("gate", {
    [`a rule for ${what.replace("_", " of pages")}`]: {
      name: "conditional",
      rules: [rule("one", [condition])],
    },
  }),
);

const configs = casesOf("dynamicConfig", {
  "a team by its id": { name: "of a team", teamID: "team-1" },
  "a team by its name": { name: "by team", team: "Shop" },
  "a release pipeline": { name: "careful", releasePipelineID: "careful" },
  sparse: { name: "Only A Name" },
  "an id of its own": { id: "own.id-2", name: "Another name" },
  "every argument": {
    ...{
      id: "full",
      name: "Full config",
      isEnabled: false,
      type: "PERMANENT",
      description: "Everything",
      idType: "stableID",
    },
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
    tags: ["checkout"],
    targetApps: ["web"],
    ...{ creatorID: "somebody", creatorEmail: "somebody@example.com", isTemplate: false },
    owner: { ownerID: "u1", ownerType: "USER", ownerName: "Somebody", ownerEmail: "somebody@example.com" },
  },
  "empty strings": {
    ...{ name: "empty", description: "", team: "", tags: [], targetApps: [], rules: [], ...emptyOwner },
  },
  nulls: { name: "nulls", team: null, schema: null, schemaJson5: null, releasePipelineID: null },
  "a default value with comments": [
    { name: "commented", defaultValueJson5: "{\n// why\na: 1 }" },
    { defaultValue: { a: 1 } },
  ],
  "a rule's value with comments": {
    name: "commented rule",
    rules: [rule("a", [everyone], { returnValueJson5: "{ a: 1 /* one */ }" })],
  },
  "a schema with comments": {
    name: "commented schema",
    schemaJson5: "{ type: 'object' /* any */ }",
  },
  "new rules with empty ids": {
    name: "ids",
    rules: [rule("a", [{ ...everyone, ...emptyMembers }], { ...emptyIds, returnValue: {} })],
  },
});

const segments = [
  ...casesOf("segment", {
    "a team by its id": { name: "of a team", type: "rule_based", teamID: "team-1" },
    "a team by its name": { name: "by team", type: "rule_based", team: "Shop" },
    sparse: { name: "Rule Based Segment", type: "rule_based" },
    "every argument": {
      ...{ id: "full", name: "Full", type: "rule_based", description: "Everything", idType: "userID" },
      ...{ tags: ["checkout"], creatorID: "somebody", creatorEmail: "somebody@example.com" },
      rules: [
        rule("first", [conditions["e-mails"] ?? {}, conditions["unit ids"] ?? {}]),
        rule("second", [conditions["a segment"] ?? {}]),
      ],
    },
    "empty strings": {
      ...{ name: "empty", type: "rule_based", description: "", team: "", tags: [], rules: [], ...emptyOwner },
    },
    "rules with empty ids and members": {
      ...{ id: "own_id", name: "ids", type: "rule_based" },
      rules: [rule("a", [{ type: "passes_segment", targetValue: "staff", ...emptyMembers }], emptyIds)],
    },
    "a list for analysis": { name: "analysis", type: "analysis_list", idType: "stableID" },
    "ids kept by the user store": { name: "stored", type: "user_store_id_list", idType: "userID" },
  }),
  ...casesOf("idList", {
    sparse: { name: "Testers", type: "id_list" },
    "every argument": {
      ...{ id: "full", name: "Full", type: "id_list", description: "Everything", idType: "stableID" },
      ...{
        tags: ["checkout"],
        creatorID: "somebody",
        creatorEmail: "somebody@example.com",
        ids: ["1", "b", "c"],
      },
    },
    "no ids": { name: "empty", type: "id_list", description: "", team: "", ids: [] },
  }),
];

/** Gates, configs and segments. */
export const flagCases: readonly Case[] = [...gates, ...conditional, ...configs, ...segments];
