import { z } from "zod";
import { defineResource } from "../../schema/define";
import { input, optional } from "../../schema/field";
import { route } from "../../schema/verbs";

const path = "/ingestion/schedule";

/** The hour at which the console reads a dataset. Source: console-api/corrections-2.md, section 1. */
export const ingestionSchedule = defineResource({
  kind: "IngestionSchedule",
  name: "ingestionSchedule",
  title: "ingestion schedule",
  doc: "The hour of the day at which the console reads the rows of one dataset. Each dataset has one.",
  account: "hosted",
  identity: { how: "address", template: "{dataset}" },
  fields: {
    dataset: input(z.enum(["Events", "Metrics", "export_exposures", "entity_properties"]), {
      doc: "The dataset.",
      replaces: true,
      always: true,
    }),
    scheduledHourPST: optional(z.number().min(0).max(23), "Hour of the day, Pacific Standard Time.", {
      wire: "scheduled_hour_pst",
      serverDefault: 10,
    }),
  },
  routes: {
    get: route("GET", path, "item", "The schedule of a dataset.", { query: ["dataset"], absentAs400: true }),
    set: route("POST", path, "item", "Sets the schedule of a dataset.", { body: { requires: ["dataset"] } }),
  },
  lifecycle: {
    create: { how: "claim", why: "Every dataset has its schedule from the start.", mayBeUnread: true },
    read: { how: "get", route: "get" },
    update: [{ how: "patch", route: "set" }],
    delete: { why: "The API cannot delete a schedule.", onDeleteDefault: "retain" },
  },
});
