import { type ConsoleError, isConsoleError, reworded } from "../core/errors";

/** How long no further read may come before the first failure is told, milliseconds. */
const lullMs = 300;

/**
 * A console that cannot be reached, or refuses the key, fails every read of a refresh: it is said once, the rest of the
 * reads stop at once and are counted.
 */
export class Outage {
  readonly #sleep: (ms: number) => Promise<void>;
  #failed = false;
  #skipped = 0;

  constructor(sleep: (ms: number) => Promise<void>) {
    this.#sleep = sleep;
  }

  /**
   * Reads. After a failure that would meet every other read too, `unread` stands in for what was not read.
   * @throws the first such failure, once no further read has come for a moment.
   */
  async read<T>(work: () => Promise<T>, unread: () => T): Promise<T> {
    if (this.#failed) return this.#skip(unread);
    try {
      return await work();
    } catch (error) {
      if (!isConsoleError(error) || !meetsAll(error)) throw error;
      if (this.#failed) return this.#skip(unread);
      this.#failed = true;
      throw await this.#counted(error);
    }
  }

  #skip<T>(unread: () => T): T {
    this.#skipped += 1;
    return unread();
  }

  async #counted(error: ConsoleError): Promise<ConsoleError> {
    for (let before = -1; before !== this.#skipped; ) {
      before = this.#skipped;
      await this.#sleep(lullMs);
    }
    const rest = `${this.#skipped} more ${this.#skipped === 1 ? "object was" : "objects were"} not read and stay in state as they are.`;
    return this.#skipped === 0 ? error : reworded(error, `${error.message} ${rest}`);
  }
}

/** A refused key, or a connection that never came about; one lost answer says nothing of the next. */
function meetsAll({ category, uncertain }: ConsoleError): boolean {
  return category === "unauthorized" || (category === "unreachable" && !uncertain);
}
