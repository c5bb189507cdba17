import { auditOf } from "../../schema/audit";
import { isConsoleError } from "../../schema/errors";
import { type CreatedObject, type JournalEntry, objectLabel, PartialFailure, resourceIn } from "../context";
import type { DeclaredObject } from "../subject";
import { consoleTimeOf, entryTime } from "./entry-time";
import type { Creating } from "./origin";

/** A create that is about to be sent, with its journal entry. */
export interface Sending extends Creating {
  readonly entry: JournalEntry;
  /** The journal entry of a run that was interrupted, which this one continues. */
  readonly earlier: JournalEntry | undefined;
}

/** An entry about what this run is about to do for a resource, or has done. */
export function newEntry(
  { context, program }: DeclaredObject,
  did: JournalEntry["did"],
  more: Pick<JournalEntry, "there" | "made">,
): JournalEntry {
  return { ...entryTime(context), did, ...resourceIn(context, program), ...more };
}

/** Notes which object a create has made. */
export async function noteMade(
  { context, definition, program }: DeclaredObject,
  entry: JournalEntry,
  { id, live }: Pick<CreatedObject, "id" | "live">,
): Promise<void> {
  const { created } = auditOf(definition, live);
  const { at: answeredAt, ...clock } = entryTime(context);
  // An entry has one clock, and a run on another machine may have begun it.
  const { consoleAheadMs } = clock;
  const at = consoleAheadMs === undefined ? entry.at : consoleTimeOf(entry, consoleAheadMs) - consoleAheadMs;
  const made = { made: id, answeredAt, ...(created === undefined ? {} : { created }) };
  await context.journal.write(objectLabel(definition, program), { ...entry, ...clock, at, ...made });
}

/** Keeps in the journal that a create is about to be sent, then what it made. */
export async function journalled(
  sending: Sending,
  send: () => Promise<CreatedObject>,
): Promise<CreatedObject> {
  const { context, definition, program, entry, earlier, former } = sending;
  const object = objectLabel(definition, program);
  if (earlier === undefined) await context.journal.write(object, entry);
  try {
    const made = await send();
    if (made.isNoted !== true) await noteMade(sending, entry, made);
    return made;
  } catch (error) {
    if (error instanceof PartialFailure) await noteMade(sending, entry, error);
    // A create that was surely refused must not claim an object that another client creates later.
    else if (earlier === undefined && isConsoleError(error) && !error.uncertain)
      await (former === undefined ? context.journal.drop(object) : context.journal.write(object, former));
    throw error;
  }
}
