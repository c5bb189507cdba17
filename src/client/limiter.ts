/** The clock of the client; tests bring their own. */
export interface Clock {
  now(): number;
  sleep(ms: number): Promise<void>;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/** At most `most` writes in any `windowMs` milliseconds. */
export interface WriteWindow {
  readonly most: number;
  readonly windowMs: number;
}

/** Limits of one process towards one console. */
export interface Limits {
  readonly maxConcurrency: number;
  readonly writes: readonly WriteWindow[];
}

/**
 * Holds back requests so that the console need not. It sits at the leaf, around one HTTP exchange and never around a
 * group of them: a group that holds a place while its members wait for one would wait for ever.
 */
export class Limiter {
  readonly #limits: Limits;
  readonly #clock: Clock;
  readonly #waiting: (() => void)[] = [];
  readonly #written: number[] = [];
  #running = 0;
  #turn: Promise<void> = Promise.resolve();

  constructor(limits: Limits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Runs one exchange as soon as there is room for it. */
  async run<T>(isWrite: boolean, exchange: () => Promise<T>): Promise<T> {
    if (isWrite) await this.#writeTurn();
    await this.#place();
    try {
      return await exchange();
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #place(): Promise<void> {
    while (this.#running >= this.#limits.maxConcurrency) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#running += 1;
  }

  /** Writes queue up one after another, so that none overtakes another while both wait for the window. */
  #writeTurn(): Promise<void> {
    this.#turn = this.#turn.then(async () => {
      for (let wait = this.#writeWait(); wait > 0; wait = this.#writeWait()) await this.#clock.sleep(wait);
      this.#written.push(this.#clock.now());
    });
    return this.#turn;
  }

  #writeWait(): number {
    const now = this.#clock.now();
    const longest = Math.max(0, ...this.#limits.writes.map((window) => window.windowMs));
    while (this.#written[0] !== undefined && this.#written[0] <= now - longest) this.#written.shift();
    const waits = this.#limits.writes.map(({ most, windowMs }) => {
      const oldest = this.#written[this.#written.length - most];
      return oldest === undefined ? 0 : oldest + windowMs - now;
    });
    return Math.max(0, ...waits);
  }
}
