import { catalog } from "../../../provider/definitions/index";
import { type JsonObject, objectsIn } from "../../../provider/schema/json";
import type { Call, Operation } from "../../console/behaviour";
import { defineBehaviour } from "../../console/default-operations";
import { answerItem, answerPage, get } from "../../console/item-operations";
import { experimentFilters, filtered } from "../../console/rules/filters";
import { invalidMember, Refusal } from "../../console/rules/outcomes";
import { references } from "../../console/rules/referring-objects";
import { usualPages } from "../../http/pagination";
import { findItem, save, show } from "../../store/items";

/** When an archiving takes effect; a note that no answer shows (console-api/metrics.md, 1.1). */
const archivedFrom = "$archivedFrom";
const dayMs = 86_400_000;

/** "The next day" is taken for the next day in UTC (assumption). */
function isArchived({ ports }: Call, item: JsonObject): boolean {
  const from = item[archivedFrom];
  return typeof from === "number" && from <= ports.clock();
}

/** Archived metrics are left out unless the query asks for them. */
const listMetrics: Operation = (call) => {
  const everything = call.query.get("showHiddenMetrics")?.[0] === "true";
  const stored = filtered(call, call.world.list(call.behaviour.definition.name, true));
  const items = stored.filter((item) => everything || !isArchived(call, item));
  return answerPage(call, items, usualPages, (item) => show(call, item));
};

const getByNameAndType: Operation = (call) =>
  get({ ...call, params: { id: `${call.params.name}::${call.params.type}` } });

function archiving(message: string, next: (call: Call, item: JsonObject) => number | undefined): Operation {
  return (call) => {
    const { id, item } = findItem(call);
    const { [archivedFrom]: _former, ...rest } = item;
    const from = next(call, item);
    save(call, id, from === undefined ? rest : { ...rest, [archivedFrom]: from });
    return { message };
  };
}

const scheduleArchive = archiving("Metric archive scheduled successfully.", ({ ports }, item) =>
  Number(item[archivedFrom] ?? (Math.floor(ports.clock() / dayMs) + 1) * dayMs),
);

/** After it took effect there is nothing to cancel; status and text are ours. */
const cancelArchive = archiving("Metric archive cancelled successfully.", (call, item) => {
  if (isArchived(call, item)) throw new Refusal(400, "Metric is archived already: unarchive it");
  return undefined;
});

/** An archiving that is not yet in effect stays scheduled (assumption). */
const unarchive = archiving("Metric unarchived successfully.", (call, item) =>
  isArchived(call, item) ? undefined : (item[archivedFrom] as number | undefined),
);

/** Nothing is calculated here. */
const reload: Operation = (call) => {
  findItem(call);
  return { message: "Metric reloaded successfully." };
};

/** There is no query here; the shape of the answer is not published. */
const getSql: Operation = (call) => answerItem(call, { id: findItem(call).id, sql: "" }, "read");

/** Behaviour of metrics. The console's own, of types that no create takes, come with the events of a seed. */
export const metric = defineBehaviour({
  definition: catalog.metric,
  texts: { missing: "Metric not found" },
  filters: { showHiddenMetrics: null, filters: null, ...experimentFilters },
  operations: {
    ...{ list: listMetrics, getByNameAndType },
    ...{ scheduleArchive, cancelArchive, unarchive, reload, getSql },
    listExperiments: references("experiment", usualPages),
  },
  refuseRemoval(_call, _id, { isPermanent }) {
    // "Protected from deletion"; status and text are ours.
    if (isPermanent === true)
      throw new Refusal(400, "A permanent metric cannot be deleted: set isPermanent to false first");
  },
  // No update takes what a metric is made of.
  settle({ before, after, planting }) {
    if (before !== undefined) return after;
    if (!planting) refuseIncomplete(after);
    const events = names(after.metricEvents, after.funnelEventList);
    const metrics = objectsIn(after.metricComponentMetrics).map(({ name, type }) => `${name}::${type}`);
    return { ...after, lineage: { events, metrics } };
  },
});

/** Refuses a metric without the members that its type needs; other types are not checked (console-api/metrics.md, 1.3). */
function refuseIncomplete({ type, funnelEventList, funnelCountDistinct, ...metric }: JsonObject) {
  if (type === "funnel" && objectsIn(funnelEventList).length < 2)
    throw invalidMember("funnelEventList", "A funnel needs at least 2 steps");
  if (type === "funnel" && typeof funnelCountDistinct !== "string")
    throw invalidMember("funnelCountDistinct", "Required");
  if (type === "composite_sum" && objectsIn(metric.metricComponentMetrics).length < 2)
    throw invalidMember("metricComponentMetrics", "A composite_sum needs at least 2 metrics");
}

function names(...lists: readonly unknown[]): string[] {
  return [...new Set(lists.flatMap(objectsIn).map(({ name }) => String(name)))];
}
