/** Held by many at once, or by one alone. */
export class SharedLock {
  #working = 0;
  #held: Promise<void> = Promise.resolve();
  #idle: (() => void) | undefined;

  /** Works beside others that share it. */
  async shared<T>(work: () => Promise<T>): Promise<T> {
    for (let turn: Promise<void> | undefined; turn !== this.#held; ) {
      turn = this.#held;
      await turn;
    }
    this.#working += 1;
    try {
      return await work();
    } finally {
      this.#working -= 1;
      if (this.#working === 0) this.#idle?.();
    }
  }

  /** Works alone: waits until nobody works, and keeps all others waiting. */
  async exclusive<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#held;
    let end = () => {};
    this.#held = new Promise((resolve) => {
      end = resolve;
    });
    await before;
    if (this.#working > 0)
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
    this.#idle = undefined;
    try {
      return await work();
    } finally {
      end();
    }
  }
}
