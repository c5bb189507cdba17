import type { WriteWindow } from "../../schema/write-limits";
import { countOf } from "../../texts/count-text";
import { timeLeft, type WriteForecast } from "./windows";

/** Shorter waits are nobody's concern. */
const worthSayingMs = 3000;

/** A line about waiting is not repeated for this long. */
const betweenLinesMs = 600_000;

/** Ports of a notice. */
export interface NoticePorts {
  /** Tells the user something in one line. */
  readonly report: (line: string) => void;
  /** Writes that the whole run has still to send; undefined where that is not known. */
  readonly writesLeft: () => number | undefined;
}

/** Tells once that writes have to wait, and how long all of it will take; after that at most every ten minutes. */
export class WaitNotice {
  readonly #ports: NoticePorts;
  readonly #isShared: boolean;
  #saidAt = Number.NEGATIVE_INFINITY;
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
    if (now + waitMs - this.#blockedSince < worthSayingMs || now - this.#saidAt < betweenLinesMs) return;
    this.#saidAt = now;
    this.#ports.report(this.#text(waitMs, windows, outlook));
  }

  #text(waitMs: number, windows: readonly WriteWindow[], outlook: WriteForecast): string {
    const writes = this.#ports.writesLeft();
    if (writes === undefined) return waitText(waitMs);
    const left = Math.max(Math.round(writes), outlook.left);
    const leftMs = timeLeft(windows, { ...outlook, left });
    return waitText(waitMs, { left, leftMs, isLeast: this.#isShared || outlook.isRefused === true });
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
  const wait = `waiting ${Math.ceil(waitMs / 1000)} s for the console's write limit`;
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
