import { z } from "zod";
import { defineResource } from "../../schema/define";
import { input } from "../../schema/field";
import { settingsRoutes, singleton } from "../parts/lifecycle";

const flag = (wire: string, doc: string) => input(z.boolean().optional(), { doc, wire });

/** Changes of the project that need a review. Source: console-api/project.md, section 9. */
export const reviewSettings = defineResource({
  kind: "ReviewSettings",
  name: "reviewSettings",
  plural: "ReviewSettings",
  title: "review settings",
  doc: "The changes that need a review. A missing setting stays as it is. A required review holds back what this package writes, too.",
  ...singleton("The API cannot delete the review settings of a project."),
  fields: {
    isConfigReviewRequired: flag(
      "is_config_review_required",
      "Whether changes of gates, configs and experiments need a review.",
    ),
    isMetricReviewRequired: flag("is_metric_review_required", "Whether changes of metrics need a review."),
    isMetricReviewRequiredOnVerifiedOnly: flag(
      "is_metric_review_required_on_verified_only",
      "Whether that holds for verified metrics only.",
    ),
    isWarehouseAnalysisReviewRequired: flag(
      "is_whn_analysis_only_review_required",
      "Whether changes of analyses over the warehouse need a review.",
    ),
    isWarehouseSourceReviewRequired: flag(
      "is_whn_source_review_required",
      "Whether changes of sources in the warehouse need a review.",
    ),
  },
  routes: settingsRoutes("/settings/reviews", [
    "isConfigReviewRequired",
    "isMetricReviewRequired",
    "isMetricReviewRequiredOnVerifiedOnly",
  ]),
});
