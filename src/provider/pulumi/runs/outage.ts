import { type ConsoleError, isConsoleError, reworded } from "../../schema/errors";
import { countOf } from "../../texts/count-text";

/** How long no further read may come, nor be under way, before the first failure is told, milliseconds. */
const lullMs = 300;

/**
 * A console that cannot be reached, or refuses the key, fails every read of a refresh: it is reported once, the rest of the
 * reads stop at once and are counted.
 */
export class Outage {
  readonly #sleep: (ms: number) => Promise<void>;
  /** Objects that this refresh has asked for: who asks for one again is another refresh. */
  readonly #asked = new Set<string>();
  #failed = false;
  #underWay = 0;
  #skipped = 0;

  constructor(sleep: (ms: number) => Promise<void>) {
    this.#sleep = sleep;
  }

  /**
   * Reads an object. After a failure that would meet every other read too, `unread` stands in for what was not read.
   * @throws the first such failure, once no further read has come for a moment.
   */
  async read<T>(object: string, work: () => Promise<T>, unread: () => T): Promise<T> {
    if (this.#asked.has(object)) this.#begin();
    this.#asked.add(object);
    if (this.#failed) return this.#skip(unread);
    try {
      return await this.#working(work);
    } catch (error) {
      if (!isConsoleError(error) || !failsEveryRead(error)) throw error;
      if (this.#failed) return this.#skip(unread);
      this.#failed = true;
      throw await this.#withCount(error);
    }
  }

  /** How many reads wait for an answer, or for what becomes of it. */
  get underWay(): number {
    return this.#underWay;
  }

  async #working<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      return await work();
    } finally {
      this.#underWay -= 1;
    }
  }

  #begin(): void {
    this.#asked.clear();
    this.#failed = false;
    this.#skipped = 0;
  }

  #skip<T>(unread: () => T): T {
    this.#skipped += 1;
    return unread();
  }

  async #withCount(error: ConsoleError): Promise<ConsoleError> {
    for (let before = -1; before !== this.#skipped || this.#underWay > 0; ) {
      before = this.#skipped;
      await this.#sleep(lullMs);
    }
    const one = this.#skipped === 1;
    const rest = `${countOf(this.#skipped, "more object")} ${one ? "was not read and stays in state as it is" : "were not read and stay in state as they are"}.`;
    return this.#skipped === 0 ? error : reworded(error, `${error.message} ${rest}`);
  }
}

/** A refused key, or a connection that never came about; one lost answer says nothing of the next. */
function failsEveryRead({ category, uncertain }: ConsoleError): boolean {
  return ["unauthorized", "settings"].includes(category) || (category === "unreachable" && !uncertain);
}
