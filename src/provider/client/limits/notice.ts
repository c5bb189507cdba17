import type { WriteWindow } from "../../schema/write-limits";
import { countOf } from "../../texts/count-text";
import { timeLeft, type WriteForecast } from "./windows";

/** Shorter waits are nobody's concern. */
const worthSayingMs = 3000;

/** A line is repeated after this time: soon while no write goes, so that a long wait is no silence. */
const repeatedAfterMs = { blocked: 120_000, moving: 600_000 };

/** A line is repeated as well when the end is later than it said: by a minute, and by half of the time. */
const [grownByMs, grownBy] = [60_000, 0.5];

/** Ports of a notice. */
export interface NoticePorts {
  /** Tells the user something in one line. */
  readonly report: (line: string) => void;
  /** Writes that the whole run has still to send; undefined where that is not known. */
  readonly writesLeft: () => number | undefined;
}

/** Reports that writes have to wait, and for how long: again while the wait lasts, and when it grows. */
export class WaitNotice {
  readonly #ports: NoticePorts;
  readonly #isShared: boolean;
  #said = { at: Number.NEGATIVE_INFINITY, end: Number.NEGATIVE_INFINITY };
  #blockedSince: number | undefined;

  /** @param isShared other runs share the limit, and how much of it they use is not known. */
  constructor(ports: NoticePorts, isShared: boolean) {
    this.#ports = ports;
    this.#isShared = isShared;
  }

  /** Says that the console took a write: what comes is another wait. */
  moved(): void {
    this.#blockedSince = undefined;
  }

  /** Says that writes have to wait. */
  waits(waitMs: number, windows: readonly WriteWindow[], outlook: WriteForecast): void {
    const { now } = outlook;
    this.#blockedSince ??= now;
    if (now + waitMs - this.#blockedSince < worthSayingMs) return;
    const run = this.#left(waitMs, windows, outlook);
    const end = now + (run?.leftMs ?? waitMs);
    const { at, end: saidEnd } = this.#said;
    const isBlocked = at >= this.#blockedSince;
    const isDue = now - at >= repeatedAfterMs[isBlocked ? "blocked" : "moving"];
    if (!isDue && end - saidEnd <= Math.max(grownByMs, grownBy * (saidEnd - at))) return;
    this.#said = { at: now, end };
    this.#ports.report(waitText(waitMs, run));
  }

  #left(waitMs: number, windows: readonly WriteWindow[], outlook: WriteForecast): Left | undefined {
    const writes = this.#ports.writesLeft();
    if (writes === undefined) return undefined;
    const left = Math.max(Math.round(writes), outlook.left);
    const leftMs = Math.max(waitMs, timeLeft(windows, { ...outlook, left }));
    return { left, leftMs, isLeast: this.#isShared || outlook.isRefused === true };
  }
}

/** Rest of a run. */
export interface Left {
  /** Writes. */
  readonly left: number;
  readonly leftMs: number;
  /** It may take longer. */
  readonly isLeast: boolean;
}

/** `waiting 8 s for the console's write limit, 412 writes left, about 7 min`; "at least" where others share the limit, or have used it up. */
export function waitText(waitMs: number, run?: Left): string {
  const wait = `waiting ${durationText(waitMs, Math.ceil)} for the console's write limit`;
  if (run === undefined) return wait;
  const { left, leftMs, isLeast } = run;
  const time = isLeast
    ? `at least ${durationText(leftMs, Math.floor)}`
    : `about ${durationText(leftMs, Math.round)}`;
  return `${wait}, ${countOf(left, "write")} left, ${time}`;
}

/** Seconds up to two minutes, minutes up to two hours, then hours. */
function durationText(ms: number, whole: (value: number) => number): string {
  const seconds = Math.max(1, whole(ms / 1000));
  if (seconds <= 120) return `${seconds} s`;
  return seconds <= 7200 ? `${whole(seconds / 60)} min` : `${(whole(seconds / 360) / 10).toFixed(1)} h`;
}
