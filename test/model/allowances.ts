import { differences } from "../../src/provider/decisions/plan";
import { type ResourceDefinition, routeOf } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { fromWire } from "../../src/provider/schema/wire-names";
import { createdFields } from "../../src/provider/values/machine";
import { people, type Snapshot, type Stored } from "../world/console";
import { identityOf } from "../world/edits";
import type { Run, Step } from "../world/steps";
import type { Episode } from "./episode";
import type { StackName } from "./history";
import { definitionOf, type Facts, holds, isEqualArchived, isExplicit, makings, means } from "./ledger";

/** What harms somebody and cannot be told from one stack, so that the rules let it pass and it is counted apart. */
export type Allowance =
  | "an equal archived object came back that another stack's state held: allowed by the claim table"
  | "an object was taken that came in the place of an interrupted create: the residual doubt of docs/recovery.md";

/** A create that a run of a stack began, and of which it does not know whether it was carried out. */
export interface Interrupted {
  /** When the run ended, by the console's clock. */
  readonly at: number;
  /** Objects that were there then: none of them can have come later. */
  readonly there: ReadonlySet<string>;
}

/** By kind and name of the object. */
export type InterruptedCreates = ReadonlyMap<string, Interrupted>;

/** Why what a stack does to an object that is not its own passes; undefined where nothing excuses it. */
export function allowanceOf(episode: Episode, stored: Stored): Allowance | undefined {
  const plain = makings(episode).filter((step) => means(step, stored) && !isExplicit(step));
  if (episode.takesOver) return undefined;
  if (plain.some((step) => isUnmarkedComeback(episode, step, stored)))
    return "an equal archived object came back that another stack's state held: allowed by the claim table";
  if (plain.some((step) => isUndecidable(episode, step, stored)))
    return "an object was taken that came in the place of an interrupted create: the residual doubt of docs/recovery.md";
  return undefined;
}

/**
 * Row "archived by somebody, and just what a new one would be" of docs/claims.md, where another stack's state has the object:
 * a person archived it, or the other stack did and the kind shows no reason by which it says so.
 */
function isUnmarkedComeback({ others, factsBefore }: Episode, step: Step, stored: Stored): boolean {
  if (!holds(others, stored.key) || !isEqualArchived(step, stored)) return false;
  const isByHand = people.has(factsBefore.get(stored.key)?.archivedBy);
  return isByHand || !showsReason(definitionOf(stored.kind) as ResourceDefinition);
}

function showsReason(definition: ResourceDefinition): boolean {
  const { read } = definition.lifecycle;
  return (
    read.how === "get" && (routeOf(definition, read.route).query ?? []).includes("includeArchiveMetadata")
  );
}

/** How long after it was noted a create may still be carried out, milliseconds (docs/recovery.md). */
const latestMs = 20 * 60_000;

/**
 * The residual doubt of docs/recovery.md: the create was begun and not carried out, and somebody else made just what it would
 * have made, with a key, so soon after that its time of creation, if it shows one, does not tell.
 */
function isUndecidable(
  { interruptedCreates, factsBefore }: Episode,
  { kind, inputs }: Step,
  stored: Stored,
): boolean {
  const definition = definitionOf(kind);
  const begun = inputs && interruptedCreates.get(createOf(kind, inputs));
  if (begun === undefined || definition === undefined || stored.archived || begun.there.has(stored.key))
    return false;
  const { createdTime, creatorEmail } = stored.item;
  if (creatorEmail !== undefined && creatorEmail !== null) return false;
  if (typeof createdTime === "number" && createdTime > begun.at + latestMs) return false;
  const isTouched = (factsBefore.get(stored.key)?.actors.size ?? 0) > 1;
  return !isTouched && isAsSent(definition, inputs as JsonObject, stored);
}

/** True where all that the request of a create says is there as said. */
function isAsSent(definition: ResourceDefinition, inputs: JsonObject, stored: Stored): boolean {
  const { create } = definition.lifecycle;
  if (create.how !== "send") return false;
  const names = createdFields(definition, create.route);
  const sent = Object.fromEntries(Object.entries(inputs).filter(([name]) => names.includes(name)));
  return differences(definition, fromWire(definition, stored.item), sent).length === 0;
}

function createOf(kind: string, inputs: JsonObject): string {
  return `${kind} ${String(inputs[identityOf(kind)])}`;
}

interface Ended {
  readonly stack: StackName;
  readonly at: number;
  readonly console: Snapshot;
  readonly facts: Facts;
}

/** What is in doubt after a run, if something was before: an answered create is not, and the first note of one counts. */
export function interruptedAfter(before: InterruptedCreates, run: Run, ended: Ended): InterruptedCreates {
  const after = new Map(before);
  for (const step of run.steps) {
    if (step.inputs === undefined) continue;
    const create = createOf(step.kind, step.inputs);
    if (!run.killed && run.error === undefined) after.delete(create);
    else if (isInDoubt(step, run, ended) && !after.has(create))
      after.set(create, { at: ended.at, there: new Set(ended.console.keys()) });
  }
  return after;
}

function isInDoubt(
  step: Step,
  { killed, failed, error = "" }: Run,
  { stack, console, facts }: Ended,
): boolean {
  if (step.op !== "create" && step.op !== "replace") return false;
  const isLost = step.urn === failed && /may have been carried out/.test(error);
  const isMade = (stored: Stored) => means(step, stored) && facts.get(stored.key)?.maker === stack;
  return (killed || isLost) && ![...console.values()].some(isMade);
}
