import { describe, expect, test } from "@jest/globals";
import { timeLeft, type WriteForecast, waitForRoom } from "../../src/provider/client/limits/windows";

const short = { most: 2, windowMs: 10_000 };
const long = { most: 3, windowMs: 900_000 };

describe("the wait for room", () => {
  test.each<[string, number[], number, number, number]>([
    ["none at the start", [], 0, 0, 0],
    ["none while there is room", [0], 0, 1, 0],
    ["until the oldest that fills the window was answered a window ago", [0, 4000], 0, 5000, 5000],
    ["none at that very moment", [0, 4000], 0, 10_000, 0],
    ["what is under way counts like an answered one", [4000], 1, 5000, 9000],
    ["only an answer makes room when all is under way", [], 2, 5000, Number.POSITIVE_INFINITY],
    ["the longer window may be the one that is full", [0, 20_000, 40_000], 0, 60_000, 840_000],
  ])("%s", (_, answered, underWay, now, wait) => {
    expect(waitForRoom([short, long], { answered, underWay }, now)).toBe(wait);
  });

  test("there is none without a limit", () => {
    expect(waitForRoom([], { answered: [1, 2, 3], underWay: 9 }, 5)).toBe(0);
  });
});

describe("the time that is left", () => {
  const outlook: WriteForecast = { now: 0, from: 0, left: 1, paceMs: 0, answered: [], underWay: 0 };
  const console = [
    { most: 100, windowMs: 10_000 },
    { most: 900, windowMs: 900_000 },
  ];

  test.each<[string, Partial<WriteForecast>, number]>([
    ["nothing to do", { left: 0 }, 0],
    ["one window full", { left: 100 }, 0],
    ["one more than a window", { left: 101 }, 10_000],
    ["a full long window", { left: 900 }, 80_000],
    ["one more than the long window", { left: 901 }, 900_000],
    ["5,000 writes", { left: 5000 }, 5 * 900_000 + 40_000],
    ["nothing goes before the gate opens", { from: 7000, left: 1 }, 7000],
    ["writes of the past hold up those to come", { now: 4000, answered: Array(100).fill(1000) }, 7000],
    ["so do those under way", { now: 4000, answered: Array(99).fill(1000), underWay: 1, left: 2 }, 7000],
    ["the run itself is slower than the limit", { left: 50, paceMs: 1000 }, 49_000],
  ])("%s", (_, more, ms) => {
    expect(timeLeft(console, { ...outlook, ...more })).toBe(ms);
  });
});
