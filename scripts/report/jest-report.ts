/** What is used of the report that `jest --json` writes. */
export interface JestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  numRuntimeErrorTestSuites: number;
  testResults: readonly { assertionResults: readonly { status: string; fullName: string }[] }[];
}

/** The counts for the last line, and the names of skipped tests, with and without a reason. */
export interface TestSummary {
  passed: number;
  failed: number;
  skipped: number;
  unexplained: string[];
  explained: string[];
}

const REASON = /\(skipped: .+\)/;

/** Sums up a report; without one nothing ran. A file that could not run at all counts as one failed test. */
export function summarise(report: JestReport | undefined): TestSummary {
  if (report === undefined) return { passed: 0, failed: 0, skipped: 0, unexplained: [], explained: [] };
  const skipped = report.testResults
    .flatMap((file) => file.assertionResults)
    .filter((test) => test.status === "pending" || test.status === "todo" || test.status === "disabled")
    .map((test) => test.fullName);
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
    skipped: report.numPendingTests + report.numTodoTests,
    unexplained: skipped.filter((name) => !REASON.test(name)),
    explained: skipped.filter((name) => REASON.test(name)),
  };
}

/** The line that a test run ends with. */
export function lastLine({ passed, failed, skipped }: TestSummary): string {
  return `tests: ${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/**
 * What is wrong with a run, one sentence each; empty when all is well.
 * @param filtered only some tests were asked for, so that the others count as skipped without a reason
 */
export function complaints(
  summary: TestSummary,
  failedSteps: readonly string[],
  filtered: boolean,
): string[] {
  const found = failedSteps.map((step) => `failed: ${step}`);
  if (summary.failed > 0) found.push(`${summary.failed} failed`);
  if (summary.passed + summary.failed === 0) found.push("no test ran");
  if (filtered) return found;
  return [
    ...found,
    ...summary.unexplained.map((name) => `skipped without "(skipped: reason)" in its name: ${name}`),
  ];
}
