import type { KindName } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { unusualConditions } from "./conditions";

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

const declare = (what: string, kind: KindName, says: JsonObject): Unusual => ({ what, kind, says });
const holders = { gate: {}, dynamicConfig: {}, segment: { type: "rule_based" } } as const;

const onConditions = unusualConditions.map(([kind, what, condition]) =>
  declare(`${what} in a ${kind}`, kind, { key: "one", ...holders[kind], ...rulesFor(condition) }),
);

const mapping = [{ serviceUnitID: "userID", column: "user_id" }];
const query = { sql: "select 1", timestampColumn: "ts", idTypeMapping: mapping };
const assigned = { ...query, experimentIDColumn: "exp", groupIDColumn: "grp" };
const table = { ...query, sourceType: "table", tableName: "t" };
const tuned = {
  variants: ["a", "b"].map((name) => ({ name, json: {} })),
  ...{ successEvent: "buy", winnerThreshold: "95%", explorationWindow: "24hr", attributionWindow: "1hrs" },
};

/** Programs that set these texts to nothing. */
const empty = (kind: KindName, said: JsonObject, texts: string): Unusual => {
  const none = texts.split(" ").map((name) => [name, ""]);
  return declare(`empty strings: ${kind}`, kind, { ...said, ...Object.fromEntries(none) });
};
const author = "creatorID creatorEmail team";
const empties: Unusual[] = [
  empty("gate", { key: "one" }, `description ${author}`),
  empty("dynamicConfig", { key: "one" }, `description ${author}`),
  empty("segment", { key: "one", type: "id_list" }, `description ${author}`),
  empty(
    "experiment",
    { key: "one_experiment" },
    `description hypothesis targetingGateID decisionReason ${author}`,
  ),
  empty("layer", { name: "one layer", idType: "userID" }, "description team"),
  empty("holdout", { name: "one" }, "description targetingGateID teamID"),
  empty("metric", { name: "one metric", type: "sum" }, "description team"),
  declare("empty strings in the warehouse", "metric", {
    ...{ name: "one metric", type: "user_warehouse" },
    warehouseNative: { aggregation: "", metricSourceName: "", valueColumn: "", rollupTimeWindow: "" },
  }),
  empty("metricSource", { ...table, name: "one" }, "sql datePartitionColumn description team"),
  empty("assignmentSource", { name: "one", ...assigned }, "description team groupNameColumn"),
  empty("entityProperty", { name: "one", ...query }, "timestampColumn description team"),
  empty("alert", { name: "one alert" }, "message formula"),
  empty("paramStore", { name: "one" }, "displayName description"),
  empty("autotune", { name: "one autotune", ...tuned }, "successEventValue metadataField goalRichText"),
  empty("unitIdType", { name: "companyID" }, "description"),
];

const forms: Unusual[] = [
  declare("one target app as text", "gate", { key: "one", targetApps: "web" }),
  declare("one tag as text", "metric", { name: "one metric", type: "sum", tags: "checkout" }),
  declare("a percentage with decimals", "gate", {
    ...{ key: "one", rules: [{ name: "a", passPercentage: 0.01, conditions: [] }] },
  }),
  declare("a rule name with strange letters", "gate", {
    ...{ key: "one", rules: [{ name: "größer » 5 [x]", passPercentage: 1, conditions: [] }] },
  }),
  declare("no environments, which is not all", "gate", {
    ...{ key: "one", rules: [{ name: "a", passPercentage: 1, conditions: [], environments: [] }] },
  }),
  declare("a ratio of metrics", "metric", {
    ...{ name: "one ratio", type: "ratio" },
    metricComponentMetrics: [
      { name: "a", type: "sum" },
      { name: "b", type: "event_count" },
    ],
  }),
  declare("a metric without events", "metric", { name: "one metric", type: "mean" }),
  declare("an event of no type", "metric", {
    name: "one metric",
    type: "sum",
    metricEvents: [{ name: "a", type: null }],
  }),
  declare("the old and the new form of a source", "metric", {
    ...{ name: "one metric", type: "user_warehouse" },
    warehouseNative: { aggregation: "sum", metricSources: [{ metricSourceName: "a", valueColumn: "b" }] },
  }),
  declare("the windows of an autotune in words", "autotune", { name: "one autotune", ...tuned }),
  declare("an alert of a priority that is only read", "alert", { name: "one alert", priority: "P9" }),
  declare("a permission of tomorrow", "role", { name: "pilot", permissions: { fly: true } }),
];

/** Programs whose objects the console does not have yet. */
export const declared: readonly Unusual[] = [...onConditions, ...empties, ...forms];
