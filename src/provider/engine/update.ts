import { seenMark } from "../decisions/console-edits";
import { isArchivedUnseen } from "../decisions/plan";
import { isSameObject } from "../decisions/same-object";
import { auditNames, auditOf } from "../schema/audit";
import { inputNames } from "../schema/define";
import { changeRefused, objectNotFound } from "../schema/errors";
import { equalJson, type JsonObject, picked } from "../schema/json";
import { askAgain, nameOf, PartialFailure } from "./context";
import { converge } from "./converge";
import { anotherObjectText, unlessFormer } from "./edits/another-object";
import { isProtected, refuseConcurrentEdit } from "./edits/concurrent-edits";
import {
  type Announced,
  keepSeenValues,
  refuseConflicts,
  reportOff,
  reportUnseen,
  type Updated,
  unseenStates,
  withoutUnannounced,
} from "./edits/unannounced";
import { readLive, unreadable } from "./read";
import { respecting } from "./reviews/mode";
import { compareConsoles, untoldObject } from "./same-console";
import { learnSecret } from "./secret-ids";
import type { Target } from "./subject";

/** @throws ConsoleError "refused" for an object that is not the one of its state, or that nothing tells from another project's. */
async function refuseOther(target: Updated): Promise<void> {
  const { context, definition, id, state, live } = target;
  const sameness = isSameObject(definition, state, live);
  if (sameness === "other") throw changeRefused(anotherObjectText("update", target, live));
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
export async function update(given: Target): Promise<JsonObject> {
  const { definition, id, program, state } = given;
  // An action that has been carried out has nothing to bring in line.
  if (definition.lifecycle.create.how === "run") return state;
  const target = { ...given, context: respecting(given.context, program) };
  learnSecret(target);
  const live = await unlessFormer(target, () => readManaged(target));
  if (live === undefined) {
    throw objectNotFound(
      `${nameOf(definition, id)} is no longer there. Run "pulumi refresh" so that the next "pulumi up" creates it again.`,
    );
  }
  await refuseOther({ ...target, live });
  const first = withUnreadable({ ...target, live });
  const protects = isProtected(target.context, program);
  if (protects) await refuseConcurrentEdit(first);
  refuseUnseenArchive(first);
  const found = await lookAgain(first);
  const { announced, unseen, conflicts } = found;
  const current = { ...target, live: announced.live };
  if (!isOlder(current)) await refuseConflicts(current, conflicts);
  reportUnseen(found);
  const movedStates = unseenStates(current);
  reportOff(announced);
  const updated = await converge(announced).catch((error) => {
    if (!(error instanceof PartialFailure)) throw error;
    const kept = picked(state, [...unseen, ...movedStates]);
    throw new PartialFailure(error.id, { ...error.live, ...kept }, error.error);
  });
  // An answer may hide what was written: the next update has to know its own write from an edit.
  const isBehind = protects && equalJson(seenMark(definition, updated), seenMark(definition, current.live));
  const last = isBehind ? await readLive(target) : undefined;
  return {
    ...updated,
    ...picked(last ?? {}, Object.values(auditNames(definition))),
    ...keepSeenValues(target, updated, unseen),
    ...picked(state, movedStates),
  };
}

function readManaged(target: Target): Promise<JsonObject | undefined> {
  const { definition, program, state } = target;
  if (definition.lifecycle.read.how === "remember") return Promise.resolve(state);
  return readLive(
    target,
    inputNames(definition).filter((name) => program[name] !== undefined),
  );
}

/** The object with the ids that no read shows, as state has them. */
function withUnreadable(target: Updated): Updated {
  const { definition, state, live } = target;
  return { ...target, live: { ...unreadable(definition, state, live), ...live } };
}

/**
 * The announced update, by the object as it is now. A read may be late (docs/assumptions.md, row 21): a value that it shows otherwise than state,
 * without a mark of being newer, may be what was there before this stack's own last write. One that finds nothing is later still.
 */
function lookAgain(first: Updated): Promise<Announced> {
  let current = first;
  return askAgain(
    first.context,
    async (time) => {
      const live = time === 1 ? undefined : await readManaged(first);
      if (live !== undefined) current = withUnreadable({ ...first, live });
      return withoutUnannounced(current);
    },
    ({ paths, conflicts }) => paths.length + conflicts.length === 0 || isNewer(current),
  );
}

/** True for an object that shows itself to be a later one than in state. */
function isNewer({ definition, live, state }: Pick<Updated, "definition" | "live" | "state">): boolean {
  const [now, then] = [auditOf(definition, live), auditOf(definition, state)];
  const isAfter = (one: number | undefined, other: number | undefined): boolean =>
    one !== undefined && other !== undefined && one > other;
  return isAfter(now.version, then.version) || isAfter(now.changed, then.changed);
}

/** True for an object as it was before state was written, which a late read shows. One that was made anew counts from 1 again. */
function isOlder({ definition, live, state }: Updated): boolean {
  const [now, then] = [auditOf(definition, live), auditOf(definition, state)];
  return now.created === then.created && isNewer({ definition, live: state, state: live });
}

/** Bringing an object back is announced by what a refresh has read, and by nothing else. */
function refuseUnseenArchive({ definition, id, program, state, live }: Updated): void {
  if (!isArchivedUnseen(definition, { seen: state, live, program })) return;
  throw changeRefused(
    `${nameOf(definition, id)} was archived in the console since the last refresh: left as it is. ` +
      'Run "pulumi refresh": the next "pulumi up" then brings it back, or remove the resource from the program.',
  );
}
