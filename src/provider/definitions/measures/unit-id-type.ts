import { z } from "zod";
import { defineResource } from "../../schema/define";
import { input } from "../../schema/field";
import { route } from "../../schema/verbs";
import { patched, plainLifecycle } from "../parts/lifecycle";
import { blanked } from "../parts/traits";

const item = "/unit_id_types/{id}";

/** A unit id type: what rules and experiments count by. Source: console-api/project.md, section 3. */
export const unitIdType = defineResource({
  kind: "UnitIdType",
  name: "unitIdType",
  title: "unit id type",
  doc: "A kind of unit that rules and experiments count by, beside users.",
  identity: { how: "key", argument: "name" },
  fields: {
    name: input(z.string().min(1).optional(), {
      doc: "The name that other objects use in `idType`. Left out: the resource name.",
      replaces: true,
    }),
    description: input(z.string().optional(), { doc: "Its purpose.", ...blanked }),
  },
  routes: {
    list: route("GET", "/unit_id_types", "items", "All unit id types."),
    create: route("POST", "/unit_id_types", "item", "Makes a unit id type.", {
      status: 201,
      body: { requires: ["name"] },
    }),
    get: route("GET", item, "item", "One unit id type, by its name."),
    patch: route("PATCH", item, "item", "Changes the description, the only thing that can change.", {
      body: { only: ["description"], requires: ["description"] },
    }),
    delete: route("DELETE", item, "message", "Removes a unit id type."),
  },
  lifecycle: plainLifecycle(patched),
});
