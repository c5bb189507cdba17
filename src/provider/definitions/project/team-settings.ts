import { z } from "zod";
import { defineResource } from "../../schema/define";
import { input } from "../../schema/field";
import { settingsRoutes, singleton } from "../parts/lifecycle";

/** Demand of a team for objects. Source: console-api/project.md, section 9. */
export const teamSettings = defineResource({
  kind: "TeamSettings",
  name: "teamSettings",
  plural: "TeamSettings",
  title: "team settings",
  doc: "Whether objects must belong to a team.",
  ...singleton("The API cannot delete the team settings of a project."),
  fields: {
    requireTeamsOnConfigs: input(z.boolean(), {
      doc: "Whether gates, configs and experiments must have a team.",
      wire: "require_teams_on_configs",
      demandsTeamOf: ["gate", "dynamicConfig", "experiment"],
    }),
  },
  routes: settingsRoutes("/settings/teams", ["requireTeamsOnConfigs"]),
});
