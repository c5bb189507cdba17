import { z } from "zod";
import { input, nested, optional } from "../../../schema/field";
import { metricRef } from "../audit-fields";
import { emptied, maybeNumber, number, set, text } from "../traits";

const days = z.number().int().min(2);
const flag = (doc: string) => input(z.boolean().optional(), { doc });
const amount = (doc: string) => input(z.number().optional(), { doc });

const metric = nested(
  z.object({
    name: text("Name of the metric."),
    type: text("Type of the metric."),
    direction: nested(z.enum(["increase", "decrease"]).optional(), { doc: "Where it is wanted to go." }),
    hypothesizedValue: maybeNumber("Expected change."),
  }),
  { sparse: true },
);
const metrics = (doc: string) => input(z.array(metric).optional(), { doc, ...set });
/** The console makes metrics of the tags and shows none of them. */
const metricTags = (doc: string) =>
  optional(z.array(z.string()), `${doc} The console makes metrics of them; drift is not seen.`, {
    ...set,
    refersTo: "tag",
    remembered: true,
  });

/** Measures of an experiment. Source: console-api/experiments.md, 1.2. */
export const experimentMetrics = {
  primaryMetrics: metrics("Metrics that decide."),
  secondaryMetrics: metrics("Metrics watched beside."),
  otherMetrics: metrics("Further metrics."),
  primaryMetricTags: metricTags("Tags whose metrics decide."),
  secondaryMetricTags: metricTags("Tags whose metrics are watched beside."),
  cureCovariates: input(z.array(metricRef).optional(), { doc: "Metrics for variance reduction.", ...set }),
};

const quality = z.object({
  criteriaName: text("Name of the criterion, for example `POWER_ANALYSIS`."),
  status: nested(z.enum(["PASSED", "FAILED", "WARNING"]), { doc: "How it went." }),
  criteriaDescription: text("Its text."),
  score: number("Points."),
  weight: number("How much it counts."),
});
const prior = z.object({
  metric: nested(metricRef, { doc: "The metric." }),
  priorMean: number("Mean of the prior."),
  priorStdDev: nested(z.number().gt(0), { doc: "Standard deviation of the prior." }),
});
const sprtSetting = z.object({
  metricKey: text("The metric."),
  groupSettings: nested(z.array(z.unknown()), { doc: "Settings of each group.", sameAs: "opaque" }),
});

/** Settings of the calculation of results. Source: console-api/experiments.md, 1.2. */
export const experimentAnalysis = {
  duration: input(days.optional(), { doc: "Planned length in days.", serverDefault: 14 }),
  targetExposures: input(days.optional(), { doc: "Exposures wanted." }),
  fixedAnalysisDuration: input(days.optional(), { doc: "Days after which the analysis ends." }),
  analyticsType: optional(z.enum(["frequentist", "bayesian", "sprt"]), "Statistical method."),
  defaultConfidenceInterval: input(z.enum(["80", "90", "95", "98", "99"]).optional(), {
    doc: "Confidence interval in percent, as text.",
    serverDefault: "95",
  }),
  sequentialTesting: flag("Whether results may be looked at early."),
  bonferroniCorrection: optional(z.boolean(), "Correction for several groups.", { serverDefault: false }),
  bonferroniCorrectionPerMetric: flag("Correction for several metrics."),
  benjaminiHochbergPerVariant: flag("Control of false discoveries, by group."),
  benjaminiHochbergPerMetric: flag("Control of false discoveries, by metric."),
  benjaminiPrimaryMetricsOnly: flag("Control of false discoveries for primary metrics only."),
  defaultRollupWindow: amount("Days of a rollup: -1 (cumulative), 1 or 7 on cloud projects."),
  defaultChanceToBeatThreshold: amount("Chance to beat that counts (Bayesian)."),
  bayesianPriors: input(z.array(prior).optional(), { doc: "Priors by metric.", ...set }),
  defaultSPRTPowerParam: amount("Power parameter (SPRT)."),
  defaultSPRTMDE: amount("Smallest effect to be seen (SPRT)."),
  sprtBaselineMode: input(z.enum(["manual", "in_experiment_control"]).optional(), {
    doc: "Where the baseline comes from (SPRT).",
  }),
  sprtMDESettings: optional(z.array(sprtSetting), "Smallest effects by metric (SPRT).", emptied),
  cohortedMetricsMatureAfterEnd: flag("Whether cohorted metrics go on after the end."),
  cohortWaitUntilEndToInclude: flag("Whether units count only when their window has ended."),
  manualQualityScores: input(z.array(quality).max(10).optional(), {
    doc: "Quality criteria beside the automatic ones.",
    ...emptied,
  }),
  turboMode: flag("Whether results are calculated more often at first."),
  autoLoadToplineImpact: flag("Whether the topline impact is loaded by itself."),
  isSidecar: flag("Whether it was made by the visual editor."),
  sidecarEditorURL: optional(z.string(), "Page on which the visual editor opens.", { clearWith: "" }),
  sidecarURLFilters: input(z.array(z.unknown()).optional(), {
    doc: "Pages on which the visual editor's changes hold; opaque.",
    sameAs: "opaque",
    clearWith: [],
  }),
  sidecarDisableAutoRun: flag("Whether the visual editor's changes wait to be run."),
  sidecarPrerunScript: optional(z.string(), "Script that runs before the visual editor's changes.", {
    clearWith: "",
  }),
};
