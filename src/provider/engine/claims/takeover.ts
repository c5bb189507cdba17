import { isOpenConflict } from "../../decisions/console-edits";
import { changesOf } from "../../decisions/plan";
import { hasSameName, inPlaceText } from "../../decisions/replacement-order";
import { isConsoleError } from "../../schema/errors";
import type { JsonObject } from "../../schema/json";
import { holdsSigned } from "../../schema/unknown";
import { type CreatedObject, nameOf, objectLabel, PartialFailure, routeTo } from "../context";
import { converge } from "../converge";
import { reportTakeover, takeoverLines } from "../edits/announcement";
import { overwrites } from "../edits/concurrent-edits";
import { refuseConflicts, withoutUnannounced } from "../edits/unannounced";
import { ownerOf } from "../ownership";
import type { DeclaredObject, ObjectHere, Target } from "../subject";
import { refusalOf } from "../transitions";
import { update } from "../update";
import { newEntry } from "./create-journal";
import { type Finding, takeoverValues } from "./evidence";
import type { ExistingObject } from "./existing-object";
import type { Creating } from "./origin";
import { refusalFor } from "./refusal";

/**
 * Does what was decided about an object that is there already.
 * @returns undefined when nothing is there, or when it had to go, so that it can be created anew.
 * @throws ConsoleError "exists" or "not-found" for a refusal.
 */
export async function takeOver(creating: Creating, finding: Finding): Promise<CreatedObject | undefined> {
  const { context, definition, program } = creating;
  const { claim, found } = finding;
  if (claim.act === "refuse") throw refusalFor(creating, finding, claim.reason);
  if (claim.act === "send" || found === undefined) return undefined;
  const object = nameOf(definition, found.id);
  const note = () => noteAdoption(creating, finding, found.id);
  // Claimed before the first write: another resource may be searching at the same time.
  context.ownership.claim(object, ownerOf(program));
  try {
    if (claim.act === "adopt") {
      const adopted =
        (await updateInPlace(creating, finding, found)) ?? (await adopt(creating, finding, found));
      return { ...adopted, isNoted: await note() };
    }
    if (claim.act === "unarchive") return await unarchive(creating, finding, found);
    await recreate({ context, definition, id: found.id });
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
 * an interrupted run of this very resource made is no other's, and what every project has is everybody's.
 * @returns whether there was anything to write.
 */
async function noteAdoption(
  declared: DeclaredObject,
  { evidence: { origin, holder } }: Finding,
  made: string,
): Promise<boolean> {
  const { context, definition, program } = declared;
  if (origin === "this-stack" || origin === "brought-back" || holder === "itself") return false;
  if (definition.lifecycle.create.how === "claim") return false;
  await context.journal.write(objectLabel(definition, program), newEntry(declared, "adopt", { made }));
  return true;
}

/**
 * Updates what only options of Pulumi replace, where it is: an edit of a person stays or is refused as in any update. Undefined
 * for an object that came otherwise, or of which this run cannot know the state.
 */
async function updateInPlace(
  creating: Creating,
  finding: Finding,
  { id }: ExistingObject,
): Promise<CreatedObject | undefined> {
  const { context, definition, program, lost } = creating;
  const state = lost ? undefined : await stateInPlace(creating, finding, id);
  if (state === undefined) return undefined;
  context.report(`${nameOf(definition, id)} ${inPlaceText(definition, program)}.`);
  return { id, live: await update({ context, definition, id, program, state }) };
}

async function stateInPlace(
  { context, program }: DeclaredObject,
  { evidence: { holder } }: Finding,
  id: string,
): Promise<JsonObject | undefined> {
  const { resource } = ownerOf(program);
  if (holder !== "itself" || resource === undefined) return undefined;
  const state = await context.storedState(resource, id);
  // A secret of an exported state cannot be compared.
  return state === undefined || holdsSigned(state) ? undefined : state;
}

/** The message of the refusal that awaits a change in place: of what a person changed too, or of its state. Undefined where none is known. */
export async function inPlaceRefusal(
  declared: DeclaredObject,
  finding: Finding,
): Promise<string | undefined> {
  const { found } = finding;
  if (found === undefined) return undefined;
  const state = await stateInPlace(declared, finding, found.id);
  if (state === undefined) return undefined;
  const target = { ...declared, ...found, state };
  const { context, definition, program, live } = target;
  try {
    const conflicts = withoutUnannounced(target).conflicts.filter((one) => !isOpenConflict(program, one));
    if (!overwrites(context, program)) await refuseConflicts(target, conflicts);
    return refusalOf(target, changesOf(definition, { program, live, seen: state }))?.message;
  } catch (error) {
    if (isConsoleError(error)) return error.message;
    throw error;
  }
}

async function adopt(
  creating: Creating,
  finding: Finding,
  { id, live }: ExistingObject,
): Promise<CreatedObject> {
  const { context, definition, program, lost } = creating;
  const { permission, holder, origin } = finding.evidence;
  const isOwn = origin === "this-stack" || origin === "claimed";
  const isAsApplied = permission === "none" && isOwn;
  const state = isAsApplied ? program : takeoverValues(definition, finding, live, program).state;
  // Nothing is taken that would have to be left as it is.
  const changes = changesOf(definition, { program, live, seen: state });
  const refusal = refusalOf({ definition, id, program, live }, changes);
  if (refusal !== undefined) throw refusal;
  const isMeant = permission === "none" && !lost;
  const inPlace = isMeant && holder === "itself" ? `${inPlaceText(definition, program)}.` : undefined;
  const line = inPlace ?? (isMeant ? adoptionText(origin) : undefined);
  if (line !== undefined) context.report(`${nameOf(definition, id)} ${line}`);
  // Pulumi's own difference has shown the values of an object that this run or this resource made.
  else if (permission !== "none" && !lost && holder !== "itself") reportTakeover(creating, finding);
  return bringInLine(creating, { id, live, program, state });
}

/** Brings an object that existed in line with its program, under the name that the one that it replaces gives up. */
async function bringInLine(
  { context, definition, freeName }: Creating,
  values: Pick<Target, "id" | "program" | "state"> & Pick<ExistingObject, "live">,
): Promise<CreatedObject> {
  const { id, live, program } = values;
  if (!hasSameName(definition, { state: live }, program)) await freeName?.();
  return { id, live: await converge({ context, definition, ...values }) };
}

function adoptionText(origin: Finding["evidence"]["origin"]): string {
  if (origin === "this-stack")
    return "is there already, made by this stack, and shows no other change: taken over.";
  if (origin === "brought-back")
    return "is there already, brought back by this stack, and shows no other change: taken over.";
  return "matches the program: taken over, because FEATURE_CONSOLE_TAKE_OVER is set.";
}

async function unarchive(
  creating: Creating,
  finding: Finding,
  { id, live }: ExistingObject,
): Promise<CreatedObject> {
  const { context, definition, program: args } = creating;
  const object = nameOf(definition, id);
  await context.journal.write(object, newEntry(creating, "unarchive", { made: id }));
  const isAdopted = finding.evidence.permission !== "none";
  const overwritten = isAdopted ? takeoverLines(creating, finding) : [];
  context.report(
    [`${object} was archived: brought back and in line with the program.`, ...overwritten].join("\n"),
  );
  const values = takeoverValues(definition, finding, live, args);
  return { ...(await bringInLine(creating, { id, live, ...values })), isNoted: true };
}

async function recreate({ context, definition, id }: ObjectHere): Promise<void> {
  const removal = definition.lifecycle.delete.remove;
  if (removal === undefined) return;
  context.report(
    `${nameOf(definition, id)} was archived and cannot become what the program declares: deleted for ever, to be created anew.`,
  );
  const { route, params } = routeTo(definition, removal.route, id);
  await context.client.maybeItem(route, { params });
}
