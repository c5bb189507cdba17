import { isNothing } from "../core/compare";
import { inputNames, type ResourceDefinition } from "../core/define";
import { ConsoleError, isConsoleError } from "../core/errors";
import { quoteField } from "../core/issue-text";
import type { JsonObject } from "../core/json";
import { managedBefore, managedMember, managedNames, viewOf } from "../core/managed";
import { type Changes, changesOf, isArchived, stateNames, wantsArchived } from "../core/plan";
import { withServerSetMembers } from "../core/server-set-members";
import { withoutUnmanaged } from "../core/unmanaged";
import { withUnseenChanges } from "../core/unseen-changes";
import { type EngineContext, nameOf, PartialFailure } from "./context";
import { reportOpenReview } from "./open-review";
import { readLive, unreadable } from "./read";
import { learnSecret } from "./secret-ids";
import { type Subject, send } from "./send";
import { forgetTemporaryUnarchive, isLeftUnarchived, noteTemporaryUnarchive } from "./temporary-unarchive";
import { refuseIllegal } from "./transitions";
import { sendChanges } from "./update-strategies";

/** Most rounds of reading and sending: one that works, and two for answers that get lost. */
const mostRounds = 3;

/** Wait before a read that must show the last write, milliseconds. */
const beforeReadMs = 1000;

/** An object as it is to become. */
export interface Target {
  readonly id: string;
  readonly wants: JsonObject;
  /** What the program owned before, and the values that no read shows. */
  readonly state: JsonObject;
}

/**
 * Brings a live object in line with what the program wants, and nothing else of it.
 * @returns the live object afterwards. @throws PartialFailure, with the object as it then is.
 */
export async function reconcile(
  context: EngineContext,
  definition: ResourceDefinition,
  { id, wants, state }: Target,
  live: JsonObject,
): Promise<JsonObject> {
  const before = managedBefore(state);
  const subject: Subject = { context, definition, id, wants, live };
  const pending = () => changesOf(definition, subject.live, wants, before, state);
  const readAgain = async () => {
    const current = await readLive(context, definition, id, [...managedNames(definition, wants), ...before]);
    if (current !== undefined)
      subject.live = { ...unreadable(definition, subject.live, current), ...current };
  };
  if (Object.keys(pending()).length > 0) reportOpenReview(subject);
  try {
    for (let round = 1; ; round += 1) {
      const lost = await sendRound(subject, pending(), round > 1);
      if (lost !== undefined && round < mostRounds) {
        // The request may still be on its way, and a read may be late: what is added twice is refused, or there twice.
        await context.sleep(beforeReadMs);
        await readAgain();
        continue;
      }
      let open = unconfirmed(definition, pending(), subject.live);
      if (open.length > 0) {
        // Answers of writes may be sparse: only a read tells.
        await readAgain();
        open = unconfirmed(definition, pending(), subject.live);
      }
      if (open.length > 0) {
        await context.sleep(beforeReadMs);
        await readAgain();
        open = unconfirmed(definition, pending(), subject.live);
      }
      if (open.length > 0) throw lost ?? notApplied(definition, subject, open);
      return subject.live;
    }
  } catch (error) {
    if (isConsoleError(error)) throw new PartialFailure(id, subject.live, error);
    throw error;
  }
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
  const { context, definition, wants } = subject;
  try {
    const names = Object.keys(changes);
    const archived = isArchived(definition, subject.live);
    const opens = archived && wantsArchived(definition, wants) && names.length > 0;
    const goal = opens ? { ...changes, ...archivedAgain(definition) } : changes;
    if (archived && (opens || !wantsArchived(definition, wants))) {
      refuseIllegal(subject, goal);
      if (opens) await noteTemporaryUnarchive(context, definition, wants);
      await unarchive(subject);
    }
    const left = await sendChanges(subject, goal);
    if (left.length > 0) throw cannotChange(definition, subject, left);
    return undefined;
  } catch (error) {
    if (isConsoleError(error) && (error.uncertain || (again && error.category === "refused"))) return error;
    throw error;
  }
}

/** An archived object takes no writes: it is brought back for them and archived again at the end. */
function archivedAgain(definition: ResourceDefinition): Changes {
  const archived = definition.lifecycle.archived;
  return archived === undefined ? {} : { [archived.field]: archived.is };
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
function unconfirmed(definition: ResourceDefinition, changes: Changes, live: JsonObject): string[] {
  return Object.keys(changes).filter((name) => {
    const { remembered, readsOtherId } = definition.fields[name]?.facts ?? {};
    if (remembered === true) return false;
    return readsOtherId !== true || isNothing(changes[name]) !== isNothing(live[name]);
  });
}

function notApplied(
  definition: ResourceDefinition,
  { id, live, wants }: Subject,
  names: string[],
): ConsoleError {
  const now = viewOf(definition, live);
  const shown = names.slice(0, mostShown);
  const more = names.length > shown.length ? `; and ${names.slice(mostShown).join(", ")}` : "";
  const valueText = (values: JsonObject, name: string) => quoteField(definition, name, values[name]);
  const list = shown
    .map((name) => `${name} is ${valueText(now, name)} and not ${valueText(wants, name)}`)
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
      `Make the program say what is there, or remove the object and create it anew.`,
    { category: "refused" },
  );
}

/**
 * Updates an object: reads it, sends the difference between what is there and what is wanted, and reads again until it shows.
 * @returns the live object afterwards.
 */
export async function update(
  context: EngineContext,
  definition: ResourceDefinition,
  target: Target,
): Promise<JsonObject> {
  // An action that has been carried out has nothing to bring in line.
  if (definition.lifecycle.read.how === "remember") return target.state;
  learnSecret(context, definition, target.id, target.state);
  const live = await readLive(
    context,
    definition,
    target.id,
    inputNames(definition).filter((name) => target.wants[name] !== undefined),
  );
  if (live === undefined) {
    throw new ConsoleError(
      `${nameOf(definition, target.id)} is no longer there. Run "pulumi refresh" so that the next "pulumi up" creates it again.`,
      { category: "not-found" },
    );
  }
  const current = { ...unreadable(definition, target.state, live), ...live };
  refuseUnseenArchive(definition, target, current);
  const isOpen = await isLeftUnarchived(context, definition, target, current);
  const { announced, unseen } = withoutUnannounced(context, definition, target, current, isOpen);
  const updated = await reconcile(context, definition, announced, current).catch((error) => {
    if (!(error instanceof PartialFailure)) throw error;
    throw new PartialFailure(error.id, { ...error.live, ...picked(target.state, unseen) }, error.error);
  });
  if (wantsArchived(definition, target.wants))
    await forgetTemporaryUnarchive(context, definition, target.wants);
  return { ...updated, ...asAnnounced(definition, target.wants, updated, unseen) };
}

/**
 * Fields in which the console has what nobody has seen yet, as the program says them: state tells what was seen, so that the
 * next update does not take the rest for announced either.
 */
function asAnnounced(
  definition: ResourceDefinition,
  wants: JsonObject,
  live: JsonObject,
  unseen: readonly string[],
): JsonObject {
  const said = unseen.filter((name) => wants[name] !== undefined);
  return Object.fromEntries(
    said.map((name) => [name, withServerSetMembers(definition, name, wants[name], live[name])]),
  );
}

function picked(values: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}

/** Bringing an object back is announced by what a refresh has read, and by nothing else. */
function refuseUnseenArchive(
  definition: ResourceDefinition,
  { id, wants, state }: Target,
  live: JsonObject,
): void {
  if (!isArchived(definition, live) || isArchived(definition, state) || wantsArchived(definition, wants))
    return;
  throw new ConsoleError(
    `${nameOf(definition, id)} was archived in the console since the last refresh: left as it is. ` +
      'Run "pulumi refresh": the next "pulumi up" then brings it back, or remove the resource from the program.',
    { category: "refused" },
  );
}

/** An update as a preview has announced it, and the fields that have changed in the console since. */
interface Announced {
  readonly announced: Target;
  readonly unseen: readonly string[];
}

/**
 * An update without what the program did not change and the live object did: fields, and places inside those that both have
 * changed. A preview that knows nothing of such a change has not announced that it would be undone.
 */
function withoutUnannounced(
  context: EngineContext,
  definition: ResourceDefinition,
  target: Target,
  live: JsonObject,
  isOpen: boolean,
): Announced {
  const { id, wants, state } = target;
  const before = managedBefore(state);
  const announced = changesOf(definition, state, wants, before);
  // What this stack brought back for its own change is archived again.
  const opened = isOpen ? stateNames(definition) : [];
  const changed = Object.keys(changesOf(definition, live, wants, before, state)).filter(
    (name) => !opened.includes(name) && !stopsGrowing(definition, name, target),
  );
  const moved = changed.filter((name) => !(name in announced));
  const both = changed.filter((name) => name in announced && before.includes(name));
  const merged = mergedFields(definition, target, live, both);
  const paths = [...moved, ...merged.flatMap(({ paths }) => paths)];
  if (paths.length === 0) return { announced: target, unseen: [] };
  context.report(
    `${nameOf(definition, id)}: ${paths.join(", ")} changed in the console since the last refresh: left as it is. ` +
      'Run "pulumi refresh" to see it; the next "pulumi up" then puts it back.',
  );
  const others = Object.fromEntries(Object.entries(wants).filter(([name]) => !moved.includes(name)));
  const values = Object.fromEntries(merged.map(({ name, value }) => [name, value]));
  const owned = before.filter((name) => !moved.includes(name));
  return {
    announced: { id, wants: { ...others, ...values }, state: { ...state, [managedMember]: owned } },
    unseen: [...moved, ...Object.keys(values)],
  };
}

/** True for a list to which the console adds no more from now on: what it has added goes, as announced. */
function stopsGrowing(definition: ResourceDefinition, name: string, { wants, state }: Target): boolean {
  const flag = definition.fields[name]?.facts.growsWhile;
  return flag !== undefined && state[flag] === true && wants[flag] === false;
}

/** Fields that both the program and the console have changed, with what to send of them, where the console's is to stay in part. */
function mergedFields(
  definition: ResourceDefinition,
  { wants, state }: Target,
  live: JsonObject,
  names: readonly string[],
) {
  const previousArgs = picked(state, managedBefore(state));
  const now = viewOf(definition, withoutUnmanaged(definition, { live, wants, previousArgs }));
  return names.flatMap((name) => {
    const { remembered, readsOtherId } = definition.fields[name]?.facts ?? {};
    if (remembered === true || readsOtherId === true || wants[name] === undefined) return [];
    const three = { wanted: wants[name], seen: state[name], live: now[name] };
    const merged = withUnseenChanges(definition, name, three);
    return merged.paths.length === 0 ? [] : [{ name, ...merged }];
  });
}
