import { isArchived } from "../decisions/plan";
import { answeredKind, managedKind } from "../definitions";
import { type ResourceDefinition, routeOf } from "../schema/define";
import { isConsoleError } from "../schema/errors";
import type { JsonObject } from "../schema/json";
import { keptIn, memoized } from "../schema/memoized";
import { idMember } from "../schema/object-id";
import { idsUsedIn, type UsedBy } from "../schema/used-by";
import type { OnDelete } from "../schema/verbs";
import { type EngineContext, nameOf, routeTo } from "./context";
import { listOf } from "./listing";
import type { KindHere, ObjectHere, StoredObject } from "./subject";

/** Most searches for users, and the time between two. */
const mostTries = 4;
const betweenTriesMs = 1000;

/** Most users that a message names. */
const mostUsers = 20;

/** True for an object that is updated in this run because it takes outputs of the one that goes. */
export type IsDependent = (object: string) => boolean;

/** Objects that still use one that would be gone for ever; none where the program forces its end. */
export async function usersOf(
  stored: StoredObject,
  isDependent: IsDependent = () => false,
): Promise<string[]> {
  const { context, definition, state } = stored;
  if (state.forceDelete === true || state.forceArchive === true) return [];
  const { usedBy } = definition.lifecycle.delete.remove ?? {};
  if (usedBy === undefined) return [];
  // Reading the lists once is enough for all that go in a run, unless it finds something.
  if ((await namesOfUsers(stored, usedBy, listedOnce)).length === 0) return [];
  // A user of it may be deleted, or stop using it, in this same run.
  for (let tries = 1; ; tries += 1) {
    const users = (await namesOfUsers(stored, usedBy, listed)).filter((user) => !isDependent(user));
    if (users.length === 0 || tries >= mostTries) return users;
    await context.sleep(betweenTriesMs);
  }
}

type Lister = (kind: KindHere, list: string) => Promise<JsonObject[]>;

const listed: Lister = ({ context, definition }, list) =>
  Array.fromAsync(context.client.items(routeOf(definition, list), {}));

/** Lists that a run has read, by kind. */
const listsOfRun = memoized((_: EngineContext) => new Map<string, Promise<JsonObject[]>>());

const listedOnce: Lister = (kind, list) => {
  const { name } = kind.definition;
  const known = listsOfRun(kind.context);
  const items = keptIn(known, name, () => listed(kind, list));
  // A list that could not be had is asked for again.
  items.catch(() => known.delete(name));
  return items;
};

/** Objects that the console lists as users of another one; undefined for a kind of which it has no such lists. */
export async function listedUsers({ context, definition, id }: ObjectHere): Promise<string[] | undefined> {
  const lists = definition.lifecycle.delete.archive?.users;
  if (lists === undefined) return undefined;
  const users: string[] = [];
  for (const name of lists) {
    const { route, params } = routeTo(definition, name, id);
    const kind = answeredKind(definition, route);
    try {
      for await (const item of context.client.items(route, { params }))
        users.push(kind === undefined ? route.path : nameOf(kind, String(item[idMember(kind)])));
    } catch (error) {
      // Nobody uses an object that is gone.
      if (!isConsoleError(error, "not-found")) throw error;
    }
  }
  return users;
}

/** Users of an object as the console shows them now; none for a kind of which it shows none. */
export async function usersNow(object: ObjectHere): Promise<string[]> {
  const listed = await listedUsers(object);
  if (listed !== undefined) return listed.slice(0, mostUsers);
  const { usedBy } = object.definition.lifecycle.delete.remove ?? {};
  return usedBy === undefined ? [] : namesOfUsers(object, usedBy, listedOnce);
}

async function namesOfUsers(
  { context, definition, id }: ObjectHere,
  usedBy: UsedBy,
  itemsOf: Lister,
): Promise<string[]> {
  const objects = await possibleUsers(context, usedBy.kinds, itemsOf);
  const users = [...(usersById(definition, usedBy, objects).get(id) ?? [])];
  return users.length > mostUsers ? [...users.slice(0, mostUsers), "and more"] : users;
}

/** An object that may use others, by the values that would name them: as the console lists it, or as a program declares it. */
export interface PossibleUser {
  readonly definition: ResourceDefinition;
  readonly id: string;
  readonly values: JsonObject;
}

/** Every object of these kinds that the console lists, archived ones too. */
export async function possibleUsers(
  context: EngineContext,
  kinds: Iterable<string>,
  itemsOf: Lister = listedOnce,
): Promise<PossibleUser[]> {
  const found: PossibleUser[] = [];
  for (const definition of [...kinds].map(managedKind)) {
    const list = listOf(definition);
    if (list === undefined) continue;
    for (const values of await itemsOf({ context, definition }, list))
      found.push({ definition, id: String(values[idMember(definition)]), values });
  }
  return found;
}

/** True for an object whose end the console refuses while something that stays uses it. */
export function isKeptWhileUsed(
  { lifecycle }: ResourceDefinition,
  how: OnDelete,
  state: JsonObject,
): boolean {
  const isForced = state.forceDelete === true || state.forceArchive === true;
  return lifecycle.delete.keptWhileUsed?.ways.includes(how) === true && !isForced;
}

/** Labels of the objects that use those of a kind and are not archived, by the id of the used one. */
export function usersById(
  used: ResourceDefinition,
  usedBy: UsedBy,
  objects: Iterable<PossibleUser>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const users = new Map<string, Set<string>>();
  for (const { definition, id: own, values } of objects) {
    if (!usedBy.kinds.includes(definition.name) || isArchived(definition, values)) continue;
    for (const id of idsUsedIn(values, usedBy))
      if (definition !== used || id !== own)
        users.set(id, (users.get(id) ?? new Set()).add(nameOf(definition, own)));
  }
  return users;
}
