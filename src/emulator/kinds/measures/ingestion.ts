import { catalog } from "../../../provider/definitions/index";
import type { JsonObject } from "../../../provider/schema/json";
import { expectedId } from "../../../provider/schema/object-id";
import { fromWire } from "../../../provider/schema/wire-names";
import type { Call, Operation } from "../../console/behaviour";
import { defineBehaviour } from "../../console/default-operations";
import { answerItem, bodyOf } from "../../console/item-operations";
import { Refusal } from "../../console/rules/outcomes";

const collection = catalog.ingestion.name;

/** Id of an ingestion, made of the members that name it. */
const placeOf = (named: JsonObject): string =>
  String(expectedId(catalog.ingestion, fromWire(catalog.ingestion, named)));

/** The ingestion that a query or a body names. Without a source: the only one of the type and the dataset, or any (assumption). */
function find(call: Call, named: JsonObject): { readonly id: string; readonly item: JsonObject } {
  const all = call.world.list(collection, true);
  const item = all.find(
    ({ type, data }) =>
      type === named.type &&
      (data as JsonObject).dataset === named.dataset &&
      (named.source_name === undefined || (data as JsonObject).source_name === named.source_name),
  );
  if (item === undefined) throw new Refusal(404, "Ingestion not found.");
  return { id: placeOf({ ...(item.data as JsonObject), type: item.type }), item };
}

function queried({ query }: Call): JsonObject {
  return Object.fromEntries([...query].map(([name, [value]]) => [name, value]));
}

/** The form of `data` is not published: what was sent (assumption). */
function settled(item: JsonObject, { type, enabled = item.enabled, ...sent }: JsonObject): JsonObject {
  return { ...item, type, enabled, data: { ...(item.data as JsonObject), ...sent } };
}

const create: Operation = (call) => {
  const id = placeOf(bodyOf(call));
  if (call.world.get(collection, id) !== undefined) throw new Refusal(400, "Source name is already in use");
  const item = settled({ id: call.ports.makeId(), enabled: true, data: {} }, bodyOf(call));
  call.world.put(collection, id, item);
  return answerItem(call, item, "created");
};

const get: Operation = (call) => answerItem(call, find(call, queried(call)).item, "read");

const patch: Operation = (call) => {
  const { id, item } = find(call, bodyOf(call));
  const after = settled(item, bodyOf(call));
  call.world.put(collection, id, after);
  return answerItem(call, after, "updated");
};

const remove: Operation = (call) => {
  const { id, item } = find(call, queried(call));
  call.world.remove(collection, id);
  return answerItem(call, item, "deleted");
};

/** Behaviour of ingestions, which queries and bodies name and no path. */
export const ingestion = defineBehaviour({
  definition: catalog.ingestion,
  operations: { create, get, patch, delete: remove },
  planted({ id, data, ...sent }, ports) {
    const fresh = { id: id ?? ports.makeId(), enabled: true, data };
    return { id: placeOf(sent), item: settled(fresh, sent) };
  },
});
