import { z } from "zod";
import { defineResource } from "../../schema/define";
import { input } from "../../schema/field";
import { settingsRoutes, singleton } from "../parts/lifecycle";

/** The role that people begin with. Source: console-api/project.md, section 9. */
export const roleSettings = defineResource({
  kind: "RoleSettings",
  name: "roleSettings",
  plural: "RoleSettings",
  title: "role settings",
  doc: "The role of whoever joins the project.",
  ...singleton("The API cannot delete the role settings of a project."),
  fields: {
    defaultProjectRole: input(z.string().min(1), {
      doc: "Name of the role.",
      wire: "default_project_role",
      refersTo: "role",
    }),
  },
  routes: settingsRoutes("/settings/roles", ["defaultProjectRole"]),
});
