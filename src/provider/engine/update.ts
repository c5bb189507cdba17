import { seenMark } from "../decisions/concurrent-edits";
import { type Changes, changesOf, isArchived, wantsArchived } from "../decisions/plan";
import { isSameObject } from "../decisions/same-object";
import { auditNames, auditOf } from "../schema/audit";
import { inputNames, type ResourceDefinition } from "../schema/define";
import { ConsoleError, isConsoleError } from "../schema/errors";
import { reviewsMember } from "../schema/internal";
import { equalJson, type JsonObject, picked } from "../schema/json";
import { quoteField } from "../texts/issue-text";
import { isNothing } from "../values/compare";
import { managedBefore, managedNames, objectValues, viewOf } from "../values/managed";
import { type EngineContext, nameOf, PartialFailure } from "./context";
import { anotherObject, unlessFormer } from "./edits/another-object";
import { isProtected, refuseConcurrentEdit } from "./edits/concurrent-edits";
import { reportOpenReview } from "./edits/open-review";
import {
  type Announced,
  keepSeenValues,
  refuseConflicts,
  reportOff,
  reportUnseen,
  type Target,
  unseenStates,
  withoutUnannounced,
} from "./edits/unannounced";
import { reportWaiting } from "./edits/waiting-release";
import { readLive, unreadable } from "./read";
import { respecting, withReviewAdvice } from "./reviews/mode";
import { ReviewingClient } from "./reviews/reviewing-client";
import { compareConsoles, untoldObject } from "./same-console";
import { learnSecret } from "./secret-ids";
import { type Subject, send } from "./send";
import { refuseIllegal } from "./transitions";
import { sendChanges } from "./update-strategies";

/** Most rounds of reading and sending: one that works, and two for answers that get lost. */
const mostRounds = 3;

/** Wait before a read that must show the last write, milliseconds. */
const beforeReadMs = 1000;

/**
 * Brings a live object in line with what the program sets, and nothing else of it.
 * @returns the live object afterwards. @throws PartialFailure, with the object as it then is.
 */
export async function reconcile(
  context: EngineContext,
  definition: ResourceDefinition,
  { id, program, state }: Target,
  live: JsonObject,
): Promise<JsonObject> {
  const managed = managedBefore(state);
  const reviews = ReviewingClient.of({ context, definition, id, program }, state);
  const subject: Subject = { context, definition, id, program, live, reviews };
  const pending = () => changesOf(definition, objectValues(program, state, subject.live));
  const readAgain = async () => {
    const current = await readLive(context, definition, id, [
      ...managedNames(definition, program),
      ...managed,
    ]);
    if (current !== undefined)
      subject.live = { ...unreadable(definition, subject.live, current), ...current };
  };
  const open = () => unconfirmed(definition, pending(), subject.live, subject.waiting);
  const writes = Object.keys(pending()).length > 0;
  if (writes && reviews === undefined) reportOpenReview(subject);
  try {
    for (let round = 1; ; round += 1) {
      const lost = await sendRound(subject, pending(), round > 1);
      if (lost !== undefined && round < mostRounds) {
        // The request may still be on its way, and a read may be late: what is added twice is refused, or there twice.
        await context.sleep(beforeReadMs);
        await readAgain();
        continue;
      }
      await reviews?.settle();
      // Answers of writes may be sparse, or be about something else: only a read tells.
      if (open().length > 0 || subject.isBehind === true) await readAgain();
      if (open().length > 0) {
        await context.sleep(beforeReadMs);
        await readAgain();
      }
      if (open().length > 0) throw lost ?? notApplied(definition, subject, open());
      if (reviews?.rejection !== undefined) throw reviews.rejection;
      if (writes) await reportWaiting(subject);
      return withReviews(subject);
    }
  } catch (error) {
    if (isConsoleError(error))
      throw new PartialFailure(id, withReviews(subject), withReviewAdvice(subject, error));
    throw error;
  }
}

/** The live object, with the reviews for the state. */
function withReviews({ live, reviews }: Subject): JsonObject {
  return reviews === undefined || reviews.entries.length === 0
    ? live
    : { ...live, [reviewsMember]: reviews.entries };
}

/**
 * One round of sending. @returns the failure when only a read tells what happened: an answer did not come, or what may have
 * been done before is refused now.
 */
async function sendRound(
  subject: Subject,
  changes: Changes,
  again: boolean,
): Promise<ConsoleError | undefined> {
  const { definition, program } = subject;
  try {
    if (isArchived(definition, subject.live)) {
      refuseIllegal(subject, changes);
      if (!wantsArchived(definition, program)) await unarchive(subject);
    }
    const left = await sendChanges(subject, changes);
    if (subject.waiting !== undefined) subject.waiting = [...subject.waiting, ...left];
    else if (left.length > 0) throw cannotChange(definition, subject, left);
    return undefined;
  } catch (error) {
    if (isConsoleError(error) && (error.uncertain || (again && error.category === "refused"))) return error;
    throw error;
  }
}

async function unarchive(subject: Subject): Promise<void> {
  const { context, definition, id } = subject;
  const undo = definition.lifecycle.archived?.undo;
  if (undo === undefined) return;
  await send(subject, undo, {});
  // An answer that is a message alone does not tell in which state the object came back.
  const current = isArchived(definition, subject.live)
    ? await readLive(context, definition, id, [])
    : undefined;
  if (current !== undefined) subject.live = { ...subject.live, ...current };
}

/** Most fields that a message shows with their values. */
const mostShown = 3;

/** Fields whose live value can be compared with the program's, and is not what it says. */
function unconfirmed(
  definition: ResourceDefinition,
  changes: Changes,
  live: JsonObject,
  waiting: readonly string[] = [],
): string[] {
  return Object.keys(changes).filter((name) => {
    if (waiting.includes(name)) return false;
    const { remembered, readsOtherId } = definition.fields[name]?.traits ?? {};
    if (remembered === true) return false;
    return readsOtherId !== true || isNothing(changes[name]) !== isNothing(live[name]);
  });
}

function notApplied(
  definition: ResourceDefinition,
  { id, live, program }: Subject,
  names: string[],
): ConsoleError {
  const now = viewOf(definition, live);
  const shown = names.slice(0, mostShown);
  const more = names.length > shown.length ? `; and ${names.slice(mostShown).join(", ")}` : "";
  const valueText = (values: JsonObject, name: string) => quoteField(definition, name, values[name]);
  const list = shown
    .map((name) => `${name} is ${valueText(now, name)} and not ${valueText(program, name)}`)
    .join("; ");
  return new ConsoleError(
    `The console accepted the change of ${nameOf(definition, id)} and did not make it: ${list}${more}. ` +
      "A required review or a policy of the project may hold it back; look at the object in the console.",
    { category: "not-taken" },
  );
}

function cannotChange(definition: ResourceDefinition, { id }: Subject, names: string[]): ConsoleError {
  return new ConsoleError(
    `The console's API cannot change ${names.join(", ")} of ${nameOf(definition, id)} after creation. ` +
      `Change the program to match it, or remove the object and create it anew.`,
    { category: "refused" },
  );
}

/** @throws ConsoleError "refused" for an object that is not the one of its state, or that nothing tells from another project's. */
async function refuseOther(
  context: EngineContext,
  definition: ResourceDefinition,
  { id, state }: Target,
  live: JsonObject,
): Promise<void> {
  const sameness = isSameObject(definition, state, live);
  if (sameness === "other") throw anotherObject(definition, id, state, live);
  // No other object has an id that the console generated.
  if (sameness === "same" || definition.identity.how === "server") return;
  const object = nameOf(definition, id);
  const { how } = await compareConsoles(context, object, state);
  if (how === "unread") throw untoldObject(object, state);
}

/**
 * Updates an object: reads it, sends the difference between what is there and what is wanted, and reads again until it shows.
 * @returns the live object afterwards.
 */
export async function update(
  given: EngineContext,
  definition: ResourceDefinition,
  target: Target,
): Promise<JsonObject> {
  const context = respecting(given, target.program);
  // An action that has been carried out has nothing to bring in line.
  if (definition.lifecycle.create.how === "run") return target.state;
  learnSecret(context, definition, target.id, target.state);
  const read = () => readWanted(context, definition, target);
  const live = await unlessFormer(context, definition, target.state, read);
  if (live === undefined) {
    throw new ConsoleError(
      `${nameOf(definition, target.id)} is no longer there. Run "pulumi refresh" so that the next "pulumi up" creates it again.`,
      { category: "not-found" },
    );
  }
  await refuseOther(context, definition, target, live);
  const first = { ...unreadable(definition, target.state, live), ...live };
  const protects = isProtected(context, target.program);
  if (protects) refuseConcurrentEdit(definition, target.id, target.state, first);
  refuseUnseenArchive(definition, target, first);
  const { current, ...found } = await lookAgain(context, definition, target, first);
  const { announced, unseen, conflicts } = found;
  if (!isOlder(definition, current, target.state))
    refuseConflicts(context, definition, target, current, conflicts);
  reportUnseen(context, definition, found);
  const movedStates = unseenStates(definition, target, current);
  reportOff(context, definition, announced, current);
  const updated = await reconcile(context, definition, announced, current).catch((error) => {
    if (!(error instanceof PartialFailure)) throw error;
    throw new PartialFailure(
      error.id,
      { ...error.live, ...picked(target.state, [...unseen, ...movedStates]) },
      error.error,
    );
  });
  // An answer may hide what was written: the next update has to know its own write from an edit.
  const isBehind = protects && equalJson(seenMark(definition, updated), seenMark(definition, current));
  const last = isBehind ? await readLive(context, definition, target.id, []) : undefined;
  return {
    ...updated,
    ...auditIn(definition, last),
    ...keepSeenValues(definition, target.program, updated, unseen),
    ...picked(target.state, movedStates),
  };
}

function readWanted(
  context: EngineContext,
  definition: ResourceDefinition,
  { id, program, state }: Target,
): Promise<JsonObject | undefined> {
  if (definition.lifecycle.read.how === "remember") return Promise.resolve(state);
  const names = inputNames(definition).filter((name) => program[name] !== undefined);
  return readLive(context, definition, id, names);
}

/** Most reads before a change that nobody announced is taken for one. */
const mostLooks = 3;

/** Wait between them, milliseconds. */
const betweenLooksMs = 500;

/**
 * What is announced, by the object as it is now. A read may be late (docs/assumptions.md, row 21): what it shows otherwise than state,
 * without a mark of being newer, may be what was there before this stack's own last write.
 */
async function lookAgain(
  context: EngineContext,
  definition: ResourceDefinition,
  target: Target,
  first: JsonObject,
): Promise<Announced & { readonly current: JsonObject }> {
  let current = first;
  for (let look = 1; ; look += 1) {
    const found = withoutUnannounced(definition, target, current);
    const isSure =
      found.paths.length + found.conflicts.length === 0 || isNewer(definition, current, target.state);
    if (isSure || look === mostLooks) return { ...found, current };
    await context.sleep(betweenLooksMs);
    const live = await readWanted(context, definition, target);
    if (live === undefined) return { ...found, current };
    current = { ...unreadable(definition, target.state, live), ...live };
  }
}

/** True for an object that shows itself to be a later one than in state. */
function isNewer(definition: ResourceDefinition, live: JsonObject, state: JsonObject): boolean {
  const [now, then] = [auditOf(definition, live), auditOf(definition, state)];
  const isAfter = (one: number | undefined, other: number | undefined): boolean =>
    one !== undefined && other !== undefined && one > other;
  return isAfter(now.version, then.version) || isAfter(now.changed, then.changed);
}

/** True for an object as it was before state was written, which a late read shows. One that was made anew counts from 1 again. */
function isOlder(definition: ResourceDefinition, live: JsonObject, state: JsonObject): boolean {
  const [now, then] = [auditOf(definition, live), auditOf(definition, state)];
  if (now.created !== then.created) return false;
  const isBefore = (one: number | undefined, other: number | undefined): boolean =>
    one !== undefined && other !== undefined && one < other;
  return isBefore(now.version, then.version) || isBefore(now.changed, then.changed);
}

/** Members of a live object that tell of its history. */
function auditIn(definition: ResourceDefinition, live: JsonObject = {}): JsonObject {
  return picked(
    live,
    Object.values(auditNames(definition)).filter((name) => name in live),
  );
}

/** Bringing an object back is announced by what a refresh has read, and by nothing else. */
function refuseUnseenArchive(
  definition: ResourceDefinition,
  { id, program, state }: Target,
  live: JsonObject,
): void {
  if (!isArchived(definition, live) || isArchived(definition, state) || wantsArchived(definition, program))
    return;
  throw new ConsoleError(
    `${nameOf(definition, id)} was archived in the console since the last refresh: left as it is. ` +
      'Run "pulumi refresh": the next "pulumi up" then brings it back, or remove the resource from the program.',
    { category: "refused" },
  );
}
