import type { Changes } from "../decisions/plan";
import { routeOf } from "../schema/define";
import { ConsoleError, isConsoleError, unexpectedAnswer } from "../schema/errors";
import { givenIn, type JsonObject, membersOf } from "../schema/json";
import { secretOf } from "../schema/object-id";
import type { RotateStrategy } from "../schema/verbs";
import { fromWire, toWire } from "../schema/wire-names";
import { createdFields } from "../values/machine";
import { nameOf, routeTo } from "./context";
import type { Sent, WriteTarget } from "./send";

/**
 * Gives an object that a secret leads to another one, when the program asks for it. @throws ConsoleError, certain, where the
 * answer with the new secret was lost: asking again would not bring it back.
 */
export async function sendRotation(
  target: WriteTarget,
  part: RotateStrategy,
  changes: Changes,
): Promise<Sent> {
  if (!(part.field in changes)) return { target, names: [part.keep.field] };
  const { context, definition, id, program, live } = target;
  const keeps = program[part.keep.field] === part.keep.is;
  const { route, params } = routeTo(definition, part.route, id);
  const made = keeps ? makeAnother(target) : context.client.item(route, { params });
  const answer = await made.catch((error: unknown) => {
    throw isConsoleError(error) && error.uncertain ? lost(nameOf(definition, id), error) : error;
  });
  const shown = fromWire(definition, answer);
  const secret = shown[secretOf(definition) ?? ""];
  if (typeof secret !== "string" || secret === "")
    throw lost(nameOf(definition, id), unexpectedAnswer("The answer shows no value."));
  context.secretIds.set(id, secret);
  const old = keeps
    ? "stays active: deactivate it in the console when nothing uses it any more"
    : "has stopped working";
  context.report(`${nameOf(definition, id)} has another value; the old one ${old}.`);
  return { target: { ...target, live: { ...live, ...shown } }, names: [part.field, part.keep.field] };
}

/** Another object that says the same, of which the state takes hold instead. */
async function makeAnother({ context, definition, live, program }: WriteTarget): Promise<JsonObject> {
  const { create } = definition.lifecycle;
  if (create.how !== "send") throw new TypeError(`${definition.kind} cannot be made anew`);
  const names = createdFields(definition, create.route);
  const values = givenIn(membersOf(names, (name) => program[name] ?? live[name]));
  return context.client.item(routeOf(definition, create.route), { body: toWire(definition, values) });
}

function lost(object: string, error: ConsoleError): ConsoleError {
  return new ConsoleError(
    `The new value of ${object} was lost on its way: ${error.message} Run "pulumi refresh": where the old value has stopped ` +
      "working, the next up makes another key. Deactivate in the console the keys whose value is lost.",
    { category: error.category, ...(error.status === undefined ? {} : { status: error.status }) },
    { cause: error },
  );
}
