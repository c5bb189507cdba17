import { takesOver } from "../decisions/claim";
import { changesOf } from "../decisions/plan";
import { canBeRenamed, hasSameName, type Replaced } from "../decisions/replacement-order";
import { initialValue, type ResourceDefinition, routeOf } from "../schema/define";
import { ConsoleError, isConsoleError, objectNotFound } from "../schema/errors";
import { adoptMember } from "../schema/internal";
import { givenIn, type JsonObject, membersOf, picked } from "../schema/json";
import { addressIn, expectedId, nameField, nameFor, programId } from "../schema/object-id";
import { fromWire, toWire } from "../schema/wire-names";
import { quote } from "../texts/issue-text";
import { sameMeaning } from "../values/compare";
import { createdFields, sentAtCreation } from "../values/machine";
import { managedNames } from "../values/managed";
import { answeredId } from "./claims/answered-object";
import { journalled, newEntry, noteMade, type Sending } from "./claims/create-journal";
import { type Finding, findClaim } from "./claims/evidence";
import { refuseDuplicateOf } from "./claims/existing-object";
import { createUnderName } from "./claims/free-name";
import { nameTaken } from "./claims/name-conflict";
import { type Creating, type FreeName, isOfThisResource } from "./claims/origin";
import { refusalFor } from "./claims/refusal";
import { takeOver } from "./claims/takeover";
import { type CreatedObject, nameOf, objectLabel, PartialFailure } from "./context";
import { converge } from "./converge";
import { fillPart } from "./object-part";
import { ownerOf } from "./ownership";
import { readLive } from "./read";
import { respecting } from "./reviews/mode";
import { runAction } from "./run-action";
import { dryRun } from "./send";
import type { DeclaredObject, LiveObject, ObjectHere } from "./subject";

/** Most times that a create is sent whose answer was lost and of which nothing is there. */
const mostSends = 3;

/**
 * Creates an object, or continues what an earlier attempt began. Safe to call again after any failure. `replaced`: the object
 * that goes once this one is there.
 * @throws ConsoleError when nothing was made, PartialFailure when something was.
 */
export async function create(given: DeclaredObject, replaced?: Replaced): Promise<CreatedObject> {
  const { definition, program } = given;
  const declared = { ...given, context: respecting(given.context, program) };
  const { context } = declared;
  const strategy = definition.lifecycle.create;
  if (strategy.how === "run") return runAction(declared, strategy);
  const called = program[adoptMember] ?? programId(definition, program);
  const isUnderName =
    replaced !== undefined && canBeRenamed(definition) && hasSameName(definition, replaced, program);
  const begin = (freeName?: FreeName) => createNew({ ...declared, replacedId: replaced?.id, freeName });
  const work = () => (isUnderName ? createUnderName({ context, definition, ...replaced }, begin) : begin());
  return called === undefined ? work() : context.ownership.inTurn(nameOf(definition, String(called)), work);
}

type CreateStrategy = ResourceDefinition["lifecycle"]["create"];
type SendStrategy = Extract<CreateStrategy, { how: "send" }>;

/** True where a create reads before it sends: the console would not refuse a duplicate, or the program takes something over. */
function readsBeforeCreate(strategy: CreateStrategy, program: JsonObject): boolean {
  const isUnrefused =
    strategy.how === "claim" || (strategy.how === "send" && strategy.duplicates === "unstated");
  return isUnrefused || takesOver(program);
}

/** Takes over what exists, where the create reads first; else sends. */
async function createNew(
  declared: DeclaredObject & Pick<Creating, "replacedId" | "freeName">,
): Promise<CreatedObject> {
  const { context, definition, program, replacedId } = declared;
  const strategy = definition.lifecycle.create;
  const entry = await context.journal.find(objectLabel(definition, program));
  const creating = { ...declared, lost: false, entry };
  let existingIds: readonly string[] | undefined;
  if (readsBeforeCreate(strategy, program)) {
    const finding = await findClaim(creating);
    const made = await takeOver(creating, finding);
    if (made !== undefined) {
      // Its create has made its object: another one that comes after it was made by somebody else.
      if (finding.evidence.origin === "this-stack" && entry?.made === undefined && entry !== undefined)
        await noteMade(creating, entry, made);
      return made;
    }
    existingIds = finding.existingIds;
  }
  if (strategy.how !== "send") {
    const object = nameOf(definition, String(expectedId(definition, program)));
    throw objectNotFound(`The console has no ${object}.`);
  }
  // An attempt of an earlier run may have made what this one finds.
  const isGone =
    entry?.made !== undefined && (entry.made === replacedId || existingIds?.includes(entry.made) === false);
  const isContinued = entry?.did === "create" && isOfThisResource(entry, program) && !isGone;
  const sending: Sending = isContinued
    ? { ...creating, entry, earlier: entry }
    : {
        ...creating,
        entry: newEntry(creating, "create", existingIds === undefined ? {} : { there: existingIds }),
        earlier: undefined,
        former: entry,
      };
  return journalled(sending, async () => {
    const made = await sendUntilCreated(sending, strategy);
    await refuseDuplicateOf(sending, existingIds, made);
    return made;
  });
}

async function sendUntilCreated(sending: Sending, strategy: SendStrategy): Promise<CreatedObject> {
  const { definition, program, earlier, freeName } = sending;
  for (let sends = 1, lost = false; ; sends += 1) {
    try {
      return await sendNew(sending, strategy);
    } catch (error) {
      if (!isConsoleError(error) || !(error.uncertain || error.category === "exists")) throw error;
      lost ||= error.uncertain;
      // A plain answer that the name is taken is no evidence, however lately nothing was there: another may just have taken it.
      const attempt = { ...sending, lost, entry: lost ? sending.entry : earlier };
      const finding = await findAfterSend(attempt);
      const made = await takeOver(attempt, finding);
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
async function findAfterSend(attempt: Creating): Promise<Finding> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      const finding = await findClaim(attempt);
      if (finding.found !== undefined || attempts > 1) return finding;
    } catch (error) {
      if (!isConsoleError(error) || !error.uncertain || attempts >= mostAttempts) throw error;
    }
    await attempt.context.sleep(betweenAttemptsMs);
  }
}

async function sendNew(declared: DeclaredObject, strategy: SendStrategy): Promise<CreatedObject> {
  const { context, definition, program } = declared;
  if (strategy.fills) return fillPart(declared);
  const route = routeOf(definition, strategy.route);
  const body = createBody(declared, strategy);
  if (program.validate === true && route.dryRun) await dryRun(context, route, {}, body);
  const answer = await context.client.item(route, { body });
  const what = `${route.method} ${route.path}`;
  const { id, sure } = answeredId(declared, answer, what);
  // The answer need not repeat what leads to the object.
  const live = sure
    ? { ...fromWire(definition, answer), ...addressIn(definition, id) }
    : await verifyCreated({ ...declared, id }, what);
  // Before it is complete, too: another resource of the same key may search meanwhile and take it for its own.
  context.ownership.claim(nameOf(definition, id), ownerOf(program));
  return completeCreate({ ...declared, id, live }, sentAtCreation(definition, strategy.route));
}

/** Body of the create route, under the API's names. */
function createBody({ definition, program }: DeclaredObject, { route: name }: SendStrategy): JsonObject {
  const route = routeOf(definition, name);
  // A name left unmanaged by an adoption that found nothing is the key.
  const called: JsonObject = { ...program, [nameField]: program[nameField] ?? nameFor(definition, program) };
  const values = membersOf(
    createdFields(definition, name),
    (field) => called[field] ?? initialValue(definition, route, field),
  );
  return toWire(definition, givenIn(values));
}

/** The object of an id that the console generated, or that is not the expected one: it must have the name that was sent. */
async function verifyCreated(made: DeclaredObject & ObjectHere, what: string): Promise<JsonObject> {
  const { definition, id, program } = made;
  let cause: unknown;
  const live = await readLive(made, managedNames(definition, program)).catch((error) => {
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

/** Sends what the create route does not take. A field that was sent and is not in the answer is read first. */
async function completeCreate(
  made: DeclaredObject & LiveObject,
  sent: readonly string[],
): Promise<CreatedObject> {
  const { definition, id, program } = made;
  // A sent value that no read shows counts as applied.
  const state = picked(program, sent);
  const open = Object.keys(changesOf(definition, { program, live: made.live, seen: state }));
  let live = made.live;
  if (open.some((name) => sent.includes(name))) {
    try {
      live = (await readLive(made, managedNames(definition, program))) ?? live;
    } catch (error) {
      if (isConsoleError(error)) throw new PartialFailure(id, live, error);
      throw error;
    }
  }
  return { id, live: await converge({ ...made, state, live }) };
}

/**
 * Object that a create would find in its place if it ran now, and the refusal to take it. Changes nothing: it is
 * for previews, and asks of the console what the create would ask once the console says that the key is taken.
 * @param replacedId id of the object that goes for it
 */
export async function findForCreate(
  declared: DeclaredObject,
  replacedId?: string,
): Promise<{ readonly finding: Finding; readonly refusal?: ConsoleError }> {
  const { context, definition, program } = declared;
  const noted = await context.journal.find(objectLabel(definition, program));
  // The entry of the old object is no evidence of the new one.
  const entry = replacedId !== undefined && noted?.made === replacedId ? undefined : noted;
  const isOwn = entry?.did === "create" && isOfThisResource(entry, program);
  const isEvidence =
    isOwn || replacedId !== undefined || readsBeforeCreate(definition.lifecycle.create, program);
  const attempt = isEvidence ? { entry } : { entry: undefined, former: entry };
  const creating: Creating = { ...declared, ...attempt, replacedId, lost: false };
  const finding = await findClaim(creating);
  const { claim } = finding;
  if (claim.act !== "refuse") return { finding };
  return { finding, refusal: refusalFor(creating, finding, claim.reason) };
}
