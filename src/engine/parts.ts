import { acceptedFields, routeOf } from "../core/define";
import { bug, isConsoleError } from "../core/errors";
import { withIdentities } from "../core/identity";
import type { Changes } from "../core/plan";
import type { UpdateStrategy } from "../core/verbs";
import { routeTo } from "./context";
import { sendElement } from "./elements";
import { sendMachine } from "./machine";
import { reasonBody, type Subject, send, sendFields } from "./send";

/**
 * Sends what changed, part after part, each with the fewest fields that do it. Returns the names that no part can send.
 */
export async function sendChanges(subject: Subject, changes: Changes): Promise<string[]> {
  const left = new Map(Object.entries(changes));
  for (const part of subject.definition.lifecycle.update) {
    if (left.size === 0) break;
    for (const name of await sendPart(subject, part, Object.fromEntries(left))) left.delete(name);
  }
  return [...left.keys()];
}

/** Sends one part. Returns the names that it took care of. */
function sendPart(subject: Subject, part: UpdateStrategy, changes: Changes): Promise<string[]> {
  switch (part.how) {
    case "patch":
      return sendPatch(subject, part.route, changes);
    case "elements":
      return sendElement(subject, part, changes);
    case "put":
      return sendWhole(subject, part, changes);
    case "value":
      return sendValue(subject, part, changes);
    case "ids":
      return sendIds(subject, part, changes);
    case "move":
      return sendMove(subject, part, changes);
    case "machine":
      return sendMachine(subject, part, changes);
    default:
      throw bug(`${subject.definition.kind} has an unknown update strategy.`);
  }
}

async function sendPatch(subject: Subject, routeName: string, changes: Changes): Promise<string[]> {
  const accepted = acceptedFields(subject.definition, routeOf(subject.definition, routeName));
  const names = Object.keys(changes).filter((name) => accepted.includes(name));
  if (names.length > 0)
    await sendFields(subject, routeName, Object.fromEntries(names.map((name) => [name, changes[name]])));
  return names;
}

/** The whole object: what the program says, and of the live object only what the route cannot do without. */
async function sendWhole(
  subject: Subject,
  part: Extract<UpdateStrategy, { how: "put" }>,
  changes: Changes,
): Promise<string[]> {
  const { definition, wants, live } = subject;
  const route = routeOf(definition, part.route);
  const required = route.body !== undefined && "schema" in route.body ? [] : (route.body?.requires ?? []);
  const accepted = acceptedFields(definition, route).filter((name) => name !== definition.identity.argument);
  if (!(part.when ?? accepted).some((name) => name in changes)) return [];
  const values = accepted.flatMap((name): [string, unknown][] => {
    const value =
      name in changes ? changes[name] : (wants[name] ?? (required.includes(name) ? live[name] : undefined));
    return value === undefined ? [] : [[name, value]];
  });
  await sendFields(subject, part.route, Object.fromEntries(values));
  return Object.keys(changes).filter((name) => accepted.includes(name));
}

async function sendValue(
  subject: Subject,
  part: Extract<UpdateStrategy, { how: "value" }>,
  changes: Changes,
): Promise<string[]> {
  const { definition, live } = subject;
  if (!(part.field in changes)) return [];
  const value = withIdentities(definition, part.field, changes[part.field], live[part.field]);
  try {
    await send(subject, part.route, value);
  } catch (error) {
    if (part.wrapOn400 === undefined || !isConsoleError(error, "refused") || error.status !== 400)
      throw error;
    // The published body is the bare value, and a client of the maker sends it wrapped; what it refuses twice is wrong in itself.
    await send(subject, part.route, { [part.wrapOn400]: value }).catch(() => Promise.reject(error));
  }
  return [part.field];
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
      : reasonBody(subject.definition, route, subject.wants);
  await send(subject, route, body);
  return [part.field];
}

async function sendIds(
  subject: Subject,
  part: Extract<UpdateStrategy, { how: "ids" }>,
  changes: Changes,
): Promise<string[]> {
  const { live, definition } = subject;
  if (!(part.field in changes) || live[part.when.field] !== part.when.is) return [];
  const wanted = new Set(asTexts(changes[part.field]));
  const current = new Set(asTexts(live[part.field]));
  const steps = [
    { route: part.add, ids: [...wanted].filter((id) => !current.has(id)) },
    { route: part.remove, ids: [...current].filter((id) => !wanted.has(id)) },
  ];
  for (const { route, ids } of steps) {
    for (let from = 0; from < ids.length; from += part.chunk) {
      await whenIdle(subject, part);
      const { route: to, params } = routeTo(definition, route, subject.id);
      await subject.context.client.maybeItem(to, {
        params,
        body: { ids: ids.slice(from, from + part.chunk) },
      });
    }
  }
  await whenIdle(subject, part);
  subject.live = { ...subject.live, [part.field]: [...wanted] };
  return [part.field];
}

/** Longest wait for an id list to be applied: 60 looks, two seconds apart. */
const idleLooks = 60;
const idleEveryMs = 2000;

/** Waits until an earlier write of ids has been applied; the API answers 409 to a write before that. */
async function whenIdle(subject: Subject, part: Extract<UpdateStrategy, { how: "ids" }>): Promise<void> {
  if (part.busy === undefined) return;
  for (let look = 1; look <= idleLooks; look += 1) {
    const { route, params } = routeTo(subject.definition, part.busy.route, subject.id);
    const answer = await subject.context.client.item(route, { params });
    if (answer[part.busy.member] !== true) return;
    await subject.context.sleep(idleEveryMs);
  }
}

function asTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
