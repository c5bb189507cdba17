import { isDecided, type KindCount } from "../decisions/missing-objects";
import { isSameObject } from "../decisions/same-object";
import type { ResourceDefinition } from "../schema/define";
import { isConsoleError } from "../schema/errors";
import type { JsonObject } from "../schema/json";
import { idMember } from "../schema/object-id";
import { fromWire } from "../schema/wire-names";
import { wholeList } from "./listing";
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
export function isListed({ lifecycle: { read } }: ResourceDefinition): boolean {
  return read.how !== "remember" && read.list !== undefined;
}

/** Objects that one page of a list is worth, and pages beyond those: a project may have far more objects than the stack. */
const objectsOfPage = 20;
const patience = 3;

/** Objects that are read at the same time. */
const atOnce = 8;

/**
 * Counts which objects of one kind the console has, as far as it takes to know whether most are missing: by pages of the list, then
 * one by one. @throws ConsoleError where the console does not tell.
 */
export async function countKind(kind: KindHere, objects: readonly StateObject[]): Promise<KindCount> {
  const { definition } = kind;
  const { shown, isWhole, isMissing } = await readListed(kind, objects);
  const { title } = definition;
  const count = { title, stored: objects.length, found: 0, missing: 0, hasNoList: isMissing };
  const note = (object: StateObject, live: JsonObject | undefined) => {
    const isThere = live !== undefined && isSameObject(definition, object.outputs, live) !== "other";
    count[isThere ? "found" : "missing"] += 1;
  };
  const rest = objects.filter((object) => {
    const item = shown.get(object.id);
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

/** Objects as a list shows them. */
interface Listed {
  /** By id. */
  readonly shown: ReadonlyMap<string, JsonObject>;
  /** All of its pages were read. */
  readonly isWhole: boolean;
  /** The list itself answers 404. */
  readonly isMissing: boolean;
}

async function readListed(
  { context, definition }: KindHere,
  objects: readonly StateObject[],
): Promise<Listed> {
  const { read } = definition.lifecycle;
  const shown = new Map<string, JsonObject>();
  if (read.how === "remember" || read.list === undefined) return { shown, isWhole: false, isMissing: false };
  const sought = new Set(objects.map(({ id }) => id));
  let pages = Math.ceil(objects.length / objectsOfPage) + patience;
  try {
    for await (const page of context.client.pages(...wholeList(definition, read.list))) {
      for (const item of page) {
        const id = item[idMember(definition)];
        if (typeof id === "string" && sought.delete(id)) shown.set(id, item);
      }
      pages -= 1;
      if (sought.size === 0 || pages === 0) return { shown, isWhole: false, isMissing: false };
    }
    return { shown, isWhole: true, isMissing: false };
  } catch (error) {
    if (!isConsoleError(error, "not-found")) throw error;
    return { shown, isWhole: false, isMissing: true };
  }
}
