import { acceptedFields, expectedId, type ResourceDefinition, routeOf } from "../core/define";
import { isConsoleError } from "../core/errors";
import { isObject, type JsonObject } from "../core/json";
import type { RunStrategy } from "../core/verbs";
import { fromWire, toWire } from "../core/wire-names";
import { type EngineContext, type Made, nameOf } from "./context";

const beforeSecondLookMs = 1000;

/** Carries an action out, unless the console shows that it has been. */
export async function run(
  context: EngineContext,
  definition: ResourceDefinition,
  strategy: RunStrategy,
  wants: JsonObject,
): Promise<Made> {
  const route = routeOf(definition, strategy.route);
  const params = Object.fromEntries(
    Object.entries(strategy.params).map(([name, argument]) => [name, String(wants[argument])]),
  );
  const id = String(expectedId(definition, wants));
  const before = await doneAlready(context, definition, strategy, wants, params);
  if (before !== undefined) {
    context.report(`${nameOf(definition, id)} was carried out before: nothing to do.`);
    return { id, live: fromWire(definition, before) };
  }
  const values = acceptedFields(definition, route).flatMap((name) =>
    wants[name] === undefined ? [] : [[name, wants[name]]],
  );
  const body = route.body === undefined ? {} : { body: toWire(definition, Object.fromEntries(values)) };
  try {
    const answer = await context.client.maybeItem(route, { params, ...body });
    return { id, live: answer === undefined ? {} : fromWire(definition, answer) };
  } catch (error) {
    if (!isConsoleError(error) || !(error.uncertain || error.category === "refused")) throw error;
    // A request whose answer was lost is repeated, and refused the second time: what counts is whether it is done.
    const look = () => doneAlready(context, definition, strategy, wants, params);
    // A read right after a write may be late.
    const after = (await look()) ?? (await context.sleep(beforeSecondLookMs).then(look));
    if (after === undefined) throw error;
    return { id, live: fromWire(definition, after) };
  }
}

async function doneAlready(
  context: EngineContext,
  definition: ResourceDefinition,
  { done }: RunStrategy,
  wants: JsonObject,
  params: Record<string, string>,
): Promise<JsonObject | undefined> {
  if (done === undefined) return undefined;
  const live = await context.client.item(routeOf(definition, done.route), { params });
  const entries = Array.isArray(live[done.list]) ? (live[done.list] as unknown[]) : [];
  const expected = Object.entries(done.where).map(([member, value]) => [
    member,
    value.replace(/^\{(\w+)\}$/, (_, name: string) => String(wants[name])),
  ]);
  const fits = (entry: unknown) =>
    isObject(entry) && expected.every(([member, value]) => entry[String(member)] === value);
  return entries.some(fits) ? live : undefined;
}
