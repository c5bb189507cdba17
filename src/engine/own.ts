import { sameMeaning } from "../core/compare";
import { type ResourceDefinition, showsChanges } from "../core/define";
import type { IdSource } from "../core/id-changes";
import { hashesOf, isDigest, without } from "../core/id-digest";
import { isObject, type JsonObject } from "../core/json";
import { createdFields, machineOf } from "../core/machine";
import { managedNames, viewOf } from "../core/managed";
import { differences } from "../core/plan";

/** What is known of an earlier create of the same object. */
export interface Attempt {
  /** This run sent one whose answer was lost. */
  readonly lost: boolean;
  /** An earlier run noted that it was about to send one; these ids were there before. */
  readonly noted?: readonly string[] | undefined;
}

/** An object that a create found. */
export interface Candidate {
  readonly live: JsonObject;
  readonly wants: JsonObject;
  /** It was not there before this stack sent a create of it. */
  readonly mine: boolean;
  /** This run sent a create of it whose answer was lost. */
  readonly lost?: boolean;
  /** Ids that the program gave; left out: a list of ids that is half made is nobody's. */
  readonly idsOf?: IdSource;
}

/** True where a look before the create proves that an object was not there then. */
export function explains({ noted }: Pick<Attempt, "noted">, id: string): boolean {
  return noted !== undefined && !noted.includes(id);
}

/**
 * True for what an interrupted create of this program left behind, whole or half made: all that the first write sends is
 * there as sent, a key made it, and nobody has touched it since. Where it was not there before a create of this stack,
 * equality alone is enough.
 */
export function isOwn(definition: ResourceDefinition, candidate: Candidate): boolean {
  if (!isAsSent(definition, candidate)) return false;
  return candidate.mine || (madeByKey(candidate) && (untouched(definition, candidate) || isFruit(candidate)));
}

/** What bears no date can be nothing else than the fruit of a create whose answer this run lost. */
function isFruit({ live, lost = false }: Candidate): boolean {
  return (
    lost && [live.version, live.createdTime, live.lastModifiedTime].every((one) => typeof one !== "number")
  );
}

/** True for what an interrupted create may have left as well as anybody else: nothing tells. */
export function mayBeOwn(definition: ResourceDefinition, candidate: Candidate): boolean {
  return !showsChanges(definition) && isAsSent(definition, candidate) && madeByKey(candidate);
}

/** True where all that a create sends is there as sent. */
function isAsSent(definition: ResourceDefinition, { live, wants }: Candidate): boolean {
  const sent = sentNames(definition);
  const sentWants = Object.fromEntries(Object.entries(wants).filter(([name]) => sent.includes(name)));
  return definition.lifecycle.create.how === "send" && differences(definition, live, sentWants).length === 0;
}

function sentNames(definition: ResourceDefinition): string[] {
  const { create } = definition.lifecycle;
  return create.how === "send" ? createdFields(definition, create.route) : [];
}

/** Objects made by a key have no owner or one of type SDK_KEY, and no author's e-mail (console-api, section 10). */
function madeByKey({ live, wants }: Candidate): boolean {
  const ownerType = isObject(live.owner) ? (live.owner.ownerType ?? "SDK_KEY") : "SDK_KEY";
  return ownerType === "SDK_KEY" && isOfKey(live.creatorEmail, wants);
}

/** A key has no e-mail; a program may give it one. */
function isOfKey(email: unknown, wants: JsonObject): boolean {
  return [null, wants.creatorEmail ?? null].includes((email ?? null) as null);
}

/**
 * How long after its creation the writes of one create may last. Each takes its time budget at most, 16 minutes when the
 * write limit holds it back.
 */
const settlingMs = 3_600_000;

/** The writes that follow the first one of a create count up the version and move the time of the last change. */
function untouched(definition: ResourceDefinition, { live, wants, idsOf }: Candidate): boolean {
  if (!showsChanges(definition)) return false;
  const sent = sentNames(definition);
  const later = managedNames(definition, wants).filter((name) => !sent.includes(name));
  const { version, createdTime, lastModifiedTime } = live;
  const known = typeof lastModifiedTime === "number" && typeof createdTime === "number";
  const counted = typeof version === "number";
  if (!known && !counted) return false;
  const elapsedMs = known ? lastModifiedTime - createdTime : 0;
  if (elapsedMs === 0 && (!counted || version <= 1)) return true;
  const now = viewOf(definition, live);
  return (
    later.length > 0 &&
    elapsedMs <= settlingMs &&
    isOfKey(live.lastModifierEmail, wants) &&
    later.every((name) => isUnderWay(definition, name, now, wants, idsOf))
  );
}

/** True for a field that a later write of the same create has set, has begun to set, or has yet to set. */
function isUnderWay(
  definition: ResourceDefinition,
  name: string,
  now: JsonObject,
  wants: JsonObject,
  idsOf: IdSource | undefined,
): boolean {
  const facts = definition.fields[name]?.facts;
  // States are passed through, and the console chooses an element where none is named.
  if (name === machineOf(definition)?.field || facts?.idOf !== undefined || facts?.remembered) return true;
  const [current, wanted] = [now[name], wants[name]];
  if (current === undefined || current === null || current === "") return true;
  if (sameMeaning(definition, name, current, wanted)) return true;
  if (facts?.serverDefault !== undefined && sameMeaning(definition, name, current, facts.serverDefault))
    return true;
  const ids = isDigest(wanted) ? idsOf?.(wanted) : undefined;
  if (ids !== undefined && Array.isArray(current))
    return without(hashesOf(current), hashesOf(ids)).length === 0;
  return Array.isArray(current) && Array.isArray(wanted) && current.every((one) => wanted.includes(one));
}
