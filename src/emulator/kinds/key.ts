import { catalog } from "../../catalog/index";
import type { JsonObject } from "../../core/json";
import { Refusal } from "../answers";
import type { Behaviour, Call, Operation } from "../behaviour";
import { emptyItem } from "../items";
import { usualPages } from "../pages";
import { answerItem, answerPage, members } from "../verbs";

const collection = catalog.key.name;
const texts = { missing: "Key not found.", taken: "" };

/** Beginnings of keys by type (console-api, section 1; those of other types are ours). */
const beginnings: Readonly<Record<string, string>> = {
  SERVER: "secret",
  CLIENT: "client",
  CONSOLE: "console",
};

const newKey = ({ ports }: Pick<Call, "ports">, type: unknown): string =>
  `${beginnings[String(type)] ?? String(type).toLowerCase()}-${ports.makeId()}-${ports.makeId()}`;

/** What a body says of target apps, as reads show it. That they are shown by their ids is an assumption. */
function shownApps({ targetAppID, secondaryTargetAppIDs, ...rest }: JsonObject): JsonObject {
  return {
    ...rest,
    ...(targetAppID === undefined ? {} : { primaryTargetApp: targetAppID }),
    ...(secondaryTargetAppIDs === undefined ? {} : { secondaryTargetApps: secondaryTargetAppIDs }),
  };
}

function find(call: Call): JsonObject {
  const item = call.world.get(collection, call.params.id ?? "");
  if (item === undefined) throw new Refusal(404, texts.missing);
  return item;
}

/** Only a create and a rotation are sure to show the key. */
const asRead = ({ switches }: Call, item: JsonObject): JsonObject =>
  switches.keysInReads === "hide" ? { ...item, key: null } : item;

const bare = (): JsonObject => ({
  ...emptyItem(catalog.key),
  ...{ primaryTargetApp: null, secondaryTargetApps: null, lastUsed: null, status: "active" },
});

const create: Operation = {
  run(call) {
    const sent = shownApps(members(call));
    const key = newKey(call, sent.type);
    const item = { ...bare(), ...sent, key };
    call.world.put(collection, key, item);
    return answerItem(call, item, "created");
  },
};

const rotate: Operation = {
  run(call) {
    const item = { ...find(call), key: newKey(call, find(call).type) };
    call.world.rename(collection, call.params.id ?? "", item.key);
    call.world.put(collection, item.key, item);
    return answerItem(call, item, "rotated");
  },
};

function changed(call: Call, change: JsonObject): JsonObject {
  const item = { ...find(call), ...change };
  call.world.put(collection, call.params.id ?? "", item);
  return item;
}

/** How the console treats keys, whose place in paths is the key itself. */
export const key: Behaviour = {
  definition: catalog.key,
  texts,
  planted(entry, ports) {
    const key = String(entry.key ?? newKey({ ports }, entry.type));
    return { id: key, item: { ...bare(), ...shownApps(entry), key } };
  },
  operations: {
    list: {
      run: (call) =>
        answerPage(
          call,
          call.world.list(collection, true).map((item) => asRead(call, item)),
          usualPages,
        ),
    },
    create,
    rotate,
    get: { run: (call) => answerItem(call, asRead(call, find(call)), "read") },
    patch: {
      run: (call) => answerItem(call, asRead(call, changed(call, shownApps(members(call)))), "updated"),
    },
    deactivate: {
      run(call) {
        changed(call, { status: "deactivated" });
        return { message: "Key deactivated successfully." };
      },
    },
    delete: {
      run(call) {
        find(call);
        call.world.remove(collection, call.params.id ?? "");
        return { message: "Key deleted successfully." };
      },
    },
  },
};
