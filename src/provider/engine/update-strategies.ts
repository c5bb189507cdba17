import type { Changes } from "../decisions/plan";
import { acceptedFields, initialValue, type ResourceDefinition, routeOf, wireName } from "../schema/define";
import { bug, isConsoleError } from "../schema/errors";
import { type JsonObject, picked } from "../schema/json";
import { programIdArgument } from "../schema/object-id";
import type { Route, UpdateStrategy } from "../schema/verbs";
import { canonicalLive } from "../values/compare";
import { viewOf } from "../values/managed";
import { completeFromLive } from "../values/sparse-values";
import { withUnmanaged } from "../values/unmanaged";
import { sendElement } from "./elements";
import { sendIds } from "./ids";
import { shownBy } from "./read";
import { sendRotation } from "./rotate";
import { encoded, formsFor, reasonBody, type Subject, send, sendFields, withReason } from "./send";
import { sendMachine } from "./transitions";

/**
 * Sends what changed, part after part, each with the fewest fields that do it. Returns the names that no part can send.
 */
export async function sendChanges(subject: Subject, changes: Changes): Promise<string[]> {
  const left = new Map(Object.entries(changes));
  for (const part of subject.definition.lifecycle.update) {
    if (left.size === 0) break;
    for (const name of await sendByStrategy(subject, part, Object.fromEntries(left))) left.delete(name);
  }
  return [...left.keys()];
}

/** Sends one part. Returns the names that it took care of. */
function sendByStrategy(subject: Subject, part: UpdateStrategy, changes: Changes): Promise<string[]> {
  switch (part.how) {
    case "patch":
      return sendPatch(subject, part.route, changes);
    case "elements":
      // A review takes the whole list.
      return subject.reviews?.opens ? Promise.resolve([]) : sendElement(subject, part, changes);
    case "put":
      return sendWhole(subject, part, changes);
    case "value":
      return sendValue(subject, part, changes);
    case "ids":
      return sendIds(subject, part, changes);
    case "move":
      return sendMove(subject, part, changes);
    case "rotate":
      return sendRotation(subject, part, changes);
    case "machine":
      return sendMachine(subject, part, changes);
    default:
      throw bug(`${subject.definition.kind} has an unknown update strategy.`);
  }
}

async function sendPatch(subject: Subject, routeName: string, changes: Changes): Promise<string[]> {
  const accepted = acceptedFields(subject.definition, routeOf(subject.definition, routeName));
  const names = Object.keys(changes).filter((name) => accepted.includes(name));
  if (names.length > 0) {
    const sent = names.map((name) => [name, changes[name]]);
    const always = accepted.filter(
      (name) => subject.definition.fields[name]?.traits.always && !(name in changes),
    );
    const standing = always.map((name) => [name, standingValue(subject, name)]);
    const known = standing.filter(([, value]) => value !== undefined && value !== null);
    await sendFields(subject, routeName, Object.fromEntries([...sent, ...known]));
  }
  return names;
}

/** A field as the program says it, else as it is. */
function standingValue({ definition, program, live }: Subject, name: string): unknown {
  const now = viewOf(definition, live)[name];
  if (program[name] === undefined) return canonicalLive(definition, name, now);
  const value = completeFromLive(definition, name, program[name], now);
  return withUnmanaged(definition, { [name]: value }, { live, program })[name];
}

/** The whole object: what the program says, and all else as it is, because what is left out is dropped. */
async function sendWhole(
  subject: Subject,
  part: Extract<UpdateStrategy, { how: "put" }>,
  changes: Changes,
): Promise<string[]> {
  const { definition, program, live } = subject;
  const route = routeOf(definition, part.route);
  const required = route.body !== undefined && "schema" in route.body ? [] : (route.body?.requires ?? []);
  const accepted = acceptedFields(definition, route).filter((name) => name !== programIdArgument(definition));
  if (!(part.when ?? accepted).some((name) => name in changes)) return [];
  const values = accepted.flatMap((name): [string, unknown][] => {
    const kept = () => keptValue(subject, name, accepted, changes) ?? unshownValue(definition, route, name);
    const value = name in changes ? changes[name] : kept();
    if (value === undefined) return [];
    return value === null && !required.includes(name) && !(name in changes) ? [] : [[name, value]];
  });
  const isSaid = ([name]: [string, unknown]) => name in changes || program[name] !== undefined;
  const forms = formsFor(subject);
  const wantedBody = encoded(definition, Object.fromEntries(values.filter(isSaid)), live, forms);
  const kept = encoded(definition, Object.fromEntries(values.filter((one) => !isSaid(one))), live, forms);
  // Of what the program leaves alone, the latest read counts.
  const whole = { ...kept, ...(await liveUnder(subject, part.over)), ...wantedBody };
  await send(subject, part.route, part.shape?.(whole) ?? whole);
  return Object.keys(changes).filter((name) => accepted.includes(name));
}

/** What is required and no read shows is empty. Null, of what reads show under another id: the console leaves it as it is. */
function unshownValue(definition: ResourceDefinition, route: Route, name: string): unknown {
  if (definition.fields[name]?.traits.readsOtherId) return null;
  return initialValue(definition, route, name);
}

/** The live object as the API shows it, members that nobody here knows among them. */
async function liveUnder({ context, definition, id }: Subject, over: string | undefined) {
  return over === undefined ? {} : shownBy(context, definition, over, id);
}

/** A field that is sent along with others. */
function keptValue(subject: Subject, name: string, accepted: readonly string[], changes: Changes): unknown {
  const { definition, program, live } = subject;
  if (program[name] !== undefined) return standingValue(subject, name);
  const traits = definition.fields[name]?.traits;
  // Of two forms of one value, the one that the program gives, or the first.
  const aliases = accepted.filter(
    (other) => traits?.aliasOf === other || definition.fields[other]?.traits.aliasOf === name,
  );
  if (aliases.some((alias) => alias in changes || program[alias] !== undefined)) return undefined;
  if (traits?.aliasOf !== undefined && live[traits.aliasOf] != null) return undefined;
  if (traits?.readsOtherId) return null;
  return standingValue(subject, name);
}

async function sendValue(
  subject: Subject,
  part: Extract<UpdateStrategy, { how: "value" }>,
  changes: Changes,
): Promise<string[]> {
  const { definition, live, program } = subject;
  const { field, beside = [] } = part;
  const names = [field, ...beside].filter((name) => name in changes);
  if (names.length === 0) return [];
  const { [wireName(definition, field)]: bare, ...others } = encoded(
    definition,
    { ...picked(program, [field, ...beside]), ...picked(changes, names) },
    live,
  );
  const value = beside.length === 0 ? bare : { ...(bare as JsonObject), ...others };
  try {
    await send(subject, part.route, value);
  } catch (error) {
    if (part.wrapOn400 === undefined || !isConsoleError(error, "refused") || error.status !== 400)
      throw error;
    // The published body is the bare value, and a client of the maker sends it wrapped; what it refuses twice is wrong in itself.
    await send(subject, part.route, { [part.wrapOn400]: value }).catch(() => Promise.reject(error));
  }
  return names;
}

async function sendMove(
  subject: Subject,
  part: Extract<UpdateStrategy, { how: "move" }>,
  changes: Changes,
): Promise<string[]> {
  const route = part.to[String(changes[part.field])];
  const applies = part.when === undefined || subject.live[part.when.field] === part.when.is;
  if (!(part.field in changes) || route === undefined || !applies) return [];
  const body =
    routeOf(subject.definition, route).body === undefined
      ? undefined
      : reasonBody(subject.definition, route, withReason(subject));
  await send(subject, route, body);
  return [part.field];
}
