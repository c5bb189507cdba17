import { describe, expect, test } from "@jest/globals";
import type { JsonObject } from "../../src/provider/schema/json";
import { sharedDesk } from "./test-desk";

// Every kind answers a bare create, an id that is not there and a name that is taken in words and with defaults of its own.

interface Answers {
  readonly body: JsonObject;
  readonly status: 200 | 201;
  /** Members of the answer to the create, with the defaults that the console fills in. */
  readonly shows: JsonObject;
  /** The answer has these members alone. */
  readonly isWhole?: true;
  /** The answer does not have these. */
  readonly hides?: readonly string[];
  /** The member by which its path names an object; left out: the id. */
  readonly by?: "name";
  /** Another path than that of the list; its objects are read in the list alone. */
  readonly onePath?: string;
  readonly missing?: string;
  /** Left out: names need not be unique. */
  readonly taken?: string;
}

const text = expect.any(String);
const moment = expect.any(Number);
const inUse = "Name is already in use";
const machine = { ownerType: "SDK_KEY", ownerName: "CONSOLE API", ownerEmail: "" };
const flag = { description: "", idType: "userID", isEnabled: true, rules: [], tags: [], targetApps: [] };
const byCreator = { creatorName: "CONSOLE API", creatorEmail: null, version: 1, createdTime: moment };
const idTypeMapping = [{ serviceUnitID: "userID", column: "user" }];
const query = { sql: "select 1", timestampColumn: "ts", idTypeMapping };
const assignment = { ...query, experimentIDColumn: "e", groupIDColumn: "g" };
const awkward = "Source 1.0 / a::b ü";

const kinds: Readonly<Record<string, Answers>> = {
  "/gates": {
    ...{ body: { name: "A Gate" }, status: 201, missing: "Gate not found.", taken: inUse },
    shows: {
      ...{ ...flag, ...byCreator, id: "a_gate", name: "A Gate", status: "In Progress", type: "TEMPORARY" },
      ...{ checksPerHour: 0, typeReason: "NONE", holdoutIDs: [], team: null, measureMetricLifts: true },
      ...{ reviewSettings: { requiredReview: false, allowedReviewers: [] }, monitoringMetrics: [] },
      ...{ owner: machine, lastModifiedTime: moment },
    },
  },
  "/dynamic_configs": {
    ...{ body: { name: "A Config" }, status: 201, missing: "Dynamic config not found.", taken: inUse },
    shows: {
      ...{ ...flag, id: "a_config", name: "A Config", status: "Enabled", defaultValue: {}, holdoutIDs: [] },
      ...{ creatorName: "CONSOLE API", version: 1 },
    },
  },
  "/segments": {
    ...{ body: { name: "Of Rules", type: "rule_based" }, status: 201, hides: ["status"] },
    shows: {
      ...{ id: "of_rules", name: "Of Rules", type: "rule_based", idType: "userID", isEnabled: true },
      ...{ count: 0, rules: [], tags: [], description: "", creatorName: "CONSOLE API" },
    },
    ...{ missing: "Segment not found.", taken: inUse },
  },
  "/layers": {
    // A create takes neither parameters nor an id, whatever the body says.
    body: { name: "A Layer", idType: "userID", parameters: [{ name: "p" }], id: "other", tags: ["t"] },
    status: 201,
    shows: {
      ...{ id: "a_layer", name: "A Layer", idType: "userID", parameters: [], tags: [] },
      isImplicitLayer: false,
    },
    ...{ missing: "Layer not found.", taken: "Layer name is already in use" },
  },
  "/holdouts": {
    // A create takes name, description, idType and teamID alone.
    body: { name: "A Holdout", description: "x", teamID: "t", passPercentage: 5, gateIDs: ["gate_a"] },
    status: 200,
    shows: {
      ...{ id: "a_holdout", name: "A Holdout", description: "x", idType: "userID", teamID: "t" },
      ...{ isEnabled: true, passPercentage: 0, gateIDs: [], experimentIDs: [], layerIDs: [] },
      ...{ isGlobal: false, targetingGateID: null },
    },
    ...{ missing: "Holdout not found.", taken: inUse },
  },
  "/experiments": {
    ...{ body: { name: "A Test 1" }, status: 201, missing: "Experiment not found.", taken: inUse },
    shows: {
      ...{ id: "a_test_1", status: "setup", allocation: 100, duration: 14, defaultConfidenceInterval: "95" },
      ...{ hypothesis: "", targetingGateID: "", layerID: null, launchedGroupID: null, decisionReason: null },
      ...{ startTime: null, endTime: null, decisionTime: null, tags: [], targetApps: [], holdoutIDs: [] },
      ...{ primaryMetrics: [], primaryMetricTags: [], secondaryMetrics: [], secondaryMetricTags: [] },
      ...{ bonferroniCorrection: false, healthChecks: [], healthCheckStatus: "PASSED" },
      inlineTargetingRulesJSON: "{}",
    },
  },
  "/param_stores": {
    body: {
      ...{ name: "a store", displayName: "A store", description: "", team: "growth", tags: ["t"] },
      ...{ targetAppIDs: ["x"], parameters: [{ name: "p" }] },
    },
    ...{ status: 200, hides: ["tags", "targetAppIDs"], by: "name" },
    shows: { id: text, name: "a store", displayName: "A store", team: "growth", parameters: [] },
    ...{ missing: "Param store not found.", taken: inUse },
  },
  "/release_pipelines": {
    ...{ body: { name: "pipeline" }, status: 200 },
    shows: { id: text, name: "pipeline", phases: [], triggerNotice: null },
  },
  "/tags": {
    ...{ body: { name: "a b", description: "x" }, status: 200, isWhole: true, by: "name" },
    shows: { id: text, name: "a b", description: "x", isCore: false },
    ...{ missing: "Tag not found.", taken: inUse },
  },
  "/unit_id_types": {
    ...{ body: { name: "device ID" }, status: 201, isWhole: true, by: "name", taken: inUse },
    shows: { name: "device ID", description: "" },
  },
  "/target_app": {
    ...{ body: { name: "web", description: "x" }, status: 200, isWhole: true },
    shows: { id: text, name: "web" },
  },
  "/alerts": {
    ...{ body: { name: "Errors" }, status: 201, isWhole: true, missing: "Alert not found." },
    shows: {
      ...{ id: text, name: "Errors", message: "", tags: [], subscribers: [], owner: null, team: null },
      ...{ alertType: "threshold", metrics: {}, metricGroupBys: {}, priority: "P3", condition: "greater" },
      ...{ alertThreshold: 0, windowMs: 3_600_000, evaluationDelayMs: 0, activeMuteSchedules: [] },
      ...{ status: "setup_incomplete", lastTriggeredTime: null, companyID: text, creatorID: text },
    },
  },
  "/metrics": {
    body: { name: "revenue", type: "sum", unitTypes: ["userID"], metricEvents: [{ name: "purchase" }] },
    status: 201,
    shows: { id: "revenue::sum", directionality: "increase", lineage: { events: ["purchase"], metrics: [] } },
    ...{ missing: "Metric not found", taken: inUse },
  },
  "/metrics/metric_source": {
    ...{ body: { name: awkward, ...query }, status: 201, by: "name", taken: inUse },
    shows: {
      ...{ name: awkward, ...query, tags: [], sourceType: "query", description: "", isVerified: false },
      owner: { ownerType: "SDK_KEY" },
    },
  },
  "/experiments/assignment_sources": {
    ...{ body: { name: awkward, ...assignment }, status: 201, by: "name", taken: inUse },
    onePath: "/experiments/assignment_source",
    shows: { name: awkward, ...assignment, description: "", tags: [], isVerified: false },
  },
};

const { ask, must, refused } = sharedDesk();

describe.each(Object.entries(kinds))("%s", (path, kind) => {
  const { body, status, shows, isWhole, hides = [], by = "id", onePath, missing, taken } = kind;

  test("answer a create with their defaults and a read as it, take a name twice or refuse that, and are deleted", async () => {
    const { data: made, status: created } = await ask("POST", path, body);
    expect([created, made]).toMatchObject([status, shows]);
    if (isWhole) expect(made).toEqual(shows);
    expect(Object.keys(made).filter((name) => hides.includes(name))).toEqual([]);

    const place = `${onePath ?? path}/${encodeURIComponent(made[by])}`;
    if (onePath === undefined) expect(await must("GET", place)).toEqual(made);
    if (taken === undefined) expect((await ask("POST", path, body)).status).toBe(status);
    else expect(await refused("POST", path, body)).toBe(`400 ${taken}`);

    expect((await ask("DELETE", place)).body).toEqual({ message: text });
    const gone = missing === undefined ? expect.stringMatching(/^404 \w/) : `404 ${missing}`;
    expect(await refused("DELETE", place)).toEqual(gone);
    if (onePath === undefined) expect(await refused("GET", place)).toEqual(gone);
  });
});
