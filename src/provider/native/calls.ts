/** Time without a call after which a program is taken to have declared everything, milliseconds. */
const lullMs = 2000;

/** Calls of Pulumi's engine that are under way. A program of another language does not tell its end: calls cease to come. */
export class Calls {
  readonly #sleep: (ms: number) => Promise<void>;
  #underWay = 0;
  /** Calls that have begun, and those that have ended. */
  #turns = 0;

  constructor(sleep: (ms: number) => Promise<void>) {
    this.#sleep = sleep;
  }

  async during<T>(work: () => T | Promise<T>): Promise<T> {
    this.#underWay += 1;
    this.#turns += 1;
    try {
      return await work();
    } finally {
      this.#underWay -= 1;
      this.#turns += 1;
    }
  }

  /** Called in one call: waits until no other has been under way for a while. */
  async lull(): Promise<void> {
    for (let before = -1; before !== this.#turns || this.#underWay > 1; ) {
      before = this.#turns;
      await this.#sleep(lullMs);
    }
  }
}
