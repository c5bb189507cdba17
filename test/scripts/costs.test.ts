import { expect, test } from "@jest/globals";
import { type Costs, costLines, type FileCost, slowComplaints } from "../../scripts/report/costs";

const cost = (file: string, ownSeconds: number, startedSeconds = 0): FileCost => ({
  ...{ file, ownSeconds, startedSeconds },
});

const costs: Costs = {
  files: [
    cost("test/core/quick.test.ts", 1),
    cost("test/e2e/month.test.ts", 5, 90),
    cost("test/slow.test.ts", 31),
  ],
  runs: ["up", "preview", "up"].map((cli) => ({ cli, seconds: 2 })),
};
const reasons = { "test/e2e/month.test.ts": "a month of one team in one stack" };

test("the report lists the slowest files first, with the reason of each that is slow, and what the CLI cost", () => {
  expect(costLines(costs, reasons)).toEqual([
    "slowest files, in seconds of processor time:",
    "     95  test/e2e/month.test.ts  a month of one team in one stack",
    "     31  test/slow.test.ts  NOT LISTED",
    "      1  test/core/quick.test.ts",
    "all 3 files: 127 s, of them 90 s in processes that they started",
    "runs of the Pulumi CLI: 3, 6 s on the clock (2 up, 1 preview)",
  ]);
});

test("a slow file that is not listed is refused, with what to do; a busy machine gets half as much again", () => {
  expect(slowComplaints(costs, reasons)).toEqual([
    expect.stringMatching(/^test\/slow\.test\.ts needs 31 s .*slow-files\.json/),
  ]);
  expect(slowComplaints({ files: [cost("test/new.test.ts", 10, 19)], runs: [] }, {})).toEqual([]);
});
