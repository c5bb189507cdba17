import { setImmediate } from "node:timers/promises";

/** Numbers that look random and are the same for the same seed. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to below 1. Source: mulberry32. */
  roll(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from 0 to below the limit. */
  below(limit: number): number {
    return Math.floor(this.roll() * limit);
  }

  one<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }

  weighted<T>(choices: readonly (readonly [T, number])[]): T {
    let left = this.roll() * choices.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [choice, weight] of choices) {
      left -= weight;
      if (left < 0) return choice;
    }
    return (choices.at(-1) as readonly [T, number])[0];
  }
}

/**
 * Lets calls of several chains take turns, one call at a time and in an order that the dice choose: what the engine does at
 * the same time is then the same for the same seed.
 */
export class Turns {
  readonly #dice: Dice;
  readonly #waiting: (() => void)[] = [];
  #running = false;

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  /** Runs a call when its turn has come. */
  async take<T>(call: () => Promise<T>): Promise<T> {
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      void this.#next();
    });
    try {
      return await call();
    } finally {
      this.#running = false;
      void this.#next();
    }
  }

  async #next(): Promise<void> {
    if (this.#running || this.#waiting.length === 0) return;
    this.#running = true;
    // Whoever is about to ask for a turn does so first.
    await setImmediate();
    const [start] = this.#waiting.splice(this.#dice.below(this.#waiting.length), 1);
    start?.();
  }
}
