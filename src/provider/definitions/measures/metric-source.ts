import { z } from "zod";
import { defineResource, type Problem } from "../../schema/define";
import { input, optional, writeOnly } from "../../schema/field";
import type { JsonObject } from "../../schema/json";
import { route } from "../../schema/verbs";
import { isReadOnly, isVerified, ownership, tags, withoutStar, writableOwner } from "../parts/audit-fields";
import { plainLifecycle } from "../parts/lifecycle";
import { nameAsKey } from "../parts/names";
import { blanked, idTypeMapping, set, text, timestampAsDay } from "../parts/traits";

const all = "/metrics/metric_source";
const item = `${all}/{name}` as const;
const queryFields = ["sql", "timestampColumn", "idTypeMapping"] as const;

/** A metric source: a table or query with the facts that metrics add up. Source: console-api/metrics.md, section 2. */
export const metricSource = defineResource({
  kind: "MetricSource",
  name: "metricSource",
  title: "metric source",
  doc: "A table of the warehouse, or a query over it, whose rows metrics add up.",
  account: "warehouse-native",
  identity: { how: "key", argument: "name" },
  fields: {
    name: nameAsKey,
    description: input(z.string().optional(), { doc: "Its purpose.", ...blanked }),
    sourceType: optional(z.enum(["table", "query"]), "Whether rows come from `tableName` or from `sql`.", {
      serverDefault: "query",
    }),
    sql: optional(z.string(), "The query. A source of type `table` has none.", { clearWith: "" }),
    tableName: input(z.string().optional(), { doc: "The table, of a source of type `table`." }),
    datePartitionColumn: input(z.string().optional(), { doc: "Column by which the table is partitioned." }),
    timestampColumn: input(z.string(), { doc: "Column with the time of a row." }),
    timestampAsDay,
    idTypeMapping,
    customFieldMapping: optional(
      z.array(z.object({ key: text("Name of the field."), formula: text("SQL expression that makes it.") })),
      "Fields made of columns.",
      set,
    ),
    isReadOnly,
    isVerified,
    disableCURE: optional(z.boolean(), "Whether CURE, the console's variance reduction, is off for it."),
    tags: input(z.array(z.string()).optional(), tags),
    ...ownership,
    skipValidation: writeOnly(z.boolean().optional(), {
      doc: "Whether the console stores the query without trying it.",
      wire: "skip_validation",
    }),
    allColumns: writeOnly(z.array(z.string()).optional(), {
      doc: "Every column of the result, in order, where the console is not to find out.",
      wire: "all_columns",
    }),
    columnTypes: writeOnly(z.array(z.string()).optional(), {
      doc: "Types of `allColumns`, in the same order.",
      wire: "column_types",
    }),
    owner: writableOwner(),
  },
  routes: {
    list: route("GET", `${all}/list`, "items", "All metric sources."),
    create: route("POST", all, "item", "Makes a metric source; 400 on bad SQL unless `skip_validation`.", {
      status: 201,
      body: { requires: ["name", ...queryFields] },
      dryRun: true,
    }),
    // Which of 400 and 404 a missing source gets is declared unclearly.
    get: route("GET", item, "item", "One metric source.", { absentAs400: true }),
    update: route("POST", item, "item", "Changes it; the query fields are needed, `name` must be absent.", {
      body: { refuses: ["name"], requires: queryFields },
      dryRun: true,
    }),
    delete: route("DELETE", item, "message", "Removes a metric source."),
    listMetrics: route("GET", `${item}/metrics`, "items", "Metrics made of it.", {
      op: 4,
      returnsKind: "metric",
    }),
  },
  lifecycle: plainLifecycle({ how: "put", route: "update" }),
  exclusive: [["team", "teamID"]],
  forms: { "tags[]": withoutStar },
  problems: nameProblems,
});

/** `GET …/metric_source/list` answers the list, so a source of that name could be made and never read. */
function nameProblems({ name }: JsonObject): Problem[] {
  if (name !== "list") return [];
  return [{ path: ["name"], message: '"list" is a path of the API, so such a source could never be read' }];
}
