import { describe, expect, test } from "@jest/globals";
import { complaints, type JestReport, lastLine, summarise } from "../../scripts/report/jest-report";

const clean: JestReport = {
  numPassedTests: 2,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  numRuntimeErrorTestSuites: 0,
  testResults: [{ assertionResults: [{ status: "passed", fullName: "gate is created" }] }],
};

function skipping(name: string): JestReport {
  return {
    ...clean,
    numPendingTests: 1,
    testResults: [{ assertionResults: [{ status: "pending", fullName: name }] }],
  };
}

describe("the last line", () => {
  test.each<[string, JestReport | undefined, string]>([
    ["all passed", clean, "tests: 2 passed, 0 failed, 0 skipped"],
    ["some failed", { ...clean, numFailedTests: 3 }, "tests: 2 passed, 3 failed, 0 skipped"],
    ["a file broke", { ...clean, numRuntimeErrorTestSuites: 1 }, "tests: 2 passed, 1 failed, 0 skipped"],
    ["skipped", { ...clean, numPendingTests: 1, numTodoTests: 1 }, "tests: 2 passed, 0 failed, 2 skipped"],
    ["no report", undefined, "tests: 0 passed, 0 failed, 0 skipped"],
  ])("%s", (_, report, line) => {
    expect(lastLine(summarise(report))).toBe(line);
  });
});

describe("complaints", () => {
  test("none about a clean run", () => {
    expect(complaints(summarise(clean), [], false)).toEqual([]);
  });

  test("about a failed step, failed tests and an empty run", () => {
    const failed = summarise({ ...clean, numFailedTests: 1 });
    expect(complaints(failed, ["build"], false)).toEqual(["failed: build", "1 failed"]);
    expect(complaints(summarise(undefined), [], true)).toEqual(["no test ran"]);
  });

  test("about a skipped test only when it does not say why", () => {
    expect(complaints(summarise(skipping("delete (skipped: the API has no delete)")), [], false)).toEqual([]);
    expect(complaints(summarise(skipping("delete")), [], false)).toEqual([
      expect.stringContaining(": delete"),
    ]);
  });

  test("not about a test that misses a program: its name is printed", () => {
    const name = "shares (skipped: no redis-server on PATH (Debian: redis-server))";
    const summary = summarise(skipping(name));
    expect(complaints(summary, [], false)).toEqual([]);
    expect(summary.explained).toEqual([name]);
    expect(lastLine(summary)).toBe("tests: 2 passed, 0 failed, 1 skipped");
  });

  test("not about the tests that a filter leaves out", () => {
    expect(complaints(summarise(skipping("delete")), [], true)).toEqual([]);
  });
});
