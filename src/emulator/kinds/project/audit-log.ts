import { readables } from "../../../provider/definitions/index";
import type { JsonObject } from "../../../provider/schema/json";
import { recordedChanges } from "../../console/audit-log";
import type { Call, Operation } from "../../console/behaviour";
import { defineBehaviour } from "../../console/default-operations";
import { answerPage, timeRange } from "../../console/item-operations";
import { filtered } from "../../console/rules/filters";

/** Entries after the one that the query names last; all of them where there is none of that id (assumption). */
function newerOnes({ query }: Call, entries: readonly JsonObject[]): readonly JsonObject[] {
  const latest = query.get("latestID")?.[0];
  const place = entries.findIndex(({ id }) => id === latest);
  return place < 0 ? entries : entries.slice(0, place);
}

function inRange(call: Call): (entry: JsonObject) => boolean {
  const fits = timeRange(call, "at");
  return ({ date, time }) => fits({ at: Date.parse(`${String(date)}T${String(time)}Z`) });
}

function sorted({ query }: Call, entries: readonly JsonObject[]): readonly JsonObject[] {
  const [key, order] = ["sortKey", "sortOrder"].map((name) => query.get(name)?.[0]);
  if (key === undefined) return order === "asc" ? [...entries].reverse() : entries;
  const textOf = (entry: JsonObject) => String(entry[key]);
  const rising = [...entries].sort((one, other) =>
    textOf(one).localeCompare(textOf(other), "en", { numeric: true }),
  );
  return order === "asc" ? rising : rising.reverse();
}

const list: Operation = (call) => {
  const found = newerOnes(call, recordedChanges(call.world)).filter(inRange(call));
  return answerPage(call, sorted(call, filtered(call, found)));
};

/** Behaviour of the audit log. */
export const auditLog = defineBehaviour({
  definition: readables.auditLog,
  filters: {
    actionTypes: "actionType",
    ...{ sortKey: null, sortOrder: null, latestID: null, startDate: null, endDate: null },
  },
  operations: { list },
});
