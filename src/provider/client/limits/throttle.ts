import type { WriteWindow } from "../../schema/write-limits";
import { longestMs } from "./windows";

/** A write that the console has answered. */
export interface AnsweredWrite {
  readonly sentAt: number;
  /** Writes of this process in the longest window. */
  readonly own: number;
  /** Set when the console refused it with 429. `retryAfterMs`: the delay that it asked for. */
  readonly refused?: { readonly retryAfterMs?: number };
}

/** A console that asks for no wait at all, or until a moment that a wrong clock calls past, is not hammered. */
export const shortestWaitMs = 200;

/** Longer waits are cut to this. Source: console-api, section 6. */
export const longestRetryAfterMs = 60_000;

/** Writes at the same time for as long as the console's refusals are remembered: each may be refused. */
const carefulWrites = 1;

/** The rate of the shortest window is multiplied by this after a refusal. */
const slowDown = 0.7;

/** No window is narrowed to less than this part of it. */
const lowestPace = 0.1;

/** It grows by this much whenever so many of the shortest windows have passed without another. */
const paceStep = 0.05;
const windowsPerStep = 3;

/** Share of its own writes that a process goes back to when somebody else uses the longest window too ... */
const capShare = 0.9;
/** ... and the part of the whole that it gets back in each longest window without another refusal. */
const capRegain = 1 / 8;

/**
 * Memory of refusals (429) for all writers of a process. The first closes the gate for everybody. After the delay that the
 * console asks for, or else one that doubles, a single probe goes; its success opens the gate again.
 */
export class Throttle {
  readonly #windows: readonly WriteWindow[];
  readonly #random: () => number;
  #closedSince: number | undefined;
  #closedAt = 0;
  #opensAt = 0;
  #probing = false;
  #refusals = 0;
  #slowed = { at: 0, pace: 1 };
  #capped: { readonly at: number; readonly cap: number } | undefined;

  constructor(windows: readonly WriteWindow[], random: () => number) {
    this.#windows = windows;
    this.#random = random;
  }

  /** Milliseconds until a write may be sent; `Infinity` while the answer to the probe is awaited. */
  wait(now: number): number {
    if (this.#closedSince === undefined) return 0;
    return this.#probing ? Number.POSITIVE_INFINITY : Math.max(0, this.#opensAt - now);
  }

  /** Most writes at the same time. */
  mostWrites(now: number): number {
    const careful = this.#pace(now) < 1 || this.#cap(now) !== Number.POSITIVE_INFINITY;
    return careful ? carefulWrites : Number.POSITIVE_INFINITY;
  }

  /** The windows as they hold at present. */
  windows(now: number): WriteWindow[] {
    const last = this.#windows.length - 1;
    return this.#windows.map(({ most, windowMs }, index) => {
      const paced = index === 0 ? Math.floor(most * this.#pace(now)) : most;
      const capped = index === last ? Math.min(paced, Math.floor(this.#cap(now))) : paced;
      return { most: Math.max(1, capped), windowMs };
    });
  }

  /** Says that a write is being sent. */
  sent(): void {
    if (this.#closedSince !== undefined) this.#probing = true;
  }

  /** Says how a write ended; one without an answer teaches nothing and lets the next one probe. */
  ended(now: number, write: AnsweredWrite | undefined): void {
    const isProbe = this.#closedSince === undefined || write === undefined || write.sentAt > this.#closedAt;
    if (isProbe) this.#probing = false;
    if (write === undefined) return;
    if (write.refused !== undefined) this.#refused(now, write, isProbe);
    else if (isProbe) {
      this.#closedSince = undefined;
      this.#refusals = 0;
    }
  }

  #refused(now: number, { refused, own }: AnsweredWrite, isProbe: boolean): void {
    const asked = refused?.retryAfterMs;
    // Those that were under way when the gate closed tell the same story again.
    if (!isProbe) {
      if (asked !== undefined) this.#opensAt = Math.max(this.#opensAt, now + boundedWait(asked));
      return;
    }
    this.#closedSince ??= now;
    this.#refusals += 1;
    this.#learn(now, this.#closedSince, own);
    this.#closedAt = now;
    this.#opensAt = now + (asked === undefined ? this.#backoff() : boundedWait(asked));
  }

  /** When the shortest window has passed and nothing goes yet, or lately went so, it is the longest that is full. */
  #learn(now: number, closedSince: number, own: number): void {
    const [shortest] = this.#windows;
    if (shortest === undefined) return;
    const known = this.#cap(now);
    const longIsFull = now - closedSince >= 2 * shortest.windowMs || own >= known * capShare;
    const learnt = this.#capped !== undefined && this.#capped.at >= closedSince;
    if (longIsFull && !learnt) {
      const lowest = (this.#windows.at(-1)?.most ?? 0) * lowestPace;
      this.#capped = { at: now, cap: Math.max(lowest, Math.min(own, known) * capShare) };
    }
    if (this.#refusals === 1)
      this.#slowed = { at: now, pace: Math.max(lowestPace, this.#pace(now) * slowDown) };
  }

  #pace(now: number): number {
    const [shortest] = this.#windows;
    if (shortest === undefined) return 1;
    const steps = Math.floor((now - this.#slowed.at) / (windowsPerStep * shortest.windowMs));
    return Math.min(1, this.#slowed.pace + steps * paceStep);
  }

  #cap(now: number): number {
    const longest = this.#windows.at(-1);
    if (this.#capped === undefined || longest === undefined) return Number.POSITIVE_INFINITY;
    const regained = ((now - this.#capped.at) / longest.windowMs) * capRegain * longest.most;
    const cap = this.#capped.cap + regained;
    return cap < longest.most ? cap : Number.POSITIVE_INFINITY;
  }

  /** 1, 2, 4, 8 ... 30 seconds in windows of 10 s and 15 min, and in proportion in others; jitter only shortens. */
  #backoff(): number {
    const first = (this.#windows[0]?.windowMs ?? 10_000) / 10;
    const most = (longestMs(this.#windows) || 900_000) / 30;
    const full = Math.min(first * 2 ** (this.#refusals - 1), most);
    return Math.max(1, Math.round(full * (1 - this.#random() / 4)));
  }
}

function boundedWait(askedMs: number): number {
  return Math.min(Math.max(askedMs, shortestWaitMs), longestRetryAfterMs);
}
