import { describe, expect, test } from "@jest/globals";
import type { JsonObject } from "../../src/provider/schema/json";
import type { Item } from "./desk";
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
  /** Path of the object, which a GET reads, and so the path of one that is not there; left out: it is read in a list. */
  readonly at?: (made: Item) => string;
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
const byName = (path: string) => (made: Item) => `${path}/${encodeURIComponent(made.name)}`;

const kinds: Readonly<Record<string, Answers>> = {
  "/gates": {
    ...{ body: { name: "A Gate" }, status: 201, at: () => "/gates/a_gate" },
    shows: {
      ...{ ...flag, ...byCreator, id: "a_gate", name: "A Gate", status: "In Progress", type: "TEMPORARY" },
      ...{ checksPerHour: 0, typeReason: "NONE", holdoutIDs: [], team: null, measureMetricLifts: true },
      ...{ reviewSettings: { requiredReview: false, allowedReviewers: [] }, monitoringMetrics: [] },
      ...{ owner: machine, lastModifiedTime: moment },
    },
    ...{ missing: "Gate not found.", taken: inUse },
  },
  "/dynamic_configs": {
    ...{ body: { name: "A Config" }, status: 201, at: () => "/dynamic_configs/a_config" },
    shows: {
      ...{ ...flag, id: "a_config", name: "A Config", status: "Enabled", defaultValue: {}, holdoutIDs: [] },
      ...{ creatorName: "CONSOLE API", version: 1 },
    },
    ...{ missing: "Dynamic config not found.", taken: inUse },
  },
  "/segments": {
    ...{ body: { name: "Rule Based Segment", type: "rule_based" }, status: 201 },
    at: () => "/segments/rule_based_segment",
    shows: {
      ...{ id: "rule_based_segment", name: "Rule Based Segment", type: "rule_based", idType: "userID" },
      ...{ isEnabled: true, count: 0, rules: [], tags: [], description: "", creatorName: "CONSOLE API" },
    },
    ...{ hides: ["status"], missing: "Segment not found.", taken: inUse },
  },
  "/layers": {
    // A create takes neither parameters nor an id, whatever the body says.
    body: { name: "A Layer", idType: "userID", parameters: [{ name: "p" }], id: "other", tags: ["t"] },
    ...{ status: 201, at: () => "/layers/a_layer" },
    shows: {
      id: "a_layer",
      name: "A Layer",
      idType: "userID",
      parameters: [],
      tags: [],
      isImplicitLayer: false,
    },
    ...{ missing: "Layer not found.", taken: "Layer name is already in use" },
  },
  "/holdouts": {
    // A create takes name, description, idType and teamID alone.
    body: { name: "A Holdout", description: "x", teamID: "t", passPercentage: 5, gateIDs: ["gate_a"] },
    ...{ status: 200, at: () => "/holdouts/a_holdout" },
    shows: {
      ...{ id: "a_holdout", name: "A Holdout", description: "x", idType: "userID", teamID: "t" },
      ...{ isEnabled: true, passPercentage: 0, gateIDs: [], experimentIDs: [], layerIDs: [] },
      ...{ isGlobal: false, targetingGateID: null },
    },
    ...{ missing: "Holdout not found.", taken: inUse },
  },
  "/experiments": {
    ...{ body: { name: "A Test 1" }, status: 201, at: () => "/experiments/a_test_1" },
    shows: {
      ...{ id: "a_test_1", status: "setup", allocation: 100, duration: 14, defaultConfidenceInterval: "95" },
      ...{ hypothesis: "", targetingGateID: "", layerID: null, launchedGroupID: null, decisionReason: null },
      ...{ startTime: null, endTime: null, decisionTime: null, tags: [], targetApps: [], holdoutIDs: [] },
      ...{ primaryMetrics: [], primaryMetricTags: [], secondaryMetrics: [], secondaryMetricTags: [] },
      ...{ bonferroniCorrection: false, healthChecks: [], healthCheckStatus: "PASSED" },
      inlineTargetingRulesJSON: "{}",
    },
    ...{ missing: "Experiment not found.", taken: inUse },
  },
  "/param_stores": {
    body: {
      ...{ name: "a store", displayName: "A store", description: "", team: "growth", tags: ["t"] },
      ...{ targetAppIDs: ["x"], parameters: [{ name: "p" }] },
    },
    ...{ status: 200, at: () => "/param_stores/a%20store" },
    shows: { id: text, name: "a store", displayName: "A store", team: "growth", parameters: [] },
    ...{ hides: ["tags", "targetAppIDs"], missing: "Param store not found.", taken: inUse },
  },
  "/release_pipelines": {
    ...{ body: { name: "pipeline" }, status: 200, at: ({ id }) => `/release_pipelines/${id}` },
    shows: { id: text, name: "pipeline", phases: [], triggerNotice: null },
  },
  "/tags": {
    ...{ body: { name: "a b", description: "x" }, status: 200, at: () => "/tags/a%20b" },
    shows: { id: text, name: "a b", description: "x", isCore: false },
    isWhole: true,
    ...{ missing: "Tag not found.", taken: inUse },
  },
  "/unit_id_types": {
    ...{ body: { name: "device ID" }, status: 201, at: () => "/unit_id_types/device%20ID" },
    shows: { name: "device ID", description: "" },
    isWhole: true,
    taken: inUse,
  },
  "/target_app": {
    ...{ body: { name: "web", description: "x" }, status: 200, at: ({ id }) => `/target_app/${id}` },
    shows: { id: text, name: "web" },
    isWhole: true,
  },
  "/alerts": {
    ...{ body: { name: "Errors" }, status: 201, at: ({ id }) => `/alerts/${id}` },
    shows: {
      ...{ id: text, name: "Errors", message: "", tags: [], subscribers: [], owner: null },
      ...{ alertType: "threshold", metrics: {}, metricGroupBys: {}, priority: "P3", condition: "greater" },
      ...{
        alertThreshold: 0,
        windowMs: 3_600_000,
        evaluationDelayMs: 0,
        team: null,
        activeMuteSchedules: [],
      },
      ...{ status: "setup_incomplete", lastTriggeredTime: null, companyID: text, creatorID: text },
    },
    ...{ isWhole: true, missing: "Alert not found." },
  },
  "/metrics": {
    body: { name: "revenue", type: "sum", unitTypes: ["userID"], metricEvents: [{ name: "purchase" }] },
    ...{ status: 201, at: () => "/metrics/revenue%3A%3Asum" },
    shows: { id: "revenue::sum", directionality: "increase", lineage: { events: ["purchase"], metrics: [] } },
    ...{ missing: "Metric not found", taken: inUse },
  },
  "/metrics/metric_source": {
    ...{ body: { name: awkward, ...query }, status: 201, at: byName("/metrics/metric_source") },
    shows: {
      ...{ name: awkward, ...query, tags: [], sourceType: "query", description: "", isVerified: false },
      owner: { ownerType: "SDK_KEY" },
    },
    taken: inUse,
  },
  "/experiments/assignment_sources": {
    ...{ body: { name: awkward, ...assignment }, status: 201 },
    shows: { name: awkward, ...assignment, description: "", tags: [], isVerified: false },
    taken: inUse,
  },
};

const desk = sharedDesk();

describe.each(Object.entries(kinds))("%s", (path, kind) => {
  const { body, status, shows, isWhole, hides = [], at, missing, taken } = kind;

  test("answer a bare create with their defaults, and a read as the create", async () => {
    const made = await desk.ask("POST", path, body);
    expect([made.status, made.data]).toMatchObject([status, shows]);
    if (isWhole) expect(made.data).toEqual(shows);
    expect(Object.keys(made.data).filter((name) => hides.includes(name))).toEqual([]);
    if (at !== undefined) expect(await desk.must("GET", at(made.data))).toEqual(made.data);
  });

  test("answer a delete with a message alone, and are not found then", async () => {
    const { data } = await desk.ask("POST", path, body);
    const place = at?.(data) ?? byName("/experiments/assignment_source")(data);
    expect((await desk.ask("DELETE", place)).body).toEqual({ message: text });
    const message = missing ?? text;
    expect((await desk.ask("DELETE", place)).body).toEqual({ status: 404, message });
    if (at !== undefined) expect((await desk.ask("GET", place)).body).toEqual({ status: 404, message });
  });

  test("take a name twice, or refuse that", async () => {
    await desk.must("POST", path, body);
    const second = await desk.ask("POST", path, body);
    if (taken === undefined) expect(second.status).toBe(status);
    else expect(second.body).toEqual({ status: 400, message: taken });
  });
});
