import { type ResourceDefinition, routeOf } from "../core/define";
import { ConsoleError, isConsoleError } from "../core/errors";
import type { JsonObject } from "../core/json";
import { createdFields } from "../core/machine";
import { managedNames } from "../core/managed";
import { changesOf } from "../core/plan";
import { fromWire, toWire } from "../core/wire-names";
import { declaredTwice, existing } from "./adopt";
import { type EngineContext, type Made, nameOf, Unfinished } from "./context";
import { type Found, look } from "./look";
import { observe } from "./read";
import { run } from "./run";
import { dryRun } from "./send";
import { bringInLine } from "./update";

/** Most times that a create is sent whose answer was lost and of which nothing is there. */
const mostSends = 3;

/**
 * Creates an object, or continues what an earlier attempt began. Safe to call again after any failure.
 * @throws ConsoleError when nothing was made, Unfinished when something was.
 */
export async function create(
  context: EngineContext,
  definition: ResourceDefinition,
  wants: JsonObject,
): Promise<Made> {
  const strategy = definition.lifecycle.create;
  if (strategy.how === "run") return run(context, definition, strategy, wants);
  const made = await (strategy.how === "claim"
    ? claim(context, definition, strategy.id, wants)
    : createNew(context, definition, strategy, wants));
  context.owned.add(nameOf(definition, made.id));
  return made;
}

type SendStrategy = Extract<ResourceDefinition["lifecycle"]["create"], { how: "send" }>;

async function createNew(
  context: EngineContext,
  definition: ResourceDefinition,
  strategy: SendStrategy,
  wants: JsonObject,
): Promise<Made> {
  const imported = typeof wants.__adopt === "string" ? wants.__adopt : undefined;
  const looksFirst = imported !== undefined || wants.adopt === true || strategy.duplicates === "unstated";
  if (looksFirst) {
    const found = await look(context, definition, wants);
    const made = found && (await existing(context, definition, { ...found, wants, mine: false }));
    if (made !== undefined) return made;
    if (imported !== undefined && found === undefined) throw nothingToImport(definition, imported);
  }
  return sendUntilSettled(context, definition, strategy, wants, looksFirst);
}

/** `wasAbsent`: a look right before found nothing, so that what is there now and as sent is this create's, delivered twice. */
async function sendUntilSettled(
  context: EngineContext,
  definition: ResourceDefinition,
  strategy: SendStrategy,
  wants: JsonObject,
  wasAbsent: boolean,
): Promise<Made> {
  for (let sends = 1, mine = wasAbsent; ; sends += 1) {
    try {
      return await sendNew(context, definition, strategy, wants);
    } catch (error) {
      if (!isConsoleError(error) || !(error.uncertain || error.category === "exists")) throw error;
      mine ||= error.uncertain;
      const found = await lookAfterSend(context, definition, wants, mine);
      const made = found && (await existing(context, definition, { ...found, wants, mine }));
      if (made !== undefined) return made;
      if (error.category === "exists" && found === undefined) throw nameTaken(definition, wants, error);
      if (sends >= mostSends) throw error;
    }
  }
}

/** Most looks after a send, and the time between two. */
const mostLooks = 3;
const betweenLooksMs = 1000;

/**
 * Looks for what a send left behind. Only this run knows that it sent: it does not give up at the first look that fails,
 * nor believe the first one that finds nothing, because the request may still be on its way.
 */
async function lookAfterSend(
  context: EngineContext,
  definition: ResourceDefinition,
  wants: JsonObject,
  mine: boolean,
): Promise<Found | undefined> {
  for (let looks = 1; ; looks += 1) {
    try {
      const found = await look(context, definition, wants, mine);
      if (found !== undefined || looks > 1) return found;
    } catch (error) {
      if (!isConsoleError(error) || !error.uncertain || looks >= mostLooks) throw error;
    }
    await context.sleep(betweenLooksMs);
  }
}

async function sendNew(
  context: EngineContext,
  definition: ResourceDefinition,
  strategy: SendStrategy,
  wants: JsonObject,
): Promise<Made> {
  const route = routeOf(definition, strategy.route);
  const accepted = createdFields(definition, strategy.route);
  const values = accepted.flatMap((name): [string, unknown][] => {
    // A name left unmanaged by an adoption that found nothing is the key.
    const value = wants[name] ?? (name === "name" ? wants.key : undefined);
    return value === undefined || value === null ? [] : [[name, value]];
  });
  const body = toWire(definition, Object.fromEntries(values));
  if (wants.validate === true && route.dryRun) await dryRun(context, route, {}, body);
  const answer = await context.client.item(route, { body });
  const id = answer[definition.identity.answers];
  if (typeof id !== "string" || id === "") {
    const message = `${route.method} ${route.path} succeeded, but its answer names no ${definition.identity.answers}.`;
    throw new ConsoleError(message, { category: "unexpected-answer", uncertain: true });
  }
  // At once, not when all is settled: a second resource of the same name may be looking at this very moment.
  context.owned.add(nameOf(definition, id));
  return settle(context, definition, { id, live: fromWire(definition, answer) }, wants, accepted);
}

/** Takes over the one object of its kind that every project has. */
async function claim(
  context: EngineContext,
  definition: ResourceDefinition,
  id: string,
  wants: JsonObject,
): Promise<Made> {
  if (context.owned.has(nameOf(definition, id))) throw declaredTwice(definition, id);
  const live = await observe(context, definition, id, managedNames(definition, wants));
  if (live === undefined) throw nothingToImport(definition, id);
  return { id, live: await bringInLine(context, definition, { id, wants, state: {} }, live) };
}

/** Sends what the create route does not take. A field that was sent and is not in the answer is looked at first. */
async function settle(
  context: EngineContext,
  definition: ResourceDefinition,
  made: Made,
  wants: JsonObject,
  sent: string[],
): Promise<Made> {
  // What was sent and no read shows has been said.
  const state = Object.fromEntries(sent.map((name) => [name, wants[name]]));
  const open = Object.keys(changesOf(definition, made.live, wants, [], state));
  let live = made.live;
  if (open.some((name) => sent.includes(name))) {
    try {
      live = (await observe(context, definition, made.id, managedNames(definition, wants))) ?? live;
    } catch (error) {
      if (isConsoleError(error)) throw new Unfinished(made.id, live, error);
      throw error;
    }
  }
  return { id: made.id, live: await bringInLine(context, definition, { id: made.id, wants, state }, live) };
}

function nothingToImport(definition: ResourceDefinition, id: string): ConsoleError {
  return new ConsoleError(
    `There is no ${nameOf(definition, id)} to import. Correct the id, or remove the import option to create a new one.`,
    { category: "not-found" },
  );
}

function nameTaken(definition: ResourceDefinition, wants: JsonObject, error: ConsoleError): ConsoleError {
  return new ConsoleError(
    `The name ${JSON.stringify(wants.name ?? wants.key)} belongs to another ${definition.title}, under another id; it may be an archived one. ` +
      "Choose another name, or use the id of that object as the key and set adopt: true.",
    { category: "exists" },
    { cause: error },
  );
}
