import { catalog } from "../../provider/definitions/index";
import { type JsonObject, textsIn } from "../../provider/schema/json";
import { paginate } from "../http/pagination";
import { changeItem, findItem, findWritable } from "../store/items";
import { versionOf } from "../store/stamps";
import type { World } from "../store/store";
import type { Call, Operation } from "./behaviour";
import { bodyOf } from "./item-operations";
import { Refusal } from "./rules/outcomes";

/** Writes a set of ids; returns the change of its size. */
type Change = (world: World, set: string, ids: readonly string[]) => number;

const changes = {
  add: (world, set, ids) => world.addMembers(set, ids),
  remove: (world, set, ids) => -world.removeMembers(set, ids),
  reset(world, set, ids) {
    const former = world.members(set).length;
    world.clearMembers(set);
    return world.addMembers(set, ids) - former;
  },
} as const satisfies Record<string, Change>;

type ChangeName = keyof typeof changes;

const setOf = (id: string): string => `ids of segment ${id}`;
const pendingSetOf = (id: string): string => `ids to be applied to segment ${id}`;
const pendingOf = "segment ids pending";

/** Reads every id of an `id_list`. The route is declared as a list and carries one object (console-api, section 3). */
export const getIdList: Operation = (call) => {
  const { id, item } = ofType(call, "id_list");
  const ids = idsOfSegment(call.world, id);
  return {
    message: "ID list read successfully.",
    data: { name: item.name, count: ids.length, ids },
    pagination: paginate(call.path, new Map(), { limit: 100, number: 1, offset: 0 }, 1),
  };
};

/** Reports whether a write is still being applied. */
export const getIdListMetadata: Operation = (call) => {
  const { id, item } = ofType(call, "id_list");
  const data = { currentVersion: item.$listVersion ?? 0, isUpdating: isPending(call.world, id) };
  return { message: "ID list metadata read successfully.", data };
};

/** Adds ids to an `id_list`. */
export const addIds: Operation = (call) => changeList(call, "add");

/** Removes ids from an `id_list`. */
export const removeIds: Operation = (call) => changeList(call, "remove");

/** Replaces the ids of an `id_list`. */
export const resetIds: Operation = (call) => changeList(call, "reset");

/** Adds ids to a `user_store_id_list`. */
export const addUserStoreIds: Operation = (call) => changeUserStore(call, "add");

/** Removes ids from a `user_store_id_list`. */
export const removeUserStoreIds: Operation = (call) => changeUserStore(call, "remove");

/** The ids of a segment, in the order in which they came. */
export function idsOfSegment(world: World, id: string): string[] {
  return world.members(setOf(id));
}

/** Removes the ids of a segment that is gone. */
export function forgetIds(world: World, id: string): void {
  world.clearMembers(setOf(id));
  forgetPending(world, id);
}

/** Takes the `ids` of a seed. */
export function seedIds(call: Call, id: string, entry: JsonObject): void {
  if (!Array.isArray(entry.ids)) return;
  const { item } = findItem({ ...call, params: { id } });
  if (item.type !== "id_list" && item.type !== "user_store_id_list") return;
  apply(call, id, { ...item, count: 0 }, "add", entry.ids.map(String));
}

/** The most ids of a list without a request to the service. */
const mostOfList = 10_000;

/** The service's guides tell both sizes; status and texts are ours. */
function refuseTooMany(call: Call, id: string, item: JsonObject, name: ChangeName): void {
  if (name === "remove") return;
  const former = Number(item.count);
  const ofList = (name === "add" ? former : 0) + newIds(call, id, name);
  if (call.switches.largeIdLists === "refuse" && ofList > mostOfList)
    throw new Refusal(400, `An ID list holds at most ${mostOfList} IDs in this plan`);
  const all = call.world.list(catalog.segment.name, true).reduce((sum, { count }) => sum + Number(count), 0);
  if (all - former + ofList > call.ports.mostIds)
    throw new Refusal(400, `The ID lists of a project hold at most ${call.ports.mostIds} IDs`);
}

function newIds(call: Call, id: string, name: ChangeName): number {
  const former = new Set(name === "add" ? idsOfSegment(call.world, id) : []);
  return new Set(idsOf(call).filter((one) => !former.has(one))).size;
}

function changeList(call: Call, name: ChangeName) {
  const { id, item } = ofType(call, "id_list");
  findWritable(call);
  refuseTooMany(call, id, item, name);
  // The status is declared, the text is ours.
  if (isPending(call.world, id)) throw new Refusal(409, "The ID list is being updated");
  const { clock, idListDelayMs } = call.ports;
  if (idListDelayMs === 0) apply(call, id, item, name, idsOf(call));
  else {
    call.world.put(pendingOf, id, { id, change: name, until: clock() + idListDelayMs });
    call.world.addMembers(pendingSetOf(id), idsOf(call));
  }
  return { message: "ID list update accepted." };
}

/** `version` is the only expected version of this API; the segment's own counter is the only one that can be read. */
function changeUserStore(call: Call, name: ChangeName) {
  const { id, item } = ofType(call, "user_store_id_list");
  findWritable(call);
  const expected = bodyOf(call).version;
  const version = versionOf(call.behaviour.definition, item);
  if (expected !== undefined && expected !== version)
    throw new Refusal(409, `The segment is at version ${String(version)}, not ${String(expected)}`);
  apply(call, id, item, name, idsOf(call));
  return { message: "Segment IDs updated successfully." };
}

/** Ids are no part of the segment's former forms, of which the API keeps none. */
function apply(call: Call, id: string, item: JsonObject, name: ChangeName, ids: readonly string[]): void {
  const grown = changes[name](call.world, setOf(id), ids);
  const count = Number(item.count) + grown;
  changeItem(call, id, item, {}, { ...item, count, $listVersion: Number(item.$listVersion ?? 0) + 1 });
}

/** The segment, whose type decides which id operations it takes. */
function ofType(call: Call, type: string): { id: string; item: JsonObject } {
  const found = findItem(call);
  if (found.item.type === type) return found;
  throw new Refusal(400, `Segment must be of type '${type}' to be modified on this endpoint`);
}

/** Applies the writes whose time has come. */
export function applyDue(call: Call): void {
  const { world, ports } = call;
  for (const pending of world.list(pendingOf, true)) {
    const id = String(pending.id);
    const item = world.get(catalog.segment.name, id);
    if (item === undefined || Number(pending.until) > ports.clock()) continue;
    const ids = world.members(pendingSetOf(id));
    forgetPending(world, id);
    apply(call, id, item, pending.change as ChangeName, ids);
  }
}

function forgetPending(world: World, id: string): void {
  world.clearMembers(pendingSetOf(id));
  world.remove(pendingOf, id);
}

function isPending(world: World, id: string): boolean {
  return world.get(pendingOf, id) !== undefined;
}

const idsOf = (call: Call): string[] => textsIn(bodyOf(call).ids);
