import { catalog } from "../../../provider/definitions/index";
import type { Operation } from "../../console/behaviour";
import { defineBehaviour } from "../../console/default-operations";
import { answerItem, bodyOf } from "../../console/item-operations";
import { Refusal } from "../../console/rules/outcomes";

const schedules = catalog.ingestionSchedule.name;

/** The hour of a schedule that nobody set, as the API declares it for a body without one. */
const usualHour = catalog.ingestionSchedule.fields.scheduledHourPST.traits.serverDefault;

const readSchedule: Operation = (call) => {
  const dataset = String(call.query.get("dataset")?.[0]);
  const found = call.world.get(schedules, dataset);
  if (found === undefined && call.switches.unsetSchedules === "missing")
    throw new Refusal(404, "Ingestion schedule not found.");
  return answerItem(call, found ?? { dataset, scheduled_hour_pst: usualHour }, "read");
};

const setSchedule: Operation = (call) => {
  const { dataset, scheduled_hour_pst = usualHour } = bodyOf(call);
  const schedule = { dataset, scheduled_hour_pst };
  call.world.put(schedules, String(dataset), schedule);
  return answerItem(call, schedule, "set");
};

/** Behaviour of the schedules of ingestions. */
export const ingestionSchedule = defineBehaviour({
  definition: catalog.ingestionSchedule,
  operations: { get: readSchedule, set: setSchedule },
});

const connections = catalog.warehouseConnection.name;

/** A connection keeps nothing here but that it was made: nothing reads it, and a file of a console is no place for credentials. */
const connect: Operation = (call) => {
  for (const name of Object.keys(bodyOf(call))) call.world.put(connections, name, { name });
  return { message: "Warehouse connection updated successfully." };
};

const connectDatabricks: Operation = (call) => {
  const { host, path, verified = false } = bodyOf(call);
  const connection = {
    id: "databricks",
    type: "databricks",
    enabled: true,
    data: { host, path, verified },
  };
  call.world.put(connections, "databricksIngestion", { name: "databricksIngestion" });
  return { message: "Ingestion connection created successfully.", data: connection };
};

/** Behaviour of the connection to a warehouse. */
export const warehouseConnection = defineBehaviour({
  definition: catalog.warehouseConnection,
  operations: { patch: connect, connectDatabricks },
});
