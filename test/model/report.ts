import type { Rule } from "./episode";
import type { Outcome } from "./play";
import { type Counts, noCounts, type Tally } from "./tally";

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
}

/** Adds histories up. */
export class Summing {
  readonly #rules: Partial<Record<Rule, number[]>> = {};
  readonly #tallies: Counts = noCounts();
  #histories = 0;
  #violated = 0;

  add({ history, violations, counts }: Outcome): void {
    this.#histories += 1;
    if (violations.length > 0) this.#violated += 1;
    for (const rule of new Set(violations.map((one) => one.rule)))
      this.#rules[rule] = [...(this.#rules[rule] ?? []), history.seed];
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
    };
  }
}

const tallies = ["commands", "ops", "edits", "refusals"] as const;

function sorted(tally: Tally): Tally {
  return Object.fromEntries(Object.entries(tally).sort(([, one], [, other]) => other - one));
}

/** A summary for people. */
export function summaryText({ histories, violated, rules, commands, edits, ops }: Summary): string {
  const listed = (tally: Tally) =>
    Object.entries(tally)
      .map(([what, often]) => `${often} ${what}`)
      .join(", ");
  return [
    `${histories} histories, ${violated} in which something happened that should not have`,
    ...Object.entries(rules).map(
      ([rule, seeds]) => `  ${seeds.length} times not: ${rule} (seeds ${seeds.slice(0, 5).join(", ")})`,
    ),
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
