import type { ResourceDefinition } from "../core/define";
import { isConsoleError } from "../core/errors";
import type { JsonObject } from "../core/json";
import { onDeleteOf } from "../core/options";
import { isArchived } from "../core/plan";
import { type EngineContext, nameOf, routeTo } from "./context";
import { reasonBody } from "./parts";
import { observe } from "./read";

/**
 * Archives, deletes or leaves an object, as the state says. What is absent, or archived already, is fine.
 */
export async function remove(context: EngineContext, definition: ResourceDefinition, id: string, state: JsonObject): Promise<void> {
  const how = onDeleteOf(definition, state);
  // A replacement deletes and creates in the same run.
  context.owned.delete(nameOf(definition, id));
  const { remove: removal, archive } = definition.lifecycle.delete;
  if (how === "retain") return;
  const archiving = how === "archive" && archive !== undefined;
  const name = archiving ? archive.route : removal.route;
  const { route, params } = routeTo(definition, name, id);
  const body = route.body === undefined ? {} : { body: reasonBody(definition, name, state) };
  try {
    await context.client.maybeItem(route, { params, ...body });
  } catch (error) {
    if (isConsoleError(error, "not-found")) return;
    if (!isConsoleError(error, "refused") || !(await isDone(context, definition, id, archiving))) throw error;
  }
}

/** The console may refuse to do again what is done. */
async function isDone(context: EngineContext, definition: ResourceDefinition, id: string, archiving: boolean): Promise<boolean> {
  const live = await observe(context, definition, id, []);
  return live === undefined || (archiving && isArchived(definition, live));
}
