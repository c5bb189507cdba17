import { type ConsoleError, isConsoleError, messageOf } from "../../schema/errors";
import { countOf } from "../../texts/count-text";
import { late, within } from "../patience";

/** Most new objects that a preview looks for in the console. */
const mostLooks = 25;

/** Looks that are under way at the same time; the client may allow fewer. */
const mostAtOnce = 8;

/** Time that a preview waits for its last looks, milliseconds: it leaves some out rather than wait for a console that does not answer. */
const patienceMs = 5000;

/** Looks for what a preview is about to call new, side by side. */
export class NewObjects {
  readonly #report: (line: string) => void;
  /** Each makes one look after the other. */
  readonly #lanes: Promise<void>[] = Array.from({ length: mostAtOnce }, () => Promise.resolve());
  readonly #noted = new Set<unknown>();
  #begun = 0;
  #done = 0;
  #isLate = false;
  #beyond = 0;
  #unknown = 0;
  #unanswered = 0;
  #failure: ConsoleError | undefined;

  constructor(report: (line: string) => void) {
    this.#report = report;
  }

  /** Looks for the object of a new resource, at once or when others are done. What the look finds, it reports by itself. */
  look(resource: unknown, work: () => Promise<void>): void {
    if (!this.#note(resource)) return;
    if (this.#begun >= mostLooks) {
      this.#beyond += 1;
      return;
    }
    const lane = this.#begun % mostAtOnce;
    this.#begun += 1;
    this.#lanes[lane] = (this.#lanes[lane] ?? Promise.resolve()).then(() => this.#try(work));
  }

  /** A new object of which the preview does not know where it is going to be. */
  cannotLook(resource: unknown): void {
    if (this.#note(resource)) this.#unknown += 1;
  }

  /** Notes a resource. @returns false for one that is noted already: a native plugin hears of each by its check and by its create. */
  #note(resource: unknown): boolean {
    if (resource !== undefined && this.#noted.has(resource)) return false;
    this.#noted.add(resource);
    return true;
  }

  /**
   * Waits for the looks that have begun, and reports how many new objects no look was made for. Never fails. `mayGoOn`: nobody
   * knows whether more resources follow, so that no number is the last.
   */
  async settle(mayGoOn: boolean): Promise<void> {
    if (this.#isLate) return;
    const all = async () => {
      while (this.#done < this.#begun && !this.#isLate) await Promise.all(this.#lanes);
    };
    this.#isLate = (await within(patienceMs, all())) === late;
    const open = this.#begun - this.#done;
    const unchecked = this.#unanswered + this.#beyond + this.#unknown + open;
    if (unchecked === 0) return;
    const which = mayGoOn ? "Not every new object is" : `${countOf(unchecked, "new object")} not`;
    this.#report(`${which} checked: ${this.#reason(unchecked === 1 && !mayGoOn)}`);
  }

  #reason(isOne: boolean): string {
    if (this.#failure !== undefined) return this.#failure.message;
    if (this.#isLate) return `the console did not answer within ${patienceMs / 1000} s.`;
    if (this.#beyond > 0) return `a preview looks for ${mostLooks} in the console.`;
    return `${isOne ? "its key is" : "their keys are"} not known before the update.`;
  }

  async #try(work: () => Promise<void>): Promise<void> {
    if (this.#isLate) return;
    try {
      if (this.#failure !== undefined && failsEveryLook(this.#failure)) throw this.#failure;
      await work();
    } catch (error) {
      this.#unanswered += 1;
      if (isConsoleError(error)) this.#failure ??= error;
      else this.#report(`A look for a new object failed: ${messageOf(error)}`);
    }
    this.#done += 1;
  }
}

/** A refused key and a console out of reach would meet every other look too. */
function failsEveryLook({ category }: ConsoleError): boolean {
  return ["settings", "unauthorized", "unreachable", "timeout", "unavailable"].includes(category);
}
