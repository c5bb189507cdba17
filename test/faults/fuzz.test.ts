import { expect, test } from "@jest/globals";
import { runMatrix } from "./matrix";
import { ways } from "./recipes";
import { summarise } from "./report";

// `npm run prove -- fuzz` gives 10,000 and more. The first recipes of this seed are of all ways.
test("30 wrong answers of the console: every verb ends in a true state or with a message, and the next run puts it right", async () => {
  const summary = summarise(await runMatrix({ random: { count: 30, seed: 3531 } }));
  expect(summary.problems).toEqual([]);
  expect([summary.run, summary.scan.hits, summary.stacks]).toEqual([30, [], 0]);
  const common = ways.filter((way) => way !== "list without end");
  expect(summary.byFault.map(({ name }) => name)).toEqual(expect.arrayContaining(common));
  expect(summary.scan.artefacts.error).toBeGreaterThan(10);
}, 240_000);
