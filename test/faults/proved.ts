import { seconds } from "../../scripts/process/progress";
import { type MatrixOptions, runMatrix } from "./matrix";
import { isClean, reportOf, summarise, titleOf } from "./report";

/** Runs cells for a proof: tells what is not right as it comes, and ends with the report, or the figures as JSON. @returns the report. */
export async function proved(matrix: MatrixOptions, json: boolean): Promise<string> {
  const started = Date.now();
  let failed = 0;
  let said = 0;
  const result = await runMatrix({
    ...matrix,
    onCell(one, done, all) {
      if (one.problems.length > 0) {
        failed += 1;
        process.stderr.write(`${titleOf(one)}\n${one.problems.map((problem) => `  ${problem}\n`).join("")}`);
      }
      if (Date.now() - said < 10_000 && done < all) return;
      said = Date.now();
      process.stderr.write(`${done} of ${all} cells, ${failed} not right, ${seconds(said - started)}\n`);
    },
  });
  const summary = summarise(result);
  const report = reportOf(summary);
  process.stdout.write(json ? `${JSON.stringify(summary, null, 2)}\n` : `${report}\n`);
  process.exitCode = isClean(summary) ? 0 : 1;
  return report;
}
