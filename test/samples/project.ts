import type * as fc from "../../src/index";
import type { Samples } from "./samples";

export const tag = {
  smallest: { name: "s", description: "" },
  fullest: { name: "Fullest tag / 100 %", description: "Every field", isCore: true },
} satisfies Samples<fc.TagArgs>;

export const targetApp = {
  smallest: { name: "smallest app", description: "" },
  fullest: {
    name: "Fullest app / 1",
    description: "Every field",
    gates: ["app_gate", "other_gate"],
    dynamicConfigs: ["app_config"],
    experiments: ["app_experiment"],
    layers: ["app_layer"],
  },
  beside: {
    gates: [{ name: "app_gate" }, { name: "other_gate" }],
    dynamic_configs: [{ name: "app_config" }],
    experiments: [{ name: "app_experiment" }],
    layers: [{ name: "app_layer", idType: "userID" }],
  },
} satisfies Samples<fc.TargetAppArgs>;

export const environments = {
  smallest: {
    environments: [
      { name: "production", isProduction: true, requiresReview: true, requiresReleasePipeline: true },
    ],
  },
  fullest: {
    environments: [
      {
        name: "production",
        isProduction: true,
        requiresReview: true,
        requiredReviewGroupID: "release-managers",
        requiresReleasePipeline: true,
      },
      { name: "staging", isProduction: false, requiresReview: false, requiresReleasePipeline: false },
      { name: "load test", isProduction: false, requiresReview: false, requiresReleasePipeline: false },
    ],
  },
} satisfies Samples<fc.EnvironmentsArgs>;

export const team = {
  smallest: { name: "smallest team" },
  fullest: {
    name: "Fullest team / 1",
    description: "Every field",
    members: ["Ada@example.com", "grace@example.com"],
    admins: ["ada@example.com"],
    defaultGateMetrics: [{ name: "purchases", type: "sum" }],
    defaultExperimentPrimaryMetrics: [
      { name: "purchases", type: "sum" },
      { name: "visits", type: "event_count_custom" },
    ],
    defaultExperimentSecondaryMetrics: [{ name: "visits", type: "event_count_custom" }],
    defaultHoldoutMetrics: [{ name: "purchases", type: "sum" }],
    changeTeamConfigs: "team_only",
    reviewApproval: "admin_only",
    defaultTargetApplications: ["web", "phone"],
    defaultHoldoutID: "a_holdout",
    requireReviews: true,
    requireGateTemplates: false,
    requireExperimentTemplates: true,
    requireDynamicConfigTemplates: false,
  },
} satisfies Samples<fc.TeamArgs>;

export const role = {
  smallest: { name: "smallest role", permissions: { create_configs: false } },
  fullest: {
    name: "Fullest role / 1",
    permissions: { create_configs: true, approve_reviews: false, not_known_here_yet: true },
  },
} satisfies Samples<fc.RoleArgs>;

export const projectSettings = {
  smallest: { visibility: "OPEN" },
  fullest: { projectName: "Shop", visibility: "CLOSED", defaultUnitType: "stableID" },
} satisfies Samples<fc.ProjectSettingsArgs>;

export const reviewSettings = {
  smallest: { isMetricReviewRequired: false },
  fullest: {
    isConfigReviewRequired: false,
    isMetricReviewRequired: true,
    isMetricReviewRequiredOnVerifiedOnly: true,
    isWarehouseAnalysisReviewRequired: false,
    isWarehouseSourceReviewRequired: true,
  },
} satisfies Samples<fc.ReviewSettingsArgs>;

export const roleSettings = {
  smallest: { defaultProjectRole: "Member" },
  fullest: { defaultProjectRole: "Admin" },
} satisfies Samples<fc.RoleSettingsArgs>;

export const teamSettings = {
  smallest: { requireTeamsOnConfigs: false },
  fullest: { requireTeamsOnConfigs: true },
} satisfies Samples<fc.TeamSettingsArgs>;

export const key = {
  smallest: { description: "smallest key", type: "SERVER" },
  fullest: {
    description: "Every field",
    type: "SERVER",
    scopes: ["omni_read_only", "client_download_config_specs"],
    environments: ["production", "staging"],
    targetAppID: "app_web",
    secondaryTargetAppIDs: ["app_phone", "app_watch"],
    rotation: "2026-01",
    onRotation: "deactivate",
  },
} satisfies Samples<fc.KeyArgs>;
