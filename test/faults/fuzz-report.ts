import type { FuzzResult } from "./fuzz";
import type { Outcome } from "./fuzz-kind";

interface Counts {
  done: number;
  refused: number;
  gone: number;
  failed: number;
}

/** Outcomes by the way in which the answer was wrong, and by verb. `failed`: whether anything was not as it should be. */
export function fuzzTable({ outcomes, hostFaults }: FuzzResult): {
  readonly text: string;
  readonly summary: {
    readonly byWay: object;
    readonly byVerb: object;
    readonly total: Counts;
    hostFaults: object;
  };
  readonly failed: boolean;
} {
  const met = outcomes.filter(({ given, faults }) => given !== undefined || faults.length > 0);
  const byWay = grouped(met, ({ recipe }) => recipe.way);
  const byVerb = grouped(met, ({ verb }) => verb);
  const total = grouped(met, () => "all").all ?? { done: 0, refused: 0, gone: 0, failed: 0 };
  const rows = [
    ["wrong answer", "done", "refused", "gone", "failed"],
    ...[...Object.entries(byWay), ["all", total] as const].map(([name, counts]) => [
      name,
      ...Object.values(counts).map(String),
    ]),
    ["", "", "", "", ""],
    ["verb", "done", "refused", "gone", "failed"],
    ...Object.entries(byVerb).map(([name, counts]) => [name, ...Object.values(counts).map(String)]),
  ];
  const text = [...rows.map(line), ...hostFaults.map((fault) => `The host: ${fault}`)].join("\n");
  return {
    text,
    summary: { byWay, byVerb, total, hostFaults },
    failed: total.failed + hostFaults.length > 0,
  };
}

function line([name = "", ...numbers]: string[]): string {
  return `${name.padEnd(26)}${numbers.map((number) => number.padStart(9)).join("")}`.trimEnd();
}

function grouped(outcomes: readonly Outcome[], by: (outcome: Outcome) => string): Record<string, Counts> {
  const groups: Record<string, Counts> = {};
  for (const outcome of outcomes) {
    const counts = groups[by(outcome)] ?? { done: 0, refused: 0, gone: 0, failed: 0 };
    groups[by(outcome)] = counts;
    counts[outcome.ended] += 1;
    if (outcome.faults.length > 0) counts.failed += 1;
  }
  return groups;
}
