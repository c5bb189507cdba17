import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import type { Requests } from "../../scripts/bench/console";
import { moveText } from "../../scripts/bench/move";
import { nativeReportText } from "../../scripts/bench/native-report";
import { operations } from "../../scripts/bench/operations";
import { readOptions } from "../../scripts/bench/options";
import { plansOf } from "../../scripts/bench/plan";
import { type Findings, reportText } from "../../scripts/bench/report";
import type { Series, SeriesPlan } from "../../scripts/bench/series";
import { verdictsOf } from "../../scripts/bench/summary";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";

/** What was measured last; `npm run prove -- bench` measures anew. */
const kept: Findings = JSON.parse(readFileSync(path.join(repositoryRoot, "spec", "benchmarks.json"), "utf8"));
const shown = readFileSync(path.join(repositoryRoot, "spec", "benchmarks.md"), "utf8");
const hundred = kept.series.find(({ count, checkpoints }) => count === 100 && checkpoints) as Series;

test("the page says what was measured, and names neither a machine nor its folders", () => {
  expect(shown).toBe(reportText(kept));
  expect(shown).toMatch(/^\| refresh: requests \| ≤ gates \/ 100 \+ 3 \| .*100: 2; .*holds \|$/m);
  expect(shown).toMatch(/^\| refresh \| 100 \| 3 \| /m);
  expect(shown).not.toMatch(/\/tmp|\/home|localhost|127\.0\.0\.1/);
});

test("a cost above what is promised is one that does not hold", () => {
  const broken = (change: (series: Series) => void) => {
    const series = structuredClone(hundred);
    change(series);
    return verdictsOf(series).flatMap(({ figure, holds }) => (holds ? [] : [figure]));
  };
  const takes = (operation: string, requests: Requests) => (series: Series) => {
    for (const sample of series.samples)
      if (sample.operation === operation) Object.assign(sample, { requests });
  };
  expect(broken(() => {})).toEqual([]);
  expect(broken(takes("refresh", { reads: 4, writes: 0 }))).toEqual([]);
  expect(broken(takes("refresh", { reads: 4, writes: 1 }))).toEqual(["refresh: requests"]);
  expect(broken(takes("no-op preview", { reads: 1, writes: 0 }))).toEqual(["no-op preview: requests"]);
  expect(broken(takes("up of new", { reads: 31, writes: 102 }))).toEqual(["up of new: reads"]);
  expect(broken(takes("up of new", { reads: 30, writes: 103 }))).toEqual(["up of new: writes"]);
  const larger = { ours: { whole: 0, gate: 201 }, floor: { whole: 0, gate: 100 } };
  expect(broken((series) => Object.assign(series, { stateSizes: larger }))).toEqual(["state: bytes / floor"]);
});

test("the page of the native plugin has its figures beside those of the dynamic provider", () => {
  const [plan] = plansOf(readOptions(["--native", "--n", "50,200"])) as [SeriesPlan];
  const { subjects } = plan;
  expect([plan.count, plan.runs, subjects]).toEqual([
    ...[200, 1, ["ours", "native", "native floor", "yaml", "yaml floor", "yaml same state"]],
  ]);
  const samples = operations.flatMap(({ name: operation }) =>
    subjects.map((subject, at) => ({
      ...{ subject, operation, run: 0, seconds: at + 1, cpuSeconds: 10 * (at + 1) },
      ...{ requests: { reads: 0, writes: 0 }, hostPeakBytes: 0 },
    })),
  );
  const sizes = subjects.map((subject, at) => [subject, { whole: 0, gate: 1000 * (at + 1) }]);
  const text = nativeReportText({ ...plan, samples, stateSizes: Object.fromEntries(sizes) });
  for (const row of [
    "| refresh | 1.00 | 2.00 | **2.00** | 3.00 | 0.67 | 4.00 | 5.00 | 0.80 | 6.00 | 0.67 |",
    "| up of new | 10.00 | 20.00 | 2.00 | 30.00 | 0.67 | 40.00 | 50.00 | 0.80 | 60.00 | 0.67 |",
  ])
    expect(text.split("\n")).toContain(row);
  expect(text).toContain("State: 1,000 bytes a gate dynamic, 2,000 native, 3,000 the floor.");
});

test("a move to the native plugin is told in a sentence", () => {
  const requests = { reads: 0, writes: 0 };
  const bytes = { before: 2000, after: 1500 };
  expect(moveText({ count: 1000, seconds: [1.23, 2, 3], requests, bytes, types: new Set() })).toBe(
    "1,000 gates moved: preview 1.2 s, update 2.0 s, next preview 3.0 s, all without a change; 0 reads and 0 writes; state 2,000 bytes a gate before, 1,500 after.",
  );
});

describe("what is measured", () => {
  test("every size, up to 1,000 gates with checkpoints too, and a slow network at 1,000", () => {
    const plans = plansOf(readOptions(["--n", "5000,100,1000"]));
    expect(
      plans.map(({ count: gates, runs, checkpoints, latencyMs }) => [gates, runs, checkpoints, latencyMs]),
    ).toEqual([
      [100, 3, true, 0],
      [1000, 1, true, 0],
      [100, 3, false, 0],
      [1000, 3, false, 0],
      [5000, 1, false, 0],
      [1000, 1, false, 50],
    ]);
  });

  test("as often as asked, without the network when it is not wanted", () => {
    const plans = plansOf(readOptions(["--n", "10", "--runs", "2", "--latency", "0"]));
    expect(plans.map(({ runs, latencyMs }) => [runs, latencyMs])).toEqual([
      [2, 0],
      [2, 0],
    ]);
  });

  test.each([
    [["--n", "many"], '--n takes whole numbers from 1, not "many"'],
    [["--runs", "0"], '--runs takes whole numbers from 1, not "0"'],
    [["--latency", ""], '--latency takes whole numbers from 0, not ""'],
  ])("%j is refused", (args, message) => {
    expect(() => readOptions(args)).toThrow(message);
  });
});
