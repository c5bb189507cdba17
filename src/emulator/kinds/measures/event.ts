import { catalog, readables } from "../../../provider/definitions/index";
import type { JsonObject } from "../../../provider/schema/json";
import type { Call, Operation } from "../../console/behaviour";
import { defineBehaviour } from "../../console/default-operations";
import { answerPage } from "../../console/item-operations";
import { invalidMember } from "../../console/rules/outcomes";
import { referring } from "../../console/rules/referring-objects";
import { marksOf } from "../../http/marks";
import { emptyItem } from "../../store/items";
import type { World } from "../../store/store";

/** The samples show the newest first (console-api/metrics.md, section 6). */
function logged({ world }: Call): JsonObject[] {
  const time = ({ timestamp }: JsonObject): number => Number(timestamp);
  return world.list(readables.event.name, true).sort((a, b) => time(b) - time(a));
}

const list: Operation = (call) => answerPage(call, logged(call));

/** Of an event that nobody logged there are no values: a 404 is not declared. */
const listValues: Operation = (call) =>
  answerPage(
    call,
    logged(call).filter(({ name }) => name === call.params.eventName),
  );

const listMetrics: Operation = (call) =>
  answerPage(call, referring(call, readables.event.name, String(call.params.eventName), catalog.metric.name));

/** The metrics that the console itself makes of every event; no create takes their types. */
const ownTypes = ["event_count", "event_dau"];

function makeMetrics(world: World, { name, timestamp }: JsonObject): void {
  for (const type of ownTypes) {
    const id = `${name}::${type}`;
    if (world.get(catalog.metric.name, id) !== undefined) continue;
    const times = { createdTime: Number(timestamp), lastModifiedTime: Number(timestamp) };
    const made = { ...emptyItem(catalog.metric), ...times, id, name, type };
    const metric = { ...made, lineage: { events: [name], metrics: [] } };
    world.put(catalog.metric.name, id, metric, { refersTo: marksOf({ definition: catalog.metric }, metric) });
  }
}

/** Behaviour of events: those of the seed, and those that SDKs log. */
export const event = defineBehaviour({
  definition: readables.event,
  operations: { list, listValues, listMetrics },
  planted(entry, ports) {
    const { name, userID = "", value = "", source = "", ...rest } = entry;
    if (typeof name !== "string" || name === "") throw invalidMember("name", "Required");
    const timestamp = String(rest.timestamp ?? ports.clock());
    // The same entry planted a second time is the same event.
    const id = JSON.stringify([name, rest.timestamp, userID, value]);
    return { id, item: { metadata: {}, ...rest, name, timestamp, source, value, userID } };
  },
  onAdd: (world, id) => makeMetrics(world, world.get(readables.event.name, id) ?? {}),
});
