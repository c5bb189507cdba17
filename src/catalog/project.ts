import { z } from "zod";
import { defineObject } from "../core/define";
import { output } from "../core/field";
import { route } from "../core/verbs";

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
