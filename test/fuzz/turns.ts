/** Lets many work side by side, and now and then one of them alone. */
export class Turns {
  #working = 0;
  #alone: Promise<void> = Promise.resolve();
  #idle: (() => void) | undefined;

  /** Works beside others, once nobody works alone. */
  async beside<T>(work: () => Promise<T>): Promise<T> {
    for (let turn: Promise<void> | undefined; turn !== this.#alone; ) {
      turn = this.#alone;
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

  /** Waits until nobody works, and keeps all others waiting. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#alone;
    let end = () => {};
    this.#alone = new Promise((resolve) => {
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
