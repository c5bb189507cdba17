import type { WriteWindow } from "../../schema/write-limits";

/** Writes towards one limit. What is under way counts like one that was answered just now. */
export interface WriteHistory {
  /** When writes were answered, oldest first, milliseconds. */
  readonly answered: readonly number[];
  readonly underWay: number;
}

/** The longest of the windows, milliseconds; 0 without any. */
export function longestMs(windows: readonly WriteWindow[]): number {
  return Math.max(0, ...windows.map(({ windowMs }) => windowMs));
}

/**
 * Milliseconds until every window has room for one more write; `Infinity` when only an answer can make room. A write
 * takes its room from the moment it is sent until a window after its answer: somewhere in between the console counted it,
 * so that however long it took, the console has never counted more than we did.
 */
export function waitForRoom(windows: readonly WriteWindow[], written: WriteHistory, now: number): number {
  const { answered, underWay } = written;
  const waits = windows.map(({ most, windowMs }) => {
    if (underWay >= most) return Number.POSITIVE_INFINITY;
    const oldest = answered[answered.length - (most - underWay)];
    return oldest === undefined ? 0 : oldest + windowMs - now;
  });
  return Math.max(0, ...waits);
}

/** Limits and rates that decide how long writes take. */
export interface WriteForecast extends WriteHistory {
  readonly now: number;
  /** Writes that are still to be sent. */
  readonly left: number;
  /** None of them is sent before. */
  readonly from: number;
  /** Milliseconds from one write to the next when no limit holds them up. */
  readonly paceMs: number;
  /** The console has refused a write by 429, and may refuse the next: nobody knows how long. */
  readonly isRefused?: boolean;
}

/** Milliseconds until the last write has been sent: plays the windows forward, one write after another. */
export function timeLeft(windows: readonly WriteWindow[], outlook: WriteForecast): number {
  const { now, left, from, paceMs } = outlook;
  const times = [...outlook.answered, ...Array.from({ length: outlook.underWay }, () => now)];
  let at = Math.max(now, from);
  for (let sent = 0; sent < left; sent += 1) {
    at += Math.max(sent === 0 ? 0 : paceMs, waitForRoom(windows, { answered: times, underWay: 0 }, at));
    times.push(at);
  }
  return at - now;
}
