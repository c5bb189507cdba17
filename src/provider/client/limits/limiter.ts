import type { LimitName, WriteWindow } from "../../schema/write-limits";
import { Throttle } from "./throttle";
import { longestMs, type WriteForecast, waitForRoom } from "./windows";

/** The clock of the client; tests bring their own. */
export interface Clock {
  now(): number;
  sleep(ms: number): Promise<void>;
}

/** The time at which this process began, milliseconds since 1970. */
const beganAt = Date.now() - performance.now();

/** The machine's clock as it was at the start, never set back since: waits are reckoned from it. */
export const systemClock: Clock = {
  now: () => beganAt + performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/** Limits of one process towards one console. */
export interface Limits {
  readonly maxConcurrency: number;
  /** Windows of each write limit, shortest first; empty: unlimited. */
  readonly writes: Readonly<Record<LimitName, readonly WriteWindow[]>>;
}

/** A budget that several processes share. */
export interface SharedBudget {
  /** Takes room for one write. Never rejects. */
  take(limits: readonly LimitName[]): Promise<Taken>;
}

/** Answer of a shared budget. */
export interface Taken {
  /** 0, or the milliseconds until it is worth asking again. */
  readonly waitMs: number;
  /** Says that the write has ended: its room is free again a window later. */
  readonly ended?: () => void;
}

/** Longest time between two looks, milliseconds: a long wait is reported again while it lasts. */
const longestSleepMs = 60_000;

/** Options of a limiter, beside its limits. */
export interface LimiterPorts {
  readonly random?: () => number;
  readonly shared?: SharedBudget;
  /** Told of every moment at which writes have to wait, with the windows and what is known of the time to come. */
  readonly onWait?: (waitMs: number, windows: readonly WriteWindow[], outlook: WriteForecast) => void;
  /** Told of every write that the console did not refuse. */
  readonly onTaken?: () => void;
}

/** Sort of an exchange: a read, a write, or a write that counts against the limit of ids too. */
export type Demand = "read" | LimitName;

/** One exchange. */
export interface Exchange<T> {
  readonly demand: Demand;
  readonly send: () => Promise<T>;
  /** Tells a refusal (429) from the result; `retryAfterMs`: the delay that the console asked for. */
  readonly refusal?: (result: T) => { readonly retryAfterMs?: number } | undefined;
  /** False for a result that tells nothing: no answer came, or the console has a problem of its own. */
  readonly isAnswer?: (result: T) => boolean;
  /** It was sent before and goes ahead of those that were not. */
  readonly again?: boolean;
}

interface Waiter {
  readonly demand: Demand;
  readonly number: number;
  /** The room that the shared budget gave it. */
  room?: Taken;
  start(room: Taken | undefined): void;
}

/**
 * Holds back requests so that the console need not. It sits at the leaf, around one HTTP exchange and never around a
 * group of them: a group that holds a place while its members wait for one would wait for ever.
 */
export class Limiter {
  readonly #limits: Limits;
  readonly #clock: Clock;
  readonly #ports: LimiterPorts;
  readonly #throttle: Throttle;
  readonly #queues: Record<Demand, Waiter[]> = { read: [], project: [], ids: [] };
  readonly #answered: Record<LimitName, number[]> = { project: [], ids: [] };
  readonly #underWay: Record<LimitName, number> = { project: 0, ids: 0 };
  readonly #pace = { sent: 0, waitedMs: 0, firstAt: 0 };
  #running = 0;
  #number = 0;
  #asking = false;
  readonly #sharedOpensAt: Record<LimitName, number> = { project: 0, ids: 0 };
  #wakesAt = Number.POSITIVE_INFINITY;

  constructor(limits: Limits, clock: Clock, ports: LimiterPorts = {}) {
    this.#limits = limits;
    this.#clock = clock;
    this.#ports = ports;
    this.#throttle = new Throttle(limits.writes.project, ports.random ?? Math.random);
  }

  /** Milliseconds until the next write may be tried after a refusal. */
  closedMs(): number {
    const wait = this.#throttle.wait(this.#clock.now());
    return Number.isFinite(wait) ? wait : 0;
  }

  /** Writes that were sent and are not answered yet. */
  underWay(): number {
    return this.#underWay.project;
  }

  /** Runs one exchange as soon as there is room for it. */
  run<T>(exchange: Exchange<T>): Promise<T> {
    const { demand, again = false } = exchange;
    return new Promise<T>((resolve, reject) => {
      const start = (room: Taken | undefined) => this.#exchange(exchange, room).then(resolve, reject);
      this.#number += 1;
      const waiter: Waiter = { demand, number: again ? -1 : this.#number, start };
      if (again) this.#queues[demand].unshift(waiter);
      else this.#queues[demand].push(waiter);
      this.#pump();
    });
  }

  async #exchange<T>(exchange: Exchange<T>, room: Taken | undefined): Promise<T> {
    const { demand, send, refusal, isAnswer = () => true } = exchange;
    const sentAt = this.#clock.now();
    let result: { readonly value: T } | undefined;
    try {
      const value = await send();
      if (isAnswer(value)) result = { value };
      return value;
    } finally {
      this.#running -= 1;
      room?.ended?.();
      if (demand !== "read") this.#ended(demand, sentAt, result && refusal?.(result.value), result);
      this.#pump();
    }
  }

  #ended(demand: LimitName, sentAt: number, refused: { retryAfterMs?: number } | undefined, result: unknown) {
    const now = this.#clock.now();
    for (const name of limitsOf(demand)) {
      this.#underWay[name] -= 1;
      this.#answered[name].push(now);
    }
    const own = this.#forget(now) + this.#underWay.project;
    if (result !== undefined && refused === undefined) this.#ports.onTaken?.();
    const write = { sentAt, own, ...(refused === undefined ? {} : { refused }) };
    this.#throttle.ended(now, result === undefined ? undefined : write);
  }

  /** Starts what there is room for, and wakes up when there will be room for more. */
  #pump(): void {
    while (this.#running < this.#limits.maxConcurrency) {
      const next = this.#next();
      if (next === undefined) return;
      this.#queues[next.demand].shift();
      if (next.demand === "read") this.#start(next);
      else if (this.#ports.shared === undefined || next.room) this.#write(next, next.demand);
      else void this.#ask(this.#ports.shared, next, next.demand);
    }
  }

  /** The exchange that has waited longest among those that there is room for. */
  #next(): Waiter | undefined {
    const writes = [this.#queues.project[0], this.#queues.ids[0]].filter((one) => one !== undefined);
    const waits = writes.map((one) => this.#waitOf(one.demand as LimitName));
    const able = writes.filter((_, index) => waits[index] === 0);
    const ready = [...this.#queues.read.slice(0, 1), ...able].sort((a, b) => a.number - b.number)[0];
    if (ready === undefined && waits.length > 0) this.#rest(Math.min(...waits));
    return ready;
  }

  #waitOf(demand: LimitName): number {
    const now = this.#clock.now();
    this.#forget(now);
    if (this.#asking || this.#underWay.project >= this.#throttle.mostWrites(now))
      return Number.POSITIVE_INFINITY;
    const waits = limitsOf(demand).map((name) => waitForRoom(this.#windows(name), this.#written(name), now));
    return Math.max(this.#throttle.wait(now), this.#sharedOpensAt[demand] - now, ...waits);
  }

  #windows(name: LimitName): readonly WriteWindow[] {
    return name === "project" ? this.#throttle.windows(this.#clock.now()) : this.#limits.writes[name];
  }

  #written(name: LimitName) {
    return { answered: this.#answered[name], underWay: this.#underWay[name] };
  }

  /** Forgets writes that no window reaches back to; returns how many of the project's are left. */
  #forget(now: number): number {
    for (const name of ["project", "ids"] as const) {
      const since = now - longestMs(this.#limits.writes[name]);
      const times = this.#answered[name];
      let old = 0;
      while ((times[old] ?? Number.POSITIVE_INFINITY) <= since) old += 1;
      if (old > 0) times.splice(0, old);
    }
    return this.#answered.project.length;
  }

  #start(waiter: Waiter): void {
    this.#running += 1;
    waiter.start(waiter.room);
  }

  #write(waiter: Waiter, demand: LimitName): void {
    if (this.#pace.sent === 0) this.#pace.firstAt = this.#clock.now();
    this.#pace.sent += 1;
    for (const name of limitsOf(demand)) this.#underWay[name] += 1;
    this.#throttle.sent();
    this.#start(waiter);
  }

  /** Only one write asks at a time, so that those that come first are sent first. */
  async #ask(shared: SharedBudget, waiter: Waiter, demand: LimitName): Promise<void> {
    this.#asking = true;
    const taken = await shared.take(limitsOf(demand));
    this.#asking = false;
    if (taken.waitMs === 0) waiter.room = taken;
    else this.#sharedOpensAt[demand] = this.#clock.now() + taken.waitMs;
    this.#queues[demand].unshift(waiter);
    this.#pump();
  }

  #rest(wait: number): void {
    const now = this.#clock.now();
    if (!Number.isFinite(wait)) return;
    this.#ports.onWait?.(wait, this.#windows("project"), this.#outlook(now, wait));
    const sleep = Math.min(wait, longestSleepMs);
    if (now + sleep >= this.#wakesAt) return;
    this.#wakesAt = now + sleep;
    void this.#clock.sleep(sleep).then(() => {
      this.#pace.waitedMs += this.#clock.now() - now;
      this.#wakesAt = Number.POSITIVE_INFINITY;
      this.#pump();
    });
  }

  #outlook(now: number, wait: number): WriteForecast {
    const { sent, firstAt, waitedMs } = this.#pace;
    const paceMs = sent === 0 ? 0 : Math.max(0, (now - firstAt - waitedMs) / sent);
    return {
      ...this.#written("project"),
      now,
      from: now + wait,
      left: this.#queues.project.length + this.#queues.ids.length,
      paceMs,
      isRefused: this.closedMs() > 0,
    };
  }
}

function limitsOf(demand: LimitName): readonly LimitName[] {
  return demand === "project" ? ["project"] : ["project", demand];
}
