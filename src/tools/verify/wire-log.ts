import type { WireAnswer } from "../../provider/client/transport";

/** The form of the `Retry-After` of a refusal (429). */
export type DelayForm = "seconds" | "date" | "none" | "unreadable";

/** The answers of a console as they came: the client's results show neither headers nor envelope. */
export class WireLog {
  readonly #delays = new Set<DelayForm>();
  #last: WireAnswer | undefined;
  #refused = 0;

  /** Takes an answer down. */
  readonly note = (answer: WireAnswer): void => {
    this.#last = answer;
    if (answer.status !== 429) return;
    this.#refused += 1;
    this.#delays.add(delayForm(answer.headers["retry-after"]));
  };

  /** The answer to the latest request. @throws Error where nothing was asked yet. */
  get last(): WireAnswer {
    if (this.#last === undefined) throw new Error("the console was not asked");
    return this.#last;
  }

  /** Refusals with 429, and how they said how long to wait. */
  get throttled(): { readonly answers: number; readonly delays: readonly DelayForm[] } {
    return { answers: this.#refused, delays: [...this.#delays].sort() };
  }
}

function delayForm(header: string | undefined): DelayForm {
  if (header === undefined || header.trim() === "") return "none";
  if (Number.isFinite(Number(header))) return "seconds";
  return Number.isFinite(Date.parse(header)) ? "date" : "unreadable";
}
