/** How often, by what. */
export type Tally = Record<string, number>;

/** How often what happened. */
export interface Counts {
  /** Commands that change something, and how they ended: "up done", "destroy killed". */
  readonly commands: Tally;
  /** What the engine did with a kind, such as "gate replace". */
  readonly ops: Tally;
  /** Edits of programs and deeds of people that made a difference. */
  readonly edits: Tally;
  /** Refusals by their text, without names. */
  readonly refusals: Tally;
  /** What harms somebody and passes all the same, by its reason. */
  readonly allowed: Tally;
}

/** Nothing yet. */
export function noCounts(): Counts {
  return { commands: {}, ops: {}, edits: {}, refusals: {}, allowed: {} };
}

/** Counts one more. */
export function count(tally: Tally, what: string): void {
  tally[what] = (tally[what] ?? 0) + 1;
}

/** A refusal without what differs from one object to the next. */
export function withoutNames(error: string): string {
  return error
    .replace(/"[^"]*"|\b(flag|asker)_\d\b|\b[A-Za-z0-9]{12}\b/g, "…")
    .replace(/It differs in [^.]*(\.\w+[^.]*)*\./, "It differs.")
    .slice(0, 140);
}
