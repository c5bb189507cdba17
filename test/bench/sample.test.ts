import { beforeAll, describe, expect, test } from "@jest/globals";
import { moveGates, moveText } from "../../scripts/bench/move";
import { nativeReportText } from "../../scripts/bench/native-report";
import { readOptions } from "../../scripts/bench/options";
import { plansOf } from "../../scripts/bench/plan";
import { reportText } from "../../scripts/bench/report";
import { measureSeries, type Series, type SeriesPlan } from "../../scripts/bench/series";
import { nativeSubjects, subjects } from "../../scripts/bench/subjects";
import { rowsOf, verdictsOf } from "../../scripts/bench/summary";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";

const count = 5;

describe("a benchmark of five gates", () => {
  let series: Series;
  beforeAll(async () => {
    series = await measureSeries({ count, runs: 1, checkpoints: false, latencyMs: 0, subjects }, () => {});
  }, FIRST_CLI_TIMEOUT_MS);

  const requestsOf = (name: string) => rowsOf(series).find(({ operation }) => operation === name)?.requests;

  test("a preview looks for each of the few gates that are new, and for no old one", () => {
    expect(requestsOf("preview of new")).toEqual({ reads: count, writes: 0 });
    expect(requestsOf("no-op preview")).toEqual({ reads: 0, writes: 0 });
  });

  test("new gates cost a write each", () => {
    const { reads, writes } = requestsOf("up of new") ?? {};
    expect(writes).toBeGreaterThanOrEqual(count);
    expect(writes).toBeLessThanOrEqual(count + 2);
    expect(reads).toBeLessThanOrEqual(30);
  });

  test("a changed gate costs a read and a write, beside the question for the project", () => {
    expect(requestsOf("update of all")).toEqual({ reads: count + 1, writes: count });
  });

  test("a refresh costs a read for each page of a list", () => {
    const { reads, writes } = requestsOf("refresh") ?? {};
    expect(reads).toBeGreaterThanOrEqual(1);
    expect(reads).toBeLessThanOrEqual(Math.ceil(count / 100) + 3);
    expect(writes).toBe(0);
  });

  test("a destroyed gate costs a write, and a read for each page of a list", () => {
    const { reads, writes } = requestsOf("destroy") ?? {};
    expect(reads).toBeLessThanOrEqual(Math.ceil(count / 100) + 3);
    expect(writes).toBe(count);
  });

  test("the state of a gate is at most twice that of a provider that does nothing", () => {
    const { ours, floor } = series.stateSizes;
    expect(ours?.gate).toBeGreaterThan(0);
    expect(ours?.gate).toBeLessThanOrEqual(2 * (floor?.gate ?? 0));
  });

  test("the report judges what was promised and names neither this machine nor its folders", () => {
    expect(verdictsOf(series).filter(({ holds }) => !holds)).toEqual([]);
    const machine = {
      system: "S",
      processors: 1,
      memoryGigabytes: 1,
      node: "1",
      pulumi: "1",
      pulumiSdk: "1",
      package: "1",
    };
    const text = reportText({ machine, series: [series] });
    expect(text).toContain("| refresh: requests | ≤ gates / 100 + 3 | 5: 3 | holds |");
    expect(text).toMatch(/^\| refresh \| 5 \| 1 \| /m);
    // What is kept as JSON is all that the page needs.
    expect(reportText(JSON.parse(JSON.stringify({ machine, series: [series] })))).toBe(text);
    expect(text).not.toMatch(/\/tmp|\/home|localhost|127\.0\.0\.1/);
  });
});

describe("a benchmark of the native plugin with two gates", () => {
  let series: Series;
  beforeAll(async () => {
    const [plan] = plansOf(readOptions(["--native", "--n", "2"]));
    series = await measureSeries(plan as SeriesPlan, () => {}, ["up of new", "refresh", "destroy"]);
  }, FIRST_CLI_TIMEOUT_MS);

  test("the plugin sends as many writes as the dynamic provider, and the one that does nothing sends none", () => {
    const writesOf = (subject: string) =>
      series.samples.filter((one) => one.subject === subject).map(({ requests }) => requests.writes);
    const sent = nativeSubjects.map((subject) => [subject, writesOf(subject)]);
    expect(Object.fromEntries(sent)).toEqual({
      ours: [2, 0, 2],
      native: [2, 0, 2],
      yaml: [2, 0, 2],
      "native floor": [0, 0, 0],
      "yaml floor": [0, 0, 0],
      "yaml same state": [0, 0, 0],
    });
  });

  test("the page has its figures beside those of the dynamic provider", () => {
    const text = nativeReportText(series);
    expect(text).toMatch(/^\| refresh( \| \**\d+\.\d\d\**){10} \|$/m);
    expect(text).toMatch(/State: [\d,]+ bytes a gate dynamic, [\d,]+ native, [\d,]+ the floor\./);
  });
});

test("dynamic gates become native by the change of an import, without any request", async () => {
  const move = await moveGates(3);
  expect(move).toMatchObject({ count: 3, requests: { reads: 0, writes: 0 } });
  expect([...move.types]).toEqual(["feature-console:index:Gate"]);
  expect(move.bytes.after).toBeLessThan(move.bytes.before);
  expect(moveText(move)).toMatch(/^3 gates moved: .* 0 reads and 0 writes; state [\d,]+ bytes a gate before/);
}, 300_000);

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

  test("with --native the largest number once, from two languages, each beside its floor", () => {
    const plans = plansOf(readOptions(["--native", "--n", "50,200"]));
    expect(plans.map(({ count: gates, runs, subjects: who }) => [gates, runs, who])).toEqual([
      [200, 1, ["ours", "native", "native floor", "yaml", "yaml floor", "yaml same state"]],
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
