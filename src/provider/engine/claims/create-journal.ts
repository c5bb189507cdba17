import { auditOf } from "../../schema/audit";
import type { ResourceDefinition } from "../../schema/define";
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
import { consoleTimeOf, entryTime } from "./entry-time";

/** Journal entries from before a create was sent. */
export interface BeforeSend {
  readonly entry: JournalEntry;
  /** The journal entry of a run that was interrupted, which this one continues. */
  readonly earlier: JournalEntry | undefined;
  readonly former: JournalEntry | undefined;
  /** Id of the object that goes once this one is there. */
  readonly replacedId?: string;
}

/** An entry about a create that is about to be sent. */
export function newEntry(
  context: EngineContext,
  program: JsonObject,
  existingIds: readonly string[] | undefined,
): JournalEntry {
  return {
    ...entryTime(context),
    did: "create",
    ...resourceIn(context, program),
    ...(existingIds === undefined ? {} : { there: existingIds }),
  };
}

/** The object of a create: its definition, and what it is called in the journal. */
export interface Noted {
  readonly definition: ResourceDefinition;
  readonly object: string;
}

/** Notes which object a create has made. */
export async function noteMade(
  context: EngineContext,
  { definition, object }: Noted,
  entry: JournalEntry,
  { id, live }: Pick<CreatedObject, "id" | "live">,
): Promise<void> {
  const { created } = auditOf(definition, live);
  const { at: answeredAt, ...clock } = entryTime(context);
  // An entry has one clock, and a run on another machine may have begun it.
  const { consoleAheadMs } = clock;
  const at = consoleAheadMs === undefined ? entry.at : consoleTimeOf(entry, consoleAheadMs) - consoleAheadMs;
  const made = { made: id, answeredAt, ...(created === undefined ? {} : { created }) };
  await context.journal.write(object, { ...entry, ...clock, at, ...made });
}

/** Keeps in the journal that a create is about to be sent, then what it made. */
export async function journalled(
  context: EngineContext,
  noted: Noted,
  { entry, earlier, former }: BeforeSend,
  send: () => Promise<CreatedObject>,
): Promise<CreatedObject> {
  const { object } = noted;
  if (earlier === undefined) await context.journal.write(object, entry);
  try {
    const made = await send();
    if (made.isNoted !== true) await noteMade(context, noted, entry, made);
    return made;
  } catch (error) {
    if (error instanceof PartialFailure) await noteMade(context, noted, entry, error);
    // A create that was surely refused must not claim an object that another client creates later.
    else if (earlier === undefined && isConsoleError(error) && !error.uncertain)
      await (former === undefined ? context.journal.drop(object) : context.journal.write(object, former));
    throw error;
  }
}

/** True for an entry about a create of this very resource. */
export function isOfThisResource({ resource }: JournalEntry, program: JsonObject): boolean {
  return (
    resource === undefined || program[resourceMember] === undefined || resource === program[resourceMember]
  );
}
