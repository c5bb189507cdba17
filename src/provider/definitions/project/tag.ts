import { z } from "zod";
import { defineResource } from "../../schema/define";
import { input, output } from "../../schema/field";
import { route } from "../../schema/verbs";
import { withoutStar } from "../parts/audit-fields";
import { patched, plainLifecycle } from "../parts/lifecycle";
import { description } from "../parts/names";

const item = "/tags/{id}";

/** A tag: a label that other objects carry by its name. Source: console-api/project.md, section 1. */
export const tag = defineResource({
  kind: "Tag",
  name: "tag",
  title: "tag",
  doc: "A label for other objects, which refer to it by its name.",
  identity: { how: "key", argument: "name" },
  fields: {
    // The API can rename a tag, but its place in paths, and so its id here, is the name.
    name: input(z.string().min(1).max(100).optional(), {
      doc: "The name that other objects use in `tags`. Left out: the resource name.",
      replaces: true,
    }),
    description: input(description, { doc: "Its purpose." }),
    isCore: input(z.boolean().optional(), {
      doc: "Whether it is a core tag, which the console shows with a star on other objects.",
      always: true,
      serverDefault: false,
    }),
    serverID: output(z.string(), {
      doc: "Its id inside the console; paths take it beside the name.",
      wire: "id",
    }),
  },
  routes: {
    list: route("GET", "/tags", "items", "All tags."),
    create: route("POST", "/tags", "item", "Makes a tag.", { body: { requires: ["name", "description"] } }),
    get: route("GET", item, "item", "One tag, by its name or its id."),
    patch: route("PATCH", item, "item", "Changes what the body names; a new name changes the path.", {
      body: {},
    }),
    delete: route("DELETE", item, "message", "Removes a tag."),
  },
  lifecycle: plainLifecycle(patched),
  forms: { name: withoutStar },
});
