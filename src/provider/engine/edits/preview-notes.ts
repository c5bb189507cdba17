import type { ResourceDefinition } from "../../schema/define";
import { ConsoleError } from "../../schema/errors";
import { adoptMember, resourceMember } from "../../schema/internal";
import { type JsonObject, stableText } from "../../schema/json";
import { calledBy } from "../../schema/object-id";
import { textDigest } from "../../texts/text-digest";
import { meaning } from "../../values/compare";
import { managedView } from "../../values/managed";
import type { Finding } from "../claims/evidence";
import { type EngineContext, nameOf, type PreviewNote } from "../context";
import { plannedChanges } from "./announcement";

/** Notes what a preview found at the place of an object that a create would take over. */
export async function notePreview(
  context: EngineContext,
  definition: ResourceDefinition,
  finding: Finding,
  wants: JsonObject,
): Promise<void> {
  const resource = resourceOf(definition, wants);
  if (resource === undefined) return;
  const { claim, evidence, found } = finding;
  // What this resource has already may be otherwise, by this same run, when it is created anew.
  if (claim.act === "refuse" || evidence.holder === "itself") return context.previews?.drop(resource);
  const saw = found && { id: found.id, act: claim.act, fields: digestsOf(definition, found.live, wants) };
  const place = placeOf(definition, wants);
  await context.previews?.note(resource, { at: context.now(), place, ...(saw === undefined ? {} : { saw }) });
}

/** Forgets what a preview found, because it has been done or because a later one could not read. */
export async function forgetPreview(
  context: EngineContext,
  definition: ResourceDefinition,
  wants: JsonObject,
): Promise<void> {
  const resource = resourceOf(definition, wants);
  if (resource !== undefined) await context.previews?.drop(resource);
}

/**
 * Lets an object be taken over only as a preview of this folder found it; where none did, in any way. A note that does
 * not hold is dropped: the user has been told, and may run the command again.
 * @throws ConsoleError "exists" where the console changed since in what would be overwritten.
 */
export async function refuseUnannounced(
  context: EngineContext,
  definition: ResourceDefinition,
  finding: Finding,
  wants: JsonObject,
): Promise<void> {
  const resource = resourceOf(definition, wants);
  if (resource === undefined || finding.found === undefined || isOfThisStack(finding)) return;
  const note = await context.previews?.find(resource);
  // A note of another place is of an earlier program.
  if (note === undefined || note.place !== placeOf(definition, wants)) return;
  const change = changeSince(definition, note.saw, finding, wants);
  if (change === undefined) return;
  await context.previews?.drop(resource);
  throw new ConsoleError(
    `${change} Nothing was changed. Run "pulumi preview" (or "pulumi up") again to see what would be taken over.`,
    { category: "exists" },
  );
}

/** The digest of the resource; undefined for one that takes nothing over. */
function resourceOf({ lifecycle }: ResourceDefinition, wants: JsonObject): string | undefined {
  const resource = wants[resourceMember];
  const takesOver =
    lifecycle.create.how === "claim" || wants.adopt === true || wants[adoptMember] !== undefined;
  return takesOver && typeof resource === "string" ? resource : undefined;
}

/** The object that is searched for, as `kind id`. */
function placeOf(definition: ResourceDefinition, wants: JsonObject): string {
  return nameOf(definition, String(wants[adoptMember] ?? calledBy(definition, wants)));
}

/** What is this resource's anyway needs no announcement, and this run or a killed one may have changed it. */
function isOfThisStack({ evidence: { holder, origin } }: Finding): boolean {
  return holder === "itself" || ["this-stack", "archived-here", "brought-back"].includes(origin);
}

/** What has changed since a preview in what would be overwritten, in a sentence. */
function changeSince(
  definition: ResourceDefinition,
  saw: PreviewNote["saw"],
  { found, claim: { act } }: Finding,
  wants: JsonObject,
): string | undefined {
  if (found === undefined) return undefined;
  const object = nameOf(definition, found.id);
  if (saw === undefined) return `${object} is there now, and the preview found nothing there.`;
  if (saw.id !== found.id)
    return `${object} is there now, and the preview found ${nameOf(definition, saw.id)}.`;
  if (saw.act !== act)
    return act === "adopt"
      ? `${object} is in use now, and was archived when the preview looked.`
      : `${object} was changed since the preview looked: it is archived now, or cannot become what the program declares.`;
  const now = digestsOf(definition, found.live, wants);
  const { names } = plannedChanges(definition, found.live, wants, act === "unarchive");
  const changed = names.filter((name) => saw.fields[name] !== undefined && saw.fields[name] !== now[name]);
  return changed.length === 0
    ? undefined
    : `${object} was changed since the preview looked, in ${changed.join(", ")}.`;
}

/** Digests of the live values of what the program says: counters and times, which change by themselves, are no arguments. */
function digestsOf(
  definition: ResourceDefinition,
  live: JsonObject,
  wants: JsonObject,
): Record<string, string> {
  const now = managedView(definition, { live, program: wants });
  const names = Object.keys(definition.fields).filter((name) => wants[name] !== undefined);
  return Object.fromEntries(
    names.map((name) => [name, textDigest(stableText(meaning(definition, name, now[name])))]),
  );
}
