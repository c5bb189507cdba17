import { occurrences } from "../../provider/texts/count-text";
import type { Report } from "../render/report";
import type { CheckResult } from "./check";

const verdictWidth = "not tried".length;

/** Rows of a result: its finding, and below it the command to type. `nameWidth`: that of the longest name. */
export function resultRows({ name, verdict, text, advice }: CheckResult, nameWidth: number): string[][] {
  const row = (one: string, other: string, last: string) => [
    one.padEnd(verdictWidth),
    other.padEnd(nameWidth),
    last,
  ];
  return [row(verdict, name, text), ...(advice === undefined ? [] : [row("", "", `-> ${advice}`)])];
}

/** All results, with their numbers by verdict. */
export function doctorReport(results: readonly CheckResult[], nameWidth: number): Report {
  return {
    parts: [{ rows: results.flatMap((one) => resultRows(one, nameWidth)) }, summaryText(results)],
    json: { checks: results },
  };
}

/** Numbers of results by verdict, in one line. */
export function summaryText(results: readonly CheckResult[]): string {
  return [...occurrences(results.map(({ verdict }) => verdict))]
    .map(([verdict, count]) => `${count} ${verdict}`)
    .join(", ");
}
