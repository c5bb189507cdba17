import { table } from "../../scripts/generate/markdown";
import type { Outcome } from "./round";

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** A line about a round; below it what failed, and where its files are. */
export function lineOf(outcome: Outcome, folder: string): string {
  const { round, scenario, checkpoints, victim, killedAtMs, writes, typed, takenOver, pending } = outcome;
  const twice = outcome.again === undefined ? "" : " twice";
  const head = [
    `round ${round}`,
    `${scenario}, checkpoints ${checkpoints ? "on" : "off"}`,
    `killed ${victim}${twice} at ${seconds(killedAtMs)} after ${writes} writes`,
    `typed ${typed.join(", ")}`,
    `${takenOver} taken over, ${pending} pending`,
    seconds(outcome.ms),
    outcome.failures.length === 0 ? "ok" : `FAILED, see ${folder}`,
  ].join("; ");
  return [head, ...outcome.failures.map((text) => `        ${text}`)].join("\n");
}

/** The matrix as a table: what was killed, how often, how it ended, and what was typed. */
export function summaryOf(outcomes: readonly Outcome[]): string {
  const rows = [...grouped(outcomes)].map(([name, group]) => {
    const failed = group.filter(({ failures }) => failures.length > 0).length;
    const sum = (of: (outcome: Outcome) => number) => group.reduce((total, one) => total + of(one), 0);
    return [
      name,
      String(group.length),
      String(group.length - failed),
      String(failed),
      String(group.filter(({ writes }) => writes > 0).length),
      String(sum(({ takenOver }) => takenOver)),
      String(group.filter(({ pending }) => pending > 0).length),
      typedBy(group),
    ];
  });
  const title = ["killed", "rounds", "same end", "failed", "with writes", "taken over", "pending", "typed"];
  return table(title, rows);
}

function grouped(outcomes: readonly Outcome[]): Map<string, Outcome[]> {
  const groups = new Map<string, Outcome[]>();
  for (const one of outcomes) {
    const name = `${one.scenario}, checkpoints ${one.checkpoints ? "on" : "off"}`;
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  return new Map([...groups].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What was typed after the kill, the most frequent first. */
function typedBy(outcomes: readonly Outcome[]): string {
  const counts = new Map<string, number>();
  for (const { typed } of outcomes) {
    const text = typed.join(" > ");
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([text, count]) => `${text} (${count})`)
    .join(", ");
}
