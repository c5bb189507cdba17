import { z } from "zod";
import { defineObject } from "../../schema/define";
import { output } from "../../schema/field";
import { route } from "../../schema/verbs";

/** The project of the key: read, never managed. Source: console-api/project.md, section 9. */
export const project = defineObject({
  kind: "Project",
  name: "project",
  title: "project",
  doc: "The project that the key belongs to.",
  identity: { how: "server" },
  fields: { id: output(z.string(), { doc: "Its id, the same for every key of the project." }) },
  routes: { get: route("GET", "/project", "item", "The project of the key.") },
});
