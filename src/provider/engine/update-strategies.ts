import type { Changes } from "../decisions/plan";
import { acceptedFields, initialValue, routeOf, wireName } from "../schema/define";
import { bug } from "../schema/errors";
import { givenIn, type JsonObject, membersOf, picked } from "../schema/json";
import { programIdArgument } from "../schema/object-id";
import type { UpdateStrategy } from "../schema/verbs";
import { canonicalLive } from "../values/compare";
import { viewOf } from "../values/managed";
import { completeFromLive } from "../values/sparse-values";
import { withUnmanaged } from "../values/unmanaged";
import { sendElement } from "./elements";
import { sendIds } from "./ids";
import { shownBy } from "./read";
import { sendRotation } from "./rotate";
import {
  encoded,
  failed,
  formsFor,
  reasonBody,
  type Sent,
  send,
  sendFields,
  type WriteTarget,
  withReason,
} from "./send";
import { sendMachine } from "./transitions";

/** Sends the changes, one strategy after another, each with the fewest fields. `names`: those that no strategy takes. */
export async function sendChanges(start: WriteTarget, changes: Changes): Promise<Sent> {
  const left = new Map(Object.entries(changes));
  let target = start;
  for (const part of start.definition.lifecycle.update) {
    if (left.size === 0 || target.failure !== undefined || target.waiting !== undefined) break;
    const before = target;
    const sent = await sendByStrategy(before, part, Object.fromEntries(left)).catch(
      (error): Sent => ({
        target: failed(before, error),
        names: [],
      }),
    );
    target = sent.target;
    for (const name of sent.names) left.delete(name);
  }
  return { target, names: [...left.keys()] };
}

type Part<How> = Extract<UpdateStrategy, { how: How }>;

async function sendByStrategy(target: WriteTarget, part: UpdateStrategy, changes: Changes): Promise<Sent> {
  switch (part.how) {
    case "patch":
      return sendPatch(target, part.route, changes);
    case "elements":
      // A review takes the whole list.
      return target.reviews?.opens ? { target, names: [] } : sendElement(target, part, changes);
    case "put":
      return sendWhole(target, part, changes);
    case "value":
      return sendValue(target, part, changes);
    case "ids":
      return sendIds(target, part, changes);
    case "move":
      return sendMove(target, part, changes);
    case "rotate":
      return sendRotation(target, part, changes);
    case "machine":
      return sendMachine(target, part, changes);
    default:
      throw bug(`${target.definition.kind} has an unknown update strategy.`);
  }
}

async function sendPatch(target: WriteTarget, routeName: string, changes: Changes): Promise<Sent> {
  const { definition } = target;
  const accepted = acceptedFields(definition, routeOf(definition, routeName));
  const names = Object.keys(changes).filter((name) => accepted.includes(name));
  if (names.length === 0) return { target, names };
  const always = accepted.filter((name) => definition.fields[name]?.traits.always && !(name in changes));
  const standing = givenIn(membersOf(always, (name) => standingValue(target, name)));
  const values = { ...picked(changes, names), ...standing };
  return { target: await sendFields(target, routeName, values), names };
}

/** A field as the program says it, else as it is. */
function standingValue({ definition, program, live }: WriteTarget, name: string): unknown {
  const now = viewOf(definition, live)[name];
  if (program[name] === undefined) return canonicalLive(definition, name, now);
  const value = completeFromLive(definition, name, { program: program[name], live: now });
  return withUnmanaged(definition, { [name]: value }, { live, program })[name];
}

/** The whole object: what the program says, and all else as it is, because what is left out is dropped. */
async function sendWhole(target: WriteTarget, part: Part<"put">, changes: Changes): Promise<Sent> {
  const { definition, program, live } = target;
  const route = routeOf(definition, part.route);
  const required = route.body !== undefined && "schema" in route.body ? [] : (route.body?.requires ?? []);
  const accepted = acceptedFields(definition, route).filter((name) => name !== programIdArgument(definition));
  if (!(part.when ?? accepted).some((name) => name in changes)) return { target, names: [] };
  const values = accepted.flatMap((name): [string, unknown][] => {
    // A required value that no read shows is empty. Null, of one that reads show under another id: the console leaves it as it is.
    const unshown = () =>
      definition.fields[name]?.traits.readsOtherId ? null : initialValue(definition, route, name);
    const kept = () => keptValue(target, name, accepted, changes) ?? unshown();
    const value = name in changes ? changes[name] : kept();
    if (value === undefined) return [];
    return value === null && !required.includes(name) && !(name in changes) ? [] : [[name, value]];
  });
  const isSaid = ([name]: [string, unknown]) => name in changes || program[name] !== undefined;
  const forms = formsFor(target);
  const wantedBody = encoded(definition, Object.fromEntries(values.filter(isSaid)), live, forms);
  const kept = encoded(definition, Object.fromEntries(values.filter((one) => !isSaid(one))), live, forms);
  const over = part.over === undefined ? {} : await shownBy(target, part.over);
  // Of what the program leaves alone, the latest read counts.
  const whole = { ...kept, ...over, ...wantedBody };
  const names = Object.keys(changes).filter((name) => accepted.includes(name));
  return { target: await send(target, part.route, part.shape?.(whole) ?? whole), names };
}

/** A field that is sent along with others. */
function keptValue(
  target: WriteTarget,
  name: string,
  accepted: readonly string[],
  changes: Changes,
): unknown {
  const { definition, program, live } = target;
  if (program[name] !== undefined) return standingValue(target, name);
  const traits = definition.fields[name]?.traits;
  // Of two forms of one value, the one that the program gives, or the first.
  const aliases = accepted.filter(
    (other) => traits?.aliasOf === other || definition.fields[other]?.traits.aliasOf === name,
  );
  if (aliases.some((alias) => alias in changes || program[alias] !== undefined)) return undefined;
  if (traits?.aliasOf !== undefined && live[traits.aliasOf] != null) return undefined;
  if (traits?.readsOtherId) return null;
  return standingValue(target, name);
}

async function sendValue(target: WriteTarget, part: Part<"value">, changes: Changes): Promise<Sent> {
  const { definition, live, program } = target;
  const { field, beside = [] } = part;
  const names = [field, ...beside].filter((name) => name in changes);
  if (names.length === 0) return { target, names };
  const { [wireName(definition, field)]: bare, ...others } = encoded(
    definition,
    { ...picked(program, [field, ...beside]), ...picked(changes, names) },
    live,
  );
  const value = beside.length === 0 ? bare : { ...(bare as JsonObject), ...others };
  const sent = await send(target, part.route, value);
  const { failure } = sent;
  if (part.wrapOn400 === undefined || failure?.category !== "refused" || failure.status !== 400)
    return { target: sent, names };
  // The published body is the bare value, and a client of the maker sends it wrapped; what it refuses twice is wrong in itself.
  const wrapped = await send(target, part.route, { [part.wrapOn400]: value });
  return { target: wrapped.failure === undefined ? wrapped : sent, names };
}

async function sendMove(target: WriteTarget, part: Part<"move">, changes: Changes): Promise<Sent> {
  const { definition, live } = target;
  const route = part.to[String(changes[part.field])];
  const applies = part.when === undefined || live[part.when.field] === part.when.is;
  if (!(part.field in changes) || route === undefined || !applies) return { target, names: [] };
  const body =
    routeOf(definition, route).body === undefined
      ? undefined
      : reasonBody(definition, route, withReason(target));
  return { target: await send(target, route, body), names: [part.field] };
}
