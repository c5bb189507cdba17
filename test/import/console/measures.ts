import type { JsonObject } from "../../../src/provider/schema/json";
import { History, idOf, type Surroundings } from "./history";
import { textAt } from "./rules";
import { awkwardNames, queries } from "./texts";

const criterion = {
  type: "metadata",
  column: "page `x`",
  condition: "in",
  values: ["/shop", '"quoted"', `\${v}`],
};
const event = { name: "buy", type: "count", metadataKey: "price", criteria: [criterion] };
const step = (name: string): JsonObject => ({ name, type: "event_dau" });

/** Metrics of each type; the first come first. */
const metricForms: readonly (readonly [type: string, rest: JsonObject])[] = [
  ["sum", { unitTypes: ["userID"], metricEvents: [event] }],
  ["mean", { unitTypes: ["userID"], metricEvents: [{ ...event, type: "value" }] }],
  [
    "event_count_custom",
    { unitTypes: ["userID", "stableID"], metricEvents: [event, { name: "view", type: null }] },
  ],
  ["funnel", { funnelCountDistinct: "users", funnelEventList: [step("visit"), step("look"), step("buy")] }],
  [
    "ratio",
    {
      metricComponentMetrics: [
        { name: "buys", type: "sum" },
        { name: "visits", type: "sum" },
      ],
    },
  ],
  [
    "composite",
    {
      metricComponentMetrics: [
        { name: "buys", type: "sum" },
        { name: "visits", type: "sum" },
      ],
    },
  ],
  ["user_warehouse", { unitTypes: ["userID"], warehouseNative: "a sum of a source" }],
  ["percentile", { percentile: 0.99, unitTypes: ["userID"], metricEvents: [event] }],
  ["event_user", { unitTypes: ["userID"], metricEvents: [event] }],
  ["sum", { rollupTimeWindow: "custom", customRollUpStart: 1, customRollUpEnd: 7, metricEvents: [event] }],
  ["user_warehouse", { unitTypes: ["userID"], warehouseNative: "a ratio in the old form" }],
  ["undefined", {}],
];

/** Name and type of each metric of a console. */
export function metricsOf(count: number): { readonly name: string; readonly type: string }[] {
  const names = [
    "Rate (a/b) 100%: x.y-z_1",
    "default",
    "class",
    "Twin metric",
    "Twin-metric",
    "a::b",
    "50% off",
  ];
  return Array.from({ length: count }, (_, at) => ({
    name: names[at] ?? `metric ${at}`.padEnd(at % 40 === 20 ? 200 : 0, "x"),
    type: metricForms[at % metricForms.length]?.[0] ?? "sum",
  }));
}

function warehouse(form: unknown, source: string): JsonObject {
  if (form === "a sum of a source")
    return {
      aggregation: "sum",
      metricSources: [{ metricSourceName: source, criteria: [criterion], valueColumn: "amount" }],
    };
  return {
    ...{ aggregation: "ratio", metricSourceName: source, numeratorAggregation: "sum", valueColumn: "amount" },
    ...{
      denominatorAggregation: "count",
      denominatorMetricSourceName: source,
      denominatorCriteria: [criterion],
    },
    ...{ allowNullRatioDenominator: true, winsorizationHighDenominator: 0.99, cap: 100, valueThreshold: 5 },
  };
}

/** Metrics. */
export function addMetrics(history: History, around: Surroundings): void {
  for (const [at, { name, type }] of around.metrics.entries()) {
    const { warehouseNative, ...form } = metricForms[at % metricForms.length]?.[1] ?? {};
    const source = around.sources[at % around.sources.length] ?? "none";
    history.make(
      "metric",
      "/metrics",
      History.said({
        ...{ name, type, ...form, description: textAt(at) },
        warehouseNative: warehouseNative === undefined ? undefined : warehouse(warehouseNative, source),
        tags: at % 3 === 0 ? history.some(around.names.tag, 3) : undefined,
        directionality: at % 4 === 3 ? "decrease" : undefined,
        isVerified: at % 7 === 1 ? true : undefined,
        isPermanent: at % 9 === 4 ? true : undefined,
        team: at % 6 === 5 ? history.dice.one(around.names.team) : undefined,
      }),
    );
  }
}

const mapping = [
  { serviceUnitID: "userID", column: "user_id" },
  { serviceUnitID: "stableID", column: "stable `id`" },
];

/** A query of one of the kinds that have one, with what they share. */
function queryAt(history: History, around: Surroundings, at: number): JsonObject {
  return History.said({
    ...{ sql: queries[at % queries.length], timestampColumn: "ts", description: textAt(at) },
    idTypeMapping: at % 3 === 2 ? mapping : mapping.slice(0, 1),
    tags: at % 2 === 1 ? history.some(around.names.tag, 2) : undefined,
    team: at % 4 === 1 ? history.dice.one(around.names.team) : undefined,
    teamID: at % 4 === 3 ? idOf(`team ${history.dice.one(around.names.team)}`) : undefined,
  });
}

/** Names of sources: most are of free text. */
export const sourceNamesOf = (count: number): string[] =>
  Array.from(
    { length: count },
    (_, at) => ["default", "shop/visits: 1", "Twin source", "twin-source", "class"][at] ?? `source ${at}`,
  );

/** Kinds that read from a warehouse. */
export type QueryKind = "assignmentSource" | "entityProperty" | "qualifyingEvent";

/** Metric sources, and everything else that is a query. */
export function addSources(
  history: History,
  around: Surroundings,
  counts: Readonly<Record<QueryKind, number>>,
): void {
  for (const [at, name] of around.sources.entries())
    history.make("metricSource", "/metrics/metric_source", {
      ...{ name, ...queryAt(history, around, at) },
      ...(at % 4 === 1
        ? { timestampAsDay: true, customFieldMapping: [{ key: "price", formula: "amount / 100 -- `x`" }] }
        : {}),
      ...(at % 5 === 4 ? { sourceType: "table", tableName: "shop.visits", sql: "" } : {}),
    });
  const names = (kind: QueryKind, word: string) =>
    sourceNamesOf(counts[kind]).map((name) => `${word} of ${name}`);
  for (const [at, name] of names("qualifyingEvent", "event").entries())
    history.make("qualifyingEvent", "/experiments/qualifying_events", {
      name,
      ...queryAt(history, around, at),
    });
  for (const [at, name] of names("entityProperty", "property").entries())
    history.make("entityProperty", "/experiments/entity_properties", {
      name,
      ...queryAt(history, around, at),
    });
  for (const [at, name] of names("assignmentSource", "assigned").entries())
    history.make("assignmentSource", "/experiments/assignment_sources", {
      ...{ name, ...queryAt(history, around, at), experimentIDColumn: "exp", groupIDColumn: "grp" },
      ...(at % 2 === 1 ? { isVerified: true, groupNameColumn: "group_name", scheduledReloadHour: 4 } : {}),
    });
}

/** Alerts; two have the same name. */
export function addAlerts(history: History, around: Surroundings, count: number): void {
  for (let at = 0; at < count; at += 1) {
    const name =
      ["Sales below 5 %", "Sales below 5 %", "Sales-below-5"][at] ??
      `${awkwardNames[at % awkwardNames.length]} ${at}`;
    const body = History.said({
      ...{ name, message: textAt(at), formula: at % 2 === 0 ? "A / B" : undefined },
      definitionMetricsJson: at % 3 === 0 ? ['{"metric": "buy::event_count"}'] : undefined,
      teamID: at % 4 === 2 ? idOf(`team ${history.dice.one(around.names.team)}`) : undefined,
    });
    const label = `alert ${at}`;
    history.make("alert", "/alerts", body, label);
    if (at % 2 === 0)
      history.send("PATCH", `/alerts/{${label}}`, {
        ...{
          alertThreshold: 0.05,
          warningThreshold: at % 4 === 0 ? null : 0.1,
          windowMs: 86_400_000,
          condition: "less",
        },
        ...{
          priority: "P1",
          renotificationConditions: ["warn", "raise"],
          tags: history.some(around.names.tag, 2),
        },
        subscribers: [
          { type: "slackChannel", id: "C1" },
          { type: "user", id: "u1" },
        ],
      });
    if (at % 5 === 3) history.send("POST", `/alerts/{${label}}/mute`, { indefinite: true });
  }
}
