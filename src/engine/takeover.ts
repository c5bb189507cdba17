import type { RefusalReason } from "../core/claim";
import type { ResourceDefinition } from "../core/define";
import { ConsoleError } from "../core/errors";
import { adoptMember } from "../core/internal";
import type { JsonObject } from "../core/json";
import { machineOf } from "../core/machine";
import { managedMember } from "../core/managed";
import { calledBy, callingArgument, nameField } from "../core/object-id";
import { changesOf, clearableNames, differences, fromTheBeginning, stuckNames } from "../core/plan";
import {
  type CreatedObject,
  type EngineContext,
  type JournalEntry,
  nameOf,
  PartialFailure,
  resourceIn,
  routeTo,
} from "./context";
import { assumedValues, type Finding } from "./evidence";
import type { ExistingObject } from "./existing-object";
import { ownerOf } from "./ownership";
import { refuseUnannounced } from "./preview-notes";
import { refusalOf } from "./transitions";
import { reconcile } from "./update";

/** What a create has found, and what it knows beside. */
export interface Takeover {
  readonly finding: Finding;
  readonly wants: JsonObject;
  readonly entry: JournalEntry | undefined;
  /** This run sent a create of it whose answer was lost: taking it over is no news. */
  readonly lost?: boolean;
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
  const { wants } = takeover;
  await refuseUnannounced(context, definition, takeover.finding, wants);
  // Claimed before the first write: another resource may be searching at the same time.
  context.ownership.claim(object, ownerOf(wants));
  try {
    if (claim.act === "adopt") return await adopt(context, definition, found, takeover);
    if (claim.act === "unarchive") return await unarchive(context, definition, found, wants);
    await recreate(context, definition, found.id);
    context.ownership.releaseByAll(object);
    return undefined;
  } catch (error) {
    if (error instanceof PartialFailure) context.ownership.releaseToRetry(object);
    else context.ownership.releaseByAll(object);
    throw error;
  }
}

async function adopt(
  context: EngineContext,
  definition: ResourceDefinition,
  { id, live }: ExistingObject,
  { wants, finding, lost }: Takeover,
): Promise<CreatedObject> {
  const { permission, holder, origin } = finding.evidence;
  const isOwn = origin === "this-stack" || origin === "claimed";
  const state = permission === "none" && isOwn ? wants : assumedValues(definition, wants, live);
  // Nothing is taken that would have to be left as it is.
  const subject = { context, definition, id, wants, live };
  const refusal = refusalOf(subject, changesOf(definition, live, wants, [], state));
  if (refusal !== undefined) throw refusal;
  const line = adoptionText(permission === "none" && lost !== true ? holder : undefined, origin);
  if (line !== undefined) context.report(`${nameOf(definition, id)} ${line}`);
  return { id, live: await reconcile(context, definition, { id, wants, state }, live) };
}

function adoptionText(
  holder: "nobody" | "itself" | "another" | undefined,
  origin: Finding["evidence"]["origin"],
): string | undefined {
  if (holder === undefined) return undefined;
  if (holder === "itself")
    return "is changed in place: a key can have one object at a time. deleteBeforeReplace: true takes it out of use first.";
  if (origin === "this-stack") return "is there already, made by this stack and untouched since: taken over.";
  if (origin === "brought-back")
    return "is there already, brought back by this stack and untouched since: taken over.";
  return "is as the program says: taken over, because FEATURE_CONSOLE_TAKE_OVER is set.";
}

async function unarchive(
  context: EngineContext,
  definition: ResourceDefinition,
  { id, live }: ExistingObject,
  args: JsonObject,
): Promise<CreatedObject> {
  // What comes into being begins at the beginning, also where something was before.
  const wants = fromTheBeginning(definition, args);
  const adopting = args.adopt === true || args[adoptMember] !== undefined;
  // A new object has nothing that the program does not say; what moves through states keeps its record.
  const emptied = adopting || machineOf(definition) !== undefined ? [] : clearableNames(definition);
  const state = { ...assumedValues(definition, wants, live), [managedMember]: emptied };
  const object = nameOf(definition, id);
  await context.journal?.write(object, {
    at: context.now(),
    did: "unarchive",
    ...resourceIn(context, args),
  });
  context.report(`${object} was archived: brought back and in line with the program.`);
  return { id, live: await reconcile(context, definition, { id, wants, state }, live) };
}

async function recreate(context: EngineContext, definition: ResourceDefinition, id: string): Promise<void> {
  const removal = definition.lifecycle.delete.remove;
  if (removal === undefined) return;
  context.report(
    `${nameOf(definition, id)} was archived and cannot become what the program says: deleted for ever, to be created anew.`,
  );
  const { route, params } = routeTo(definition, removal.route, id);
  await context.client.maybeItem(route, { params });
}

/** Most paths that a message names. */
const mostPaths = 20;

/** Why an object is not taken, and what to do. */
export function refusalFor(
  definition: ResourceDefinition,
  { finding, wants, entry }: Pick<Takeover, "finding" | "wants" | "entry">,
  reason: RefusalReason,
): ConsoleError {
  const id = finding.found?.id ?? String(wants[adoptMember] ?? calledBy(definition, wants));
  const live = finding.found?.live ?? {};
  if (reason.startsWith("cannot-") && finding.refusal !== undefined) return finding.refusal;
  const category = reason === "nothing-to-import" ? "not-found" : "exists";
  const text = refusalText(definition, { id, live, wants, entry, evidence: finding.evidence }, reason);
  return new ConsoleError(text, { category });
}

interface Refused {
  readonly id: string;
  readonly live: JsonObject;
  readonly wants: JsonObject;
  readonly entry: JournalEntry | undefined;
  readonly evidence: Finding["evidence"];
}

function refusalText(
  definition: ResourceDefinition,
  { id, live, wants, entry, evidence }: Refused,
  reason: RefusalReason,
): string {
  const object = nameOf(definition, id);
  switch (reason) {
    case "nothing-to-import":
      return `There is no ${object} to import. Correct the id, or remove the import option to create a new one.`;
    case "held":
      return `${object} belongs to another resource of this program already. Give one of the two another key or remove it.`;
    case "renamed":
      return (
        `${object} exists already: this stack made it for the resource ${JSON.stringify(entry?.name ?? "of another name")}. ` +
        `If that was renamed, say so with aliases: [{ name: ${JSON.stringify(entry?.name ?? "OLD NAME")} }].`
      );
    case "exists":
      return existsText(definition, { id, live, wants, entry, evidence });
    case "archived":
      return (
        `${object} exists already, archived by somebody else. ${differenceText(definition, live, wants)} ` +
        "Set adopt: true to bring it back and make it what the program says, or choose another key."
      );
    case "cannot-be-taken-over":
      return (
        `${object} cannot be taken over: it differs in ${stuckNames(definition, live, wants).join(", ")}, which no update can change. ` +
        "Make the program say what is there."
      );
    case "cannot-come-back":
      return `${object} is archived and cannot become what the program says. ${differenceText(definition, live, wants)} Choose another key, or make the program say what is there.`;
  }
}

function existsText(definition: ResourceDefinition, { id, live, wants, evidence }: Refused): string {
  const same = differences(definition, live, wants).length === 0;
  const argument = callingArgument(definition) ?? nameField;
  if (evidence.origin === "another-stack")
    return (
      `${nameOf(definition, id)} exists already: another stack of this project's folder made it. ` +
      `Set adopt: true to take it over, or choose another ${argument}.`
    );
  const ours =
    evidence.likeness === "equal"
      ? " If a run of this stack made it, FEATURE_CONSOLE_TAKE_OVER=1 takes over what is as the program makes it."
      : "";
  return (
    `${nameOf(definition, id)} exists already. ${differenceText(definition, live, wants)} Set adopt: true to take it over` +
    `${same ? "" : " and bring it in line"}, or choose another ${argument}.${ours} ` +
    'If its resource was renamed, say so with aliases: [{ name: "OLD NAME" }].'
  );
}

function differenceText(definition: ResourceDefinition, live: JsonObject, wants: JsonObject): string {
  const paths = differences(definition, live, wants);
  if (paths.length === 0) return "It is what the program says.";
  const more = paths.length > mostPaths ? ` and ${paths.length - mostPaths} more` : "";
  return `It differs in ${paths.slice(0, mostPaths).join(", ")}${more}.`;
}
