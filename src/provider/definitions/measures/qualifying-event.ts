import { defineResource } from "../../schema/define";
import { route } from "../../schema/verbs";
import { plainLifecycle } from "../parts/lifecycle";
import { metricSource } from "./metric-source";

const all = "/experiments/qualifying_events";
const item = `${all}/{name}` as const;
const queryFields = ["sql", "timestampColumn", "idTypeMapping"] as const;

/**
 * A qualifying event: a query that says which units count from when. It has the fields of a metric source. Source:
 * console-api/metrics.md, section 5.
 */
export const qualifyingEvent = defineResource({
  kind: "QualifyingEvent",
  name: "qualifyingEvent",
  title: "qualifying event",
  doc: "A table of the warehouse, or a query over it, whose rows hold the time from which a unit counts in an experiment.",
  account: "warehouse-native",
  identity: { how: "key", argument: "name" },
  fields: metricSource.fields,
  routes: {
    list: route("GET", all, "items", "All qualifying events."),
    create: route("POST", all, "item", "Makes a qualifying event.", {
      status: 201,
      body: { requires: ["name", ...queryFields] },
      dryRun: true,
    }),
    get: route("GET", item, "item", "One qualifying event, by its name.", { absentAs400: true }),
    update: route("POST", item, "item", "Changes it; the query fields are needed, `name` must be absent.", {
      body: { refuses: ["name"], requires: queryFields },
      dryRun: true,
    }),
    delete: route("DELETE", item, "message", "Removes a qualifying event."),
  },
  lifecycle: plainLifecycle({ how: "put", route: "update" }),
  exclusive: [["team", "teamID"]],
  forms: metricSource.forms,
});
