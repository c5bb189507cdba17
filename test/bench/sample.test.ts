import { beforeAll, describe, expect, test } from "@jest/globals";
import { moveText } from "../../scripts/bench/move";
import { nativeReportText } from "../../scripts/bench/native-report";
import { operations } from "../../scripts/bench/operations";
import { readOptions } from "../../scripts/bench/options";
import { plansOf } from "../../scripts/bench/plan";
import { reportText } from "../../scripts/bench/report";
import { measureSeries, type Series, type SeriesPlan } from "../../scripts/bench/series";
import { rowsOf, verdictsOf } from "../../scripts/bench/summary";
import { FIRST_CLI_TIMEOUT_MS, quickStart } from "../support/pulumi-cli";

const count = 2;
/** Seconds are not looked at here. */
const environment = { ...quickStart, PULUMI_NODEJS_TRANSPILE_ONLY: "true" };

describe("a benchmark of two gates", () => {
  let series: Series;
  beforeAll(async () => {
    const plan = { count, runs: 1, checkpoints: false, latencyMs: 0, environment };
    const ours = await measureSeries({ ...plan, subjects: ["ours"] }, () => {});
    const others = await measureSeries({ ...plan, subjects: ["floor", "yaml"] }, () => {}, ["up of new"]);
    series = {
      ...{ ...ours, subjects: [...ours.subjects, ...others.subjects] },
      samples: [...ours.samples, ...others.samples],
      stateSizes: { ...ours.stateSizes, ...others.stateSizes },
    };
  }, FIRST_CLI_TIMEOUT_MS);

  test("each command costs the requests that are promised", () => {
    const requests = Object.fromEntries(rowsOf(series).map((row) => [row.operation, row.requests]));
    expect(requests).toEqual({
      // Each of the few gates that are new is looked for, and no old one.
      "preview of new": { reads: count, writes: 0 },
      "up of new": { reads: expect.any(Number), writes: count },
      "no-op preview": { reads: 0, writes: 0 },
      // The question for the project is asked once.
      "update of all": { reads: count + 1, writes: count },
      refresh: { reads: expect.any(Number), writes: 0 },
      destroy: { reads: expect.any(Number), writes: count },
    });
    expect(requests["up of new"]?.reads).toBeLessThanOrEqual(30);
    expect(requests.refresh?.reads).toBeGreaterThanOrEqual(1);
    // A page of a list has a hundred.
    for (const name of ["refresh", "destroy"] as const) expect(requests[name]?.reads).toBeLessThanOrEqual(4);
  });

  test("the plugin sends as many writes, and a provider that does nothing sends none", () => {
    const created = series.samples.filter(({ operation }) => operation === "up of new");
    expect(created.map(({ subject, requests }) => [subject, requests.writes])).toEqual([
      ...[
        ["ours", count],
        ["floor", 0],
        ["yaml", count],
      ],
    ]);
  });

  test("the state of a gate is at most twice that of a provider that does nothing", () => {
    const { ours, floor } = series.stateSizes;
    expect(ours?.gate).toBeGreaterThan(0);
    expect(ours?.gate).toBeLessThanOrEqual(2 * (floor?.gate ?? 0));
  });

  test("the report judges what was promised and names neither this machine nor its folders", () => {
    expect(verdictsOf(series).filter(({ holds }) => !holds)).toEqual([]);
    const versions = { node: "1", pulumi: "1", pulumiSdk: "1", package: "1" };
    const findings = {
      machine: { system: "S", processors: 1, memoryGigabytes: 1, ...versions },
      series: [series],
    };
    const text = reportText(findings);
    expect(text).toMatch(/^\| refresh: requests \| ≤ gates \/ 100 \+ 3 \| 2: \d \| holds \|$/m);
    expect(text).toMatch(/^\| refresh \| 2 \| 1 \| /m);
    // What is kept as JSON is all that the page needs.
    expect(reportText(JSON.parse(JSON.stringify(findings)))).toBe(text);
    expect(text).not.toMatch(/\/tmp|\/home|localhost|127\.0\.0\.1/);
  });
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
