import type { KindName } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { pick } from "./plan";
import { rulesFor, type Unusual } from "./unusual-declared";

/** An object of a kind, as the console has it and as a program says it; `hasKey`: a program gives its id as `key`. */
const objectOf =
  (kind: KindName, list: string, rest: JsonObject = {}, hasKey = false) =>
  (what: string, item: JsonObject, says: JsonObject = item): Unusual => ({
    ...{ what, kind },
    there: [list, { ...(hasKey ? { id: "there" } : {}), name: "there", ...rest, ...item }],
    says: {
      ...(hasKey ? { key: item.id ?? "there" } : {}),
      ...{ name: "there", ...rest, ...(hasKey ? pick(says, (member) => member !== "id") : says) },
    },
  });

const gate = objectOf("gate", "gates", {}, true);
const config = objectOf("dynamicConfig", "dynamic_configs", {}, true);
const experiment = objectOf("experiment", "experiments", {}, true);
const segment = objectOf("segment", "segments", { type: "rule_based" }, true);
const layer = objectOf("layer", "layers", { idType: "userID" });
const holdout = objectOf("holdout", "holdouts");
const alert = objectOf("alert", "alerts");
const metric = (what: string, type: string, item: JsonObject, says = item, name = "by hand"): Unusual => ({
  ...{ what, kind: "metric", says: { name, type, ...says } },
  there: ["metrics", { id: `${name}::${type}`, name, type, ...item }],
});
const mapping = [{ serviceUnitID: "userID", column: "user_id" }];
const source = objectOf("metricSource", "metric_sources", {
  ...{ sql: "select 1", timestampColumn: "ts", idTypeMapping: mapping },
});
const tuned = {
  variants: ["a", "b"].map((name) => ({ name, json: {} })),
  ...{ successEvent: "buy", winnerThreshold: "95%", explorationWindow: "24", attributionWindow: "1" },
};
const autotune = objectOf("autotune", "autotunes", tuned);

const event = { name: "buy", type: "count" };
const serverMade: Unusual[] = [
  metric("distinct values", "count_distinct", { metricEvents: [{ ...event, type: "count_distinct" }] }),
  metric("an import with a window", "import_window", { rollupTimeWindow: "custom", customRollUpStart: 0 }),
  metric("a metric half set up", "setup_incomplete", { unitTypes: ["userID"], isVerified: true }),
  metric("users in a window", "event_user_window", { metricEvents: [event], customRollUpEnd: 7 }),
  metric("a warehouse metric of both kinds", "hybrid_warehouse", { warehouseNative: { aggregation: "sum" } }),
  metric("active users of an ad", "ads_segment_active_users", { directionality: "decrease" }),
  metric("days of an ad", "ads_segment_exposed_user_days", { isReadOnly: true, tags: ["checkout"] }),
  metric("a count that the console keeps", "event_count", { isPermanent: true }),
  metric("daily users that the console keeps", "event_dau", { description: "by the console" }),
  metric("a type of tomorrow", "median", { unitTypes: ["userID"] }),
];

const native = (warehouseNative: JsonObject) => ({ warehouseNative });
const criteria = (type: string, condition: string) => native({ criteria: [{ type, condition }] });
const unknownValues: Unusual[] = [
  metric("a direction of tomorrow", "sum", { directionality: "neutral" }),
  metric("an event type of tomorrow", "sum", { metricEvents: [{ name: "buy", type: "median" }] }),
  metric("a funnel step of tomorrow", "funnel", { funnelEventList: [{ name: "a", type: "event_hour" }] }),
  metric("a funnel that counts sessions", "funnel", { funnelCountDistinct: "sessions" }),
  metric("an aggregation of tomorrow", "user_warehouse", native({ aggregation: "median" })),
  metric("a criterion of tomorrow", "user_warehouse", criteria("cookie", "near")),
  metric("a start of tomorrow", "user_warehouse", native({ funnelStartCriteria: "login" })),
  experiment("an interval of tomorrow", { defaultConfidenceInterval: "99.9" }),
  experiment("a baseline of tomorrow", { sprtBaselineMode: "learned" }),
  experiment("a mapping of tomorrow", { identifierMappingMode: "manyToMany" }),
  experiment("a reload of tomorrow", { scheduledReloadType: "partial" }),
  experiment("a metric's direction of tomorrow", {
    primaryMetrics: [{ name: "buys", type: "sum", direction: "neutral" }],
  }),
  experiment("a new filter", { assignmentSourceFilters: [{ column: "a", condition: "near", values: [] }] }),
  experiment("a score of tomorrow", {
    manualQualityScores: [
      { criteriaName: "a", status: "SKIPPED", criteriaDescription: "", score: 1, weight: 1 },
    ],
  }),
  experiment("a sampling of tomorrow", { stratifiedSampling: { status: "queued" } }),
  source("a source of tomorrow", { sourceType: "stream" }),
  alert("a comparison of tomorrow", { condition: "between" }),
  alert("a subscriber of tomorrow", { subscribers: [{ type: "webhook", id: "a" }] }),
  alert("a notice of tomorrow", { renotificationConditions: ["calm"] }),
  autotune("a threshold of tomorrow", { winnerThreshold: "97%" }),
  autotune("a window of tomorrow", { explorationWindow: "72" }),
  autotune("a unit of tomorrow", { attributionWindowUnit: "week" }),
  segment("a segment type of tomorrow", { type: "geo_list" }),
  segment("a condition of tomorrow", rulesFor({ type: "weather", operator: "sunny", targetValue: ["yes"] })),
  config("an operator of tomorrow", rulesFor({ type: "email", operator: "sounds_like", targetValue: ["a"] })),
  layer("a type of parameter", { parameters: [{ name: "a", type: "date", defaultValue: "2026-01-01" }] }),
];

const long = "a".repeat(150);
const metricNamed = (what: string, name: string): Unusual => metric(what, "sum", {}, {}, name);
const beyond: Unusual[] = [
  gate("a gate with a long id", { id: long }),
  gate("a gate with a long name", { name: long }),
  gate("a gate with a colon in its id", { id: "team:one" }),
  config("a config with a name of umlauts", { name: "Größe & Farbe" }),
  config("a config with one letter", { id: "c", name: "c" }),
  experiment("an experiment with a dot in its id", { id: "a.b" }),
  experiment("an experiment with one letter", { id: "x", name: "x" }),
  segment("a segment with a name of umlauts", { name: "Größe [1]" }),
  segment("a segment with a long id", { id: long }),
  segment("a segment in a console template", rulesFor({ type: "public" })),
  layer("a layer with brackets", { name: "[old] layer", id: "[old]_layer" }, { name: "[old] layer" }),
  layer("a layer with a long name", { name: long }),
  holdout("a holdout with a dot in its name", { name: "2026.1" }),
  holdout("a holdout of two letters", { name: "ab" }),
  metricNamed("a metric with a long name", `${long}${long}`),
  metricNamed("a metric in other letters", "購入 €"),
];

const oldSource = native({ aggregation: "sum", metricSourceName: "a", valueColumn: "b" });
const newSource = native({
  aggregation: "sum",
  metricSources: [{ metricSourceName: "a", valueColumn: "b" }],
});
const oldForms: Unusual[] = [
  gate("a stale gate that a program calls temporary", { type: "STALE" }, { type: "TEMPORARY" }),
  segment("one rule that is no list", rulesFor({ type: "country", operator: "any", targetValue: "CH" })),
  metric("the old form of a source, said in the new one", "user_warehouse", oldSource, newSource),
  metric("the new form of a source, said in the old one", "user_warehouse", newSource, oldSource),
  gate("a core tag without its star", { tags: ["★ Core"] }, { tags: ["Core"] }),
];

export const adopted: readonly Unusual[] = [...serverMade, ...unknownValues, ...beyond, ...oldForms];
