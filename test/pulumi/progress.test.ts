import { expect, test } from "@jest/globals";
import { RunProgress } from "../../src/provider/pulumi/runs/run";

/** The writes that are left after these events, each so many times, where so many were sent. */
function writesLeft(
  sent: number,
  ...events: [count: number, event: (run: RunProgress, index: number) => void][]
) {
  const run = new RunProgress();
  for (const [count, event] of events) for (let index = 0; index < count; index += 1) event(run, index);
  return run.writesLeft(sent);
}

type Run = RunProgress;
const isNew = (declared?: number) => (run: Run) => run.checked(true, declared);
const started = (run: Run) => run.started();
const compared = (how: "nothing" | "update" | "replace") => (run: Run) => run.compared(how);

test("the writes that are left are unknown where no program has told how many resources it declares", () => {
  expect(writesLeft(0)).toBeUndefined();
  expect(writesLeft(0, [1, isNew()])).toBeUndefined();
});

test("they are exact in a first run: every resource declared that was not written", () => {
  expect(writesLeft(890, [900, isNew(5000)], [890, started])).toBe(4110);
});

test("they count the writes that a resource takes", () => {
  const events: Parameters<typeof writesLeft>[1][] = [
    [20, isNew(100)],
    [10, started],
  ];
  expect([writesLeft(30, ...events), writesLeft(5, ...events)]).toEqual([270, 95]);
});

test("of resources not seen yet they expect what those seen have shown", () => {
  const seen = (run: Run, index: number) => {
    run.checked(false, 1000);
    run.compared(index % 4 === 0 ? "update" : "nothing");
  };
  expect(writesLeft(50, [200, seen], [50, started])).toBe(200);
});

test("they are none when the program has nothing to change", () => {
  expect(writesLeft(0, [1, (run) => run.checked(false, 2)], [1, compared("nothing")])).toBeUndefined();
});

test("they count a replacement once although it is checked twice, and no comparison of a refresh", () => {
  const replaced = (run: Run) => {
    run.checked(false, 20);
    run.compared("replace");
    run.checked(true, 20);
  };
  expect(writesLeft(0, [10, replaced])).toBe(20);
  expect(writesLeft(0, [50, compared("update")], [10, isNew(20)])).toBe(20);
});
