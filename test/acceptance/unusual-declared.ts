import type { KindName } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";

/** A valid program that is unusual. */
export interface Unusual {
  readonly what: string;
  readonly kind: KindName;
  /** What the program says. */
  readonly says: JsonObject;
  /** The console's list of the object that the program takes over, and the object; left out: it is made. */
  readonly there?: readonly [list: string, item: JsonObject];
}

/** Rules with one rule that has one condition. */
export const rulesFor = (condition: JsonObject): JsonObject => ({
  rules: [{ name: "one", passPercentage: 100, conditions: [condition] }],
});

const holders = { gate: {}, dynamicConfig: {}, segment: { type: "rule_based" } } as const;

const onCondition = (kind: keyof typeof holders, what: string, condition: JsonObject): Unusual => ({
  what: `${what} in a ${kind}`,
  kind,
  says: { key: "one", ...holders[kind], ...rulesFor(condition) },
});

const operators: Unusual[] = [
  onCondition("gate", "a case-sensitive agent", {
    type: "user_agent",
    operator: "any_case_sensitive",
    targetValue: ["A"],
  }),
  onCondition("gate", "no page", { type: "url", operator: "is_null" }),
  onCondition("gate", "a later address", { type: "ip_address", operator: "version_gt", targetValue: "10.0" }),
  onCondition("gate", "a script", { type: "javascript", operator: "any", targetValue: ["true"] }),
  onCondition("gate", "a script alone", { type: "javascript", targetValue: "return true" }),
  onCondition("gate", "a group", { type: "experiment_group", operator: "any", targetValue: ["button:Test"] }),
  onCondition("gate", "a group and a field", {
    type: "experiment_group",
    operator: "none",
    targetValue: "Test",
    field: "button",
  }),
  onCondition("gate", "a greater app version", { type: "app_version", operator: "gt", targetValue: 2 }),
  onCondition("gate", "a system version on a day", {
    type: "os_version",
    operator: "on",
    targetValue: 1_700_000_000_000,
  }),
  onCondition("gate", "a locale at all", { type: "locale", operator: "is_not_null" }),
  onCondition("gate", "hashed values of a field", {
    type: "custom_field",
    field: "mail",
    operator: "encoded_any",
    targetValue: ["x"],
  }),
  onCondition("gate", "a time between lists", {
    type: "time",
    operator: "array_contains_any",
    targetValue: [1, 2],
  }),
  onCondition("dynamicConfig", "browsers by pattern", {
    type: "browser_name",
    operator: "str_matches",
    targetValue: ["C.*"],
  }),
  onCondition("dynamicConfig", "an environment by text", {
    type: "environment_tier",
    operator: "str_contains_any",
    targetValue: ["dev"],
  }),
  onCondition("dynamicConfig", "a gate by an operator", {
    type: "fails_gate",
    operator: "none",
    targetValue: "other",
  }),
  onCondition("segment", "countries by pattern", {
    type: "country",
    operator: "str_matches",
    targetValue: ["C."],
  }),
  onCondition("segment", "e-mails as a list", {
    type: "email",
    operator: "array_contains_any",
    targetValue: ["a"],
  }),
  onCondition("segment", "greater unit ids", {
    type: "unit_id",
    customID: "stableID",
    operator: "gt",
    targetValue: 5,
  }),
  onCondition("segment", "a segment by an operator", {
    type: "passes_segment",
    operator: "any",
    targetValue: ["staff"],
  }),
];

const targets: Unusual[] = [
  onCondition("gate", "one user id as text", { type: "user_id", operator: "any", targetValue: "1" }),
  onCondition("gate", "one user id as a number", { type: "user_id", operator: "any", targetValue: 5 }),
  onCondition("gate", "user ids as numbers", { type: "user_id", operator: "none", targetValue: [5, 6] }),
  onCondition("gate", "a version in a list", {
    type: "app_version",
    operator: "version_gte",
    targetValue: ["1.0"],
  }),
  onCondition("gate", "a time as text", { type: "time", operator: "after", targetValue: "1700000000000" }),
  onCondition("gate", "a time in a list", {
    type: "time",
    operator: "before",
    targetValue: [1_700_000_000_000],
  }),
  onCondition("gate", "a gate in a list", { type: "passes_gate", targetValue: ["other"] }),
  onCondition("gate", "a number as text", {
    type: "custom_field",
    field: "age",
    operator: "gt",
    targetValue: "31",
  }),
  onCondition("gate", "no values", { type: "email", operator: "any", targetValue: [] }),
  onCondition("gate", "an empty value", { type: "email", operator: "none", targetValue: [""] }),
  onCondition("dynamicConfig", "one country as text", {
    type: "country",
    operator: "any",
    targetValue: "CH",
  }),
  onCondition("dynamicConfig", "one environment as text", {
    type: "environment_tier",
    targetValue: "production",
  }),
  onCondition("segment", "one e-mail as text", {
    type: "email",
    operator: "str_contains_any",
    targetValue: "@a",
  }),
  onCondition("segment", "a value of no operator", {
    type: "country",
    operator: "is_null",
    targetValue: ["CH"],
  }),
];

const mapping = [{ serviceUnitID: "userID", column: "user_id" }];
const query = { sql: "select 1", timestampColumn: "ts", idTypeMapping: mapping };
const assigned = { ...query, experimentIDColumn: "exp", groupIDColumn: "grp" };
const noAuthor = { creatorID: "", creatorEmail: "", team: "" };
const tuned = {
  variants: [
    { name: "a", json: {} },
    { name: "b", json: {} },
  ],
  ...{ successEvent: "buy", winnerThreshold: "95%", explorationWindow: "24hr", attributionWindow: "1hrs" },
};

const made = (what: string, kind: KindName, says: JsonObject): Unusual => ({ what, kind, says });

const empties: Unusual[] = [
  made("empty strings of a gate", "gate", { key: "one", description: "", ...noAuthor }),
  made("empty strings of a config", "dynamicConfig", {
    key: "one",
    description: "",
    ...noAuthor,
  }),
  made("empty strings of a segment", "segment", {
    key: "one",
    type: "id_list",
    description: "",
    ...noAuthor,
  }),
  made("empty strings of an experiment", "experiment", {
    ...{ key: "one_experiment", description: "", hypothesis: "", targetingGateID: "", decisionReason: "" },
    ...noAuthor,
  }),
  made("empty strings of a layer", "layer", {
    name: "one layer",
    idType: "userID",
    description: "",
    team: "",
  }),
  made("empty strings of a holdout", "holdout", {
    name: "one",
    description: "",
    targetingGateID: "",
    teamID: "",
  }),
  made("empty strings of a metric", "metric", { name: "one metric", type: "sum", description: "", team: "" }),
  made("empty strings in the warehouse", "metric", {
    ...{ name: "one metric", type: "user_warehouse" },
    warehouseNative: { aggregation: "", metricSourceName: "", valueColumn: "", rollupTimeWindow: "" },
  }),
  made("empty strings of a metric source", "metricSource", {
    ...{ name: "one", ...query, sql: "", sourceType: "table", tableName: "t", datePartitionColumn: "" },
    ...{ description: "", team: "" },
  }),
  made("empty strings of an assignment source", "assignmentSource", {
    ...{ name: "one", ...assigned, description: "", team: "", groupNameColumn: "" },
  }),
  made("empty strings of an entity property", "entityProperty", {
    ...{ name: "one", ...query, timestampColumn: "", description: "", team: "" },
  }),
  made("empty strings of an alert", "alert", { name: "one alert", message: "", formula: "" }),
  made("empty strings of a param store", "paramStore", { name: "one", displayName: "", description: "" }),
  made("empty strings of an autotune", "autotune", {
    ...{ name: "one autotune", ...tuned, successEventValue: "", metadataField: "", goalRichText: "" },
  }),
  made("an empty description of a unit id type", "unitIdType", { name: "companyID", description: "" }),
];

const forms: Unusual[] = [
  made("one target app as text", "gate", { key: "one", targetApps: "web" }),
  made("one tag as text", "metric", { name: "one metric", type: "sum", tags: "checkout" }),
  made("a percentage with decimals", "gate", {
    ...{ key: "one", rules: [{ name: "a", passPercentage: 0.01, conditions: [] }] },
  }),
  made("a rule name with strange letters", "gate", {
    ...{ key: "one", rules: [{ name: "größer » 5 [x]", passPercentage: 1, conditions: [] }] },
  }),
  made("no environments, which is not all", "gate", {
    ...{ key: "one", rules: [{ name: "a", passPercentage: 1, conditions: [], environments: [] }] },
  }),
  made("a ratio of metrics", "metric", {
    ...{ name: "one ratio", type: "ratio" },
    metricComponentMetrics: [
      { name: "a", type: "sum" },
      { name: "b", type: "event_count" },
    ],
  }),
  made("a metric without events", "metric", { name: "one metric", type: "mean" }),
  made("an event of no type", "metric", {
    name: "one metric",
    type: "sum",
    metricEvents: [{ name: "a", type: null }],
  }),
  made("the old and the new form of a source", "metric", {
    ...{ name: "one metric", type: "user_warehouse" },
    warehouseNative: { aggregation: "sum", metricSources: [{ metricSourceName: "a", valueColumn: "b" }] },
  }),
  made("the windows of an autotune in words", "autotune", { name: "one autotune", ...tuned }),
  made("an alert of a priority that is only read", "alert", { name: "one alert", priority: "P9" }),
  made("a permission of tomorrow", "role", { name: "pilot", permissions: { fly: true } }),
];

/** Programs whose objects the console does not have yet. */
export const declared: readonly Unusual[] = [...operators, ...targets, ...empties, ...forms];
