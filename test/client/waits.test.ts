import { describe, expect, test } from "@jest/globals";
import { WaitNotice, waitText } from "../../src/provider/client/limits/notice";
import { timeLeft, type WriteForecast, waitForRoom } from "../../src/provider/client/limits/windows";
import { type Attempt, type Outcome, retryAfterMs, waitBeforeRetry } from "../../src/provider/client/retry";
import type { Method } from "../../src/provider/schema/verbs";

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

  test("once while writes go as foreseen, and again after ten minutes", () => {
    let left = 120;
    const { lines, notice, waits } = noticing(() => left);
    for (let now = 0; now < 600_000; now += 10_000) {
      left = 120 - now / 5000;
      waits(now, 8000);
      notice.moved();
    }
    expect(lines).toEqual([expect.stringContaining("120 writes left, about 10 min")]);
    waits(600_000, 8000);
    expect(lines).toHaveLength(2);
  });

  test("again while one wait lasts, every two minutes", () => {
    const { lines, waits } = noticing(() => 1);
    for (let now = 0; now < 840_000; now += 60_000) waits(now, 840_000 - now);
    expect(lines.map((line) => line.split(",")[0])).toEqual(
      ["14 min", "12 min", "10 min", "8 min", "6 min", "4 min", "120 s"].map(
        (time) => `waiting ${time} for the console's write limit`,
      ),
    );
  });

  test("again at once when it grows, and not for a little", () => {
    const { lines, notice, waits } = noticing(() => 10);
    waits(0, 8000);
    notice.moved();
    waits(10_000, 8000);
    expect(lines).toEqual(["waiting 8 s for the console's write limit, 10 writes left, about 48 s"]);
    waits(40_000, 840_000);
    expect(lines.at(-1)).toBe("waiting 14 min for the console's write limit, 10 writes left, about 15 min");
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

const attempt = (method: Method, more: Partial<Attempt> = {}): Attempt => ({
  method,
  number: 1,
  elapsedMs: 0,
  budgetMs: 960_000,
  random: 0,
  ...more,
});
const answered = (status: number, retryAfter?: number): Outcome => ({
  how: "answered",
  status,
  ...(retryAfter === undefined ? {} : { retryAfterMs: retryAfter }),
});

const all: Method[] = ["GET", "PUT", "DELETE", "POST", "PATCH"];
const repeatable: Method[] = ["GET", "PUT", "DELETE"];
type Row = [string, Outcome, Method[], number];
const outcomes: Row[] = [
  ["a refused connection", { how: "refused" }, all, 200],
  ["a lost answer", { how: "lost" }, repeatable, 200],
  ["429", answered(429), all, 1000],
  ["429 with a delay", answered(429, 3000), all, 3000],
  ["409", answered(409), all, 1000],
  ["503 with a delay", answered(503, 2000), all, 2000],
  ...[500, 502, 503, 504].map((one): Row => [`${one}`, answered(one), repeatable, 500]),
  ...[301, 400, 401, 403, 404, 405, 413, 422].map((one): Row => [`${one}`, answered(one), [], 0]),
];

describe("a request is repeated", () => {
  test.each(outcomes)("after %s, as its method allows", (_, outcome, methods, wait) => {
    expect(all.map((method) => waitBeforeRetry(attempt(method), outcome))).toEqual(
      all.map((method) => (methods.includes(method) ? wait : undefined)),
    );
  });

  test("at longer and longer intervals while writes are limited", () => {
    const waits = [1, 2, 3, 4, 5, 40].map((number) =>
      waitBeforeRetry(attempt("POST", { number }), answered(429)),
    );
    expect(waits).toEqual([1000, 2000, 4000, 8000, 8000, 8000]);
  });

  test.each<[string, Outcome]>([
    ["refused", { how: "refused" }],
    ["lost", { how: "lost" }],
    ["500", answered(500)],
  ])("three times at most after %s", (_, outcome) => {
    const waits = [1, 2, 3, 4].map((number) => waitBeforeRetry(attempt("GET", { number }), outcome));
    expect(waits.map((wait) => wait !== undefined)).toEqual([true, true, true, false]);
  });

  test("a little earlier by chance, never later", () => {
    expect(waitBeforeRetry(attempt("GET", { random: 1 }), answered(429))).toBe(750);
    expect(waitBeforeRetry(attempt("GET", { random: 0.5 }), answered(429))).toBe(875);
  });

  test("after the delay that the console asks for, from a moment to a minute", () => {
    const waits = [0, 150, 60_000, 61_000, 86_400_000].map((asked) =>
      waitBeforeRetry(attempt("PATCH"), answered(429, asked)),
    );
    expect(waits).toEqual([200, 200, 60_000, 60_000, 60_000]);
  });

  test.each<[string, Partial<Attempt>, number | undefined]>([
    ["while the wait fits", { elapsedMs: 900, budgetMs: 1900 }, 1000],
    ["not when it does not", { elapsedMs: 901, budgetMs: 1900 }, undefined],
    ["not when time is up", { elapsedMs: 2000, budgetMs: 1900 }, undefined],
  ])("within the time for one call: %s", (_, more, wait) => {
    expect(waitBeforeRetry(attempt("GET", more), answered(429))).toBe(wait);
  });
});

describe("Retry-After", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  test.each<[string, string | undefined, number | undefined]>([
    ["is absent", undefined, undefined],
    ["is empty", " ", undefined],
    ["is in seconds", "7", 7000],
    ["is in parts of a second", "0.5", 500],
    ["is zero", "0", 0],
    ["is negative", "-5", 0],
    ["is huge", "1e9", 1e12],
    ["is a date to come", "Thu, 01 Jan 2026 00:00:30 GMT", 30_000],
    ["is a date gone by", "Wed, 31 Dec 2025 23:00:00 GMT", 0],
    ["is malformed", "soon", undefined],
    ["is endless", "Infinity", undefined],
  ])("%s (%s): %s ms", (_, header, wait) => {
    expect(retryAfterMs(header, now)).toBe(wait);
  });
});
