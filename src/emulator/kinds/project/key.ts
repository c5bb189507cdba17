import { catalog } from "../../../provider/definitions/index";
import type { JsonObject } from "../../../provider/schema/json";
import type { Route } from "../../../provider/schema/verbs";
import type { Call, Operation } from "../../console/behaviour";
import { defineBehaviour } from "../../console/default-operations";
import { answerItem, bodyOf } from "../../console/item-operations";
import { emptyItem, findItem } from "../../store/items";
import { endedKeys } from "../../store/store";

const collection = catalog.key.name;

/** Beginnings of keys by type (console-api, section 1; those of other types are ours). */
const beginnings: Readonly<Record<string, string>> = {
  SERVER: "secret",
  CLIENT: "client",
  CONSOLE: "console",
};

const newKey = ({ ports }: Pick<Call, "ports">, type: unknown): string =>
  `${beginnings[String(type)] ?? String(type).toLowerCase()}-${ports.makeId()}-${ports.makeId()}`;

/** A body with its target apps as reads show them. That reads show their ids is an assumption. */
function shownApps({ targetAppID, secondaryTargetAppIDs, ...rest }: JsonObject): JsonObject {
  return {
    ...rest,
    ...(targetAppID === undefined ? {} : { primaryTargetApp: targetAppID }),
    ...(secondaryTargetAppIDs === undefined ? {} : { secondaryTargetApps: secondaryTargetAppIDs }),
  };
}

/** Only a create and a rotation are sure to show the key. */
const showing: readonly Route[] = [catalog.key.routes.create, catalog.key.routes.rotate];

const bare = (): JsonObject => ({
  ...emptyItem(catalog.key),
  ...{ primaryTargetApp: null, secondaryTargetApps: null, lastUsed: null, status: "active" },
});

const create: Operation = (call) => {
  const sent = shownApps(bodyOf(call));
  const key = newKey(call, sent.type);
  const item = { ...bare(), ...sent, key };
  call.world.put(collection, key, item);
  return answerItem(call, item, "created");
};

const rotate: Operation = (call) => {
  const { id, item } = findItem(call);
  const rotated = { ...item, key: newKey(call, item.type) };
  call.world.put(endedKeys, id, {});
  call.world.rename(collection, id, rotated.key);
  call.world.put(collection, rotated.key, rotated);
  return answerItem(call, rotated, "rotated");
};

const deactivate: Operation = (call) => {
  const { id, item } = findItem(call);
  call.world.put(collection, id, { ...item, status: "deactivated" });
  return { message: "Key deactivated successfully." };
};

/** Behaviour of keys, whose id in paths is the key itself. */
export const key = defineBehaviour({
  definition: catalog.key,
  filters: { environment: "environments" },
  operations: { create, rotate, deactivate },
  planted(entry, ports) {
    const value = String(entry.key ?? newKey({ ports }, entry.type));
    return { id: value, item: { ...bare(), ...shownApps(entry), key: value } };
  },
  settle: ({ sent, after }) => ({ ...after, ...shownApps(sent) }),
  onRemove: ({ world }, id) => world.put(endedKeys, id, {}),
  shows: ({ switches, route }, item) =>
    switches.keysInReads === "hide" && !showing.includes(route) ? { ...item, key: null } : item,
});
