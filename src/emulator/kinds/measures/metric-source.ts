import { catalog } from "../../../provider/definitions/index";
import type { JsonObject } from "../../../provider/schema/json";
import { defineBehaviour } from "../../console/default-operations";
import { invalidMember, notFound } from "../../console/rules/outcomes";
import { references } from "../../console/rules/referring-objects";
import { usualPages } from "../../http/pagination";

/**
 * Behaviour of metric sources. An update that leaves optional fields out keeps them (section 13, row 23). The
 * declared 400 on bad SQL is given where there is nothing to read from; SQL itself is not understood here.
 */
export const metricSource = defineBehaviour({
  definition: catalog.metricSource,
  texts: { missing: notFound().message },
  operations: { listMetrics: references("metric", usualPages) },
  settle({ sent, after }) {
    if (sent.skip_validation !== true && isBlank(after, "sql") && isBlank(after, "tableName"))
      throw invalidMember("sql", "The query is empty and no table is named");
    return after;
  },
});

function isBlank(item: JsonObject, member: string): boolean {
  const value = item[member];
  return typeof value !== "string" || value.trim() === "";
}

/** Behaviour of qualifying events: as metric sources. */
export const qualifyingEvent = defineBehaviour({
  ...metricSource,
  definition: catalog.qualifyingEvent,
  operations: {},
});
