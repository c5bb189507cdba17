import type { JsonObject } from "../../src/provider/schema/json";
import { type Case, casesOf, namedCases } from "./cases";

const metric = { name: "buys", type: "sum" };
const bare = {
  ...{ members: [], admins: [], defaultGateMetrics: [], defaultExperimentPrimaryMetrics: [] },
  ...{ defaultExperimentSecondaryMetrics: [], defaultHoldoutMetrics: [], defaultTargetApplications: [] },
  ...{ changeTeamConfigs: "anyone", reviewApproval: "anyone" },
};
const parameter = (name: string, ref_type: string, param_type: string, rest: JsonObject) => ({
  ...{ name, ref_type, param_type, ...rest },
});
const store = (parameters: readonly JsonObject[]) => ({ displayName: "Store", description: "", parameters });
const flags = { isProduction: false, requiresReview: false, requiresReleasePipeline: false };
const phase = (name: string, conditions: readonly JsonObject[], rest: JsonObject = {}): JsonObject => ({
  ...{ name, timeIntervalMs: 60_000, requiredReview: false },
  rules: [{ name: "one", conditions, environments: ["production"], ...rest }],
});

const stores = namedCases("paramStore", {
  sparse: { displayName: "", description: "" },
  "every argument": {
    ...{ name: "full/store", displayName: "Full", description: "Everything", tags: ["checkout"] },
    ...{ team: "Shop" },
    targetAppIDs: ["web"],
    parameters: [parameter("title", "static", "string", { value: "Shop" })],
  },
  "static values of every type": store([
    parameter("text", "static", "string", { value: "" }),
    parameter("number", "static", "number", { value: 0 }),
    parameter("flag", "static", "boolean", { value: false }),
    parameter("object", "static", "object", { value: { a: 1 } }),
    parameter("list", "static", "array", { value: [1] }),
  ]),
  "values of other objects": store([
    parameter("gate", "gate", "string", { gate_name: "beta", pass_value: "new", fail_value: "old" }),
    parameter("layer", "layer", "string", { layer_name: "shop", param_name: "title" }),
    parameter("config", "dynamic_config", "number", { config_name: "colours", param_name: "n" }),
    parameter("experiment", "experiment", "boolean", { experiment_name: "button", param_name: "b" }),
  ]),
});

const named = [
  ...namedCases("targetApp", {
    sparse: { description: "" },
    "every argument": {
      ...{ description: "Everything", gates: ["beta"], dynamicConfigs: ["colours"], experiments: ["button"] },
      ...{ layers: ["shop"], parameterStores: ["texts"] },
    },
  }),
  ...namedCases("tag", {
    sparse: { description: "" },
    "every argument": { name: "full/tag", description: "Everything", isCore: true },
    "not a core tag": { name: "x", description: "", isCore: false },
  }),
  ...namedCases("unitIdType", {
    sparse: { name: "companyID", description: "" },
    "every argument": { name: "device/ID", description: "Everything" },
  }),
  ...namedCases("team", {
    sparse: bare,
    "every argument": {
      ...{ description: "Everything", members: ["b@example.com", "a@example.com"] },
      ...{ admins: ["a@example.com"], defaultGateMetrics: [metric] },
      ...{ defaultExperimentPrimaryMetrics: [metric], defaultExperimentSecondaryMetrics: [metric] },
      ...{ defaultHoldoutMetrics: [metric], defaultTargetApplications: ["web"] },
      ...{ changeTeamConfigs: "team_only", reviewApproval: "admin_only", requireReviews: true },
      ...{ requireGateTemplates: false, requireExperimentTemplates: true },
      ...{ requireDynamicConfigTemplates: false, defaultHoldoutID: "held" },
    },
    "nulls and an empty description": {
      ...{ ...bare, description: "", requireReviews: null, requireGateTemplates: null },
      ...{ defaultHoldoutID: null, requireExperimentTemplates: null, requireDynamicConfigTemplates: null },
    },
  }),
  ...namedCases("role", {
    sparse: { permissions: {} },
    "several permissions": {
      permissions: { create_configs: true, launch_to_production: false, self_approve_review: true },
    },
    "a permission of tomorrow": { permissions: { create_configs: true, fly: true } },
  }),
];

const keys = casesOf("key", {
  sparse: { description: "sparse", type: "SERVER" },
  "every argument": {
    ...{ description: "full", type: "CONSOLE", scopes: ["omni_read_only"], environments: ["development"] },
    ...{ targetAppID: "web", secondaryTargetAppIDs: ["web"] },
  },
  nulls: {
    ...{ description: "nulls", type: "SERVER", scopes: [], environments: [] },
    ...{ targetAppID: null, secondaryTargetAppIDs: null },
  },
  client: { description: "", type: "CLIENT", scopes: ["client_download_config_specs"], environments: [] },
});

const pipelines = namedCases("releasePipeline", {
  sparse: {},
  "every argument": {
    ...{ triggerNotice: "careful" },
    phases: [
      phase("staff", [{ type: "email", operator: "str_contains_any", targetValue: ["@example.com"] }]),
      phase("everyone", [], { environments: null }),
    ],
  },
  "empty ids": {
    ...{ triggerNotice: null },
    phases: [phase("one", [{ type: "public", operator: "", field: "", customID: "" }])],
  },
  "no phases": { phases: [] },
});

const prompts = namedCases("prompt", {
  sparse: {},
  "every argument": {
    ...{ name: "Full prompt 1.0", displayName: "Full", description: "Everything", targetApps: ["web"] },
    ...{ tags: ["checkout"], team: "Shop", creatorID: "user-1", creatorEmail: "ada@example.com" },
    owner: { ownerID: "user-1", ownerType: "USER" },
  },
  "a team by its id": { teamID: "team-1" },
});

const settings = [
  ...casesOf("environments", {
    "ids of its own": {
      environments: [
        { name: "production", id: "0.1", ...flags, isProduction: true, requiredReviewGroupID: null },
        { name: "qa", id: "0.2", ...flags, requiresReview: true, requiresReleasePipeline: true },
      ],
    },
    "no ids": { environments: [{ name: "production", ...flags, isProduction: true }] },
  }),
  ...casesOf("projectSettings", {
    "every argument": { name: "Shop", visibility: "CLOSED", default_unit_type: "stableID" },
    sparse: { name: "Shop", visibility: "OPEN" },
  }),
  ...casesOf("reviewSettings", {
    "every argument": {
      ...{ is_config_review_required: false, is_metric_review_required: true },
      ...{ is_metric_review_required_on_verified_only: true, is_whn_analysis_only_review_required: true },
      is_whn_source_review_required: true,
    },
    sparse: {
      ...{ is_config_review_required: false, is_metric_review_required: false },
      is_metric_review_required_on_verified_only: false,
    },
  }),
  ...casesOf("roleSettings", { "every argument": { default_project_role: "Member" } }),
  ...casesOf("teamSettings", {
    "every argument": { require_teams_on_configs: true },
    off: { require_teams_on_configs: false },
  }),
];

export const projectCases: readonly Case[] = [
  ...stores,
  ...named,
  ...keys,
  ...prompts,
  ...pipelines,
  ...settings,
];
