import { type ConsoleError, isConsoleError, messageOf } from "../../schema/errors";
import { countOf } from "../../texts/count-text";

/** Most new objects that a preview looks for in the console. */
const mostLooks = 25;

/** Looks that are under way at the same time; the client may allow fewer. */
const mostAtOnce = 8;

/** How long a preview waits for its last looks, milliseconds: it leaves some out rather than wait for a console that does not answer. */
const patienceMs = 5000;

/** Looks for what a preview is about to call new, side by side. */
export class NewObjects {
  readonly #report: (line: string) => void;
  readonly #waiting: (() => Promise<void>)[] = [];
  readonly #underWay = new Set<Promise<void>>();
  readonly #noted = new Set<unknown>();
  #begun = 0;
  #unanswered = 0;
  #beyond = 0;
  #unknown = 0;
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
    this.#begun += 1;
    this.#waiting.push(work);
    this.#next();
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
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<"late">((resolve) => {
      timer = setTimeout(resolve, patienceMs, "late");
    });
    const all = async () => {
      while (this.#underWay.size > 0) await Promise.all(this.#underWay);
    };
    const end = await Promise.race([all(), late]);
    clearTimeout(timer);
    const open = end === "late" ? this.#underWay.size + this.#waiting.splice(0).length : 0;
    const unchecked = this.#unanswered + this.#beyond + this.#unknown + open;
    if (unchecked === 0) return;
    const which = mayGoOn ? "Not every new object is" : `${countOf(unchecked, "new object")} not`;
    const isOne = unchecked === 1 && !mayGoOn;
    this.#report(`${which} checked: ${this.#reason({ isLate: open > 0, isOne })}`);
  }

  #reason({ isLate, isOne }: { readonly isLate: boolean; readonly isOne: boolean }): string {
    if (this.#failure !== undefined) return this.#failure.message;
    if (isLate) return `the console did not answer within ${patienceMs / 1000} s.`;
    if (this.#beyond > 0) return `a preview looks for ${mostLooks} in the console.`;
    return `${isOne ? "its key is" : "their keys are"} not known before the update.`;
  }

  #next(): void {
    while (this.#underWay.size < mostAtOnce) {
      const work = this.#waiting.shift();
      if (work === undefined) return;
      const look = this.#done(work).finally(() => {
        this.#underWay.delete(look);
        this.#next();
      });
      this.#underWay.add(look);
    }
  }

  async #done(work: () => Promise<void>): Promise<void> {
    if (this.#failure !== undefined && failsEveryLook(this.#failure)) {
      this.#unanswered += 1;
      return;
    }
    try {
      await work();
    } catch (error) {
      this.#unanswered += 1;
      if (isConsoleError(error)) this.#failure ??= error;
      else this.#report(`A look for a new object failed: ${messageOf(error)}`);
    }
  }
}

/** A refused key and a console out of reach would meet every other look too. */
function failsEveryLook({ category }: ConsoleError): boolean {
  return ["settings", "unauthorized", "unreachable", "timeout", "unavailable"].includes(category);
}
