import { isArchived, wantsArchived } from "../../decisions/plan";
import type { ResourceDefinition } from "../../schema/define";
import type { JsonObject } from "../../schema/json";
import { type EngineContext, type JournalEntry, nameCalled, resourceIn } from "../context";
import { entryTime } from "./entry-time";
import { isLastChange } from "./origin";

/**
 * Notes that an object whose program says that it is archived is about to be brought back for a change: nothing else tells
 * the run after one that is killed then why it is in use.
 */
export async function noteTemporaryUnarchive(
  context: EngineContext,
  definition: ResourceDefinition,
  wants: JsonObject,
): Promise<void> {
  const entry: JournalEntry = { ...entryTime(context), did: "open", ...resourceIn(context, wants) };
  await context.journal?.write(nameCalled(definition, wants), entry);
}

/** The object is archived again. */
export async function forgetTemporaryUnarchive(
  context: EngineContext,
  definition: ResourceDefinition,
  wants: JsonObject,
): Promise<void> {
  const name = nameCalled(definition, wants);
  const entry = await context.journal?.find(name);
  if (entry?.did === "open") await context.journal?.drop(name);
}

/**
 * True for an object that an update of this stack brought back for a change and did not archive again, and that nobody has
 * touched since. `state`: what is known of it from before.
 */
export async function isLeftUnarchived(
  context: EngineContext,
  definition: ResourceDefinition,
  { wants, state }: { readonly wants: JsonObject; readonly state: JsonObject },
  live: JsonObject,
): Promise<boolean> {
  const isExpected = isArchived(definition, state) && wantsArchived(definition, wants);
  if (!isExpected || isArchived(definition, live)) return false;
  const entry = await context.journal?.find(nameCalled(definition, wants));
  return (
    entry?.did === "open" && isLastChange(definition, entry, { live, wants }, context.client.clockOffsetMs())
  );
}
