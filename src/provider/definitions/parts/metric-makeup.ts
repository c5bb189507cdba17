import { z } from "zod";
import type { Problem, Warning } from "../../schema/define";
import { input, nested, optional } from "../../schema/field";
import type { JsonObject } from "../../schema/json";
import { UNKNOWN } from "../../schema/unknown";
import { maybeText, text } from "./traits";
import { criteria } from "./warehouse-native";

const fixed = true;
/** Metrics that people made in the console need not be as a create asks for. */
const ofCreation = true;

const metricEvent = z.object({
  name: text("Name of the event."),
  type: nested(z.enum(["count", "count_distinct", "value", "metadata"]).nullable().optional(), {
    doc: "The part of the event that counts.",
    serverDefault: "count",
  }),
  metadataKey: maybeText("The key whose value counts, for `metadata`."),
  criteria,
});

const component = z.object({ name: text("Name of the metric."), type: text("Type of the metric.") });

const step = z.object({
  name: text("Name of the event."),
  type: nested(z.enum(["event_dau", "event_user", "event_count", "event_count_custom"]), {
    doc: "How the event is counted.",
  }),
});

/** Makeup of a metric: the create takes it, the update does not. Source: console-api/metrics.md, section 1.2. */
export const makeup = {
  metricEvents: input(z.array(metricEvent).optional(), { doc: "Events that it counts.", fixed }),
  metricComponentMetrics: input(z.array(component).optional(), {
    doc: "Metrics that a `composite`, `composite_sum` or `ratio` is made of.",
    fixed,
  }),
  funnelEventList: input(z.array(step).optional(), { doc: "Steps of a `funnel`, in order.", fixed }),
  funnelCountDistinct: optional(z.enum(["events", "users"]), "The values that a `funnel` counts.", { fixed }),
  rollupTimeWindow: optional(z.string(), "Window after exposure that counts; `custom` with the two below.", {
    fixed,
  }),
  customRollUpStart: optional(z.number(), "Start of the custom window, in days since exposure.", { fixed }),
  customRollUpEnd: optional(z.number(), "End of the custom window, in days since exposure.", { fixed }),
  percentile: input(z.number().min(0.001).max(0.999).optional(), {
    doc: "The percentile that a `percentile` measures, as a fraction.",
    fixed,
  }),
};

/** Members without which the console answers 400; of other types it is not certain (console-api/metrics.md, 1.3). */
const needs: Readonly<Record<string, readonly { readonly name: string; readonly least: number }[]>> = {
  funnel: [
    { name: "funnelEventList", least: 2 },
    { name: "funnelCountDistinct", least: 1 },
  ],
  composite_sum: [{ name: "metricComponentMetrics", least: 2 }],
  user_warehouse: [{ name: "warehouseNative", least: 1 }],
};

/** Findings about what a metric of its type cannot do without. */
export function makeupProblems(args: JsonObject): Problem[] {
  const { type } = args;
  if (typeof type !== "string" || !Object.hasOwn(needs, type)) return [];
  return (needs[type] ?? []).flatMap(({ name, least }): Problem[] => {
    const value = args[name];
    if (value === UNKNOWN) return [];
    const what = `a metric of type "${type}" needs`;
    if (value === undefined || value === null)
      return [
        { ofCreation, path: [name], message: `missing; ${what} ${least > 1 ? `at least ${least}` : "it"}` },
      ];
    if (!Array.isArray(value) || value.length >= least) return [];
    return [{ ofCreation, path: [name], message: `found ${value.length}; ${what} at least ${least}` }];
  });
}

/** Types that other clients saw refused without these (console-api/corrections-2.md, section 4). */
const countedTypes: readonly unknown[] = ["sum", "mean", "event_count_custom", "ratio"];
const neededToCount = ["unitTypes", "metricEvents"];

/** Findings about a new metric that some versions of the API refuse. */
export function makeupWarnings(olds: JsonObject, news: JsonObject): Warning[] {
  if (Object.keys(olds).length > 0) return [];
  const { name, type, warehouseNative, metricComponentMetrics } = news;
  const isShort = typeof name === "string" && name.length === 3;
  const short = "has 3 characters; newer versions of the API ask for 4";
  const isCounted = countedTypes.includes(type) && !warehouseNative && !metricComponentMetrics;
  const missing = isCounted ? neededToCount.filter((member) => news[member] === undefined) : [];
  return [
    ...(isShort ? [{ path: ["name"], message: short }] : []),
    ...missing.map((member) => ({
      path: [member],
      message: `missing; the console may refuse a metric of type "${String(type)}" without it`,
    })),
  ];
}
