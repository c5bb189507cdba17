import { describe, expect, test } from "@jest/globals";
import { type Attempt, type Outcome, retryAfterMs, waitBeforeRetry } from "../../src/provider/client/retry";
import type { Method } from "../../src/provider/schema/verbs";

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
