import { z } from "zod";
import { defineResource } from "../../schema/define";
import { input } from "../../schema/field";
import { route } from "../../schema/verbs";
import { isReadOnly, isVerified, ownership, tags, withoutStar, writableOwner } from "../parts/audit-fields";
import { patched, plainLifecycle } from "../parts/lifecycle";
import { nameAsKey } from "../parts/names";
import { blanked, idTypeMapping } from "../parts/traits";

const item = "/experiments/assignment_source/{name}";
const all = "/experiments/assignment_sources";
const queryFields = [
  "sql",
  "timestampColumn",
  "experimentIDColumn",
  "groupIDColumn",
  "idTypeMapping",
] as const;

/** An assignment source: a query that says who saw which group. Source: console-api/metrics.md, section 3. */
export const assignmentSource = defineResource({
  kind: "AssignmentSource",
  name: "assignmentSource",
  title: "assignment source",
  doc: "A query over the warehouse that lists which unit saw which group of which experiment.",
  account: "warehouse-native",
  identity: { how: "key", argument: "name" },
  fields: {
    name: nameAsKey,
    description: input(z.string().optional(), { doc: "Its purpose.", ...blanked }),
    sql: input(z.string(), { doc: "The query." }),
    timestampColumn: input(z.string(), { doc: "Column with the time of an exposure." }),
    experimentIDColumn: input(z.string(), { doc: "Column with the experiment." }),
    groupIDColumn: input(z.string(), { doc: "Column with the group." }),
    groupNameColumn: input(z.string().optional(), { doc: "Column with the group's name." }),
    idTypeMapping,
    scheduledReloadHour: input(z.int().min(0).max(23).nullable().optional(), {
      doc: "Hour of the day, UTC, of the scheduled scan.",
      clearWith: null,
    }),
    isVerified,
    isReadOnly,
    tags: input(z.array(z.string()).optional(), tags),
    ...ownership,
    owner: writableOwner({}, null),
  },
  routes: {
    list: route("GET", all, "items", "All assignment sources: the only read there is."),
    create: route("POST", all, "item", "Makes an assignment source.", {
      status: 201,
      body: { requires: ["name", ...queryFields] },
      dryRun: true,
    }),
    update: route("POST", item, "item", "Changes it, query included; every query field is needed.", {
      body: { requires: queryFields },
      dryRun: true,
    }),
    patch: route("PATCH", item, "item", "Changes what the body names; `sql` must be absent.", {
      op: 17,
      body: { refuses: ["sql"] },
      dryRun: true,
    }),
    delete: route("DELETE", item, "message", "Removes an assignment source."),
  },
  lifecycle: {
    ...plainLifecycle({ how: "put", route: "update", when: ["sql"] }, patched),
    read: { how: "fromList", list: "list", why: "The API has no read of one assignment source." },
  },
  exclusive: [["team", "teamID"]],
  forms: { "tags[]": withoutStar },
});
