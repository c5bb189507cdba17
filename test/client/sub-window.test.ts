import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { subWindowOf } from "../../src/provider/client/limits/sub-window";

describe("fixed windows inside a sliding one", () => {
  test.each([
    [100, 10_000, 9, 1],
    [98, 10_000, 8, 1],
    [900, 900_000, 29, 30],
    [12, 10_000, 1, 1],
    [100, 200, 50, 1],
    [900, 18_000, 47, 1],
    [1, 10_000, 1, 10],
  ])("%d in %d ms: %d in each %d s", (most, windowMs, points, seconds) => {
    expect(subWindowOf({ most, windowMs })).toEqual({ points, seconds });
  });

  /** The worst that can happen: a full window at the very end of its time, and then each as soon as it may be. */
  const mostInAny = (windowMs: number, points: number, seconds: number): number => {
    const lengthMs = seconds * 1000;
    const times = [...Array<number>(points - 1).fill(lengthMs - 1)];
    if (points === 1) times.push(0);
    for (let start = lengthMs; start < lengthMs + 2 * windowMs; start += lengthMs)
      times.push(...Array<number>(points).fill(start));
    const counts = times.map((from) => times.filter((at) => at >= from && at < from + windowMs).length);
    return Math.max(0, ...counts);
  };

  test("never let a sliding window be overrun", () => {
    const limits = fc.record({
      most: fc.integer({ min: 1, max: 1000 }),
      windowMs: fc.integer({ min: 100, max: 60_000 }),
    });
    fc.assert(
      fc.property(limits, (limit) => {
        const { points, seconds } = subWindowOf(limit);
        expect(mostInAny(limit.windowMs, points, seconds)).toBeLessThanOrEqual(limit.most);
        expect(points).toBeGreaterThan(0);
      }),
      { numRuns: 200 },
    );
  });

  test("let at least four fifths of the published limits through", () => {
    for (const limit of [
      { most: 98, windowMs: 10_000 },
      { most: 890, windowMs: 900_000 },
    ]) {
      const { points, seconds } = subWindowOf(limit);
      expect((points / seconds) * (limit.windowMs / 1000)).toBeGreaterThanOrEqual(limit.most * 0.8);
    }
  });
});
