/**
 * How far a run has come, as a provider sees it: which resources Pulumi has shown to it, and what became of them. From
 * that, and from the number of resources that the program has declared, it estimates the writes that are left.
 */
export class RunProgress {
  #declared = 0;
  #checked = 0;
  /** Resources that were checked and not compared yet. */
  #open = 0;
  /** Resources that a write is sure to come for, or came for. */
  #writing = 0;
  #started = 0;

  /** A resource was checked; `isNew`: it has no state yet, so that it will be created. */
  checked(isNew: boolean, declared: unknown): void {
    if (typeof declared === "number") this.#declared = Math.max(this.#declared, declared);
    this.#checked += 1;
    if (isNew) this.#writing += 1;
    else this.#open += 1;
  }

  /** True once every resource that the program has declared so far has been shown. */
  isComplete(): boolean {
    return this.#declared > 0 && this.#checked >= this.#declared;
  }

  /** True where the program has not told how many resources it declares: nobody can say which is the last. */
  isUncounted(): boolean {
    return this.#declared === 0;
  }

  /** True once every resource that the program has declared so far has been compared too, and something is to be written. */
  endsWithWrites(): boolean {
    return this.isComplete() && this.#open === 0 && this.#writing > 0;
  }

  /** A checked resource was compared with its state. A refresh compares too, what was not checked. */
  compared(how: "nothing" | "update" | "replace"): void {
    if (this.#open === 0) return;
    this.#open -= 1;
    if (how === "update") this.#writing += 1;
    // Pulumi checks the arguments of a replacement a second time, as those of a new resource.
    if (how === "replace") this.#checked -= 1;
  }

  /** A create or an update begins. */
  started(): void {
    this.#started += 1;
  }

  /**
   * Writes that are still to be sent, where the program has told how many resources it declares; undefined otherwise.
   * @param sent writes that were sent so far, without those that were refused with 429
   */
  writesLeft(sent: number): number | undefined {
    if (this.#declared === 0 || this.#writing === 0) return undefined;
    const share = this.#writing / (this.#checked - this.#open || 1);
    const unseen = Math.max(0, this.#declared - this.#checked) + this.#open;
    const each = this.#started === 0 ? 1 : Math.max(1, sent / this.#started);
    return Math.max(0, Math.round((this.#writing + unseen * Math.min(1, share)) * each - sent));
  }
}
