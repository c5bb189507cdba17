import { isSameTime } from "../../decisions/same-object";
import type { EngineContext, JournalEntry } from "../context";

/** When something is noted: by this machine's clock, and how far the console's is ahead of it, once an answer has shown that. */
export function entryTime({
  now,
  client,
}: Pick<EngineContext, "now" | "client">): Pick<JournalEntry, "at" | "consoleAheadMs"> {
  const consoleAheadMs = client.clockOffsetMs();
  return { at: now(), ...(consoleAheadMs === undefined ? {} : { consoleAheadMs }) };
}

/**
 * When something was noted, by the console's clock. The clock of the machine that noted it may have been wrong. `clockOffsetMs`:
 * how far the console's is ahead of this machine's, for an entry that does not say what it was there.
 */
export function consoleTimeOf(entry: Pick<JournalEntry, "at" | "consoleAheadMs">, clockOffsetMs = 0): number {
  return entry.at + (entry.consoleAheadMs ?? clockOffsetMs);
}

/** Longest time from a journal entry to the end of its create: the time budget, and the waits before it. */
const latestMs = 20 * 60_000;

/** Uncertainty of the console's clock where an answer shows it: a second, and as long as the answer was under way. */
const clockSlackMs = 2000;

/** True for a time of the console that falls into the moments after a journal entry. */
export function isDuring(entry: JournalEntry, time: number, clockOffsetMs: number | undefined): boolean {
  const slack = (entry.consoleAheadMs ?? clockOffsetMs) === undefined ? 0 : clockSlackMs;
  const since = time - consoleTimeOf(entry, clockOffsetMs);
  return since >= -slack && since <= latestMs + slack;
}

/** True for an object that the console did not create when it created the one that the journal has the answer about. */
export function isLater(
  entry: JournalEntry,
  created: number | undefined,
  clockOffsetMs: number | undefined,
): boolean {
  if (created === undefined) return false;
  if (entry.created !== undefined) return !isSameTime(entry.created, created);
  const { answeredAt, consoleAheadMs = clockOffsetMs ?? 0 } = entry;
  return answeredAt !== undefined && created > answeredAt + consoleAheadMs + clockSlackMs;
}

/** The longest by which a clock that is set to another zone or to the wrong half of the day is wrong, milliseconds. */
const mostWrongMs = 26 * 3_600_000;

/**
 * When an entry says that a create began or was answered, where another time of the console may mean no more than that the
 * clock of that machine was wrong; undefined where the console's clock was known, and where the times are far apart.
 */
export function doubtfulTimeOf(entry: JournalEntry, created: number | undefined): number | undefined {
  const isKnown = entry.consoleAheadMs !== undefined || entry.created !== undefined;
  if (entry.did !== "create" || isKnown || created === undefined) return undefined;
  const time = entry.made === undefined ? entry.at : (entry.answeredAt ?? entry.at);
  return Math.abs(created - time) <= mostWrongMs ? time : undefined;
}
