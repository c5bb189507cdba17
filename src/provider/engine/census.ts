import { isDecided, type KindCount } from "../decisions/missing-objects";
import { isSameObject } from "../decisions/same-object";
import type { ResourceDefinition } from "../schema/define";
import { isConsoleError } from "../schema/errors";
import type { JsonObject } from "../schema/json";
import { fromWire } from "../schema/wire-names";
import { KindListing, listOf } from "./listing";
import { isGone, readLive } from "./read";
import type { KindHere } from "./subject";

/** An object that a state has. */
export interface StateObject {
  readonly definition: ResourceDefinition;
  readonly id: string;
  readonly outputs: JsonObject;
}

/** True for a kind of which a console has as many objects as people make, and shows whether it has one. */
export function isCountable({ lifecycle: { create, read } }: ResourceDefinition): boolean {
  return create.how === "send" && read.how !== "remember";
}

/** True for the one object of its kind that every project has: nobody can delete it. */
export function isAlwaysThere({ identity, lifecycle: { create, read } }: ResourceDefinition): boolean {
  return (
    identity.how === "singleton" &&
    create.how === "claim" &&
    create.mayBeUnread !== true &&
    read.how === "get"
  );
}

/** True for a kind that is counted by pages: any other takes a request for each object. */
export function isListed(definition: ResourceDefinition): boolean {
  return listOf(definition) !== undefined;
}

/** Objects that are read at the same time. */
const atOnce = 8;

/**
 * Counts which objects of one kind the console has, as far as it takes to know whether most are missing: by pages of the list, then
 * one by one. @throws ConsoleError where the console does not tell.
 */
export async function countKind(kind: KindHere, objects: readonly StateObject[]): Promise<KindCount> {
  const { definition } = kind;
  const list = listOf(definition);
  const listing = list === undefined ? undefined : new KindListing(kind, list);
  const items = await Promise.all(objects.map(({ id }) => listing?.find(id, false)));
  const { failure, isWhole = false } = listing ?? {};
  if (failure !== undefined && !isConsoleError(failure, "not-found")) throw failure;
  const isMissing = failure !== undefined;
  const count = {
    title: definition.title,
    stored: objects.length,
    found: 0,
    missing: 0,
    hasNoList: isMissing,
  };
  const note = (object: StateObject, live: JsonObject | undefined) => {
    const isThere = live !== undefined && isSameObject(definition, object.outputs, live) !== "other";
    count[isThere ? "found" : "missing"] += 1;
  };
  const rest = objects.filter((object, index) => {
    const item = items[index];
    if (item !== undefined) note(object, isGone(definition, item) ? undefined : fromWire(definition, item));
    return item === undefined;
  });
  while (rest.length > 0 && !isDecided(count)) {
    const some = rest.splice(0, atOnce);
    const read = await Promise.all(some.map(({ id }) => readLive({ ...kind, id })));
    for (const [index, object] of some.entries()) note(object, read[index]);
  }
  // Neither the list nor the reads of most of them show these.
  if ((isWhole || isMissing) && count.found * 2 < count.stored) count.missing += rest.length;
  return count;
}
