import { z } from "zod";
import { output } from "../../../schema/field";
import { activeReview } from "../review";
import { moving } from "../traits";

const time = (doc: string) =>
  output(z.number().nullable(), { doc: `${doc}, milliseconds since 1970.`, serverDefault: null });
const opaque = (doc: string) => output(z.unknown(), { doc, sameAs: "opaque", volatile: true });

/** Values of an experiment that only the console sets. Source: console-api/experiments.md, 1.2. */
export const experimentOutputs = {
  controlGroupID: output(z.string().optional(), { doc: "Id of the control group; see `controlGroup`." }),
  launchedGroupID: output(z.string().nullable(), {
    doc: "Id of the shipped group; see `launchedGroup`.",
    serverDefault: null,
  }),
  startTime: time("When it was started"),
  endTime: time("When it ended"),
  decisionTime: time("When the decision was made"),
  reviewSettings: moving(
    z.object({ requiredReview: z.boolean(), allowedReviewers: z.array(z.unknown()).nullable().optional() }),
    "Review of changes.",
    { requiredReview: false, allowedReviewers: [] },
  ),
  activeReview,
  subtype: output(z.string().optional(), { doc: "`conversion`, `reactivation` or `retention`." }),
  externalExperimentName: output(z.string().optional(), { doc: "Its name in another system." }),
  experimentType: output(z.string().optional(), { doc: "For example `BASE`, `GEO` or `SWITCHBACK`." }),
  healthChecks: moving(z.array(z.unknown()), "Checks of its data; opaque.", [], { sameAs: "opaque" }),
  healthCheckStatus: moving(z.string(), "All checks in one word.", "PASSED"),
  inlineTargetingRulesJSON: moving(
    z.string().nullable(),
    "Targeting rules made in the console, as JSON text.",
    "{}",
  ),
  inlineTargetingRules: opaque("Targeting rules made in the console."),
  summarySections: opaque("Texts of the summary."),
  isStale: output(z.boolean().optional(), { doc: "Whether the console calls it stale.", volatile: true }),
  powerAnalyses: opaque("Power analyses made in the console."),
  qualityScore: opaque("Quality as the console sees it."),
};
