import { seenMark } from "../decisions/console-edits";
import { isArchived, wantsArchived } from "../decisions/plan";
import { isSameObject } from "../decisions/same-object";
import { auditNames, auditOf } from "../schema/audit";
import { inputNames, type ResourceDefinition } from "../schema/define";
import { ConsoleError } from "../schema/errors";
import { equalJson, type JsonObject, picked } from "../schema/json";
import { type EngineContext, nameOf, PartialFailure } from "./context";
import { converge } from "./converge";
import { anotherObjectText, unlessFormer } from "./edits/another-object";
import { isProtected, refuseConcurrentEdit } from "./edits/concurrent-edits";
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
import { readLive, unreadable } from "./read";
import { respecting } from "./reviews/mode";
import { compareConsoles, untoldObject } from "./same-console";
import { learnSecret } from "./secret-ids";

/** @throws ConsoleError "refused" for an object that is not the one of its state, or that nothing tells from another project's. */
async function refuseOther(
  context: EngineContext,
  definition: ResourceDefinition,
  { id, state }: Target,
  live: JsonObject,
): Promise<void> {
  const sameness = isSameObject(definition, state, live);
  if (sameness === "other")
    throw new ConsoleError(anotherObjectText("update", definition, id, state, live), { category: "refused" });
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
  if (protects) await refuseConcurrentEdit(context, definition, target, first);
  refuseUnseenArchive(definition, target, first);
  const { current, ...found } = await lookAgain(context, definition, target, first);
  const { announced, unseen, conflicts } = found;
  if (!isOlder(definition, current, target.state))
    await refuseConflicts(context, definition, target, current, conflicts);
  reportUnseen(context, definition, found);
  const movedStates = unseenStates(definition, target, current);
  reportOff(context, definition, announced, current);
  const updated = await converge(context, definition, announced, current).catch((error) => {
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
    ...picked(last ?? {}, Object.values(auditNames(definition))),
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
 * The announced update, by the object as it is now. A read may be late (docs/assumptions.md, row 21): a value that it shows otherwise than state,
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
  return now.created === then.created && isNewer(definition, state, live);
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
