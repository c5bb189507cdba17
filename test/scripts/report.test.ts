import { describe, expect, test } from "@jest/globals";
import { type Costs, costLines, type FileCost, slowComplaints } from "../../scripts/report/costs";
import { complaints, type JestReport, lastLine, summarise } from "../../scripts/report/jest-report";

const clean: JestReport = {
  ...{
    numPassedTests: 2,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    numRuntimeErrorTestSuites: 0,
  },
  testResults: [{ assertionResults: [{ status: "passed", fullName: "gate is created" }] }],
};
const skipping = (fullName: string) =>
  summarise({
    ...clean,
    numPendingTests: 1,
    testResults: [{ assertionResults: [{ status: "pending", fullName }] }],
  });

test.each<[string, JestReport | undefined, string]>([
  ["all passed", clean, "tests: 2 passed, 0 failed, 0 skipped"],
  ["some failed", { ...clean, numFailedTests: 3 }, "tests: 2 passed, 3 failed, 0 skipped"],
  ["a file broke", { ...clean, numRuntimeErrorTestSuites: 1 }, "tests: 2 passed, 1 failed, 0 skipped"],
  ["skipped", { ...clean, numPendingTests: 1, numTodoTests: 1 }, "tests: 2 passed, 0 failed, 2 skipped"],
  ["no report", undefined, "tests: 0 passed, 0 failed, 0 skipped"],
])("the last line of a run: %s", (_, report, line) => expect(lastLine(summarise(report))).toBe(line));

describe("a run is refused", () => {
  const failed = summarise({ ...clean, numFailedTests: 1 });
  const explained = "shares (skipped: no redis-server on PATH (Debian: redis-server))";

  test.each<[string, ReturnType<typeof summarise>, string[], boolean, unknown[]]>([
    ["not when all passed", summarise(clean), [], false, []],
    ["for a step and for tests that failed", failed, ["build"], false, ["failed: build", "1 failed"]],
    ["when no test ran", summarise(undefined), [], true, ["no test ran"]],
    ["for a skipped test", skipping("delete"), [], false, [expect.stringContaining(": delete")]],
    ["not for one that says why", skipping(explained), [], false, []],
    ["not for the tests that a filter leaves out", skipping("delete"), [], true, []],
  ])("%s", (_, summary, failedSteps, isPart, expected) => {
    expect(complaints(summary, failedSteps, isPart)).toEqual(expected);
  });

  test("and the names of tests that miss a program are printed", () => {
    expect(skipping(explained).explained).toEqual([explained]);
  });
});

describe("what the files cost", () => {
  const cost = (file: string, ownSeconds: number, startedSeconds = 0): FileCost => ({
    ...{ file, ownSeconds, startedSeconds },
  });
  const month = "test/e2e/month.test.ts";
  const costs: Costs = {
    files: [cost("test/core/quick.test.ts", 1), cost(month, 5, 90), cost("test/slow.test.ts", 31)],
    runs: ["up", "preview", "up"].map((cli) => ({ cli, seconds: 2 })),
  };
  const reasons = { [month]: "a month of one team in one stack" };

  test("the slowest files come first, with the reason of each that is slow, and then the CLI", () => {
    expect(costLines(costs, reasons)).toEqual([
      "slowest files, in seconds of processor time:",
      "     95  test/e2e/month.test.ts  a month of one team in one stack",
      "     31  test/slow.test.ts  NOT LISTED",
      "      1  test/core/quick.test.ts",
      "all 3 files: 127 s, of them 90 s in processes that they started",
      "runs of the Pulumi CLI: 3, 6 s on the clock (2 up, 1 preview)",
    ]);
  });

  test("a slow file that is not listed is refused; a busy machine gets half as much again", () => {
    expect(slowComplaints(costs, reasons)).toEqual([
      expect.stringMatching(/^test\/slow\.test\.ts needs 31 s .*slow-files\.json/),
    ]);
    expect(slowComplaints({ files: [cost("test/new.test.ts", 10, 19)], runs: [] }, {})).toEqual([]);
  });
});
