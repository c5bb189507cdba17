import { visible, visibleLines } from "../../provider/texts/issue-text";
import type { CheckResult, Verdict } from "./check";

const verdictWidth = "not tried".length;

/** Characters of a line; a word, such as an address, may be longer. */
const lineWidth = 120;

/** The lines of a result: what was found, and below it what to type. `nameWidth`: that of the longest name. */
export function resultText({ name, verdict, text, advice }: CheckResult, nameWidth: number): string {
  const indent = verdictWidth + nameWidth + 4;
  const line = `${verdict.padEnd(verdictWidth)}  ${name.padEnd(nameWidth)}  ${wrapped(visible(text), indent)}\n`;
  return advice === undefined
    ? line
    : `${line}${" ".repeat(indent)}-> ${wrapped(visible(advice), indent + 3)}\n`;
}

/** A text over several lines, each but the first behind so many blanks. */
function wrapped(text: string, indent: number): string {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && indent + longer.length <= lineWidth) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.join(`\n${" ".repeat(indent)}`);
}

/** How the checks ended, in one line. */
export function summaryText(results: readonly CheckResult[]): string {
  const counts = new Map<Verdict, number>();
  for (const { verdict } of results) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  return `${[...counts].map(([verdict, count]) => `${count} ${verdict}`).join(", ")}\n`;
}

/** The same for programs. */
export function resultsJson(results: readonly CheckResult[]): string {
  return `${visibleLines(JSON.stringify({ checks: results }, undefined, 2))}\n`;
}
