import { z } from "zod";
import { defineResource } from "../../schema/define";
import { input } from "../../schema/field";
import { route } from "../../schema/verbs";
import { isReadOnly, owner, ownership, tags, withoutStar } from "../parts/audit-fields";
import { patched, plainLifecycle } from "../parts/lifecycle";
import { nameAsKey } from "../parts/names";
import { blanked, idTypeMapping, timestampAsDay } from "../parts/traits";

const all = "/experiments/entity_properties";
const item = "/experiments/entity_property/{name}";

/** An entity property: a query with facts about units. Source: console-api/metrics.md, section 4. */
export const entityProperty = defineResource({
  kind: "EntityProperty",
  name: "entityProperty",
  plural: "EntityProperties",
  title: "entity property",
  doc: "A query over the warehouse with facts about units, by which results are broken down and filtered.",
  account: "warehouse-native",
  identity: { how: "key", argument: "name" },
  fields: {
    // An update can rename it, but its place in paths, and so its id here, is the name.
    name: nameAsKey,
    description: input(z.string().optional(), { doc: "Its purpose.", ...blanked }),
    sql: input(z.string(), { doc: "The query." }),
    timestampColumn: input(z.string().optional(), {
      doc: "Column with the time from which a fact holds; without one it holds always.",
    }),
    timestampAsDay,
    idTypeMapping,
    isReadOnly,
    tags: input(z.array(z.string()).optional(), tags),
    ...ownership,
    owner,
  },
  routes: {
    list: route("GET", all, "items", "All entity properties."),
    create: route("POST", all, "item", "Makes an entity property.", {
      status: 201,
      body: { requires: ["name", "sql", "idTypeMapping"] },
      dryRun: true,
    }),
    get: route("GET", item, "item", "One entity property, by its name.", { absentAs400: true }),
    update: route("POST", item, "item", "Changes it, query included; every query field is needed.", {
      body: { requires: ["sql", "idTypeMapping"] },
      dryRun: true,
    }),
    patch: route("PATCH", item, "item", "Changes what the body names; `sql` must be absent.", {
      body: { refuses: ["sql"] },
      dryRun: true,
    }),
    delete: route("DELETE", item, "message", "Removes an entity property."),
  },
  lifecycle: plainLifecycle({ how: "put", route: "update", when: ["sql"] }, patched),
  exclusive: [["team", "teamID"]],
  forms: { "tags[]": withoutStar },
});
