import { catalog } from "../../../provider/definitions/index";
import type { JsonObject } from "../../../provider/schema/json";
import type { Behaviour, Call } from "../../console/behaviour";
import { answerItem, bodyOf } from "../../console/item-operations";

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

/** Behaviour of settings, of which a project has one of each kind. `first`: those of a new project (assumption). */
function settingsOf(definition: Behaviour["definition"], first: JsonObject): Behaviour {
  const id = "project";
  const held = ({ world }: Call): JsonObject => world.get(definition.name, id) ?? first;
  return {
    definition,
    operations: {
      get: (call) => answerItem(call, held(call), "read"),
      replace: (call) => {
        call.world.put(definition.name, id, bodyOf(call));
        return answerItem(call, bodyOf(call), "updated");
      },
    },
  };
}
