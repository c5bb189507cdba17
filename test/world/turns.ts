import { setImmediate } from "node:timers/promises";
import type { Dice } from "./dice";

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
