import { type ResourceDefinition, routeOf } from "../../schema/define";
import { isConsoleError } from "../../schema/errors";
import type { JsonObject } from "../../schema/json";
import { callingArgument, nameField } from "../../schema/object-id";
import { managedNames } from "../../values/managed";
import { type EngineContext, nameCalled, nameOf, routeTo } from "../context";
import { ownerOf } from "../ownership";
import { isGone, readLive } from "../read";
import { idShown } from "../secret-ids";
import { isAsCreated } from "./origin";

/** What a list shows of a kind. */
export interface Listed {
  /** Ids of the objects that bear the name of what is wanted, but for those that a resource holds. */
  readonly named: readonly string[];
  /** Ids of all objects of the kind. */
  readonly all: readonly string[];
  /** True where an object of that name is there whose id the list does not show. */
  readonly hides: boolean;
}

/** Searches the list of a kind for the name of what is wanted. */
export async function listNamed(
  context: EngineContext,
  definition: ResourceDefinition,
  wants: JsonObject,
): Promise<Listed> {
  const { read } = definition.lifecycle;
  if (read.how === "remember" || read.list === undefined) return { named: [], all: [], hides: false };
  const called = callingArgument(definition) ?? nameField;
  const { resource } = ownerOf(wants);
  const named: string[] = [];
  const all: string[] = [];
  let hides = false;
  for await (const item of context.client.items(routeOf(definition, read.list), {})) {
    if (isGone(definition, item)) continue;
    const id = idShown(context, definition, item);
    if (id === undefined) {
      hides ||= item[called] === wants[called];
      continue;
    }
    all.push(id);
    if (context.ownership.ownedBy(nameOf(definition, id), resource) === "another") continue;
    if (item[called] === wants[called]) named.push(id);
  }
  return { named, all, hides };
}

/**
 * A request may be delivered twice on its way, and where names are not unique that makes two objects. Removes all but one
 * of those that are as this create sent them and are not among `existingIds`. Whoever else finds them keeps the same one.
 * Removes none where another stack may have made one of them.
 * @returns the id of the one that stays; undefined where there is but one.
 */
export async function keepOneDuplicate(
  context: EngineContext,
  definition: ResourceDefinition,
  wants: JsonObject,
  existingIds: readonly string[] | undefined,
): Promise<string | undefined> {
  const { remove } = definition.lifecycle.delete;
  if (definition.identity.how !== "server" || remove === undefined || existingIds === undefined)
    return undefined;
  try {
    const listed = await listNamed(context, definition, wants);
    const named = listed.named.filter((id) => !existingIds.includes(id));
    if (named.length < 2 || (await mayBeCreatedByOther(context, definition, wants, named))) return undefined;
    const createdByUs: string[] = [];
    for (const id of named) {
      const live = await readLive(context, definition, id, managedNames(definition, wants));
      if (live !== undefined && isAsCreated(definition, { id, live, wants })) createdByUs.push(id);
    }
    const [kept, ...others] = createdByUs.sort();
    for (const id of others) {
      const { route, params } = routeTo(definition, remove.route, id);
      await context.client.maybeItem(route, { params });
      context.report(`${nameOf(definition, id)} was made by a request that arrived twice: removed.`);
    }
    return others.length === 0 ? undefined : kept;
  } catch (error) {
    // The create has done its part: what could not be tidied up is no reason to lose it.
    if (isConsoleError(error)) return undefined;
    throw error;
  }
}

/** True where another stack has made one of these objects, or is about to make one that is called the same. */
async function mayBeCreatedByOther(
  { journal }: EngineContext,
  definition: ResourceDefinition,
  wants: JsonObject,
  ids: readonly string[],
): Promise<boolean> {
  const others = (await journal?.entriesOfOthers?.(nameCalled(definition, wants))) ?? [];
  return others.some(({ did, made }) => did === "create" && (made === undefined || ids.includes(made)));
}
