import type { JsonObject } from "../../src/provider/schema/json";
import { type Case, casesOf, namedCases, ofTeams } from "./cases";

const criterion = { type: "metadata", column: "page", condition: "in", values: ["/shop"] };
const event = { name: "buy", type: "count", metadataKey: "price", criteria: [criterion] };
const sums = ["a", "b"].map((name) => ({ name, type: "sum" }));
const counted = { unitTypes: ["userID"], metricEvents: [event] };
const step = (name: string): JsonObject => ({ name, type: "event_dau" });
const native = (warehouseNative: JsonObject, name = "native"): JsonObject => ({
  name,
  type: "user_warehouse",
  unitTypes: ["userID"],
  warehouseNative,
});

const metrics = namedCases("metric", {
  sparse: { type: "sum" },
  "three letters": { name: "abc", type: "mean", unitTypes: ["userID"] },
  "every argument of a sum": {
    ...{ name: "Full (sum) 100%: a/b", type: "sum", isVerified: true, isReadOnly: true },
    ...{ unitTypes: ["userID", "stableID"], metricEvents: [event], description: "Everything" },
    ...{ directionality: "decrease", tags: ["checkout"], isPermanent: true, rollupTimeWindow: "custom" },
    ...{ customRollUpStart: 1, customRollUpEnd: 7 },
  },
  "an owner and a team by its id": [
    {
      ...{ name: "owned", type: "sum", teamID: "team-1", dryRun: false },
      owner: { ownerID: "u1", email: "somebody@example.com" },
    },
    // A read shows an owner in another form than the update takes it.
    { owner: { ownerID: "u1" } },
  ],
  "a team by its name": { type: "sum", team: "Shop" },
  "calculated on some days": { type: "sum", scheduledReloadHour: 0, scheduledReloadDays: [0, 6] },
  "empty strings": { type: "sum", description: "", team: "", tags: [], unitTypes: [], metricEvents: [] },
  "one tag as text": { type: "sum", tags: "checkout" },
  "events by value": { type: "sum", unitTypes: ["userID"], metricEvents: [{ name: "buy", type: "value" }] },
  "a mean": { type: "mean", unitTypes: ["userID"], metricEvents: [{ ...event, type: "value" }] },
  "a count": { type: "event_count_custom", ...counted },
  "a ratio": { type: "ratio", unitTypes: ["userID"], metricEvents: [event, { ...event, name: "visit" }] },
  "a ratio of metrics": { type: "ratio", metricComponentMetrics: sums },
  "users of an event": { type: "event_user", ...counted },
  "a funnel": { type: "funnel", funnelCountDistinct: "users", funnelEventList: [step("visit"), step("buy")] },
  "a funnel of sessions": {
    ...{ type: "funnel", funnelCountDistinct: "events" },
    funnelEventList: [step("visit"), step("look"), { name: "buy", type: "event_count_custom" }],
  },
  "a sum of metrics": {
    ...{ type: "composite_sum" },
    metricComponentMetrics: [
      { name: "a", type: "sum" },
      { name: "b", type: "event_count" },
    ],
  },
  "a composite": { type: "composite", metricComponentMetrics: sums },
  undefined: { type: "undefined" },
  "a percentile": { type: "percentile", percentile: 0.99, ...counted },
  "a latest value": { type: "latest_value", ...counted },
  "a warehouse sum": native({ aggregation: "sum", metricSourceName: "purchases", valueColumn: "amount" }),
  "a warehouse sum in the new form": native({
    ...{ aggregation: "sum", waitForCohortWindow: true },
    metricSources: [{ metricSourceName: "purchases", criteria: [criterion], valueColumn: "amount" }],
  }),
  "a warehouse ratio": native({
    ...{ aggregation: "ratio", metricSourceName: "purchases", numeratorAggregation: "sum" },
    ...{ valueColumn: "amount", denominatorAggregation: "count", denominatorMetricSourceName: "visits" },
    ...{ denominatorValueColumn: "n", denominatorCriteria: [criterion] },
    ...{ denominatorRollupTimeWindow: "custom", denominatorCustomRollupStart: 0 },
    ...{ denominatorCustomRollupEnd: 7, denominatorCustomRollupMeasureInMinutes: false },
    ...{ allowNullRatioDenominator: true, winsorizationHighDenominator: 0.99 },
    ...{ winsorizationLowDenominator: 0.01 },
  }),
  "a warehouse funnel": native({
    ...{ aggregation: "funnel", funnelCalculationWindow: 7, funnelCountDistinct: "sessions" },
    funnelEvents: [
      { metricSourceName: "visits", name: "visit", criteria: [criterion], sessionIdentifierField: "session" },
      { metricSourceName: "purchases", name: null, criteria: [], sessionIdentifierField: null },
    ],
    ...{ funnelStartCriteria: "start_event", funnelStrictOrdering: true, funnelTimeToConvert: false },
    ...{ funnelTimestampAllowanceMs: 1000, funnelUseExposureAsFirstEvent: false },
  }),
  "a warehouse retention": native({
    ...{ aggregation: "retention", metricSourceName: "visits", retentionEnd: 14, retentionLength: 7 },
    ...{ useSecondaryRetentionEvent: true, cupedAttributionWindow: 7, metricBakeDays: 2, loadingWindow: 30 },
  }),
  "a warehouse percentile": native({
    ...{ aggregation: "percentile", metricSourceName: "visits", percentile: 0.95, valueColumn: "ms" },
    ...{ cap: 100, valueThreshold: 5, winsorizationHigh: 0.99, winsorizationLow: 0.01 },
    ...{ useLogTransform: true, logTransformBase: 10, surrogateMetricMSE: 0.5 },
    ...{ onlyIncludeUsersWithConversionEvent: true, rollupTimeWindow: "custom", customRollUpStart: 0 },
    ...{ customRollUpEnd: 60, customRollupMeasureInMinutes: true, metricDimensionColumns: ["country"] },
    ...{ metricDimensionLimits: [{ name: "country", limit: 10 }] },
  }),
  "a warehouse composite": native({
    ...{ aggregation: "composite", metricSourceName: "visits" },
    components: [
      {
        ...{ operator: "+", aggregation: "sum", metricSourceName: "visits" },
        ...{ name: null, criteria: [], valueColumn: "n" },
      },
    ],
  }),
  "a warehouse metric with empty strings": native({
    ...{ aggregation: "", metricSourceName: "", valueColumn: "", rollupTimeWindow: "", criteria: [] },
  }),
  "nulls in the warehouse": native({
    ...{ aggregation: "count", metricSourceName: "visits", cupedAttributionWindow: null },
    ...{ logTransformBase: null },
    surrogateMetricMSE: null,
  }),
});

const mapping = [{ serviceUnitID: "userID", column: "user_id" }];
const query = { sql: "select 1", timestampColumn: "ts", idTypeMapping: mapping };
const owner = { ownerID: "u1", ownerType: "USER", ownerName: "Somebody", ownerEmail: "somebody@example.com" };

const queried: Record<string, JsonObject> = {
  ...ofTeams({ ...query, dryRun: false }),
  sparse: query,
  "every argument of a query": {
    ...{ name: "full: 1/2", ...query, description: "Everything", tags: ["checkout"], timestampAsDay: true },
    ...{ sourceType: "query", datePartitionColumn: "day", isReadOnly: true, isVerified: true },
    ...{ disableCURE: true },
    customFieldMapping: [{ key: "price", formula: "amount / 100" }],
    ...{ owner, skip_validation: true, all_columns: ["ts", "user_id"], column_types: ["time", "text"] },
  },
  "a table with an empty query": { ...query, sql: "", sourceType: "table", tableName: "shop.visits" },
  "empty strings": {
    ...{ ...query, description: "", team: "", tags: [], customFieldMapping: [], tableName: "" },
    datePartitionColumn: "",
  },
};

const properties = namedCases("entityProperty", {
  ...ofTeams({ ...query, dryRun: false }),
  sparse: { sql: "select 1", idTypeMapping: mapping },
  "every argument": {
    ...{ name: "full: 1/2", ...query, description: "Everything", tags: ["checkout"], timestampAsDay: true },
    isReadOnly: true,
  },
  "empty strings": { ...query, timestampColumn: "", description: "", team: "", tags: [] },
});

const comparisons = ["greater", "greater_or_equal", "less", "less_or_equal", "equal", "not_equal"];
const alerts = namedCases("alert", {
  sparse: {},
  "every argument": {
    ...{ name: "Full alert: 50 % / shop", message: "Everything", teamID: "team-1", formula: "A / B" },
    definitionMetricsJson: ['{"metric": "buy::event_count"}', '{"metric": "visit::event_count"}'],
    groupBys: [{ column: "country", key: "country" }],
    ...{ tags: ["checkout"], alertThreshold: 0.05, warningThreshold: 0.1, windowMs: 86_400_000 },
    ...{ condition: "less", priority: "P1", renotificationConditions: ["raise", "warn", "no-data"] },
    ...{ renotificationWindowMs: 7_200_000, evaluationDelayMs: 60_000, renotificationMessage: "Still so" },
    subscribers: [
      { type: "user", id: "u1" },
      { type: "slackChannel", id: "C1" },
      { type: "pagerDutyOncall", id: "p1" },
      { type: "pagerDutyService", id: "p2" },
    ],
  },
  "empty strings": {
    ...{ message: "", formula: "", renotificationMessage: "", definitionMetricsJson: [] },
    ...{ groupBys: [], tags: [], subscribers: [], renotificationConditions: [] },
  },
  nulls: { teamID: null, warningThreshold: null, renotificationConditions: null },
  "nothing as thresholds": { alertThreshold: 0, warningThreshold: 0, evaluationDelayMs: 0 },
  "the least window": { windowMs: 60_000, evaluationDelayMs: 0, priority: "P4" },
  "the longest window": { windowMs: 2_592_000_000, evaluationDelayMs: 2_592_000_000 },
  ...Object.fromEntries(
    comparisons.map((condition) => [
      `a number that is ${condition}`,
      { name: "compared", condition, alertThreshold: 5 },
    ]),
  ),
});

const source = { source_name: "shop", dataset: "Events", type: "snowflake-v2" };
const warehouse = [
  ...casesOf("ingestion", {
    sparse: source,
    "every argument": {
      ...{ ...source, enabled: false, query: "select * from events" },
      column_mapping: { event_name: "event", timestamp: "ts", ids: { userID: "user_id" } },
      ...{ use_delta_sharing: true, share: "shop", schema: "public", table: "events" },
    },
  }),
  ...casesOf("ingestionSchedule", {
    sparse: { dataset: "Events" },
    "every argument": { dataset: "Events", scheduled_hour_pst: 3 },
  }),
  ...casesOf("warehouseConnection", {
    "every argument": {
      databricks: { host: "shop.example.com", path: "/sql/1", accessToken: "the token" },
      snowflake: { accountName: "shop", serviceUserPassword: "the password", privateKey: null },
      bigquery: { project: "shop", privateKey: "the private key" },
    },
    "one of them": { bigquery: { project: "shop" } },
  }),
];

export const measureCases: readonly Case[] = [
  ...metrics,
  ...namedCases("metricSource", queried),
  ...namedCases("qualifyingEvent", queried),
  ...properties,
  ...alerts,
  ...warehouse,
];
