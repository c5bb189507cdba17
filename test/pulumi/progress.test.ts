import { describe, expect, test } from "@jest/globals";
import { RunProgress } from "../../src/provider/pulumi/runs/progress";

const times = (count: number, act: () => void) => {
  for (let done = 0; done < count; done += 1) act();
};

describe("the writes that are left", () => {
  test("are unknown where no program has told how many resources it declares", () => {
    const progress = new RunProgress();
    expect(progress.writesLeft(0)).toBeUndefined();
    progress.checked(true, undefined);
    expect(progress.writesLeft(0)).toBeUndefined();
  });

  test("are exact in a first run: every resource declared that was not written", () => {
    const progress = new RunProgress();
    times(900, () => progress.checked(true, 5000));
    times(890, () => progress.started());
    expect(progress.writesLeft(890)).toBe(4110);
  });

  test("count the writes that a resource takes", () => {
    const progress = new RunProgress();
    times(20, () => progress.checked(true, 100));
    times(10, () => progress.started());
    expect(progress.writesLeft(30)).toBe(270);
    expect(progress.writesLeft(5)).toBe(95);
  });

  test("expect of resources not seen yet what those seen have shown", () => {
    const progress = new RunProgress();
    for (let index = 0; index < 200; index += 1) {
      progress.checked(false, 1000);
      progress.compared(index % 4 === 0 ? "update" : "nothing");
    }
    times(50, () => progress.started());
    expect(progress.writesLeft(50)).toBe(200);
  });

  test("are none when the program has nothing to change", () => {
    const progress = new RunProgress();
    progress.checked(false, 2);
    progress.compared("nothing");
    expect(progress.writesLeft(0)).toBeUndefined();
  });

  test("count a replacement once although it is checked twice", () => {
    const progress = new RunProgress();
    times(10, () => {
      progress.checked(false, 20);
      progress.compared("replace");
      progress.checked(true, 20);
    });
    expect(progress.writesLeft(0)).toBe(20);
  });

  test("are not confused by the comparisons of a refresh", () => {
    const progress = new RunProgress();
    times(50, () => progress.compared("update"));
    times(10, () => progress.checked(true, 20));
    expect(progress.writesLeft(0)).toBe(20);
  });
});
