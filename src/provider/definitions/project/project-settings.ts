import { z } from "zod";
import { defineResource } from "../../schema/define";
import { input } from "../../schema/field";
import { settingsRoutes, singleton } from "../parts/lifecycle";

/** Name and visibility of the project, and the unit that it counts by. Source: console-api/project.md, section 9. */
export const projectSettings = defineResource({
  kind: "ProjectSettings",
  name: "projectSettings",
  plural: "ProjectSettings",
  title: "project settings",
  doc: "The name, the visibility and the units of the project. A missing setting stays as it is.",
  ...singleton("The API cannot delete the settings of a project."),
  fields: {
    // Not `name`: that would be the resource's name where a program is silent, and rename the project.
    projectName: input(z.string().min(1).optional(), { doc: "Name of the project.", wire: "name" }),
    visibility: input(z.enum(["OPEN", "CLOSED", "EXTERNAL"]).optional(), { doc: "Who sees the project." }),
    defaultUnitType: input(z.string().optional(), {
      doc: "Unit id type of new gates, experiments and metrics that do not set theirs.",
      wire: "default_unit_type",
      refersTo: "unitIdType",
    }),
  },
  routes: settingsRoutes("/settings/project", ["projectName", "visibility"]),
});
