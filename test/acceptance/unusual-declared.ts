import type { KindName } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { samples } from "../samples";
import { unusualConditions } from "./conditions";

export interface Unusual {
  readonly what: string;
  readonly kind: KindName;
  readonly says: JsonObject;
  /** The console's list of the object that the program takes over, and the object; left out: it is made. */
  readonly there?: readonly [list: string, item: JsonObject];
}

export const rulesFor = (condition: JsonObject): JsonObject => ({
  rules: [{ name: "one", passPercentage: 100, conditions: [condition] }],
});

const declare = (what: string, kind: KindName, says: JsonObject): Unusual => ({ what, kind, says });
const holders = { gate: {}, dynamicConfig: {}, segment: { type: "rule_based" } } as const;

const onConditions = unusualConditions.map(([kind, what, condition]) =>
  declare(`${what} in a ${kind}`, kind, { key: "one", ...holders[kind], ...rulesFor(condition) }),
);

/** Texts that programs set to nothing, beside the smallest sample of the kind. */
const emptied: Readonly<Partial<Record<KindName, string>>> = {
  gate: "description creatorID creatorEmail team",
  dynamicConfig: "description creatorID creatorEmail team",
  segment: "description creatorID creatorEmail team",
  experiment: "description hypothesis targetingGateID decisionReason creatorID creatorEmail team",
  layer: "description team",
  holdout: "description targetingGateID teamID",
  metric: "description team",
  assignmentSource: "description team groupNameColumn",
  entityProperty: "timestampColumn description team",
  alert: "message formula",
  paramStore: "displayName description",
  autotune: "successEventValue metadataField goalRichText",
  unitIdType: "description",
};
const beside = (what: string, kind: KindName, said: JsonObject) =>
  declare(what, kind, { ...samples[kind].smallest, ...said });
const empties = Object.entries(emptied).map(([kind, texts]) => {
  const said = Object.fromEntries(texts.split(" ").map((name) => [name, ""]));
  return beside(`empty strings: ${kind}`, kind as KindName, said);
});

const ruled = (what: string, rule: JsonObject) =>
  declare(what, "gate", { key: "one", rules: [{ name: "a", passPercentage: 1, conditions: [], ...rule }] });
const native = (what: string, warehouseNative: JsonObject) =>
  declare(what, "metric", { name: "one metric", type: "user_warehouse", warehouseNative });

const forms: Unusual[] = [
  native("empty strings in the warehouse", {
    ...{ aggregation: "", metricSourceName: "", valueColumn: "", rollupTimeWindow: "" },
  }),
  beside("empty strings: metricSource", "metricSource", {
    ...{ sql: "", sourceType: "table", tableName: "t", datePartitionColumn: "", description: "", team: "" },
  }),
  declare("one target app as text", "gate", { key: "one", targetApps: "web" }),
  declare("one tag as text", "metric", { name: "one metric", type: "sum", tags: "checkout" }),
  ruled("a percentage with decimals", { passPercentage: 0.01 }),
  ruled("a rule name with strange letters", { name: "größer » 5 [x]" }),
  ruled("no environments, which is not all", { environments: [] }),
  declare("a ratio of metrics", "metric", {
    ...{ name: "one ratio", type: "ratio" },
    metricComponentMetrics: ["sum", "event_count"].map((type) => ({ name: type, type })),
  }),
  declare("a metric without events", "metric", { name: "one metric", type: "mean" }),
  declare("an event of no type", "metric", {
    ...{ name: "one metric", type: "sum", metricEvents: [{ name: "a", type: null }] },
  }),
  native("the old and the new form of a source", {
    ...{ aggregation: "sum", metricSources: [{ metricSourceName: "a", valueColumn: "b" }] },
  }),
  beside("the windows of an autotune in words", "autotune", {
    ...{ explorationWindow: "24hr", attributionWindow: "1hrs" },
  }),
  declare("an alert of a priority that is only read", "alert", { name: "one alert", priority: "P9" }),
  declare("a permission of tomorrow", "role", { name: "pilot", permissions: { fly: true } }),
];

export const declared: readonly Unusual[] = [...onConditions, ...empties, ...forms];
