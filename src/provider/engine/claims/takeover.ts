import { changesOf } from "../../decisions/plan";
import { hasSameName, inPlaceText } from "../../decisions/replacement-order";
import type { ResourceDefinition } from "../../schema/define";
import type { JsonObject } from "../../schema/json";
import {
  type CreatedObject,
  type EngineContext,
  type JournalEntry,
  nameOf,
  objectLabel,
  PartialFailure,
  resourceIn,
  routeTo,
} from "../context";
import { converge } from "../converge";
import { reportTakeover, takeoverLines } from "../edits/announcement";
import { ownerOf } from "../ownership";
import { refusalOf } from "../transitions";
import { entryTime } from "./entry-time";
import { type Finding, takeoverValues } from "./evidence";
import type { ExistingObject } from "./existing-object";
import type { FreeName } from "./free-name";
import { refusalFor } from "./refusal";

/** Object that a create has found, and its other evidence. */
export interface Takeover {
  readonly finding: Finding;
  readonly program: JsonObject;
  readonly entry: JournalEntry | undefined;
  /** This run sent a create of it whose answer was lost: taking it over is no news. */
  readonly lost?: boolean;
  /** Frees the name that it gets, where the object that it replaces has it. */
  readonly freeName?: FreeName | undefined;
}

/**
 * Does what was decided about an object that is there already.
 * @returns undefined when nothing is there, or when it had to go, so that it can be created anew.
 * @throws ConsoleError "exists" or "not-found" for a refusal.
 */
export async function takeOver(
  context: EngineContext,
  definition: ResourceDefinition,
  takeover: Takeover,
): Promise<CreatedObject | undefined> {
  const { claim, found } = takeover.finding;
  if (claim.act === "refuse") throw refusalFor(definition, takeover, claim.reason);
  if (claim.act === "send" || found === undefined) return undefined;
  const object = nameOf(definition, found.id);
  const { program } = takeover;
  const note = () => noteAdoption(context, definition, found.id, takeover);
  // Claimed before the first write: another resource may be searching at the same time.
  context.ownership.claim(object, ownerOf(program));
  try {
    if (claim.act === "adopt") {
      const adopted = await adopt(context, definition, found, takeover);
      return { ...adopted, isNoted: await note() };
    }
    if (claim.act === "unarchive") return await unarchive(context, definition, found, takeover);
    await recreate(context, definition, found.id);
    context.ownership.releaseByAll(object);
    return undefined;
  } catch (error) {
    if (error instanceof PartialFailure) {
      context.ownership.releaseToRetry(object);
      if (claim.act === "adopt") await note();
    } else context.ownership.releaseByAll(object);
    throw error;
  }
}

/**
 * Writes down that this resource has the object now: a stack that had it before finds that in the journal, and leaves it. What
 * an interrupted run of this very resource made is no other's.
 * @returns whether there was anything to write.
 */
async function noteAdoption(
  context: EngineContext,
  definition: ResourceDefinition,
  id: string,
  { finding, program }: Takeover,
): Promise<boolean> {
  const { origin, holder } = finding.evidence;
  if (origin === "this-stack" || origin === "brought-back" || holder === "itself") return false;
  await context.journal.write(objectLabel(definition, program), {
    ...entryTime(context),
    ...{ did: "adopt", made: id },
    ...resourceIn(context, program),
  });
  return true;
}

async function adopt(
  context: EngineContext,
  definition: ResourceDefinition,
  { id, live }: ExistingObject,
  { program, finding, lost, freeName }: Takeover,
): Promise<CreatedObject> {
  const { permission, holder, origin } = finding.evidence;
  const isOwn = origin === "this-stack" || origin === "claimed";
  const isAsApplied = permission === "none" && isOwn;
  const state = isAsApplied ? program : takeoverValues(definition, finding, live, program).state;
  // Nothing is taken that would have to be left as it is.
  const changes = changesOf(definition, { program, live, seen: state });
  const refusal = refusalOf({ definition, id, program, live }, changes);
  if (refusal !== undefined) throw refusal;
  const isMeant = permission === "none" && lost !== true;
  const inPlace = isMeant && holder === "itself" ? `${inPlaceText(definition, program)}.` : undefined;
  const line = inPlace ?? adoptionText(isMeant ? holder : undefined, origin);
  if (line !== undefined) context.report(`${nameOf(definition, id)} ${line}`);
  // Pulumi's own difference has shown the values of an object that this run or this resource made.
  else if (permission !== "none" && lost !== true && holder !== "itself")
    reportTakeover(context, definition, finding, program);
  if (!hasSameName(definition, { state: live }, program)) await freeName?.();
  return { id, live: await converge(context, definition, { id, program, state }, live) };
}

function adoptionText(
  holder: Finding["evidence"]["holder"] | undefined,
  origin: Finding["evidence"]["origin"],
): string | undefined {
  if (holder === undefined) return undefined;
  if (origin === "this-stack")
    return "is there already, made by this stack, and shows no other change: taken over.";
  if (origin === "brought-back")
    return "is there already, brought back by this stack, and shows no other change: taken over.";
  return "matches the program: taken over, because FEATURE_CONSOLE_TAKE_OVER is set.";
}

async function unarchive(
  context: EngineContext,
  definition: ResourceDefinition,
  { id, live }: ExistingObject,
  { finding, program: args, freeName }: Takeover,
): Promise<CreatedObject> {
  const { program, state } = takeoverValues(definition, finding, live, args);
  const object = nameOf(definition, id);
  await context.journal.write(object, {
    ...entryTime(context),
    did: "unarchive",
    made: id,
    ...resourceIn(context, args),
  });
  const isAdopted = finding.evidence.permission !== "none";
  const overwritten = isAdopted ? takeoverLines(context, definition, finding, args) : [];
  context.report(
    [`${object} was archived: brought back and in line with the program.`, ...overwritten].join("\n"),
  );
  if (!hasSameName(definition, { state: live }, program)) await freeName?.();
  return { id, live: await converge(context, definition, { id, program, state }, live), isNoted: true };
}

async function recreate(context: EngineContext, definition: ResourceDefinition, id: string): Promise<void> {
  const removal = definition.lifecycle.delete.remove;
  if (removal === undefined) return;
  context.report(
    `${nameOf(definition, id)} was archived and cannot become what the program declares: deleted for ever, to be created anew.`,
  );
  const { route, params } = routeTo(definition, removal.route, id);
  await context.client.maybeItem(route, { params });
}
