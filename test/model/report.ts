import { shrink } from "../world/proof";
import type { Rule } from "./episode";
import type { History, Step } from "./history";
import type { Outcome } from "./play";

/** Words for what happened, such as "command: up done", and how often. */
export type Tally = Record<string, number>;

export function count(tally: Tally, what: string, often = 1): void {
  tally[what] = (tally[what] ?? 0) + often;
}

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

/** A shorter history that breaks the same rule: steps and disturbances go as long as it does. */
export async function shrunk(
  outcome: Outcome,
  player: (history: History) => Promise<Outcome>,
): Promise<Outcome> {
  const rule = outcome.violations[0]?.rule;
  if (rule === undefined) return outcome;
  let last = outcome;
  await shrink(outcome.history, shorter, async (history) => {
    const next = await player(history);
    const breaks = next.violations.some((one) => one.rule === rule);
    if (breaks) last = next;
    return breaks;
  });
  return last;
}

/** The history without one of its steps, the last ones first, or with a plainer one in its place. */
function* shorter(history: History): Generator<History> {
  const { steps } = history;
  for (const [at, step] of [...steps.entries()].reverse()) {
    yield { ...history, steps: steps.toSpliced(at, 1) };
    for (const plain of plainer(step)) yield { ...history, steps: steps.with(at, plain) };
  }
}

function plainer(step: Step): Step[] {
  if (step.do !== "up" && step.do !== "destroy") return [];
  const plain = { parallel: false, disturbance: undefined };
  const parts =
    step.do === "up" ? { ...plain, between: undefined, replace: undefined, refresh: false } : plain;
  return Object.entries(parts).flatMap(([name, value]) =>
    step[name as keyof Step] ? [{ ...step, [name]: value } as Step] : [],
  );
}
