import { expectedId, type ResourceDefinition, routeOf } from "../core/define";
import { ConsoleError } from "../core/errors";
import type { JsonObject } from "../core/json";
import { managedNames } from "../core/managed";
import { type EngineContext, nameOf } from "./context";
import { isOwn } from "./own";
import { observe } from "./read";

/** An object that is there already. */
export interface Found {
  readonly id: string;
  readonly live: JsonObject;
}

/**
 * The object that a create would collide with, or that the program wants taken over: by the id to import, by the id that
 * the console will give, and where it thinks one up, by name. `mine`: this run sent a create whose answer was lost.
 */
export async function look(
  context: EngineContext,
  definition: ResourceDefinition,
  wants: JsonObject,
  mine = false,
): Promise<Found | undefined> {
  const id = typeof wants.__adopt === "string" ? wants.__adopt : expectedId(definition, wants);
  if (id === undefined) return lookByName(context, definition, wants, mine);
  const live = await observe(context, definition, id, managedNames(definition, wants));
  return live === undefined ? undefined : { id, live };
}

/** Names of such objects are not unique: one is taken when it is the only one, or when it is this program's own. */
async function lookByName(
  context: EngineContext,
  definition: ResourceDefinition,
  wants: JsonObject,
  mine: boolean,
): Promise<Found | undefined> {
  const { read } = definition.lifecycle;
  if (read.how === "remember" || read.list === undefined) return undefined;
  const ids: string[] = [];
  const { answers, argument } = definition.identity;
  for await (const item of context.client.items(routeOf(definition, read.list), {})) {
    const id = item[answers];
    // What this run has made belongs to another resource of the program.
    if (typeof id !== "string" || context.owned.has(nameOf(definition, id))) continue;
    if (item[argument] === wants[argument]) ids.push(id);
  }
  const found: Found[] = [];
  for (const id of ids) {
    const live = await observe(context, definition, id, managedNames(definition, wants));
    if (live !== undefined) found.push({ id, live });
  }
  const own = found.find(({ live }) => isOwn(definition, { live, wants, mine }));
  if (own !== undefined || wants.adopt !== true) return own;
  if (found.length > 1) throw ambiguous(definition, wants, ids);
  return found[0];
}

function ambiguous(definition: ResourceDefinition, wants: JsonObject, ids: string[]): ConsoleError {
  return new ConsoleError(
    `There are ${ids.length} of the name ${JSON.stringify(wants[definition.identity.argument])}: ${ids.join(", ")}. ` +
      "Say which one to take over with the import option instead of adopt: true.",
    { category: "exists" },
  );
}
