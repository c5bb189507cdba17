import { catalog } from "../../../provider/definitions/index";
import { settingsOf } from "../../console/rules/settings-behaviour";

/** Name and visibility of the project. */
export const projectSettings = settingsOf(catalog.projectSettings, {
  name: "Emulated project",
  visibility: "OPEN",
  default_unit_type: "userID",
});

/** Changes that need a review: none (console-api, section 13, row 3). */
export const reviewSettings = settingsOf(catalog.reviewSettings, {
  is_config_review_required: false,
  is_metric_review_required: false,
  is_metric_review_required_on_verified_only: false,
  is_whn_analysis_only_review_required: false,
  is_whn_source_review_required: false,
});

/** The role that people begin with. */
export const roleSettings = settingsOf(catalog.roleSettings, { default_project_role: "Member" });

/** The demand for a team on new gates, configs and experiments. */
export const teamSettings = settingsOf(catalog.teamSettings, { require_teams_on_configs: false });
