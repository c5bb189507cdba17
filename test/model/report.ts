import type { Rule } from "./episode";
import type { Outcome } from "./play";

/** Words for what happened, such as "command: up done", and how often. */
export type Tally = Record<string, number>;

/** Counts one more. */
export function count(tally: Tally, what: string, often = 1): void {
  tally[what] = (tally[what] ?? 0) + often;
}

/** Adds histories up. */
export class Summing {
  /** Rule -> seeds of the histories that broke it. */
  readonly rules: Partial<Record<Rule, number[]>> = {};
  readonly counts: Tally = {};
  histories = 0;
  violated = 0;

  add({ history, violations, counts }: Outcome): void {
    this.histories += 1;
    if (violations.length > 0) this.violated += 1;
    for (const rule of new Set(violations.map((one) => one.rule)))
      this.rules[rule] = [...(this.rules[rule] ?? []), history.seed];
    // What is allowed counts once for each history.
    for (const [what, often] of Object.entries(counts))
      count(this.counts, what, what.startsWith("allowed: ") ? 1 : often);
  }

  /** For people. */
  text(): string {
    return [
      `${this.histories} histories, ${this.violated} in which something happened that should not have`,
      ...Object.entries(this.rules).map(
        ([rule, seeds]) => `  ${seeds.length} times not: ${rule} (seeds ${seeds.slice(0, 5).join(", ")})`,
      ),
      ...Object.entries(this.counts)
        .sort(([one, often], [other, oftener]) => kindOf(one).localeCompare(kindOf(other)) || oftener - often)
        .map(([what, often]) => `${String(often).padStart(7)}  ${what}`),
    ].join("\n");
  }
}

const kindOf = (what: string) => what.split(": ")[0] ?? "";

/** What happened in a history, and what should not have. */
export function historyText({ history, told, violations }: Outcome): string {
  return [
    `seed ${history.seed}${history.sameFolder ? ", both stacks in one folder" : ""}:`,
    ...told.map((line) => `  ${line}`),
    ...violations.map(({ rule, object, text }) => `  => not: ${rule}\n     ${object}: ${text}`),
  ].join("\n");
}
