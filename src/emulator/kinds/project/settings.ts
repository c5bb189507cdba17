import { catalog } from "../../../provider/definitions/index";
import { settingsOf } from "../../console/rules/settings-behaviour";

/** What the project is called and who sees it. */
export const projectSettings = settingsOf(catalog.projectSettings, {
  name: "Emulated project",
  visibility: "OPEN",
  default_unit_type: "userID",
});

/** What needs a review: nothing does (console-api, section 13, row 3). */
export const reviewSettings = settingsOf(catalog.reviewSettings, {
  is_config_review_required: false,
  is_metric_review_required: false,
  is_metric_review_required_on_verified_only: false,
  is_whn_analysis_only_review_required: false,
  is_whn_source_review_required: false,
});

/** The role that people begin with. */
export const roleSettings = settingsOf(catalog.roleSettings, { default_project_role: "Member" });

/** Whether new gates, configs and experiments must have a team. */
export const teamSettings = settingsOf(catalog.teamSettings, { require_teams_on_configs: false });
