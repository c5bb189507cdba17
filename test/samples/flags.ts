import type * as fc from "../../src/index";
import type { Samples } from "./samples";

export const gate = {
  smallest: { key: "smallest_gate" },
  fullest: {
    key: "fullest.gate-1",
    name: "Fullest gate 1.0",
    description: "Every field",
    isEnabled: false,
    type: "PERMANENT",
    idType: "userID",
    tags: ["shop", "beta"],
    targetApps: ["web"],
    measureMetricLifts: false,
    monitoringMetrics: [{ name: "revenue", type: "sum" }],
    reviewSettings: { requiredReview: true },
    isTemplate: false,
    gradualRolloutStrategy: { type: "bypass" },
    team: "growth",
    creatorEmail: "owner@example.com",
    rules: [
      {
        name: "Company mail",
        passPercentage: 12.5,
        environments: ["production"],
        conditions: [{ type: "email", operator: "str_contains_any", targetValue: ["@example.com"] }],
      },
      { name: "Everyone else", passPercentage: 0.01, conditions: [{ type: "public" }] },
    ],
  },
} satisfies Samples<fc.GateArgs>;

export const dynamicConfig = {
  smallest: { key: "smallest_config" },
  fullest: {
    key: "fullest.config-1",
    name: "Fullest config 1.0",
    description: "Every field",
    isEnabled: false,
    defaultValue: {
      text: "",
      none: null,
      list: [1, "two", { three: 3.5 }],
      deep: { deeper: { deepest: true } },
    },
    schema: '{"type":"object"}',
    idType: "userID",
    tags: ["shop", "beta"],
    targetApps: ["web"],
    isTemplate: false,
    team: "growth",
    creatorEmail: "owner@example.com",
    owner: { ownerID: "user-1", ownerType: "USER" },
    type: "TEMPORARY",
    rules: [
      {
        name: "Staff",
        passPercentage: 12.5,
        environments: ["staging"],
        conditions: [{ type: "passes_segment", targetValue: "staff" }],
        returnValue: { text: "hello", none: null },
      },
      { name: "Everyone else", passPercentage: 33.33, conditions: [{ type: "public" }], returnValue: {} },
    ],
  },
} satisfies Samples<fc.DynamicConfigArgs>;

export const segment = {
  smallest: { key: "smallest_segment", type: "rule_based" },
  fullest: {
    key: "fullest-segment_1",
    name: "Fullest segment 1",
    description: "Every field",
    type: "rule_based",
    idType: "userID",
    tags: ["beta", "staff"],
    team: "growth",
    creatorEmail: "owner@example.com",
    rules: [
      {
        name: "Company mail",
        passPercentage: 99.99,
        conditions: [{ type: "email", operator: "str_contains_any", targetValue: ["@example.com"] }],
      },
    ],
  },
} satisfies Samples<fc.SegmentArgs>;

export const layer = {
  smallest: { name: "smallest layer", idType: "userID" },
  fullest: {
    name: "Fullest layer 1",
    description: "Every field",
    idType: "userID",
    targetApps: ["web"],
    team: "growth",
    parameters: [
      { name: "title", type: "string", defaultValue: "", description: "Shown on top" },
      {
        name: "limits",
        type: "object",
        defaultValue: { most: 3.5, none: null, list: [] },
        schema: '{"type":"object"}',
      },
      { name: "sizes", type: "array", defaultValue: [1, "two", null] },
      { name: "on", type: "boolean", defaultValue: false },
      { name: "factor", type: "number", defaultValue: 0.25 },
    ],
  },
} satisfies Samples<fc.LayerArgs>;

export const holdout = {
  smallest: { name: "smallest holdout" },
  fullest: {
    name: "Fullest holdout-1_2026",
    description: "Every field",
    idType: "userID",
    teamID: "growth",
    isEnabled: false,
    passPercentage: 2.5,
    gateIDs: ["held_gate", "other_gate"],
    experimentIDs: ["held_experiment"],
    layerIDs: ["held_layer"],
    isGlobal: true,
    targetingGateID: "other_gate",
    monitoringMetrics: [
      { name: "purchases", type: "sum" },
      { name: "visits", type: "event_count_custom" },
    ],
  },
  beside: {
    gates: [{ name: "held_gate" }, { name: "other_gate" }],
    layers: [{ name: "held_layer", idType: "userID" }],
    experiments: [{ name: "held_experiment" }],
  },
} satisfies Samples<fc.HoldoutArgs>;

export const paramStore = {
  smallest: { name: "smallest store", displayName: "Smallest", description: "" },
  fullest: {
    name: "Fullest store / 1",
    displayName: "Fullest store",
    description: "Every field",
    team: "growth",
    targetAppIDs: ["app-1", "app-2"],
    tags: ["shop", "beta"],
    parameters: [
      { name: "title", refType: "static", paramType: "string", value: "" },
      { name: "limits", refType: "static", paramType: "object", value: { most: 3.5, none: null, list: [] } },
      { name: "sizes", refType: "static", paramType: "array", value: [1, "two", null] },
      { name: "on", refType: "static", paramType: "boolean", value: false },
      { name: "factor", refType: "static", paramType: "number", value: 0 },
      {
        name: "colour",
        refType: "gate",
        paramType: "string",
        gateName: "new_colours",
        passValue: "green",
        failValue: "",
      },
      { name: "button", refType: "layer", paramType: "string", layerName: "shop", paramName: "button" },
      {
        name: "most",
        refType: "dynamic_config",
        paramType: "number",
        configName: "limits",
        paramName: "most",
      },
      {
        name: "offer",
        refType: "experiment",
        paramType: "object",
        experimentName: "offers",
        paramName: "offer",
      },
    ],
  },
} satisfies Samples<fc.ParamStoreArgs>;

export const releasePipeline = {
  smallest: { name: "smallest pipeline" },
  fullest: {
    name: "Fullest pipeline / 1",
    triggerNotice: "Tell the shop first",
    phases: [
      {
        name: "Staff",
        timeIntervalMs: 3_600_000,
        requiredReview: true,
        rules: [
          {
            name: "Company mail",
            environments: ["staging", "development"],
            conditions: [{ type: "email", operator: "str_contains_any", targetValue: ["@example.com"] }],
          },
          {
            name: "Testers",
            environments: ["production"],
            conditions: [{ type: "passes_segment", targetValue: "testers" }],
          },
        ],
      },
      {
        name: "Everyone",
        timeIntervalMs: 0,
        requiredReview: false,
        rules: [{ name: "All", environments: ["production"], conditions: [{ type: "public" }] }],
      },
    ],
  },
} satisfies Samples<fc.ReleasePipelineArgs>;

export const autotune = {
  smallest: {
    name: "smallest autotune",
    variants: [
      { name: "Blue", json: { colour: "blue" } },
      { name: "Red", json: { colour: "red" } },
    ],
    successEvent: "purchase",
    explorationWindow: "24",
    attributionWindow: "1",
    winnerThreshold: "95%",
  },
  fullest: {
    name: "Fullest autotune 2026",
    description: "Every field",
    idType: "userID",
    variants: [
      { name: "Blue", json: { colour: "blue" }, size: 50 },
      { name: "Red", json: { colour: "red", bold: true }, size: 25 },
      { name: "Green", json: {}, size: 25 },
    ],
    successEvent: "visit",
    successEventValue: "checkout",
    explorationWindow: "48hrs",
    attributionWindow: "4hr",
    attributionWindowUnit: "hour",
    winnerThreshold: "99%",
    explorationWindowRate: 0.5,
    longtermExplorationAllocation: 0.05,
    metadataField: "price",
    higherIsBetter: true,
    isContextual: true,
    metricSourceID: "purchases",
    linkedExperimentName: "checkout",
    goalRichText: "<p>More visits</p>",
    optimizationParameter: "value",
    valueColumn: "price",
    featureList: ["country", "device"],
    isStarted: true,
  },
} satisfies Samples<fc.AutotuneArgs>;

export const prompt = {
  smallest: { name: "smallest prompt" },
  fullest: {
    name: "Fullest prompt 1.0",
    displayName: "Fullest prompt",
    description: "Every field",
    content: {
      name: "Version 1",
      key: "version-1",
      description: "The first words",
      prompts: [
        { role: "system", content: "You answer questions about orders." },
        { role: "user", content: "{{question}}" },
      ],
      provider: "openai",
      model: "gpt-5",
      evalModel: "gpt-5-mini",
      temperature: 0.2,
      topP: 0.9,
      frequencyPenalty: 0.1,
      presencePenalty: 0.1,
      maxTokens: 500,
      workflowBody: { type: "JSON", value: '{"question": "{{question}}"}' },
      workflowHeaders: [{ name: "x-team", value: "growth" }],
    },
    authWorkflowHeaders: [{ name: "authorization", value: "the token of the workflow" }],
    targetApps: ["web"],
    tags: ["shop", "beta"],
    team: "growth",
    creatorID: "user-1",
    creatorEmail: "ada@example.com",
    owner: { ownerID: "user-1", ownerType: "USER" },
  },
} satisfies Samples<fc.PromptArgs>;

export const experimentOverrides = {
  smallest: {
    experiment: "overridden_experiment",
    userIDOverrides: [{ groupID: "test_group", ids: ["qa_1"] }],
  },
  fullest: {
    experiment: "overridden_experiment",
    overrides: [
      { type: "gate", id: "qa_gate", groupID: "test_group", environment: "staging" },
      { type: "segment", id: "qa_segment", groupID: "control_group" },
    ],
    userIDOverrides: [
      { groupID: "test_group", ids: ["qa_1", "qa_2"] },
      { groupID: "control_group", ids: ["qa_3"], environment: "staging", unitType: "userID" },
    ],
  },
  beside: {
    gates: [{ name: "qa_gate" }],
    experiments: [
      {
        name: "overridden_experiment",
        groups: [
          { id: "control_group", name: "Control", size: 50, parameterValues: {} },
          { id: "test_group", name: "Test", size: 50, parameterValues: {} },
        ],
      },
    ],
  },
} satisfies Samples<fc.ExperimentOverridesArgs>;

export const layerOverrides = {
  smallest: { layer: "overridden_layer", idOverrides: [{ groupName: "Test", ids: ["qa_1"] }] },
  fullest: {
    layer: "overridden_layer",
    conditionalOverrides: [
      {
        type: "gate",
        name: "qa_gate",
        experimentName: "overridden_experiment",
        groupName: "Test",
        environment: "staging",
      },
    ],
    idOverrides: [
      { groupName: "Test", ids: ["qa_1", "qa_2"], experimentName: "overridden_experiment" },
      { groupName: "Control", ids: ["qa_3"], idType: "userID", environment: "staging" },
    ],
  },
  beside: { layers: [{ name: "overridden_layer", idType: "userID" }] },
} satisfies Samples<fc.LayerOverridesArgs>;

const unitLists = {
  passingUserIDs: ["qa_1", "qa_2"],
  failingUserIDs: ["qa_3"],
  passingCustomIDs: ["company_1"],
  failingCustomIDs: ["company_2", "company_3"],
  environmentOverrides: [
    { environment: "staging", unitID: "userID", passingIDs: ["qa_4"], failingIDs: [] },
    { environment: "development", unitID: "userID", passingIDs: [], failingIDs: ["qa_5", "qa_6"] },
  ],
};

export const gateOverrides = {
  smallest: { gate: "overridden_gate", passingUserIDs: ["qa_1"] },
  fullest: { gate: "overridden_gate", ...unitLists },
  beside: { gates: [{ name: "overridden_gate" }] },
} satisfies Samples<fc.GateOverridesArgs>;

export const holdoutOverrides = {
  smallest: { holdout: "overridden_holdout", passingUserIDs: ["qa_1"] },
  fullest: { holdout: "overridden_holdout", ...unitLists },
  beside: { holdouts: [{ name: "overridden_holdout" }] },
} satisfies Samples<fc.HoldoutOverridesArgs>;
