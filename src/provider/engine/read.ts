import { isSameObject } from "../decisions/same-object";
import { managedKind } from "../definitions";
import { idParts } from "../id-lists/changes";
import type { ResourceDefinition } from "../schema/define";
import { routeOf, wireName } from "../schema/define";
import { bug, isConsoleError } from "../schema/errors";
import { isGiven, type JsonObject, picked } from "../schema/json";
import { idMember } from "../schema/object-id";
import type { Route } from "../schema/verbs";
import { fromWire } from "../schema/wire-names";
import { machineOf } from "../values/machine";
import { managedBefore, overlay, type Refreshed } from "../values/managed";
import { requireSameObject } from "./claims/answered-object";
import { askAgain, routeTo } from "./context";
import { unlessFormer } from "./edits/another-object";
import { readFromList } from "./listing";
import { addressOf, learnSecret } from "./secret-ids";
import type { ObjectHere, StoredObject } from "./subject";

/**
 * The live object under the names used here, or undefined when there is none. `names`: the fields that matter; those
 * that need a request of their own are read only when they are among them.
 */
export async function readLive(
  object: ObjectHere,
  names: readonly string[] = [],
  reader: ItemReader = readItem,
): Promise<JsonObject | undefined> {
  const { definition } = object;
  const item = await reader(object);
  if (item === undefined) return undefined;
  const live = fromWire(definition, item);
  for (const part of idParts(definition, live)) {
    if (part.read === undefined || !names.includes(part.field)) continue;
    const answer = await shownBy(object, part.read.route);
    live[part.field] = answer[part.read.member];
  }
  return live;
}

type ItemReader = (object: ObjectHere) => Promise<JsonObject | undefined>;

/** In a refresh, a list answers for many. Before a write only the object itself is recent enough. */
function readItemForRefresh(state: JsonObject): ItemReader {
  return (object) => {
    const { definition } = object;
    const shown = shownBefore(definition, state);
    return readFromList(
      object,
      () => readItem(object),
      // Only a read of the object itself shows for sure that it is another one.
      (item) =>
        shown.every((member) => item[member] !== undefined) &&
        isSameObject(definition, state, fromWire(definition, item)) !== "other",
    );
  };
}

/** Members, by the API's names, that a read has to show: what the program owns, and what else state has for good. */
function shownBefore(definition: ResourceDefinition, state: JsonObject): string[] {
  const apart = [
    ...idParts(definition, state).map(({ field }) => field),
    ...(machineOf(definition)?.switches ?? []).map(({ field }) => field),
  ];
  const managed = managedBefore(state);
  return Object.entries(definition.fields).flatMap(([name, { mode, traits }]) => {
    if (apart.includes(name) || traits.remembered === true || traits.volatile === true) return [];
    const matters = isGiven(state[name]) && (mode === "output" || managed.includes(name));
    return matters && traits.aliasOf === undefined ? [wireName(definition, name)] : [];
  });
}

/** The object of an id as an answer shows it; undefined where there is none. */
export async function readItem(object: ObjectHere): Promise<JsonObject | undefined> {
  const { context, definition, id } = object;
  const { read } = definition.lifecycle;
  switch (read.how) {
    case "get": {
      try {
        const item = requireSameObject(definition, addressOf(object), await shownBy(object, read.route));
        return isGone(definition, item) ? undefined : item;
      } catch (error) {
        if (isAbsence(routeOf(definition, read.route), error)) return undefined;
        throw error;
      }
    }
    case "fromList":
      for await (const item of context.client.items(routeOf(definition, read.list), {})) {
        if (item[idMember(definition)] === id) return item;
        // An element that names nothing may be the one: without it nobody can say that the object is gone.
        if (typeof item[idMember(definition)] !== "string") requireSameObject(definition, id, item);
      }
      return undefined;
    case "remember":
      return undefined;
    default:
      throw bug(`${definition.kind} has an unknown read strategy.`);
  }
}

/** The object as a route that reads it shows it, or nothing of a part of another object that has none. @throws ConsoleError */
export async function shownBy(object: ObjectHere, name: string): Promise<JsonObject> {
  const { context, definition, id } = object;
  const { route, params } = routeTo(definition, name, id);
  try {
    return await context.client.item(route, { params });
  } catch (error) {
    const { read } = definition.lifecycle;
    const holder = read.how === "get" && read.noneOf !== undefined ? managedKind(read.noneOf) : undefined;
    if (holder === undefined || !isAbsence(route, error)) throw error;
    if ((await readItem({ ...object, definition: holder })) === undefined) throw error;
    return {};
  }
}

/** True for an object in a state that counts as being gone. */
export function isGone({ lifecycle: { read } }: ResourceDefinition, item: JsonObject): boolean {
  return read.how === "get" && read.gone !== undefined && item[read.gone.field] === read.gone.is;
}

/** True for an answer that says that there is nothing. A 400 that names fields is about the request. */
function isAbsence({ absentAs400 }: Route, error: unknown): boolean {
  if (!isConsoleError(error)) return false;
  if (error.category === "not-found") return true;
  const refused = absentAs400 === true && error.status === 400 && error.fields.length === 0;
  return refused && /not found/i.test(error.words);
}

/** Finding of a refresh, with the live object itself. */
export interface Found extends Refreshed {
  readonly live: JsonObject;
}

/** An object that a refresh did not find: it is gone, or `other` has its id now. */
export interface Missing {
  readonly other: JsonObject | undefined;
}

/** True for an object of a state that the console does not have any more. */
export function isMissing(found: Found | Missing): found is Missing {
  return "other" in found;
}

/** Reads the object of a state for a refresh. */
export async function read(stored: StoredObject): Promise<Found | Missing> {
  const { context, definition, state } = stored;
  if (definition.lifecycle.read.how === "remember")
    return { ...overlay(definition, state, state), live: state };
  learnSecret(stored);
  const names = managedBefore(state);
  // A read may be older than the last write: what the state has is not given up after the first read.
  let live = await askAgain(
    context,
    (time) => readLive(stored, names, time === 1 ? readItemForRefresh(state) : readItem),
    (found) => found !== undefined || names.length === 0,
  );
  if (live !== undefined && isSameObject(definition, state, live) === "other") {
    live = await unlessFormer(stored, () => readLive(stored, names));
    if (live === undefined || isSameObject(definition, state, live) === "other") return { other: live };
  }
  if (live === undefined) return { other: undefined };
  return { ...overlay(definition, state, { ...unreadable(definition, state, live), ...live }), live };
}

/** Ids that no read of the console shows: what was known of them before is all there is. */
export function unreadable(definition: ResourceDefinition, known: JsonObject, live: JsonObject): JsonObject {
  const fields = idParts(definition, live).flatMap(({ read, field }) => (read === undefined ? [field] : []));
  return picked(known, fields);
}
