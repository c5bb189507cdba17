import { isSameObject } from "../decisions/same-object";
import { managedKind } from "../definitions";
import { idParts } from "../id-lists/changes";
import type { ResourceDefinition } from "../schema/define";
import { routeOf, wireName } from "../schema/define";
import { bug, isConsoleError } from "../schema/errors";
import type { JsonObject } from "../schema/json";
import { idMember } from "../schema/object-id";
import type { Route } from "../schema/verbs";
import { fromWire } from "../schema/wire-names";
import { machineOf } from "../values/machine";
import { managedBefore, overlay, type Refreshed } from "../values/managed";
import { requireSameObject } from "./claims/answered-object";
import { type EngineContext, routeTo } from "./context";
import { unlessFormer } from "./edits/another-object";
import { readFromList } from "./listing";
import { addressOf, learnSecret } from "./secret-ids";

/**
 * The live object under the names used here, or undefined when there is none. `names`: the fields that matter; those
 * that need a request of their own are read only when they are among them.
 */
export async function readLive(
  context: EngineContext,
  definition: ResourceDefinition,
  id: string,
  names: readonly string[],
  reader: ItemReader = readItem,
): Promise<JsonObject | undefined> {
  const item = await reader(context, definition, id);
  if (item === undefined) return undefined;
  const live = fromWire(definition, item);
  for (const part of idParts(definition, live)) {
    if (part.read === undefined || !names.includes(part.field)) continue;
    const answer = await shownBy(context, definition, part.read.route, id);
    live[part.field] = answer[part.read.member];
  }
  return live;
}

type ItemReader = (
  context: EngineContext,
  definition: ResourceDefinition,
  id: string,
) => Promise<JsonObject | undefined>;

/** In a refresh, a list answers for many. Before a write only the object itself is recent enough. */
function readItemForRefresh(state: JsonObject): ItemReader {
  return (context, definition, id) => {
    const shown = shownBefore(definition, state);
    return readFromList(
      context,
      definition,
      id,
      () => readItem(context, definition, id),
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
    const matters =
      mode === "output" ? isSomething(state[name]) : managed.includes(name) && isSomething(state[name]);
    return matters && traits.aliasOf === undefined ? [wireName(definition, name)] : [];
  });
}

function isSomething(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** The object of an id as an answer shows it; undefined where there is none. */
export async function readItem(
  context: EngineContext,
  definition: ResourceDefinition,
  id: string,
): Promise<JsonObject | undefined> {
  const { read } = definition.lifecycle;
  switch (read.how) {
    case "get": {
      try {
        const address = addressOf(context, definition, id);
        const item = requireSameObject(
          definition,
          address,
          await shownBy(context, definition, read.route, id),
        );
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
export async function shownBy(
  context: EngineContext,
  definition: ResourceDefinition,
  name: string,
  id: string,
): Promise<JsonObject> {
  const { route, params } = routeTo(definition, name, id);
  try {
    return await context.client.item(route, { params });
  } catch (error) {
    const { read } = definition.lifecycle;
    const holder = read.how === "get" && read.noneOf !== undefined ? managedKind(read.noneOf) : undefined;
    if (holder === undefined || !isAbsence(route, error)) throw error;
    if ((await readItem(context, holder, id)) === undefined) throw error;
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

/** Reads that must find nothing before an object counts as gone, and the time between two. */
const mostReads = 3;
const betweenReadsMs = 500;

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
export async function read(
  context: EngineContext,
  definition: ResourceDefinition,
  id: string,
  state: JsonObject,
): Promise<Found | Missing> {
  if (definition.lifecycle.read.how === "remember")
    return { ...overlay(definition, state, state), live: state };
  learnSecret(context, definition, id, state);
  const names = managedBefore(state);
  let live = await readLive(context, definition, id, names, readItemForRefresh(state));
  // A read may be older than the last write: what the state has is not given up after the first read.
  for (let reads = 1; live === undefined && names.length > 0 && reads < mostReads; reads += 1) {
    await context.sleep(betweenReadsMs);
    live = await readLive(context, definition, id, names);
  }
  if (live !== undefined && isSameObject(definition, state, live) === "other") {
    const reader = () => readLive(context, definition, id, names);
    live = await unlessFormer(context, definition, state, reader);
    if (live === undefined || isSameObject(definition, state, live) === "other") return { other: live };
  }
  if (live === undefined) return { other: undefined };
  return { ...overlay(definition, state, { ...unreadable(definition, state, live), ...live }), live };
}

/** Ids that no read of the console shows: what was known of them before is all there is. */
export function unreadable(definition: ResourceDefinition, known: JsonObject, live: JsonObject): JsonObject {
  const fields = idParts(definition, live).flatMap(({ read, field }) => (read === undefined ? [field] : []));
  return Object.fromEntries(
    fields.filter((name) => known[name] !== undefined).map((name) => [name, known[name]]),
  );
}
