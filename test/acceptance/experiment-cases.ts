import type { JsonObject } from "../../src/provider/schema/json";
import { type Case, namedCases, ofTeams } from "./cases";

const metric = { name: "buys", type: "sum" };
const group = (name: string, size: number, parameterValues: JsonObject, rest: JsonObject = {}) => ({
  name,
  size,
  parameterValues,
  ...rest,
});
const halves = [group("Control", 50, { a: 1 }), group("Test", 50, { a: 2 })];
const named = halves.map((one, at) => ({ ...one, id: at === 0 ? "first" : "second" }));

/** What a visual editor needs, which reads copy into the values of every group. */
const visual = {
  isSidecar: true,
  sidecarURLFilters: [{ type: "contains", value: "/shop" }],
  sidecarDisableAutoRun: true,
  sidecarPrerunScript: "start()",
};
const { isSidecar: _, ...copies } = visual;
const copied = { ...copies, sidecarExperimentName: "visual" };

const experiments = namedCases("experiment", {
  sparse: { name: "Only A Name" },
  "an id of its own": { id: "own-id_3", name: "Another name" },
  "every argument of a cloud project": {
    ...{ id: "full", name: "Full experiment", description: "Everything", idType: "stableID" },
    ...{ hypothesis: "More" },
    links: [{ url: "https://example.com/a", title: "A" }, { url: "https://example.com/b" }],
    groups: [
      group("Control", 33.3, { a: 1 }, { description: "as it is", highlighted: true }),
      group("Test", 66.7, { a: 2 }, { description: "new", foreignGroupID: "f1", disabled: false }),
    ],
    ...{ allocation: 12.5, primaryMetrics: [{ ...metric, direction: "increase", hypothesizedValue: 5 }] },
    ...{ secondaryMetrics: [metric], otherMetrics: [{ name: "visits", type: "event_count_custom" }] },
    ...{ primaryMetricTags: ["checkout"], secondaryMetricTags: ["checkout"], targetApps: ["web"] },
    ...{ tags: ["checkout"], duration: 21, targetExposures: 1000, targetingGateID: "beta" },
    ...{ sequentialTesting: true, bonferroniCorrection: true, bonferroniCorrectionPerMetric: true },
    ...{ benjaminiHochbergPerVariant: false, benjaminiHochbergPerMetric: false },
    ...{ benjaminiPrimaryMetricsOnly: false, defaultConfidenceInterval: "90" },
    manualQualityScores: [
      { criteriaName: "own", status: "PASSED", criteriaDescription: "d", score: 1, weight: 2 },
    ],
    ...{ status: "setup", creatorID: "somebody", creatorEmail: "somebody@example.com" },
    ...{ analyticsType: "bayesian", isSidecar: false, fixedAnalysisDuration: 14 },
    ...{ cohortedMetricsMatureAfterEnd: true, turboMode: true },
    externalEvents: [{ name: "sale", timestamp: 1_700_000_000_000 }],
    ...{ userBuckets: [0, 999], defaultRollupWindow: -1, defaultChanceToBeatThreshold: 0.9 },
    bayesianPriors: [{ metric, priorMean: 0, priorStdDev: 0.5 }],
    ...{ defaultSPRTPowerParam: 0.8, defaultSPRTMDE: 0.05, sprtBaselineMode: "manual" },
    sprtMDESettings: [{ metricKey: "buys::sum", groupSettings: [] }],
    preComputedUserDimensions: [{ name: "plan", propertySource: "plans" }],
    ...{ cureCovariates: [metric], enabledNonProdEnvironments: ["development"] },
  },
  "every argument of a warehouse project": {
    ...{ secondaryIDType: "stableID", identifierMappingMode: "firstTouchOneToMany" },
    ...{ identityResolutionSource: "people", assignmentSourceName: "exposures" },
    ...{ assignmentSourceExperimentName: "button", isAnalysisOnly: true, allocationDuration: 7 },
    ...{ cohortedAnalysisDuration: 7, cohortWaitUntilEndToInclude: true, scheduledReloadHour: 3 },
    ...{ scheduledReloadType: "incremental", scheduledReloadDays: [0, 6], analysisEndTime: "2026-01-01" },
    assignmentSourceFilters: [{ column: "country", condition: "in", values: ["CH"] }],
    stratifiedSampling: {
      status: "pending",
      metric: { name: "buys", startDate: "2026-01-01", endDate: "2026-01-02" },
    },
  },
  "a visual experiment": [
    {
      ...{ name: "visual", ...visual, autoLoadToplineImpact: true, groups: halves },
      sidecarEditorURL: "https://example.com/",
    },
    { groups: halves.map((one) => ({ ...one, parameterValues: { ...one.parameterValues, ...copied } })) },
  ],
  "empty strings": {
    ...{ description: "", hypothesis: "", targetingGateID: "", team: "" },
    ...{ creatorID: "", creatorEmail: "", decisionReason: "" },
    ...{ links: [], tags: [], targetApps: [], primaryMetrics: [], secondaryMetrics: [], groups: halves },
  },
  nulls: {
    ...{ targetingGateID: null, team: null, launchedGroupID: null, secondaryIDType: null },
    ...{ identityResolutionSource: null, scheduledReloadHour: null, scheduledReloadDays: null },
    ...{ stratifiedSampling: null, isAnalysisOnly: null, allocationDuration: null },
  },
  "a layer": { layerID: "shop", groups: [group("Control", 50, {}), group("Test", 50, {})] },
  ...ofTeams(),
  "groups with ids of its own": { controlGroupID: "second", groups: named },
  running: { status: "active", groups: halves },
  "groups with empty ids": { groups: halves.map((one) => ({ ...one, id: "" })) },
  "one target app as text": { targetApps: "web" },
});

const decided: Case = {
  ...{ kind: "experiment", what: "decided", made: { status: "active", launchedGroupID: null } },
  ...{ isFinal: true },
  body: {
    ...{ name: "decided", status: "decision_made", launchedGroupID: "second", decisionReason: "It sells" },
    groups: named,
  },
};

const parameters = [
  { name: "title", type: "string", defaultValue: "Shop", description: "what is shown" },
  { name: "size", type: "number", defaultValue: 1.5, description: "" },
  { name: "shown", type: "boolean", defaultValue: false },
  { name: "style", type: "object", defaultValue: { colour: "red" }, schema: '{"type":"object"}' },
  { name: "items", type: "array", defaultValue: [1, "two"] },
];

const layers = namedCases("layer", {
  "a team": { idType: "userID", team: "Shop" },
  sparse: { name: "Only A Name", idType: "userID" },
  "every argument": { idType: "stableID", description: "Everything", targetApps: ["web"], parameters },
  "empty strings": { idType: "userID", description: "", targetApps: [], parameters: [] },
  "a parameter without a schema": {
    ...{ idType: "userID" },
    parameters: [{ name: "style", type: "object", defaultValue: {}, schema: null, description: "" }],
  },
  "one target app as text": { idType: "userID", targetApps: "web" },
});

const holdouts = namedCases("holdout", {
  "a team by its id": { teamID: "team-1" },
  sparse: { name: "Only A Name" },
  "every argument": {
    ...{ description: "Everything", idType: "stableID", isEnabled: false, passPercentage: 2.5 },
    ...{ gateIDs: ["beta"], experimentIDs: ["button"], layerIDs: ["shop"], isGlobal: false },
    ...{ targetingGateID: "beta", monitoringMetrics: [metric] },
  },
  global: { isEnabled: true, isGlobal: true, passPercentage: 10 },
  "empty strings": { description: "", targetingGateID: "", gateIDs: [], experimentIDs: [], layerIDs: [] },
  "nothing held out": { passPercentage: 0, targetingGateID: null },
});

const variants = [
  { name: "a", json: { colour: "red" }, size: 50 },
  { name: "b", json: { colour: "blue" }, size: 50 },
];
const tuned = { variants, successEvent: "buy", winnerThreshold: "95%" };

const autotunes = namedCases("autotune", {
  sparse: { name: "Only A Name", ...tuned, explorationWindow: "24", attributionWindow: "1" },
  "every argument": {
    ...{ description: "Everything", ...tuned, successEventValue: "large", idType: "stableID" },
    ...{ explorationWindow: "48", attributionWindow: "24", attributionWindowUnit: "min" },
    ...{ explorationWindowRate: 0.5, longtermExplorationAllocation: 0.1, metadataField: "price" },
    ...{ higherIsBetter: false, isContextual: true, metricSourceID: "purchases" },
    ...{ linkedExperimentName: "button", goalRichText: "sell", optimizationParameter: "value" },
    ...{ valueColumn: "amount", featureList: ["plan"] },
  },
  "empty strings": {
    ...{ description: "", ...tuned, successEventValue: "", metadataField: "" },
    ...{ explorationWindow: "1", attributionWindow: "2", linkedExperimentName: "", goalRichText: "" },
  },
  "windows in words": { ...tuned, explorationWindow: "168hrs", attributionWindow: "1hr" },
});

const mapping = [
  { serviceUnitID: "userID", column: "user_id" },
  { serviceUnitID: "stableID", column: "stable_id" },
];
const source = {
  ...{ sql: "select 1", timestampColumn: "ts", experimentIDColumn: "exp", groupIDColumn: "grp" },
  idTypeMapping: mapping,
};

const sources = namedCases("assignmentSource", {
  ...ofTeams({ ...source, dryRun: false }),
  sparse: source,
  "every argument": {
    ...{ name: "full/source 1", ...source, description: "Everything", isVerified: true, tags: ["checkout"] },
    ...{ isReadOnly: true, groupNameColumn: "group_name", scheduledReloadHour: 4 },
    owner: { ownerID: "u1", ownerType: "USER", ownerName: "Somebody", ownerEmail: "somebody@example.com" },
  },
  "empty strings": { ...source, description: "", team: "", tags: [], scheduledReloadHour: null },
});

export const experimentCases: readonly Case[] = [
  ...experiments,
  decided,
  ...layers,
  ...holdouts,
  ...autotunes,
  ...sources,
];
