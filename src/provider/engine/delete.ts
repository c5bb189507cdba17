import { decideRelease, type Release, type ReleaseEvidence } from "../decisions/claim";
import { isArchived } from "../decisions/plan";
import { isSameObject, tellsObject } from "../decisions/same-object";
import type { ResourceDefinition } from "../schema/define";
import { ConsoleError, isConsoleError, reworded } from "../schema/errors";
import type { JsonObject } from "../schema/json";
import { hasNameBeside } from "../schema/object-id";
import { fromWire } from "../schema/wire-names";
import { canGo, isForGood, onDeleteOf } from "../values/options";
import { archiveReasonBy } from "./claims/archive-reason";
import { entryTime } from "./claims/entry-time";
import { freeName, lostNameText } from "./claims/free-name";
import { isOfOtherObject, laterAdopter, takenOverText } from "./claims/origin";
import { type EngineContext, type JournalEntry, nameOf, objectLabel, routeTo, stackOf } from "./context";
import { leftText, otherObject } from "./edits/another-object";
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
import { type IsDependent, listedUsers, usersOf } from "./users";

/** What is known of a delete beside the object itself. */
export interface Removal {
  /** It makes room for another object, which comes after it in the same run. */
  readonly replaced: boolean;
  /** The same resource has the object again in the same run: it is replaced under its own key. */
  readonly comesBack?: boolean;
  /** The name of another resource that declares the object and whose create has failed in this run. */
  readonly failedDeclarer?: string | undefined;
  readonly isDependent?: IsDependent;
}

/**
 * Archives, deletes or leaves an object, as the state says. What is absent, or archived already, is fine.
 * @throws ConsoleError "refused" for an object that is in another console, or that something still uses.
 */
export async function remove(
  given: EngineContext,
  definition: ResourceDefinition,
  id: string,
  state: JsonObject,
  { replaced, comesBack = false, failedDeclarer, isDependent }: Removal = { replaced: false },
): Promise<void> {
  const context = respecting(given, state);
  const title = nameOf(definition, id);
  learnSecret(context, definition, id, state);
  const { self } = ownerOf(state);
  const onDelete = onDeleteOf(definition, state);
  // An object that is left needs no request. Where those of another console are left, the ownership of this run may be of the new ones.
  const asks = canGo(definition) && onDelete !== "retain";
  const asksFirst = asks && context.permissions.leaveInOtherConsole;
  const known = await compareConsoles(context, title, state, { asks: asksFirst });
  // The ownership and the journals of this run are about objects of this console.
  const isKnown = known.how !== "other" && isStored(state);
  const heldByAnother = isKnown && context.ownership.isOwnedByOther(title, self);
  const taker = heldByAnother || !isKnown ? undefined : await laterAdopter(context, definition, id, state);
  const isLeft = heldByAnother || taker !== undefined;
  const compared = asks && !isLeft ? await compareConsoles(context, title, state) : known;
  const console = consoleOf(context, compared);
  const stated = {
    console,
    heldByAnother,
    takenSince: taker !== undefined,
    isOther: false,
    declaredByAnother: failedDeclarer !== undefined,
    onDelete,
    endsWhatGoesOn: comesBack && isForGood(definition, "archive"),
  };
  const isToGo = goes(decideRelease({ ...stated, inUse: false }));
  if (isToGo && compared.how === "unread" && !tellsOwn(definition, state)) throw untoldObject(title, state);
  const other = isToGo ? await otherInPlace(context, definition, id, state) : undefined;
  const evidence = { ...stated, isOther: other !== undefined };
  const isFinal = isForGood(definition, decideRelease({ ...evidence, inUse: false }).act);
  const users = isFinal ? await usersOf(context, definition, id, state, isDependent) : [];
  const release = decideRelease({ ...evidence, inUse: users.length > 0 });
  if (release.act === "refuse") {
    const text = failedDeclarer === undefined ? inUseText(title, users) : declaredText(title, failedDeclarer);
    throw new ConsoleError(compared.how === "other" ? compared.text : text, { category: "refused" });
  }
  if (console !== "here") {
    context.report(`${title} stays in the other console as it is.`);
    return;
  }
  if (heldByAnother) {
    if (!isHeldUnderAnotherName(context, title, state))
      context.report(`${title} stays: another resource of this program has it now.`);
    context.ownership.release(title, self);
    return;
  }
  if (other !== undefined) {
    context.report(leftText(definition, id, state, other));
    context.ownership.noteForeign(title);
    await context.journal.drop(objectLabel(definition, state), stackOf(context, state));
    return;
  }
  if (release.act !== "leave") await refuseUnseen(context, definition, id, state);
  // A replacement deletes and creates in the same run; what is left where it is stays its resource's as long.
  if (release.act === "leave" && taker === undefined) context.ownership.claim(title, ownerOf(state));
  else context.ownership.releaseByAll(title);
  const { remove: removal, archive } = definition.lifecycle.delete;
  reportLeft(context, definition, title, evidence, taker);
  const object = objectLabel(definition, state);
  const entry = await context.journal.find(object, stackOf(context, state));
  // Where ids are made of more than what the program calls an object by, its successor may have the entry already.
  const isNoted = !isOfOtherObject(entry, id);
  const archiving = release.act === "archive" && archive !== undefined;
  const route = archiving ? archive.route : removal?.route;
  const noteArchive = async () => {
    if (archiving && isNoted)
      await context.journal.write(object, { ...entryTime(context), did: "archive" }, stackOf(context, state));
  };
  const sends = release.act !== "leave" && route !== undefined;
  await removeByReviews(context, definition, id, {
    state,
    route: sends ? route : undefined,
    beforeCommit: noteArchive,
    removeNow: async () => {
      if (!sends) return;
      await noteArchive();
      const dependents = isDependent ? { isDependent } : {};
      await send(context, definition, id, { state, route, archiving, replaced, ...dependents });
    },
  });
  if (archiving) context.ownership.noteArchived(title);
  // An object that is left is no longer this stack's, nor is an equal one that comes after a deleted one.
  else if (isNoted) await context.journal.drop(object, stackOf(context, state));
}

/**
 * The object in the place of one that is about to go, where it is another one than state has. Read only for a state that can tell; a
 * list vouches for many.
 */
async function otherInPlace(
  context: EngineContext,
  definition: ResourceDefinition,
  id: string,
  state: JsonObject,
): Promise<JsonObject | undefined> {
  if (!isStored(state) || !tellsObject(definition, state)) return undefined;
  const listed = await fromRecentList(context, definition, id);
  if (listed !== undefined && isSameObject(definition, state, fromWire(definition, listed)) === "same")
    return undefined;
  return otherObject(context, definition, state, () => readLive(context, definition, id, []));
}

const goes = ({ act }: Release): boolean => act === "archive" || act === "delete";

/** True where something tells the object of a state from one of another project. No other has an id that the console generated. */
function tellsOwn(definition: ResourceDefinition, state: JsonObject): boolean {
  return definition.identity.how === "server" || tellsObject(definition, state);
}

/**
 * Removes an object, where the change needs a review by that, and takes back the reviews of changes that are no longer declared.
 * @throws ConsoleError "refused" while no person has accepted it.
 */
async function removeByReviews(
  context: EngineContext,
  definition: ResourceDefinition,
  id: string,
  { state, route, removeNow, beforeCommit }: ReviewedRemoval,
): Promise<void> {
  const reviews = ReviewingClient.of({ context, definition, id, program: state }, state);
  const live = reviews === undefined ? undefined : await readLive(context, definition, id, []);
  if (reviews === undefined || live === undefined || isArchived(definition, live)) return removeNow();
  const { waiting } =
    route === undefined
      ? { waiting: [] }
      : await reviews.write({
          ...{ routeName: route, body: reasonBody(definition, route, state), live },
          ...{ send: removeNow, beforeCommit },
        });
  await reviews.settle();
  if (waiting.length === 0) return;
  const entries = reviews.entries.map((one) => `review ${one.id} of ${one.slot}`).join(", ");
  throw (
    reviews.rejection ??
    new ConsoleError(
      `${nameOf(definition, id)} stays until a review is accepted: ${entries}. ` +
        "Nothing was removed; run the same command again once it is accepted.",
      { category: "refused" },
    )
  );
}

/** `route`: undefined for an object that is left. */
interface ReviewedRemoval {
  readonly state: JsonObject;
  readonly route: string | undefined;
  removeNow(): Promise<void>;
  beforeCommit(): Promise<void>;
}

/** True where the resource itself goes on with the object, also one that was renamed under an alias: state has it for that. */
function isHeldUnderAnotherName(
  { ownership, isInState }: EngineContext,
  title: string,
  state: JsonObject,
): boolean {
  if (ownership.ownedBy(title, ownerOf(state).resource) === "itself") return true;
  return ownership.resourcesOf(title).some((resource) => isInState(resource, title));
}

function reportLeft(
  context: EngineContext,
  { lifecycle }: ResourceDefinition,
  title: string,
  { onDelete }: Pick<ReleaseEvidence, "onDelete">,
  taker: JournalEntry | undefined,
): void {
  const { remove: removal, archive, why } = lifecycle.delete;
  if (removal === undefined && archive === undefined && why !== undefined)
    context.report(`${title} stays as it is. ${why}`);
  else if (taker !== undefined && onDelete !== "retain") context.report(takenText(title, taker));
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

/** A delete or an archive that was decided on. */
interface Sending extends Removal {
  readonly state: JsonObject;
  readonly route: string;
  readonly archiving: boolean;
}

async function send(
  context: EngineContext,
  definition: ResourceDefinition,
  id: string,
  { state, route: name, archiving, replaced, isDependent }: Sending,
): Promise<void> {
  const { route, params } = routeTo(definition, name, id);
  const stack = stackOf(context, state);
  const reason = state.archiveReason ?? (stack === undefined ? undefined : archiveReasonBy(stack));
  const args = { ...state, ...(reason === undefined ? {} : { archiveReason: reason }) };
  const bodyOf = (forced: boolean) =>
    route.body === undefined
      ? {}
      : { body: reasonBody(definition, name, forced ? { ...args, forceArchive: true } : args) };
  const { clears, advice } = definition.lifecycle.delete.remove ?? {};
  let undo: Awaited<ReturnType<typeof freeName>>;
  const takesForce = archiving && definition.lifecycle.delete.archive?.takesForce === true;
  const deletion: Deletion = {
    archiving,
    takesForce,
    advice: takesForce ? forceAdvice : archiving ? undefined : advice,
    prepare: async () => {
      if (archiving && replaced && hasNameBeside(definition)) undo = await freeName(context, definition, id);
    },
    mayForce: async () =>
      replaced &&
      isDependent !== undefined &&
      (await listedUsers(context, definition, id))?.every(isDependent) === true,
    send: (forced) =>
      clears === undefined || archiving
        ? context.client.maybeItem(route, { params, ...bodyOf(forced) })
        : clearPart(context, definition, id, { state, route: name, clears }),
  };
  try {
    await deleteUntilGone(context, definition, id, deletion);
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
    'forceDelete: true, run "pulumi up", and do this again.'
  );
}

/** How one object goes. */
interface Deletion {
  readonly archiving: boolean;
  /** The console takes an argument that archives in spite of references. */
  readonly takesForce: boolean;
  /** What to do when it is refused. */
  readonly advice: string | undefined;
  /** Done once, before the first try. */
  prepare(): Promise<void>;
  /** True when all that refers to it will refer to its successor when this run ends. */
  mayForce(): Promise<boolean>;
  send(forced: boolean): Promise<unknown>;
}

async function deleteUntilGone(
  context: EngineContext,
  definition: ResourceDefinition,
  id: string,
  { archiving, takesForce, advice, prepare, mayForce, send }: Deletion,
): Promise<void> {
  for (let tries = 1, forced = false; ; tries += 1) {
    try {
      if (tries === 1) await prepare();
      await send(forced);
      return;
    } catch (error) {
      if (isConsoleError(error, "not-found")) return;
      if (!isConsoleError(error) || !(error.category === "refused" || error.uncertain)) throw error;
      if (await isDone(context, definition, id, archiving)) return;
      if (takesForce && !forced && error.category === "refused" && (await mayForce())) {
        forced = true;
        continue;
      }
      // What failed on the way has been repeated by the client where that may help.
      if (error.category !== "refused" && error.category !== "unexpected-answer") throw error;
      if (tries >= mostTries)
        throw advice === undefined ? error : reworded(error, `${error.message} ${advice}`);
      await context.sleep(betweenTriesMs);
    }
  }
}

/**
 * What still refers to the object may be going in this same run: Pulumi knows the order only where a program passes
 * outputs. So a refusal is waited out for a moment.
 */
const mostTries = 4;
const betweenTriesMs = 1000;

const forceAdvice =
  "Take the references away first. Two objects that refer to each other go with forceArchive: true on both: " +
  'set it, run "pulumi up", then do this again.';

/** The console may refuse to do again what is done. */
async function isDone(
  context: EngineContext,
  definition: ResourceDefinition,
  id: string,
  archiving: boolean,
): Promise<boolean> {
  const live = await readLive(context, definition, id, []);
  return live === undefined || (archiving && isArchived(definition, live));
}
