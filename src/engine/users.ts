import { managedKind } from "../catalog";
import { type ResourceDefinition, routeOf } from "../core/define";
import { isObject, type JsonObject } from "../core/json";
import { isArchived } from "../core/plan";
import type { AskedBy } from "../core/verbs";
import { type EngineContext, nameOf } from "./context";

/** Times that users are looked for, and the time between two. */
const mostTries = 4;
const betweenTriesMs = 1000;

/** Most users that a message names. */
const mostUsers = 20;

/** What still asks for an object that would be gone for ever; nothing where the program says that this is meant. */
export async function usersOf(
  context: EngineContext,
  definition: ResourceDefinition,
  id: string,
  state: JsonObject,
): Promise<string[]> {
  const { askedBy } = definition.lifecycle.delete.remove ?? {};
  if (askedBy === undefined || state.forceDelete === true) return [];
  // What asks for it may be going, or about to ask no more, in this same run.
  for (let tries = 1; ; tries += 1) {
    const users = await namesOfUsers(context, askedBy, id);
    if (users.length === 0 || tries >= mostTries) return users;
    await context.sleep(betweenTriesMs);
  }
}

async function namesOfUsers(
  context: EngineContext,
  { kinds, conditions }: AskedBy,
  id: string,
): Promise<string[]> {
  const users: string[] = [];
  for (const name of kinds) {
    const kind = managedKind(name);
    const { read } = kind.lifecycle;
    if (read.how === "remember" || read.list === undefined) continue;
    for await (const item of context.client.items(routeOf(kind, read.list), {})) {
      if (isArchived(kind, item) || !asksFor(item, conditions, id)) continue;
      const user = nameOf(kind, String(item[kind.identity.answers]));
      if (users.length < mostUsers) users.push(user);
      else return [...users, "and more"];
    }
  }
  return users;
}

/** True where a condition of one of these types has this target, however deep. */
function asksFor(value: unknown, types: readonly string[], id: string): boolean {
  if (Array.isArray(value)) return value.some((one) => asksFor(one, types, id));
  if (!isObject(value)) return false;
  if (typeof value.type === "string" && types.includes(value.type)) {
    const targets = Array.isArray(value.targetValue) ? value.targetValue : [value.targetValue];
    if (targets.includes(id)) return true;
  }
  return Object.values(value).some((one) => asksFor(one, types, id));
}
