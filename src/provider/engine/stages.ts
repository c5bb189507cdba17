import { type ResourceDefinition, routeOf } from "../schema/define";
import { type ConsoleError, reworded } from "../schema/errors";
import { type JsonObject, objectsIn } from "../schema/json";
import type { Stages } from "../schema/stages";
import { quote } from "../texts/issue-text";
import type { EngineContext } from "./context";

/** What was refused, and the object as it is. */
interface Refused {
  readonly error: ConsoleError;
  readonly program: JsonObject;
  readonly live: JsonObject;
  readonly stages: Stages | undefined;
}

/** Most stages that are named. */
const mostStages = 20;

/** A refusal of an action that also says where the object stands, and by which ids and names its stages go. */
export async function withStages(
  context: EngineContext,
  definition: ResourceDefinition,
  { error, program, live, stages }: Refused,
): Promise<ConsoleError> {
  if (stages === undefined) return error;
  const current = { id: live[stages.current.id], name: live[stages.current.name] };
  const all = await stagesOf(context, definition, stages, live);
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
  return ` Set ${argument} to the id of the current one.`;
}

/** All stages, as far as they can be read: the refusal is what the user must hear of. */
async function stagesOf(
  { client }: EngineContext,
  definition: ResourceDefinition,
  { route, params, list }: Stages,
  live: JsonObject,
): Promise<JsonObject[]> {
  const filled = Object.entries(params).map(([name, member]) => [name, String(live[member])]);
  const found = await client
    .item(routeOf(definition, route), { params: Object.fromEntries(filled) })
    .catch((): JsonObject => ({}));
  return objectsIn(found[list]);
}
