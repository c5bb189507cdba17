import { describe, expect, test } from "@jest/globals";
import { WaitNotice, waitText } from "../../src/provider/client/limits/notice";
import type { WriteForecast } from "../../src/provider/client/limits/windows";

const windows = [{ most: 2, windowMs: 10_000 }];
const at = (now: number, waitMs: number, left = 1): WriteForecast => ({
  ...{ now, from: now + waitMs, left, paceMs: 0, answered: [], underWay: 0 },
});

function noticing(writesLeft: () => number | undefined = () => 5, isShared = false) {
  const lines: string[] = [];
  const notice = new WaitNotice({ report: (line) => lines.push(line), writesLeft }, isShared);
  const waits = (now: number, waitMs: number, left?: number) =>
    notice.waits(waitMs, windows, at(now, waitMs, left));
  return { lines, notice, waits };
}

describe("waiting is told", () => {
  test.each([
    ["the time that they take", false, false, "about 28 s"],
    ["the time that they take at least, where other runs share the limit", true, false, "at least 28 s"],
    ["the time that they take at least, after the console has refused one", false, true, "at least 28 s"],
  ])("with the writes that are left and %s", (_, isShared, isRefused, time) => {
    const { lines, notice } = noticing(() => 5, isShared);
    notice.waits(8000, windows, { ...at(0, 8000), isRefused });
    expect(lines).toEqual([`waiting 8 s for the console's write limit, 5 writes left, ${time}`]);
  });

  test("not when it is short", () => {
    const { lines, waits } = noticing();
    waits(0, 2900);
    expect(lines).toEqual([]);
  });

  test("when short waits follow each other without a write in between", () => {
    const { lines, notice, waits } = noticing(() => undefined);
    waits(0, 2000);
    notice.moved();
    waits(2000, 2000);
    expect(lines).toEqual([]);
    waits(4000, 2000);
    expect(lines).toEqual(["waiting 2 s for the console's write limit"]);
  });

  test("once, and again after ten minutes", () => {
    const { lines, waits } = noticing();
    for (const now of [0, 10_000, 599_999]) waits(now, 8000);
    expect(lines).toHaveLength(1);
    for (const now of [600_000, 700_000]) {
      waits(now, 8000);
      expect(lines).toHaveLength(2);
    }
  });

  test("with at least those that are in the queue", () => {
    const { lines, waits } = noticing(() => 1);
    waits(0, 8000, 9);
    expect(lines).toEqual([expect.stringContaining(", 9 writes left, ")]);
  });

  test.each<[string, number, number | undefined, number]>([
    ["waiting 8 s for the console's write limit", 7001, undefined, 0],
    ["waiting 8 s for the console's write limit, 412 writes left, about 7 min", 8000, 412, 7 * 60_000],
    ["waiting 18 s for the console's write limit, 1 write left, about 120 s", 18_000, 1, 120_000],
    ["waiting 9 s for the console's write limit, 9,000 writes left, about 2.5 h", 9000, 9000, 9_000_000],
  ])("%s", (text, waitMs, left, leftMs) => {
    expect(waitText(waitMs, left === undefined ? undefined : { left, leftMs, isLeast: false })).toBe(text);
  });

  test("in whole minutes that it takes at least", () => {
    expect(waitText(1, { left: 9, leftMs: 239_000, isLeast: true })).toContain(", at least 3 min");
  });
});
