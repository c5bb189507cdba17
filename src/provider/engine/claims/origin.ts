import type { Evidence } from "../../decisions/claim";
import { changesOf, clearableNames, differences, stateNames } from "../../decisions/plan";
import { type IdSource, isWithin } from "../../id-lists/changes";
import { auditOf, showsChanges } from "../../schema/audit";
import { inputNames, type ResourceDefinition } from "../../schema/define";
import type { FieldTraits } from "../../schema/field";
import { resourceMember } from "../../schema/internal";
import { givenIn, isObject, type JsonObject, membersOf, picked } from "../../schema/json";
import { sameMeaning } from "../../values/compare";
import { createdFields, machineOf } from "../../values/machine";
import { managedNames, viewOf } from "../../values/managed";
import { matchesArgs } from "../../values/sparse-values";
import type { JournalEntry } from "../context";
import { ownerOf } from "../ownership";
import {
  type DeclaredObject,
  type Journalled,
  journalOf,
  type LiveObject,
  type StoredObject,
} from "../subject";
import { consoleTimeOf, isDuring, isLater } from "./entry-time";

/** Earlier create of the same object, as far as it is known. */
export interface Attempt {
  /** This run sent one whose answer was lost. */
  readonly lost: boolean;
  /** Journal entry of this stack about this create, or about an interrupted one of this resource. */
  readonly entry: JournalEntry | undefined;
  /** Journal entry from before this create was entered. */
  readonly former?: JournalEntry | undefined;
}

/** An object that a program declares and no state has, and what is known of earlier creates of it. */
export interface Creating extends DeclaredObject, Attempt {
  /** Id of the object that is replaced: it goes, and is not what a create searches for. */
  readonly replacedId?: string | undefined;
  /** Frees the name that it gets, where the object that it replaces has it. */
  readonly freeName?: FreeName | undefined;
}

/** Frees the name of the object that is replaced. @returns false where it has been freed before, or cannot be. */
export type FreeName = () => Promise<boolean>;

/** An object that a create found. */
export interface Candidate
  extends Pick<LiveObject & DeclaredObject, "definition" | "id" | "live" | "program"> {
  /** Ids that the program gave; left out: a list of ids that is half made is nobody's. */
  readonly idsOf?: IdSource;
}

/** True where the last change of an object is the one that the journal has an entry of. */
export function isLastChange(
  candidate: Candidate,
  entry: JournalEntry,
  clockOffsetMs: number | undefined,
): boolean {
  const { changed, changedBy } = auditOf(candidate.definition, candidate.live);
  return changed !== undefined && isDuring(entry, changed, clockOffsetMs) && isOfKey(candidate, changedBy);
}

/**
 * Origin of an object, by the journal of this stack: a create of this stack made it when the answer said so, when it
 * was not there right before, or when it came to be while that create was under way.
 */
export function originOf(
  candidate: Candidate,
  { lost, entry, former }: Attempt,
  clockOffsetMs: number | undefined,
): Evidence["origin"] {
  const { definition, live, program } = candidate;
  const { created } = auditOf(definition, live);
  const by = (one: JournalEntry | undefined, isLost: boolean): Evidence["origin"] => {
    if (one === undefined || one.did === "archive" || one.did === "adopt") return "unknown";
    if (one.did !== "create") {
      // An object that was created after this one was brought back is another one of its key.
      const isAnother = created !== undefined && created > consoleTimeOf(one, clockOffsetMs);
      if (isAnother || !isLastChange(candidate, one, clockOffsetMs)) return "unknown";
      return isOfThisResource(one, program) ? "brought-back" : "renamed";
    }
    if (!isCreatedBy(one, { ...candidate, created, lost: isLost }, clockOffsetMs)) return "unknown";
    return isOfThisResource(one, program) ? "this-stack" : "renamed";
  };
  const origin = by(entry, lost);
  return origin === "unknown" ? by(former, false) : origin;
}

/** True for an entry about a create of this very resource. */
export function isOfThisResource({ resource }: JournalEntry, program: JsonObject): boolean {
  return (
    resource === undefined || program[resourceMember] === undefined || resource === program[resourceMember]
  );
}

function isCreatedBy(
  entry: JournalEntry,
  { definition, id, created, lost }: Candidate & { created: number | undefined; lost: boolean },
  clockOffsetMs: number | undefined,
): boolean {
  // An id that the console generates is given once.
  if (entry.made !== undefined)
    return (
      entry.made === id && (definition.identity.how === "server" || !isLater(entry, created, clockOffsetMs))
    );
  if (entry.there?.includes(id)) return false;
  if (created !== undefined) return isDuring(entry, created, clockOffsetMs);
  // Without a date, it was made by a create before which it did not exist, or whose answer was lost.
  return entry.there !== undefined || lost;
}

/**
 * Forgets that this stack made an object that is gone although state had it: what bears its name from now on is another's.
 */
export async function forgetCreate(stored: StoredObject): Promise<void> {
  const journal = journalOf(stored);
  const entry = await journal.find();
  if (isOfOtherObject(entry, stored.id)) return;
  if (entry?.did === "create" || entry?.did === "adopt") await journal.drop();
}

/** True for an entry about another object than the one of this id, which the program calls the same. */
export function isOfOtherObject(entry: JournalEntry | undefined, id: string): boolean {
  return entry?.made !== undefined && entry.made !== id;
}

/**
 * True where the journal of another stack shows that its create made an object, or that it took the object over. An id that the
 * console generates is given once; any other belongs to whoever began later, because a create is refused what is there.
 */
export function isOfOther(
  definition: ResourceDefinition,
  id: string,
  other: JournalEntry,
  { entry, former }: Attempt,
): boolean {
  if (other.did === "archive" || other.made !== id) return false;
  const own = entry ?? former;
  const isAfterOwn = own !== undefined && consoleTimeOf(other) > consoleTimeOf(own);
  if (other.did !== "create") return own === undefined || isAfterOwn;
  return definition.identity.how === "server" || isAfterOwn;
}

/**
 * The entry by which another stack has taken an object over since a resource of this stack had it, from the journals that this run can
 * read. The mark of the resource moves with its state (`pulumi state move`): an entry that bears it is of this very resource.
 */
export async function laterAdopter(
  stored: Journalled & Pick<StoredObject, "id">,
): Promise<JournalEntry | undefined> {
  const { id } = stored;
  const { self } = ownerOf(stored.state);
  const journal = journalOf(stored);
  const others = await journal.entriesOfOthers();
  const ofThisObject = others.filter(({ did, made }) => made === id && did !== "archive");
  const takers = ofThisObject.filter(({ self: by }) => by !== undefined && by !== self);
  const [newest] = takers.sort((one, other) => consoleTimeOf(other) - consoleTimeOf(one));
  if (newest === undefined) return undefined;
  const own = await journal.find();
  const ownEntries = own === undefined || isOfOtherObject(own, id) ? [] : [own];
  const since = [...ownEntries, ...ofThisObject.filter(({ self: by }) => by === self)].map((entry) =>
    consoleTimeOf(entry),
  );
  return consoleTimeOf(newest) >= Math.max(0, ...since) ? newest : undefined;
}

/** The act of that entry in a sentence: "another stack took it over on 2026-11-23". */
export function takenOverText({ did, at }: Pick<JournalEntry, "did" | "at">): string {
  const act = did === "create" ? "created it anew" : "took it over";
  return `another stack ${act} on ${new Date(at).toISOString().slice(0, 10)}`;
}

/**
 * True for what a create of this program leaves behind, whole or half made: all that the first write sends is there as
 * sent, and where the object shows it, a key made it and nobody has touched it since.
 */
export function equalsOwnCreate(candidate: Candidate): boolean {
  if (!isAsSent(candidate) || !isCreatedByKey(candidate)) return false;
  const { definition, live, program } = candidate;
  const { version, created, changed } = auditOf(definition, live);
  const isUndated = [version, created, changed].every((one) => one === undefined);
  if (showsChanges(definition) && !isUndated) return isUntouched(candidate);
  // Nothing shows that somebody changed it: it has at least nothing that this program does not say.
  const shown = viewOf(definition, live);
  return namesOtherThanNew(definition, live, program).every(
    (name) => program[name] !== undefined || shown[name] === undefined,
  );
}

/**
 * True for an archived object that, brought back, would be what a create of these arguments makes: what the program does
 * not say is as the console fills it in.
 */
export function equalsFreshObject(
  definition: ResourceDefinition,
  live: JsonObject,
  program: JsonObject,
): boolean {
  return namesOtherThanNew(definition, live, program).length === 0;
}

/** Fields in which an object is not what a create of these arguments makes, but for its state and what no read shows. */
function namesOtherThanNew(definition: ResourceDefinition, live: JsonObject, program: JsonObject): string[] {
  const passing = stateNames(definition);
  const omitted = inputNames(definition).filter((name) => program[name] === undefined);
  const defaults = membersOf(omitted, (name) => definition.fields[name]?.traits.serverDefault);
  const whole = { ...givenIn(defaults), ...program };
  const lastProgram = membersOf(clearableNames(definition), (name) => live[name]);
  const changes = changesOf(definition, { program: whole, lastProgram, live });
  return Object.keys(changes).filter(
    (name) => !passing.includes(name) && definition.fields[name]?.traits.remembered !== true,
  );
}

/** True where all that a create sends is there as sent. */
function isAsSent({ definition, live, program }: Candidate): boolean {
  const sent = picked(program, sentNames(definition));
  return definition.lifecycle.create.how === "send" && differences(definition, live, sent).length === 0;
}

function sentNames(definition: ResourceDefinition): string[] {
  const { create } = definition.lifecycle;
  return create.how === "send" ? createdFields(definition, create.route) : [];
}

/** An object that a key made has no author's e-mail; the members that show its maker are those of a key, or as the program sets them. */
function isCreatedByKey(candidate: Candidate): boolean {
  const { definition, live, program } = candidate;
  const isItsOwn = Object.entries(definition.fields).every(([name, { traits }]) =>
    saysKey(traits.ofKey, live[name], program[name]),
  );
  return isItsOwn && isOfKey(candidate, auditOf(definition, live).madeBy);
}

function saysKey(ofKey: FieldTraits["ofKey"], live: unknown, wanted: unknown): boolean {
  if (ofKey === undefined || !isObject(live)) return true;
  return Object.entries(ofKey).every(([member, value]) => {
    const shown = live[member] ?? value;
    return shown === value || (isObject(wanted) && shown === wanted[member]);
  });
}

/** A key has no e-mail; a program may give it one. */
function isOfKey({ definition, program }: Candidate, email: unknown): boolean {
  return [null, auditOf(definition, program).madeBy ?? null].includes((email ?? null) as null);
}

/**
 * Longest time from its creation to the last write of one create. Each takes its time budget at most, 16 minutes when the
 * write limit holds it back.
 */
const longestCreateMs = 3_600_000;

/** The writes that follow the first one of a create count up the version and move the time of the last change. */
function isUntouched(candidate: Candidate): boolean {
  const { definition, live, program } = candidate;
  const sent = sentNames(definition);
  const later = managedNames(definition, program).filter((name) => !sent.includes(name));
  const { version, created, changed, changedBy } = auditOf(definition, live);
  const elapsedMs = changed === undefined || created === undefined ? undefined : changed - created;
  if (elapsedMs === undefined && version === undefined) return false;
  if ((elapsedMs ?? 0) === 0 && (version ?? 1) <= 1) return true;
  const now = viewOf(definition, live);
  return (
    later.length > 0 &&
    (elapsedMs ?? 0) <= longestCreateMs &&
    isOfKey(candidate, changedBy) &&
    later.every((name) => isUnderWay(candidate, name, now))
  );
}

/** True for a field that a later write of the same create has set, has begun to set, or has yet to set. */
function isUnderWay({ definition, program, idsOf }: Candidate, name: string, now: JsonObject): boolean {
  const traits = definition.fields[name]?.traits;
  // States are passed through, and the console chooses an element where none is named.
  if (name === machineOf(definition)?.field || traits?.idOf !== undefined || traits?.remembered) return true;
  const [current, wanted] = [now[name], program[name]];
  if (current === undefined || current === null || current === "") return true;
  if (matchesArgs(definition, name, { program: wanted, live: current })) return true;
  if (traits?.serverDefault !== undefined && sameMeaning(definition, name, current, traits.serverDefault))
    return true;
  if (!Array.isArray(current)) return false;
  if (Array.isArray(wanted)) return current.every((one) => wanted.includes(one));
  return isWithin(current, wanted, idsOf);
}
