import type { ResourceDefinition } from "../core/define";
import { isObject, type JsonObject } from "../core/json";
import { createdFields } from "../core/machine";
import { managedNames } from "../core/managed";
import { differences } from "../core/plan";

/** An object that a create found. */
export interface Candidate {
  readonly live: JsonObject;
  readonly wants: JsonObject;
  /** This run sent a create whose answer was lost, so the object may be its fruit. */
  readonly mine: boolean;
}

/**
 * True for what a lost create of this program left behind: all that a create sends is there as sent, a key made it, and
 * nobody has touched it since. After a lost answer in this same run, equality alone is enough.
 */
export function isOwn(definition: ResourceDefinition, { live, wants, mine }: Candidate): boolean {
  const { create } = definition.lifecycle;
  if (create.how !== "send") return false;
  const sent = createdFields(definition, create.route);
  const sentWants = Object.fromEntries(Object.entries(wants).filter(([name]) => sent.includes(name)));
  if (differences(definition, live, sentWants).length > 0) return false;
  const settled = differences(definition, live, wants).length === 0;
  const secondWrite = settled && managedNames(definition, wants).some((name) => !sent.includes(name));
  return mine || (madeByKey(live, wants) && untouched(live, secondWrite));
}

/** Objects made by a key have no owner or one of type SDK_KEY, and no author's e-mail (console-api, section 10). */
function madeByKey(live: JsonObject, wants: JsonObject): boolean {
  const ownerType = isObject(live.owner) ? (live.owner.ownerType ?? "SDK_KEY") : "SDK_KEY";
  const email = live.creatorEmail ?? wants.creatorEmail ?? null;
  return ownerType === "SDK_KEY" && email === (wants.creatorEmail ?? null);
}

/** How long after its creation the writes of one create may last. */
const settlingMs = 60_000;

/** A create that takes a second write leaves version 2 behind, and a time of change shortly after that of creation. */
function untouched(live: JsonObject, secondWrite: boolean): boolean {
  const { version, createdTime, lastModifiedTime } = live;
  const firstVersion = typeof version !== "number" || version <= (secondWrite ? 2 : 1);
  const known = typeof lastModifiedTime === "number" && typeof createdTime === "number";
  // Where nothing tells when it was made or changed, it may be anybody's.
  if (!known && typeof version !== "number") return false;
  return firstVersion && (!known || lastModifiedTime - createdTime <= (secondWrite ? settlingMs : 0));
}
