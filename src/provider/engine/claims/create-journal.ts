import { isConsoleError } from "../../schema/errors";
import { resourceMember } from "../../schema/internal";
import type { JsonObject } from "../../schema/json";
import {
  type CreatedObject,
  type EngineContext,
  type JournalEntry,
  PartialFailure,
  resourceIn,
} from "../context";

/** What was known before a create was sent. */
export interface BeforeSend {
  readonly entry: JournalEntry;
  /** The journal entry of a run that was interrupted, which this one continues. */
  readonly earlier: JournalEntry | undefined;
  readonly former: JournalEntry | undefined;
  /** Ids of the objects that existed right before, where a list was read. */
  readonly existingIds: readonly string[] | undefined;
}

/** An entry about a create that is about to be sent. */
export function newEntry(
  context: EngineContext,
  wants: JsonObject,
  existingIds: readonly string[] | undefined,
): JournalEntry {
  return {
    at: context.now(),
    did: "create",
    ...resourceIn(context, wants),
    ...(existingIds === undefined ? {} : { there: existingIds }),
  };
}

/** Notes which object a create has made. */
export async function noteMade(
  context: EngineContext,
  object: string,
  entry: JournalEntry,
  id: string,
): Promise<void> {
  await context.journal?.write(object, { ...entry, made: id, answeredAt: context.now() });
}

/** Keeps in the journal that a create is about to be sent, then what it made. */
export async function journalled(
  context: EngineContext,
  object: string,
  { entry, earlier, former }: BeforeSend,
  send: () => Promise<CreatedObject>,
): Promise<CreatedObject> {
  if (earlier === undefined) await context.journal?.write(object, entry);
  try {
    const made = await send();
    if (made.isNoted !== true) await noteMade(context, object, entry, made.id);
    return made;
  } catch (error) {
    if (error instanceof PartialFailure) await noteMade(context, object, entry, error.id);
    // A create that was surely refused must not claim an object that another client creates later.
    else if (earlier === undefined && isConsoleError(error) && !error.uncertain)
      await (former === undefined ? context.journal?.drop(object) : context.journal?.write(object, former));
    throw error;
  }
}

/** True for an entry about a create of this very resource. */
export function isOfThisResource({ resource }: JournalEntry, wants: JsonObject): boolean {
  return resource === undefined || wants[resourceMember] === undefined || resource === wants[resourceMember];
}
