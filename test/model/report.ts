import type { Rule } from "./episode";
import type { Outcome } from "./play";

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

/** What is left of many histories. */
export interface Summary {
  readonly histories: number;
  /** Histories in which something happened that should not have. */
  readonly violated: number;
  /** Rule -> seeds of the histories that broke it. */
  readonly rules: Readonly<Partial<Record<Rule, readonly number[]>>>;
  readonly commands: Tally;
  readonly edits: Tally;
  readonly ops: Tally;
  readonly refusals: Tally;
  /** Histories in which harm passed that no stack can tell, by the reason; each counts once. */
  readonly allowed: Tally;
}

/** Adds histories up. */
export class Summing {
  readonly #rules: Partial<Record<Rule, number[]>> = {};
  readonly #tallies: Counts = noCounts();
  readonly #allowed: Tally = {};
  #histories = 0;
  #violated = 0;

  add({ history, violations, counts }: Outcome): void {
    this.#histories += 1;
    if (violations.length > 0) this.#violated += 1;
    for (const rule of new Set(violations.map((one) => one.rule)))
      this.#rules[rule] = [...(this.#rules[rule] ?? []), history.seed];
    for (const reason of Object.keys(counts.allowed)) count(this.#allowed, reason);
    for (const name of tallies)
      for (const [what, often] of Object.entries(counts[name]))
        this.#tallies[name][what] = (this.#tallies[name][what] ?? 0) + often;
  }

  summary(): Summary {
    return {
      ...{ histories: this.#histories, violated: this.#violated, rules: this.#rules },
      commands: sorted(this.#tallies.commands),
      edits: sorted(this.#tallies.edits),
      ops: sorted(this.#tallies.ops),
      refusals: sorted(this.#tallies.refusals),
      allowed: sorted(this.#allowed),
    };
  }
}

const tallies = ["commands", "ops", "edits", "refusals"] as const;

function sorted(tally: Tally): Tally {
  return Object.fromEntries(Object.entries(tally).sort(([, one], [, other]) => other - one));
}

/** A summary for people. */
export function summaryText(summary: Summary): string {
  const { histories, violated, rules, commands, edits, ops, allowed } = summary;
  const listed = (tally: Tally) =>
    Object.entries(tally)
      .map(([what, often]) => `${often} ${what}`)
      .join(", ");
  return [
    `${histories} histories, ${violated} in which something happened that should not have`,
    ...Object.entries(rules).map(
      ([rule, seeds]) => `  ${seeds.length} times not: ${rule} (seeds ${seeds.slice(0, 5).join(", ")})`,
    ),
    ...Object.entries(allowed).map(([reason, often]) => `${often} histories in which ${reason}`),
    `commands: ${listed(commands)}`,
    `before them: ${listed(edits)}`,
    `of it, by kind: ${listed(ops)}`,
  ].join("\n");
}

/** What happened in a history, and what should not have. */
export function historyText({ history, told, violations }: Outcome): string {
  return [
    `seed ${history.seed}${history.sameFolder ? ", both stacks in one folder" : ""}:`,
    ...told.map((line) => `  ${line}`),
    ...violations.map(({ rule, object, text }) => `  => not: ${rule}\n     ${object}: ${text}`),
  ].join("\n");
}
