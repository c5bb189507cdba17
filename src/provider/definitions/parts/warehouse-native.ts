import { z } from "zod";
import { maybe, nested } from "../../schema/field";
import { isGiven, isObject, picked } from "../../schema/json";
import { maybeNumber, maybeText, numberOrNone, textOrNone } from "./traits";

const aggregations = [
  ...["count", "sum", "mean", "daily_participation", "ratio", "funnel", "count_distinct", "percentile"],
  ...["first_value", "latest_value", "retention", "max", "min", "composite", ""],
];
/** Comparisons of a column with values. */
export const columnConditions = [
  ...["in", "not_in", "=", ">", "<", ">=", "<=", "is_null", "non_null", "contains", "not_contains"],
  ...["sql_filter", "starts_with", "ends_with", "after_exposure", "before_exposure", "is_true", "is_false"],
];

/** A condition on the events or rows that count. */
const criterion = z.object({
  type: nested(z.enum(["value", "metadata", "user", "user_custom"]), { doc: "The value that it examines." }),
  column: maybeText("Column or metadata key."),
  condition: nested(z.enum(columnConditions), { doc: "How it compares." }),
  values: nested(z.array(z.string()).optional(), { doc: "The values that it compares with." }),
  nullVacuousOverride: maybe(z.boolean(), "Whether a missing value fits.", { serverDefault: false }),
});

/** Conditions of which all must hold. */
export const criteria = maybe(z.array(criterion), "The conditions to count; all of them must hold.");

/** A list of objects of which a program may set a part. */
const sparseList = <const M extends z.core.$ZodLooseShape>(doc: string, members: M) =>
  maybe(z.array(nested(z.object(members), { sparse: true })), doc);
const aggregation = (doc: string) => nested(z.enum(aggregations).optional(), { doc });
/** A number that the console shows where nobody said one. */
const filled = (doc: string, serverDefault: number) => nested(z.number().optional(), { doc, serverDefault });
const fraction = (doc: string) => nested(z.number().min(0).max(1).optional(), { doc });
/** The console may show a switch that nobody set: off and absent are the same. */
const flag = (doc: string) => nested(z.boolean().optional(), { doc, serverDefault: false });

const metricSource = (doc: string) => nested(z.string().optional(), { doc, refersTo: "metricSource" });
const metricSourceName = metricSource("Name of the metric source.");
const valueColumn = maybeText("Column with the value.");

/** Members that named the one metric source before there could be several. */
const oldForm = ["metricSourceName", "criteria", "valueColumn"];

const denominator = {
  denominatorAggregation: aggregation("How the denominator is added up."),
  denominatorCriteria: maybe(z.array(criterion), "The conditions to count in the denominator."),
  denominatorMetricSourceName: metricSource("Name of the denominator's metric source."),
  denominatorValueColumn: maybeText("Column with the denominator's value."),
  denominatorRollupTimeWindow: maybeText("Window of the denominator: `daily`, `max` or `custom`."),
  denominatorCustomRollupStart: maybeNumber("Start of the denominator's custom window."),
  denominatorCustomRollupEnd: maybeNumber("End of the denominator's custom window."),
  denominatorCustomRollupMeasureInMinutes: flag("Whether that window is in minutes and not in days."),
  allowNullRatioDenominator: flag("Whether units without a denominator count."),
};

const funnel = {
  funnelEvents: sparseList("Steps of the funnel, in order.", {
    metricSourceName,
    name: textOrNone("Name of the step."),
    criteria,
    sessionIdentifierField: textOrNone("Column that separates sessions."),
  }),
  funnelCountDistinct: maybe(z.enum(["sessions", "users"]), "The unit that the funnel counts."),
  funnelCalculationWindow: maybeNumber("Days in which the funnel has to be passed."),
  funnelStartCriteria: maybe(z.enum(["start_event", "exposure"]), "The first step of the funnel."),
  funnelStrictOrdering: flag("Whether steps must be strictly in order."),
  funnelTimeToConvert: flag("Whether it measures the time to pass."),
  funnelTimestampAllowanceMs: maybeNumber("Disorder of timestamps that is forgiven, in milliseconds."),
  funnelUseExposureAsFirstEvent: flag("Whether the exposure is the first step."),
};

const outliers = {
  cap: maybeNumber("Largest value of a unit on a day."),
  winsorizationHigh: fraction("Upper percentile to which values are cut, as a fraction."),
  winsorizationLow: nested(z.number().min(0).max(1).optional(), {
    doc: "Lower percentile to which values are cut, as a fraction.",
    serverDefault: 0,
  }),
  winsorizationHighDenominator: fraction("The same of the denominator."),
  winsorizationLowDenominator: fraction("The same of the denominator."),
  useLogTransform: flag("Whether the logarithm of values is taken."),
  logTransformBase: numberOrNone("Base of that logarithm."),
};

const windows = {
  rollupTimeWindow: maybeText("Window that counts: `daily`, `max` or `custom`."),
  customRollUpStart: maybeNumber("Start of the custom window, in days, or minutes by the flag."),
  customRollUpEnd: maybeNumber("End of the custom window, in days, or minutes by the flag."),
  customRollupMeasureInMinutes: flag("Whether that window is in minutes."),
  waitForCohortWindow: flag("Whether only units whose window is over count."),
  cupedAttributionWindow: numberOrNone("Days before exposure that reduce variance."),
  metricBakeDays: filled("Days until results are complete.", 0),
  loadingWindow: filled("Days that are loaded.", 90),
  retentionEnd: maybeNumber("Last day of the retention window."),
  retentionLength: maybeNumber("Length of the retention window, in days."),
  useSecondaryRetentionEvent: flag("Whether another event measures retention."),
};

const parts = {
  components: sparseList("Parts of a composed metric.", {
    operator: maybeText("How it is joined to the one before, for example `+`."),
    aggregation: maybeText("How it is added up."),
    metricSourceName,
    name: textOrNone("Name of the component."),
    criteria,
    valueColumn,
  }),
  metricSources: sparseList(
    "The metric sources. One alone can be set by `metricSourceName`, `criteria` and `valueColumn` instead.",
    { metricSourceName, criteria, valueColumn },
  ),
  metricDimensionColumns: nested(z.array(z.string()).optional(), { doc: "Columns to break down by." }),
  metricDimensionLimits: sparseList("Most values of a breakdown.", {
    name: maybeText("Column."),
    limit: maybe(z.number().multipleOf(1).min(0).max(100), "Most values shown."),
  }),
};

/**
 * A metric over the warehouse. All members are optional; the object is sent and replaced whole. Source:
 * console-api/metrics.md, section 1.4.
 */
export const warehouseNative = nested(
  z.object({
    aggregation: aggregation("How values are added up."),
    metricSourceName,
    criteria,
    valueColumn,
    numeratorAggregation: aggregation("How the numerator is added up."),
    ...denominator,
    ...funnel,
    ...windows,
    ...outliers,
    ...parts,
    percentile: maybeNumber("The percentile that is measured."),
    valueThreshold: maybeNumber("Value from which a unit counts."),
    onlyIncludeUsersWithConversionEvent: flag("Whether only units with the event count."),
    surrogateMetricMSE: numberOrNone("Mean squared error of a surrogate metric."),
  }),
  { sparse: true, formsOfOne: [["metricSources"], oldForm] },
);

/** One metric source in its two forms: each is made of the other where the console shows only that. */
export function withBothForms(live: unknown): unknown {
  if (!isObject(live)) return live;
  const { metricSources: list } = live;
  const old = oldForm.some((member) => isGiven(live[member]));
  if (old && !isGiven(list)) return { ...live, metricSources: [picked(live, oldForm)] };
  if (!old && Array.isArray(list) && list.length === 1 && isObject(list[0]))
    return { ...live, ...picked(list[0], oldForm) };
  return live;
}
