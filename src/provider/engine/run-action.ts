import { acceptedFields, routeOf } from "../schema/define";
import { type ConsoleError, isConsoleError, reworded } from "../schema/errors";
import { isObject, type JsonObject, mapped, objectsIn, picked } from "../schema/json";
import { expectedId } from "../schema/object-id";
import type { Stages } from "../schema/stages";
import type { RunStrategy } from "../schema/verbs";
import { fromWire, toWire } from "../schema/wire-names";
import { argumentName } from "../texts/argument-names";
import { quote } from "../texts/issue-text";
import { askAgain, type CreatedObject, nameOf } from "./context";
import type { DeclaredObject, KindHere } from "./subject";

/** Carries an action out, unless the console shows that it has been. */
export async function runAction(
  { context, definition, program }: DeclaredObject,
  strategy: RunStrategy,
): Promise<CreatedObject> {
  const route = routeOf(definition, strategy.route);
  const params = mapped(strategy.params, (argument) => String(program[argument]));
  const id = String(expectedId(definition, program));
  const { done } = strategy;
  // Undefined where no read would show that the action was carried out.
  const readNow = async () =>
    done === undefined ? undefined : context.client.item(routeOf(definition, done.route), { params });
  const isDone = (live: JsonObject | undefined) => live !== undefined && showsDone(strategy, program, live);
  const before = await readNow();
  if (before !== undefined && isDone(before)) {
    context.report(`${nameOf(definition, id)} was carried out before: nothing to do.`);
    return { id, live: fromWire(definition, before) };
  }
  const sent = toWire(definition, picked(program, acceptedFields(definition, route)));
  const body = route.body === undefined ? {} : { body: sent };
  try {
    const answer = await context.client.maybeItem(route, { params, ...body });
    return { id, live: answer === undefined ? {} : fromWire(definition, answer) };
  } catch (error) {
    if (!isConsoleError(error)) throw error;
    const refusal = withAdvice(error, strategy);
    if (!error.uncertain && error.category !== "refused") throw refusal;
    // A request whose answer was lost is repeated, and refused the second time: what counts is whether it is done.
    const after = await askAgain(context, readNow, isDone);
    if (after !== undefined && isDone(after)) return { id, live: fromWire(definition, after) };
    if (error.category !== "refused" || after === undefined) throw refusal;
    const { stages } = strategy;
    throw await withStages({ context, definition }, { error: refusal, program, live: after, stages });
  }
}

/** A refusal with what to do about it. */
function withAdvice(error: ConsoleError, { advice }: RunStrategy): ConsoleError {
  const isRefusal = ["refused", "forbidden"].includes(error.category);
  return advice === undefined || !isRefusal ? error : reworded(error, `${error.message} ${advice}`);
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

/** A refused action, and the object as it is. */
interface Refused {
  readonly error: ConsoleError;
  readonly program: JsonObject;
  readonly live: JsonObject;
  readonly stages: Stages | undefined;
}

/** Most stages that are named. */
const mostStages = 20;

/** A refusal of an action that also says where the object stands, and by which ids and names its stages go. */
async function withStages(
  { context, definition }: KindHere,
  { error, program, live, stages }: Refused,
): Promise<ConsoleError> {
  if (stages === undefined) return error;
  const current = { id: live[stages.current.id], name: live[stages.current.name] };
  const params = mapped(stages.params, (member) => String(live[member]));
  // As far as they can be read: the refusal is what the user must hear of.
  const answer = await context.client
    .item(routeOf(definition, stages.route), { params })
    .catch((): JsonObject => ({}));
  const all = objectsIn(answer[stages.list]);
  // They may have been changed since it began, which then goes on in the old ones.
  const known = all.some(({ id }) => id === current.id) || current.id == null ? all : [current, ...all];
  const named = known.slice(0, mostStages).map(({ id, name }) => {
    const mark = id === current.id ? ", the current one" : "";
    return `${quote(name)} (${quote(id)}${mark})`;
  });
  if (known.length > mostStages) named.push(`and ${known.length - mostStages} more`);
  const is = `It is ${String(live[stages.status])}.`;
  const has = named.length === 0 ? "" : ` Its ${stages.title}: ${named.join(", ")}.`;
  return reworded(error, `${error.message} ${is}${has}${advice(stages, program, current.id)}`);
}

function advice({ argument }: Stages, program: JsonObject, current: unknown): string {
  if (argument === undefined || current == null || program[argument] === current) return "";
  return ` Set ${argumentName(argument)} to the id of the current one.`;
}
