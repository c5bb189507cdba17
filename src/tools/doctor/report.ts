import { visible } from "../../provider/texts/issue-text";
import { wrapped } from "../../provider/texts/wrapped";
import type { CheckResult, Verdict } from "./check";

const verdictWidth = "not tried".length;

/** The lines of a result: what was found, and below it what to type. `nameWidth`: that of the longest name. */
export function resultText({ name, verdict, text, advice }: CheckResult, nameWidth: number): string {
  const indent = verdictWidth + nameWidth + 4;
  const line = `${verdict.padEnd(verdictWidth)}  ${name.padEnd(nameWidth)}  ${wrapped(visible(text), indent)}\n`;
  return advice === undefined
    ? line
    : `${line}${" ".repeat(indent)}-> ${wrapped(visible(advice), indent + 3)}\n`;
}

/** How the checks ended, in one line. */
export function summaryText(results: readonly CheckResult[]): string {
  const counts = new Map<Verdict, number>();
  for (const { verdict } of results) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  return `${[...counts].map(([verdict, count]) => `${count} ${verdict}`).join(", ")}\n`;
}
