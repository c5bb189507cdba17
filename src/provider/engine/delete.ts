import { decideRelease, type LeaveReason, type Release, type ReleaseEvidence } from "../decisions/claim";
import { isArchived } from "../decisions/plan";
import { isSameObject, tellsObject } from "../decisions/same-object";
import { type ConsoleError, changeRefused, isConsoleError, reworded } from "../schema/errors";
import type { JsonObject } from "../schema/json";
import { hasNameBeside } from "../schema/object-id";
import { fromWire } from "../schema/wire-names";
import { assignment } from "../texts/argument-names";
import { canGo, isForGood, onDeleteOf } from "../values/options";
import { archiveReasonBy } from "./claims/archive-reason";
import { entryTime } from "./claims/entry-time";
import { freeName, lostNameText } from "./claims/free-name";
import { isOfOtherObject, laterAdopter, takenOverText } from "./claims/origin";
import { type EngineContext, type JournalEntry, nameOf, routeTo } from "./context";
import { anotherObjectText, otherObject } from "./edits/another-object";
import { refuseUnseen } from "./edits/concurrent-edits";
import { fromRecentList } from "./listing";
import { clearPart } from "./object-part";
import { isStored, ownerOf } from "./ownership";
import { readLive } from "./read";
import { respecting } from "./reviews/mode";
import { ReviewingClient } from "./reviews/reviewing-client";
import { type Comparison, compareConsoles, untoldObject } from "./same-console";
import { learnSecret } from "./secret-ids";
import { reasonBody } from "./send";
import { journalOf, type StoredObject, stackOf } from "./subject";
import { type IsDependent, listedUsers, usersOf } from "./users";

/** Circumstances of a delete. */
export interface Removal {
  /** It makes room for another object, which comes after it in the same run. */
  readonly replaced: boolean;
  /** The same resource has the object again in the same run: it is replaced under its own key. */
  readonly comesBack?: boolean;
  /** The name of another resource that declares the object and whose create has failed in this run. */
  readonly failedDeclarer?: string | undefined;
  readonly isDependent?: IsDependent;
}

/** An object whose resource goes. */
interface Removed extends StoredObject {
  readonly removal: Removal;
  readonly title: string;
}

/** The decision about an object whose resource goes, and the evidence that its messages name. */
interface ReleaseFinding {
  readonly release: Release;
  readonly compared: Comparison;
  readonly taker: JournalEntry | undefined;
  /** The object in its place, where it is another one than in state. */
  readonly other?: JsonObject;
  readonly users?: readonly string[];
}

/**
 * Archives, deletes or leaves an object, as the state says. What is absent, or archived already, is fine.
 * @throws ConsoleError "refused" for an object that is in another console, or that something still uses.
 */
export async function remove(given: StoredObject, removal: Removal = { replaced: false }): Promise<void> {
  const title = nameOf(given.definition, given.id);
  const removed = { ...given, context: respecting(given.context, given.state), removal, title };
  learnSecret(removed);
  const finding = await findRelease(removed);
  const { release } = finding;
  if (release.act === "refuse") throw refusalFor(removed, finding);
  if (release.act === "leave") return leave(removed, finding, release.reason);
  await refuseUnseen(removed);
  await end(removed, release.act);
}

/** Gathers evidence until it decides. Changes nothing. */
async function findRelease(removed: Removed): Promise<ReleaseFinding> {
  const { context, definition, state, title } = removed;
  const { comesBack = false, failedDeclarer, isDependent } = removed.removal;
  const onDelete = onDeleteOf(definition, state);
  // An object that is left needs no request. Where those of another console are left, the ownership of this run may be of the new ones.
  const asks = canGo(definition) && onDelete !== "retain";
  const asksFirst = asks && context.permissions.leaveInOtherConsole;
  const known = await compareConsoles(context, title, state, { asks: asksFirst });
  // The ownership and the journals of this run are about objects of this console.
  const isKnown = known.how !== "other" && isStored(state);
  const heldByAnother = isKnown && context.ownership.isOwnedByOther(title, ownerOf(state).self);
  const taker = heldByAnother || !isKnown ? undefined : await laterAdopter(removed);
  const isLeft = heldByAnother || taker !== undefined;
  const compared = asks && !isLeft ? await compareConsoles(context, title, state) : known;
  const evidence: ReleaseEvidence = {
    console: consoleOf(context, compared),
    heldByAnother,
    takenSince: taker !== undefined,
    isOther: false,
    declaredByAnother: failedDeclarer !== undefined,
    onDelete,
    endsWhatGoesOn: comesBack && isForGood(definition, "archive"),
    inUse: false,
  };
  const found = { compared, taker };
  // The rest takes requests, which only an object that goes is worth.
  const release = decideRelease(evidence);
  if (release.act === "leave" || release.act === "refuse") return { ...found, release };
  // No object of another project has an id that the console generated.
  const tellsOwn = definition.identity.how === "server" || tellsObject(definition, state);
  if (compared.how === "unread" && !tellsOwn) throw untoldObject(title, state);
  const other = await otherInPlace(removed);
  if (other !== undefined) return { ...found, other, release: decideRelease({ ...evidence, isOther: true }) };
  const used = isForGood(definition, release.act) ? await usersOf(removed, isDependent) : [];
  // Nothing ends with an object that is gone already.
  const users = used.length > 0 && (await readLive(removed)) === undefined ? [] : used;
  return { ...found, users, release: decideRelease({ ...evidence, inUse: users.length > 0 }) };
}

function refusalFor(
  { title, removal: { failedDeclarer } }: Removed,
  { compared, users = [] }: ReleaseFinding,
): ConsoleError {
  const text = failedDeclarer === undefined ? inUseText(title, users) : declaredText(title, failedDeclarer);
  return changeRefused(compared.how === "other" ? compared.text : text);
}

/** Leaves an object in the console, and forgets it. */
async function leave(removed: Removed, { other, taker }: ReleaseFinding, reason: LeaveReason): Promise<void> {
  const { context, definition, state, title } = removed;
  const { ownership, report } = context;
  switch (reason) {
    case "elsewhere":
      return report(`${title} stays in the other console as it is.`);
    case "held":
      if (!isHeldUnderAnotherName(removed))
        report(`${title} stays: another resource of this program has it now.`);
      return ownership.release(title, ownerOf(state).self);
    case "another-object":
      report(anotherObjectText("delete", removed, other ?? {}));
      ownership.noteForeign(title);
      return journalOf(removed).drop();
    default:
      // A replacement deletes and creates in the same run; an object that is left stays its resource's as long.
      if (taker === undefined) ownership.claim(title, ownerOf(state));
      else ownership.releaseByAll(title);
      if (!canGo(definition)) reportWhy(removed);
      else if (taker !== undefined && reason === "adopted") report(takenText(title, taker));
      await removeByReviews(removed, undefined, async () => {});
      // Such an object is no longer this stack's.
      await dropEntry(removed);
  }
}

/** Archives or deletes an object, and notes that. */
async function end(removed: Removed, act: "archive" | "delete"): Promise<void> {
  const { context, definition, title } = removed;
  const { remove: removal, archive } = definition.lifecycle.delete;
  const archiving = act === "archive" && archive !== undefined;
  const route = archiving ? archive.route : removal?.route;
  context.ownership.releaseByAll(title);
  if (route === undefined) reportWhy(removed);
  const noteArchive = async () => {
    if (archiving && (await isNoted(removed)))
      await journalOf(removed).write({ ...entryTime(context), did: "archive" });
  };
  await removeByReviews(removed, route, noteArchive);
  if (archiving) context.ownership.noteArchived(title);
  // Nor is an equal object that comes after a deleted one this stack's.
  else await dropEntry(removed);
}

/** False where ids have more parts than the label: a successor may have the entry already. */
async function isNoted(removed: Removed): Promise<boolean> {
  return !isOfOtherObject(await journalOf(removed).find(), removed.id);
}

async function dropEntry(removed: Removed): Promise<void> {
  if (await isNoted(removed)) await journalOf(removed).drop();
}

/**
 * The object in the place of one that is about to go, where it is another one than state has. Read only for a state that can tell; a
 * list vouches for many.
 */
async function otherInPlace(stored: StoredObject): Promise<JsonObject | undefined> {
  const { definition, state } = stored;
  if (!isStored(state) || !tellsObject(definition, state)) return undefined;
  const listed = await fromRecentList(stored);
  if (listed !== undefined && isSameObject(definition, state, fromWire(definition, listed)) === "same")
    return undefined;
  return otherObject(stored, () => readLive(stored));
}

/**
 * Sends the archive or the delete, by a review where it needs one, and takes back the reviews of changes that are no longer declared.
 * `route`: undefined for an object that is left. @throws ConsoleError "refused" while no person has accepted it.
 */
async function removeByReviews(
  removed: Removed,
  route: string | undefined,
  noteArchive: () => Promise<void>,
): Promise<void> {
  const { definition, state, title } = removed;
  const removeNow = async () => {
    if (route === undefined) return;
    await noteArchive();
    await send(removed, route);
  };
  const reviews = ReviewingClient.of({ ...removed, program: state });
  const live = reviews === undefined ? undefined : await readLive(removed);
  if (reviews === undefined || live === undefined || isArchived(definition, live)) return removeNow();
  const { waiting } =
    route === undefined
      ? { waiting: [] }
      : await reviews.write({
          ...{ routeName: route, body: reasonBody(definition, route, state), live },
          ...{ send: removeNow, beforeCommit: noteArchive },
        });
  await reviews.settle();
  if (waiting.length === 0) return;
  const entries = reviews.entries.map((one) => `review ${one.id} of ${one.slot}`).join(", ");
  const text = `${title} stays until a review is accepted: ${entries}. Nothing was removed; run the same command again once it is accepted.`;
  throw reviews.rejection ?? changeRefused(text);
}

/** True where the resource itself goes on with the object, also one that was renamed under an alias: state has it for that. */
function isHeldUnderAnotherName({ context, title, state }: Removed): boolean {
  const { ownership, isInState } = context;
  if (ownership.ownedBy(title, ownerOf(state).resource) === "itself") return true;
  return ownership.resourcesOf(title).some((resource) => isInState(resource, title));
}

function reportWhy({ context, definition, title }: Removed): void {
  const { why } = definition.lifecycle.delete;
  if (why !== undefined) context.report(`${title} stays as it is. ${why}`);
}

function takenText(title: string, taker: JournalEntry): string {
  return (
    `${title} stays as it is, and this stack forgets it: the journal shows that ${takenOverText(taker)}. ` +
    "To archive or delete it, remove it from the program of that stack."
  );
}

/** With --continue-on-error Pulumi removes what the program gave up although its successor is not there. */
function declaredText(title: string, resource: string): string {
  return (
    `${title} stays: the resource "${resource}" of this program declares it, and could not be created. Nothing was removed. ` +
    "If it is the same resource, renamed or moved, set aliases there; otherwise run the same command again once that one is there."
  );
}

/** Sends the archive or the delete until it is done. Under its name comes another object: an archived one gives the name up before. */
async function send(removed: Removed, name: string): Promise<void> {
  const { context, definition, id, removal } = removed;
  const archives = definition.lifecycle.delete.archive?.route === name;
  const givesName = archives && removal.replaced && hasNameBeside(definition);
  let undo: Awaited<ReturnType<typeof freeName>>;
  const prepare = async () => {
    undo = givesName ? await freeName(removed) : undefined;
  };
  try {
    await sendUntilGone(removed, name, prepare);
  } catch (error) {
    await undo?.().catch(() => context.report(lostNameText(definition, id)));
    throw error;
  }
}

function consoleOf({ permissions }: EngineContext, { how }: Comparison): ReleaseEvidence["console"] {
  if (how !== "other") return "here";
  return permissions.leaveInOtherConsole ? "elsewhere-let-go" : "elsewhere";
}

function inUseText(title: string, users: readonly string[]): string {
  return (
    `${title} is in use by ${users.join(", ")}, and this cannot be undone. Take the references away first, or set ` +
    `${assignment("forceDelete", true)}, run "pulumi up", and do this again.`
  );
}

/** `prepare`: done once, before the first try. */
async function sendUntilGone(removed: Removed, name: string, prepare: () => Promise<void>): Promise<void> {
  const { context, definition } = removed;
  const { remove: deletes, archive } = definition.lifecycle.delete;
  const archives = archive?.route === name;
  const takesForce = archives && archive?.takesForce === true;
  const advice = takesForce ? forceAdvice() : archives ? undefined : deletes?.advice?.();
  for (let tries = 1, forced = false; ; tries += 1) {
    try {
      if (tries === 1) await prepare();
      return await sendOnce(removed, name, forced);
    } catch (error) {
      if (isConsoleError(error, "not-found")) return;
      if (!isConsoleError(error) || !(error.category === "refused" || error.uncertain)) throw error;
      if (await isDone(removed, archives)) return;
      if (takesForce && !forced && error.category === "refused" && (await mayForce(removed))) {
        forced = true;
        continue;
      }
      // The client has repeated requests that failed on the way, where that may help.
      if (error.category !== "refused" && error.category !== "unexpected-answer") throw error;
      if (tries >= mostTries)
        throw advice === undefined ? error : reworded(error, `${error.message} ${advice}`);
      await context.sleep(betweenTriesMs);
    }
  }
}

async function sendOnce(removed: Removed, name: string, forced: boolean) {
  const { context, definition, id, state } = removed;
  const { remove: deletes, archive } = definition.lifecycle.delete;
  if (deletes?.clears !== undefined && archive?.route !== name)
    return clearPart(removed, name, deletes.clears);
  const { route, params } = routeTo(definition, name, id);
  const stack = stackOf(context, state);
  const archiveReason = state.archiveReason ?? (stack === undefined ? undefined : archiveReasonBy(stack));
  const args = { ...state, archiveReason, ...(forced ? { forceArchive: true } : {}) };
  const body = route.body === undefined ? {} : { body: reasonBody(definition, name, args) };
  await context.client.maybeItem(route, { params, ...body });
}

/** True when all that refers to it will refer to its successor when this run ends. */
async function mayForce(removed: Removed) {
  const { replaced, isDependent } = removed.removal;
  if (!replaced || isDependent === undefined) return false;
  return (await listedUsers(removed))?.every(isDependent) === true;
}

/**
 * Objects that still refer to this one may be going in the same run: Pulumi knows the order only where a program passes
 * outputs. So a refusal is waited out for a moment.
 */
const mostTries = 4;
const betweenTriesMs = 1000;

const forceAdvice = () =>
  `Take the references away first. Two objects that refer to each other go with ${assignment("forceArchive", true)} on both: ` +
  'set it, run "pulumi up", then do this again.';

/** The console may refuse to do again what is done. */
async function isDone(removed: Removed, archiving: boolean): Promise<boolean> {
  const live = await readLive(removed);
  return live === undefined || (archiving && isArchived(removed.definition, live));
}
