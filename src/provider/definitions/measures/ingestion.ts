import { z } from "zod";
import { defineResource, type Problem } from "../../schema/define";
import { input, nested, optional, output, writeOnly } from "../../schema/field";
import { isObject, type JsonObject } from "../../schema/json";
import { UNKNOWN } from "../../schema/unknown";
import { route } from "../../schema/verbs";
import { patched, plainLifecycle } from "../parts/lifecycle";

const path = "/ingestion";
const address = { query: ["type", "dataset", "source_name"] } as const;
const always = true;
const replaces = true;

/** The warehouses that the console reads. */
const warehouses = [
  ...(["redshift", "bigquery-v2", "snowflake-v2", "databricks"] as const),
  ...(["azure-synapse", "s3", "athena", "adls"] as const),
] as const;

const column = (doc: string, wire?: string) =>
  nested(z.string().optional(), { doc, ...(wire === undefined ? {} : { wire }) });
const columnsByKey = (doc: string) => nested(z.record(z.string(), z.string()).optional(), { doc });

/** Columns without which the API refuses the mapping of a dataset. */
const neededColumns: Readonly<Record<string, readonly string[]>> = {
  Metrics: ["unitID", "idType", "dateid", "metricName"],
  Events: ["eventName", "timestamp"],
  export_exposures: ["experiment", "groupID", "timestamp"],
};

/** An ingestion: rows of a warehouse that the console reads by itself. Source: console-api/corrections-2.md, section 1. */
export const ingestion = defineResource({
  kind: "Ingestion",
  name: "ingestion",
  title: "ingestion",
  doc:
    "Rows of a warehouse that the console reads as events, metrics or exposures. Reads show whether it is enabled. The form of " +
    "the rest is not published: state keeps the arguments, and an edit in the console is no drift.",
  account: "hosted",
  identity: { how: "address", template: "{sourceName}::{dataset}::{type}", shownIn: "data" },
  fields: {
    sourceName: optional(z.string().min(1), "Name of the source. Left out: the resource name.", {
      wire: "source_name",
      replaces,
      always,
    }),
    dataset: input(z.enum(["Events", "Metrics", "export_exposures"]), {
      doc: "The rows that it reads.",
      replaces,
      always,
    }),
    type: input(z.enum(warehouses), { doc: "The warehouse.", replaces, always }),
    enabled: optional(z.boolean(), "Whether the console reads the rows.", {
      isSwitch: true,
      serverDefault: true,
    }),
    query: writeOnly(z.string().optional(), { doc: "The query." }),
    columnMapping: writeOnly(
      z
        .object({
          unitID: column("Column with the unit.", "unit_id"),
          idType: column("Column with the unit id type; metrics.", "id_type"),
          dateid: column("Column with the day; metrics."),
          metricName: column("Column with the metric; metrics.", "metric_name"),
          metricValue: column("Column with its value; metrics.", "metric_value"),
          numerator: column("Column with the numerator; metrics."),
          denominator: column("Column with the denominator; metrics."),
          eventName: column("Column with the event; events.", "event_name"),
          eventValue: column("Column with the value; events and exposures.", "event_value"),
          experiment: column("Column with the experiment; exposures."),
          groupID: column("Column with the group; exposures.", "group_id"),
          timestamp: column("Column with the time; events and exposures."),
          ids: columnsByKey("Columns with units, by unit id type; events and exposures."),
          metadata: columnsByKey("Columns with metadata, by key; events and exposures."),
          metadataObject: column(
            "Column with all metadata in one object; events and exposures.",
            "metadata_object",
          ),
        })
        .optional(),
      { doc: "The columns of the rows. `dataset` decides which ones the API needs.", wire: "column_mapping" },
    ),
    useDeltaSharing: writeOnly(z.literal(true).optional(), {
      doc: "Whether the rows come by Delta Sharing.",
      wire: "use_delta_sharing",
      fixed: true,
    }),
    share: writeOnly(z.string().optional(), { doc: "Share, with Delta Sharing." }),
    schema: writeOnly(z.string().optional(), { doc: "Schema, with Delta Sharing." }),
    table: writeOnly(z.string().optional(), { doc: "Table, with Delta Sharing." }),
    serverID: output(z.string(), { doc: "Its id inside the console, which leads nowhere.", wire: "id" }),
    data: output(z.record(z.string(), z.unknown()), {
      doc: "The rest that the console shows of it, in a form that is not published.",
      sameAs: "opaque",
      volatile: true,
    }),
  },
  routes: {
    get: route("GET", path, "item", "One ingestion.", { ...address, absentAs400: true }),
    create: route("POST", path, "item", "Makes an ingestion.", {
      body: { requires: ["sourceName", "dataset", "type"] },
    }),
    patch: route("PATCH", path, "item", "Changes what the body names. The body also names the ingestion.", {
      body: { except: ["useDeltaSharing"], requires: ["dataset", "type"] },
    }),
    delete: route("DELETE", path, "item", "Removes an ingestion.", address),
  },
  lifecycle: { ...plainLifecycle(patched), read: { how: "get", route: "get" } },
  problems: columnProblems,
});

/** The API declares the columns that a mapping needs, by dataset. */
function columnProblems({ dataset, columnMapping }: JsonObject): Problem[] {
  if (!isObject(columnMapping) || typeof dataset !== "string" || dataset === UNKNOWN) return [];
  const missing = (neededColumns[dataset] ?? []).filter((name) => columnMapping[name] === undefined);
  return missing.map((name) => ({
    path: ["columnMapping", name],
    message: `missing; a mapping of ${dataset} needs it`,
  }));
}
