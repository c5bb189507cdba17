import { sameMeaning } from "../core/compare";
import { initialValue, type ResourceDefinition, routeOf } from "../core/define";
import { ConsoleError, isConsoleError } from "../core/errors";
import { adoptMember, resourceMember } from "../core/internal";
import { quote } from "../core/issue-text";
import type { JsonObject } from "../core/json";
import { createdFields, saidAtCreation } from "../core/machine";
import { managedNames } from "../core/managed";
import { calledBy, nameField, nameFor } from "../core/object-id";
import { changesOf } from "../core/plan";
import { fromWire, toWire } from "../core/wire-names";
import { type Finding, findClaim, findOnly } from "./claim";
import {
  type EngineContext,
  type JournalEntry,
  type Made,
  nameCalled,
  nameOf,
  PartialFailure,
  resourceIn,
} from "./context";
import { keepOneDuplicate } from "./duplicates";
import { answeredId } from "./identity";
import { nameTaken } from "./namesake";
import type { Attempt } from "./own";
import { ownerOf } from "./ownership";
import { fill } from "./part";
import { forgetPreview, refuseUnforeseen } from "./preview-notes";
import { observe } from "./read";
import { run } from "./run";
import { dryRun } from "./send";
import { take } from "./take";
import { reconcile } from "./update";

/** Most times that a create is sent whose answer was lost and of which nothing is there. */
const mostSends = 3;

/**
 * Creates an object, or continues what an earlier attempt began. Safe to call again after any failure.
 * @throws ConsoleError when nothing was made, PartialFailure when something was.
 */
export async function create(
  context: EngineContext,
  definition: ResourceDefinition,
  wants: JsonObject,
): Promise<Made> {
  const made = await createBy(context, definition, wants);
  await forgetPreview(context, definition, wants);
  return made;
}

async function createBy(
  context: EngineContext,
  definition: ResourceDefinition,
  wants: JsonObject,
): Promise<Made> {
  const strategy = definition.lifecycle.create;
  if (strategy.how === "run") return run(context, definition, strategy, wants);
  if (strategy.how === "claim") return claimOnly(context, definition, wants);
  const said = wants[adoptMember] ?? calledBy(definition, wants);
  const begin = () => createNew(context, definition, strategy, wants);
  return said === undefined ? begin() : context.ownership.inTurn(nameOf(definition, String(said)), begin);
}

type SendStrategy = Extract<ResourceDefinition["lifecycle"]["create"], { how: "send" }>;

/** True where a create looks before it sends: the console would say nothing, or the program takes something over. */
function looksFirst(strategy: SendStrategy, wants: JsonObject): boolean {
  return wants[adoptMember] !== undefined || wants.adopt === true || strategy.duplicates === "unstated";
}

async function createNew(
  context: EngineContext,
  definition: ResourceDefinition,
  strategy: SendStrategy,
  wants: JsonObject,
): Promise<Made> {
  const object = nameCalled(definition, wants);
  const entry = await context.journal?.find(object);
  let there: readonly string[] | undefined;
  if (looksFirst(strategy, wants)) {
    const finding = await findClaim(context, definition, wants, { lost: false, entry });
    const made = await take(context, definition, { finding, wants, entry });
    if (made !== undefined) {
      // Its create has had its object: another one that comes after it is no fruit of it.
      if (finding.evidence.origin === "this-stack" && entry?.made === undefined && entry !== undefined)
        await context.journal?.note(object, { ...entry, made: made.id });
      return made;
    }
    there = finding.there;
  }
  // An attempt of an earlier run may have made what this one finds.
  const isGone = entry?.made !== undefined && there?.includes(entry.made) === false;
  const earlier = entry?.did === "create" && isOfThis(entry, wants) && !isGone ? entry : undefined;
  const former = earlier === undefined ? entry : undefined;
  const noted = earlier ?? {
    at: context.now(),
    did: "create" as const,
    ...resourceIn(context, wants),
    ...(there === undefined ? {} : { there }),
  };
  if (earlier === undefined) await context.journal?.note(object, noted);
  try {
    const made = await sendUntilSettled(context, definition, strategy, wants, {
      entry: noted,
      earlier,
      former,
      there,
    });
    await context.journal?.note(object, { ...noted, made: made.id });
    return made;
  } catch (error) {
    const isMade = error instanceof PartialFailure;
    if (isMade) await context.journal?.note(object, { ...noted, made: error.id });
    // What surely was not made must not count for what somebody else makes later.
    else if (earlier === undefined && isConsoleError(error) && !error.uncertain)
      await (former === undefined ? context.journal?.drop(object) : context.journal?.note(object, former));
    throw error;
  }
}

function isOfThis({ resource }: JournalEntry, wants: JsonObject): boolean {
  return resource === undefined || wants[resourceMember] === undefined || resource === wants[resourceMember];
}

/** What was known before a create was sent. */
interface Before {
  readonly entry: JournalEntry;
  /** The note of a run that was interrupted, which this one goes by. */
  readonly earlier: JournalEntry | undefined;
  readonly former: JournalEntry | undefined;
  /** Ids of the objects that were there right before, where that was looked at. */
  readonly there: readonly string[] | undefined;
}

async function sendUntilSettled(
  context: EngineContext,
  definition: ResourceDefinition,
  strategy: SendStrategy,
  wants: JsonObject,
  before: Before,
): Promise<Made> {
  for (let sends = 1, lost = false; ; sends += 1) {
    try {
      return await sendNew(context, definition, strategy, wants, before);
    } catch (error) {
      if (!isConsoleError(error) || !(error.uncertain || error.category === "exists")) throw error;
      lost ||= error.uncertain;
      // A plain answer that the name is taken is no evidence, however lately nothing was there: another may just have taken it.
      const entry = lost ? before.entry : before.earlier;
      const former = before.former ?? entry;
      const finding = await findAfterSend(context, definition, wants, { ...before, entry, lost });
      const made = await take(context, definition, { finding, wants, entry: former, lost });
      if (made !== undefined) return made;
      if (error.category === "exists" && finding.found === undefined)
        throw nameTaken(definition, wants, error);
      // Where names may be taken twice, a request that is late after all would make a second one.
      if (sends >= mostSends || definition.identity.how === "server") throw error;
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
async function findAfterSend(
  context: EngineContext,
  definition: ResourceDefinition,
  wants: JsonObject,
  attempt: Attempt & Pick<Before, "there">,
): Promise<Finding> {
  for (let looks = 1; ; looks += 1) {
    try {
      const finding = await findClaim(context, definition, wants, attempt);
      const { found } = finding;
      const kept = found && (await keepOneDuplicate(context, definition, wants, attempt.there));
      if (kept !== undefined && kept !== found?.id) continue;
      if (found !== undefined || looks > 1) return finding;
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
  { there }: Before,
): Promise<Made> {
  if (strategy.fills) return fill(context, definition, wants);
  const route = routeOf(definition, strategy.route);
  const accepted = createdFields(definition, strategy.route);
  const values = accepted.flatMap((name): [string, unknown][] => {
    // A name left unmanaged by an adoption that found nothing is the key.
    const value =
      wants[name] ??
      (name === nameField ? nameFor(definition, wants) : undefined) ??
      initialValue(definition, route, name);
    return value === undefined || value === null ? [] : [[name, value]];
  });
  const body = toWire(definition, Object.fromEntries(values));
  if (wants.validate === true && route.dryRun) await dryRun(context, route, {}, body);
  const answer = await context.client.item(route, { body });
  const what = `${route.method} ${route.path}`;
  const { id: answered, sure } = answeredId(context, definition, answer, wants, what);
  const id = (await keepOneDuplicate(context, definition, wants, there)) ?? answered;
  const live = sure
    ? fromWire(definition, answer)
    : await verifyCreated(context, definition, id, wants, what);
  // Before it is settled, too: another resource of the same key may look meanwhile and find what is its own in every part.
  context.ownership.claim(nameOf(definition, id), ownerOf(wants));
  return settle(context, definition, { id, live }, wants, saidAtCreation(definition, strategy.route));
}

/** The object of an id that the console generated, or that is not the expected one: it must have the name that was sent. */
async function verifyCreated(
  context: EngineContext,
  definition: ResourceDefinition,
  id: string,
  wants: JsonObject,
  what: string,
): Promise<JsonObject> {
  let cause: unknown;
  const live = await observe(context, definition, id, managedNames(definition, wants)).catch((error) => {
    if (!isConsoleError(error)) throw error;
    cause = error;
  });
  if (live && sameMeaning(definition, nameField, live[nameField], nameFor(definition, wants))) return live;
  throw new ConsoleError(
    `${what} succeeded and answered the id ${quote(id)}, under which what was sent cannot be read. Run the same command again.`,
    { category: "unexpected-answer", uncertain: true },
    { cause },
  );
}

/** Takes over the one object of its kind that every project has. */
async function claimOnly(
  context: EngineContext,
  definition: ResourceDefinition,
  wants: JsonObject,
): Promise<Made> {
  const id = String(calledBy(definition, wants));
  const object = nameOf(definition, id);
  const { resource } = ownerOf(wants);
  if (context.ownership.ownedBy(object, resource) === "another") throw heldByAnother(definition, id);
  const finding = await findOnly(context, definition, wants);
  if (finding.found === undefined) throw nothingThere(definition, id);
  await refuseUnforeseen(context, definition, finding, wants);
  const { live } = finding.found;
  context.ownership.claim(object, ownerOf(wants));
  return { id, live: await reconcile(context, definition, { id, wants, state: {} }, live) };
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
      if (isConsoleError(error)) throw new PartialFailure(made.id, live, error);
      throw error;
    }
  }
  return { id: made.id, live: await reconcile(context, definition, { id: made.id, wants, state }, live) };
}

function heldByAnother(definition: ResourceDefinition, id: string): ConsoleError {
  return new ConsoleError(
    `${nameOf(definition, id)} belongs to another resource of this program already. Every project has one: remove one of the two.`,
    { category: "exists" },
  );
}

function nothingThere(definition: ResourceDefinition, id: string): ConsoleError {
  return new ConsoleError(`The console has no ${nameOf(definition, id)}.`, { category: "not-found" });
}
