import { changesOf } from "../decisions/plan";
import { canBeRenamed, hasSameName, type Replaced } from "../decisions/replacement-order";
import { initialValue, type ResourceDefinition, routeOf } from "../schema/define";
import { ConsoleError, isConsoleError } from "../schema/errors";
import { adoptMember } from "../schema/internal";
import type { JsonObject } from "../schema/json";
import { addressIn, expectedId, nameField, nameFor, programId } from "../schema/object-id";
import { fromWire, toWire } from "../schema/wire-names";
import { quote } from "../texts/issue-text";
import { sameMeaning } from "../values/compare";
import { createdFields, sentAtCreation } from "../values/machine";
import { managedNames } from "../values/managed";
import { answeredId } from "./claims/answered-object";
import { type BeforeSend, isOfThisResource, journalled, newEntry, noteMade } from "./claims/create-journal";
import { type Finding, findClaim, findSingletonClaim } from "./claims/evidence";
import { refuseDuplicateOf } from "./claims/existing-object";
import { createUnderName, type FreeName, type Making } from "./claims/free-name";
import { nameTaken } from "./claims/name-conflict";
import type { Attempt } from "./claims/origin";
import { refusalFor } from "./claims/refusal";
import { takeOver } from "./claims/takeover";
import { type CreatedObject, type EngineContext, nameOf, objectLabel, PartialFailure } from "./context";
import { converge } from "./converge";
import { reportTakeover } from "./edits/announcement";
import { fillPart } from "./object-part";
import { ownerOf } from "./ownership";
import { readLive } from "./read";
import { respecting } from "./reviews/mode";
import { runAction } from "./run-action";
import { dryRun } from "./send";

/** Most times that a create is sent whose answer was lost and of which nothing is there. */
const mostSends = 3;

/**
 * Creates an object, or continues what an earlier attempt began. Safe to call again after any failure. `replaced`: the object
 * that goes once this one is there.
 * @throws ConsoleError when nothing was made, PartialFailure when something was.
 */
export async function create(
  given: EngineContext,
  definition: ResourceDefinition,
  program: JsonObject,
  replaced?: Replaced,
): Promise<CreatedObject> {
  const context = respecting(given, program);
  const strategy = definition.lifecycle.create;
  if (strategy.how === "run") return runAction(context, definition, strategy, program);
  if (strategy.how === "claim") return claimSingleton(context, definition, program);
  const called = program[adoptMember] ?? programId(definition, program);
  const begin = () => createNew(context, definition, strategy, program, replaced);
  return called === undefined ? begin() : context.ownership.inTurn(nameOf(definition, String(called)), begin);
}

type SendStrategy = Extract<ResourceDefinition["lifecycle"]["create"], { how: "send" }>;

/** True where a create reads before it sends: the console would not refuse a duplicate, or the program takes something over. */
function readsBeforeCreate(strategy: SendStrategy, program: JsonObject): boolean {
  return program[adoptMember] !== undefined || program.adopt === true || strategy.duplicates === "unstated";
}

/** Takes over what exists, where the create reads first; else sends. */
async function createNew(
  context: EngineContext,
  definition: ResourceDefinition,
  strategy: SendStrategy,
  program: JsonObject,
  replaced: Replaced | undefined,
): Promise<CreatedObject> {
  const object = objectLabel(definition, program);
  const entry = await context.journal.find(object);
  const beside = replaced === undefined ? {} : { replacedId: replaced.id };
  const isUnderName =
    replaced !== undefined && canBeRenamed(definition) && hasSameName(definition, replaced, program);
  const underName = <Made extends CreatedObject | undefined>(make: Making<Made>): Promise<Made> =>
    isUnderName ? createUnderName(context, definition, replaced, make) : make();
  let existingIds: readonly string[] | undefined;
  if (readsBeforeCreate(strategy, program)) {
    const finding = await findClaim(context, definition, program, { lost: false, entry, ...beside });
    const made = await underName((freeName) =>
      takeOver(context, definition, { finding, program, entry, freeName }),
    );
    if (made !== undefined) {
      // Its create has made its object: another one that comes after it was made by somebody else.
      if (finding.evidence.origin === "this-stack" && entry?.made === undefined && entry !== undefined)
        await noteMade(context, { definition, object }, entry, made);
      return made;
    }
    existingIds = finding.existingIds;
  }
  // An attempt of an earlier run may have made what this one finds.
  const isGone =
    entry?.made !== undefined && (entry.made === replaced?.id || existingIds?.includes(entry.made) === false);
  const isContinued = entry?.did === "create" && isOfThisResource(entry, program) && !isGone;
  const before: BeforeSend = {
    entry: isContinued ? entry : newEntry(context, program, existingIds),
    earlier: isContinued ? entry : undefined,
    former: isContinued ? undefined : entry,
    ...beside,
  };
  return journalled(context, { definition, object }, before, async () => {
    const made = await underName((freeName) =>
      sendUntilCreated(context, definition, strategy, program, { ...before, freeName }),
    );
    await refuseDuplicateOf(context, definition, program, existingIds, made);
    return made;
  });
}

interface Sending extends BeforeSend {
  readonly freeName?: FreeName | undefined;
}

async function sendUntilCreated(
  context: EngineContext,
  definition: ResourceDefinition,
  strategy: SendStrategy,
  program: JsonObject,
  { freeName, ...before }: Sending,
): Promise<CreatedObject> {
  for (let sends = 1, lost = false; ; sends += 1) {
    try {
      return await sendNew(context, definition, strategy, program);
    } catch (error) {
      if (!isConsoleError(error) || !(error.uncertain || error.category === "exists")) throw error;
      lost ||= error.uncertain;
      // A plain answer that the name is taken is no evidence, however lately nothing was there: another may just have taken it.
      const entry = lost ? before.entry : before.earlier;
      const former = before.former ?? entry;
      const finding = await findAfterSend(context, definition, program, { ...before, entry, lost });
      const made = await takeOver(context, definition, { finding, program, entry: former, lost, freeName });
      if (made !== undefined) return made;
      if (error.category === "exists" && finding.found === undefined) {
        if ((await freeName?.()) === true) continue;
        throw nameTaken(definition, program, error);
      }
      // If names may be taken twice, a late request would make a second object.
      if (sends >= mostSends || definition.identity.how === "server") throw error;
    }
  }
}

/** Most searches after a send, and the time between two. */
const mostAttempts = 3;
const betweenAttemptsMs = 1000;

/**
 * Searches for what a send left behind. Only this run knows that it sent: it does not give up at the first search that fails,
 * nor trust the first one that finds nothing, because the request may still be on its way.
 */
async function findAfterSend(
  context: EngineContext,
  definition: ResourceDefinition,
  program: JsonObject,
  attempt: Attempt,
): Promise<Finding> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      const finding = await findClaim(context, definition, program, attempt);
      if (finding.found !== undefined || attempts > 1) return finding;
    } catch (error) {
      if (!isConsoleError(error) || !error.uncertain || attempts >= mostAttempts) throw error;
    }
    await context.sleep(betweenAttemptsMs);
  }
}

async function sendNew(
  context: EngineContext,
  definition: ResourceDefinition,
  strategy: SendStrategy,
  program: JsonObject,
): Promise<CreatedObject> {
  if (strategy.fills) return fillPart(context, definition, program);
  const route = routeOf(definition, strategy.route);
  const body = createBody(definition, strategy, program);
  if (program.validate === true && route.dryRun) await dryRun(context, route, {}, body);
  const answer = await context.client.item(route, { body });
  const what = `${route.method} ${route.path}`;
  const { id, sure } = answeredId(context, definition, answer, program, what);
  // The answer need not repeat what leads to the object.
  const live = sure
    ? { ...fromWire(definition, answer), ...addressIn(definition, id) }
    : await verifyCreated(context, definition, id, program, what);
  // Before it is complete, too: another resource of the same key may search meanwhile and take it for its own.
  context.ownership.claim(nameOf(definition, id), ownerOf(program));
  return completeCreate(
    context,
    definition,
    { id, live },
    program,
    sentAtCreation(definition, strategy.route),
  );
}

/** Body of the create route, under the API's names. */
function createBody(
  definition: ResourceDefinition,
  { route: name }: SendStrategy,
  program: JsonObject,
): JsonObject {
  const route = routeOf(definition, name);
  const values = createdFields(definition, name).flatMap((field): [string, unknown][] => {
    // A name left unmanaged by an adoption that found nothing is the key.
    const value =
      program[field] ??
      (field === nameField ? nameFor(definition, program) : undefined) ??
      initialValue(definition, route, field);
    return value === undefined || value === null ? [] : [[field, value]];
  });
  return toWire(definition, Object.fromEntries(values));
}

/** The object of an id that the console generated, or that is not the expected one: it must have the name that was sent. */
async function verifyCreated(
  context: EngineContext,
  definition: ResourceDefinition,
  id: string,
  program: JsonObject,
  what: string,
): Promise<JsonObject> {
  let cause: unknown;
  const live = await readLive(context, definition, id, managedNames(definition, program)).catch((error) => {
    if (!isConsoleError(error)) throw error;
    cause = error;
  });
  if (live && sameMeaning(definition, nameField, live[nameField], nameFor(definition, program))) return live;
  throw new ConsoleError(
    `${what} succeeded and answered the id ${quote(id)}, under which what was sent cannot be read. Run the same command again.`,
    { category: "unexpected-answer", uncertain: true },
    { cause },
  );
}

/** Takes over the one object of its kind that there always is. */
async function claimSingleton(
  context: EngineContext,
  definition: ResourceDefinition,
  program: JsonObject,
): Promise<CreatedObject> {
  const id = String(expectedId(definition, program));
  const object = nameOf(definition, id);
  const { resource } = ownerOf(program);
  if (context.ownership.ownedBy(object, resource) === "another")
    throw new ConsoleError(
      `${object} belongs to another resource of this program already. The console has one of it: remove one of the two.`,
      { category: "exists" },
    );
  const finding = await findSingletonClaim(context, definition, program);
  if (finding.found === undefined)
    throw new ConsoleError(`The console has no ${object}.`, { category: "not-found" });
  const { live } = finding.found;
  context.ownership.claim(object, ownerOf(program));
  reportTakeover(context, definition, finding, program);
  return { id, live: await converge(context, definition, { id, program, state: {} }, live) };
}

/** Sends what the create route does not take. A field that was sent and is not in the answer is read first. */
async function completeCreate(
  context: EngineContext,
  definition: ResourceDefinition,
  made: CreatedObject,
  program: JsonObject,
  sent: string[],
): Promise<CreatedObject> {
  // A sent value that no read shows counts as applied.
  const state = Object.fromEntries(sent.map((name) => [name, program[name]]));
  const open = Object.keys(changesOf(definition, { program, live: made.live, seen: state }));
  let live = made.live;
  if (open.some((name) => sent.includes(name))) {
    try {
      live = (await readLive(context, definition, made.id, managedNames(definition, program))) ?? live;
    } catch (error) {
      if (isConsoleError(error)) throw new PartialFailure(made.id, live, error);
      throw error;
    }
  }
  return { id: made.id, live: await converge(context, definition, { id: made.id, program, state }, live) };
}

/**
 * Object that a create would find in its place if it ran now, and the refusal to take it. Changes nothing: it is
 * for previews, and asks of the console what the create would ask once the console says that the key is taken.
 * @param replacedId id of the object that goes for it
 */
export async function findForCreate(
  context: EngineContext,
  definition: ResourceDefinition,
  program: JsonObject,
  replacedId?: string,
): Promise<{ readonly finding: Finding; readonly refusal?: ConsoleError }> {
  const { create: strategy } = definition.lifecycle;
  if (strategy.how === "claim") return { finding: await findSingletonClaim(context, definition, program) };
  const noted = await context.journal.find(objectLabel(definition, program));
  // The entry of the old object is no evidence of the new one.
  const entry = replacedId !== undefined && noted?.made === replacedId ? undefined : noted;
  const isOwn = entry?.did === "create" && isOfThisResource(entry, program);
  const reads = strategy.how === "send" && readsBeforeCreate(strategy, program);
  const attempt =
    reads || isOwn || replacedId !== undefined ? { entry } : { entry: undefined, former: entry };
  const beside = replacedId === undefined ? {} : { replacedId };
  const finding = await findClaim(context, definition, program, { lost: false, ...attempt, ...beside });
  const { claim } = finding;
  if (claim.act !== "refuse") return { finding };
  return { finding, refusal: refusalFor(definition, { finding, program, entry }, claim.reason) };
}
