import { acceptedFields, type ResourceDefinition, routeOf } from "../schema/define";
import { type ConsoleError, isConsoleError, reworded } from "../schema/errors";
import { isObject, type JsonObject } from "../schema/json";
import { expectedId } from "../schema/object-id";
import type { RunStrategy } from "../schema/verbs";
import { fromWire, toWire } from "../schema/wire-names";
import { type CreatedObject, type EngineContext, nameOf } from "./context";
import { withStages } from "./stages";

const beforeSecondReadMs = 1000;

/** Carries an action out, unless the console shows that it has been. */
export async function runAction(
  context: EngineContext,
  definition: ResourceDefinition,
  strategy: RunStrategy,
  program: JsonObject,
): Promise<CreatedObject> {
  const route = routeOf(definition, strategy.route);
  const params = Object.fromEntries(
    Object.entries(strategy.params).map(([name, argument]) => [name, String(program[argument])]),
  );
  const id = String(expectedId(definition, program));
  const readNow = () => readTarget(context, definition, strategy, params);
  const isDone = (live: JsonObject | undefined) => live !== undefined && showsDone(strategy, program, live);
  const before = await readNow();
  if (before !== undefined && isDone(before)) {
    context.report(`${nameOf(definition, id)} was carried out before: nothing to do.`);
    return { id, live: fromWire(definition, before) };
  }
  const values = acceptedFields(definition, route).flatMap((name) =>
    program[name] === undefined ? [] : [[name, program[name]]],
  );
  const body = route.body === undefined ? {} : { body: toWire(definition, Object.fromEntries(values)) };
  try {
    const answer = await context.client.maybeItem(route, { params, ...body });
    return { id, live: answer === undefined ? {} : fromWire(definition, answer) };
  } catch (error) {
    if (!isConsoleError(error)) throw error;
    const refusal = withAdvice(error, strategy);
    if (!error.uncertain && error.category !== "refused") throw refusal;
    // A request whose answer was lost is repeated, and refused the second time: what counts is whether it is done.
    let after = await readNow();
    // A read right after a write may be late.
    if (!isDone(after)) after = await context.sleep(beforeSecondReadMs).then(readNow);
    if (after !== undefined && isDone(after)) return { id, live: fromWire(definition, after) };
    if (error.category !== "refused" || after === undefined) throw refusal;
    const { stages } = strategy;
    throw await withStages(context, definition, { error: refusal, program, live: after, stages });
  }
}

/** A refusal with what to do about it. */
function withAdvice(error: ConsoleError, { advice }: RunStrategy): ConsoleError {
  const isRefusal = ["refused", "forbidden"].includes(error.category);
  return advice === undefined || !isRefusal ? error : reworded(error, `${error.message} ${advice}`);
}

/** What an action is about, as it is now; undefined where no read would show whether the action was carried out. */
async function readTarget(
  context: EngineContext,
  definition: ResourceDefinition,
  { done }: RunStrategy,
  params: Record<string, string>,
): Promise<JsonObject | undefined> {
  return done === undefined ? undefined : context.client.item(routeOf(definition, done.route), { params });
}

function showsDone({ done }: RunStrategy, program: JsonObject, live: JsonObject): boolean {
  if (done === undefined) return false;
  const entries: unknown = done.list === undefined ? [live] : live[done.list];
  const filled = (value: string) => value.replace(/^\{(\w+)\}$/, (_, name: string) => String(program[name]));
  const expected = Object.entries(done.where).map(
    ([member, values]) => [member, [values].flat().map(filled)] as const,
  );
  const fits = (entry: unknown) =>
    isObject(entry) && expected.every(([member, values]) => values.includes(String(entry[member])));
  return Array.isArray(entries) && entries.some(fits);
}
