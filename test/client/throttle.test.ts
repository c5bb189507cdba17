import { describe, expect, test } from "@jest/globals";
import { countWrites } from "../../src/emulator/store/write-counter";
import { Limiter } from "../../src/provider/client/limits/limiter";
import { Throttle } from "../../src/provider/client/limits/throttle";
import { publishedLimits } from "../../src/provider/schema/write-limits";
import { VirtualClock } from "./fakes";

const windows = [
  { most: 98, windowMs: 10_000 },
  { most: 890, windowMs: 900_000 },
];

/** A throttle that has refused a write at each of these moments, as its own wait allowed. */
function refusing(times: number, retryAfterMs?: number, random = 0) {
  const throttle = new Throttle(windows, () => random);
  const waits: number[] = [];
  const refused = retryAfterMs === undefined ? {} : { retryAfterMs };
  let now = 1;
  for (let count = 0; count < times; count += 1) {
    throttle.sent();
    throttle.ended(now, { sentAt: now, own: 1, refused });
    waits.push(throttle.wait(now));
    now += throttle.wait(now);
  }
  return { throttle, waits, now };
}

describe("after a refusal", () => {
  test("writes wait longer and longer, up to half a minute", () => {
    expect(refusing(7).waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  });

  test("chance only shortens the wait", () => {
    expect(refusing(2, undefined, 1).waits).toEqual([750, 1500]);
  });

  test.each([
    [7000, 7000],
    [0, 200],
    [3_600_000, 60_000],
  ])("a delay of %d ms that the console asks for wins: %d ms", (asked, wait) => {
    expect(refusing(3, asked).waits).toEqual([wait, wait, wait]);
  });

  test("one probe goes, and its success opens the gate for all", () => {
    const { throttle, now } = refusing(1);
    expect(throttle.wait(now)).toBe(0);
    throttle.sent();
    expect(throttle.wait(now)).toBe(Number.POSITIVE_INFINITY);
    throttle.ended(now + 50, { sentAt: now, own: 2 });
    expect(throttle.wait(now + 50)).toBe(0);
    throttle.sent();
    expect(throttle.wait(now + 50)).toBe(0);
  });

  test("a probe without an answer lets the next one probe", () => {
    const { throttle, now } = refusing(1);
    throttle.sent();
    throttle.ended(now + 50, undefined);
    expect(throttle.wait(now + 50)).toBe(0);
  });

  test("refusals of what was under way do not count again, but their delay does", () => {
    const { throttle } = refusing(1);
    throttle.ended(5, { sentAt: 0, own: 1, refused: {} });
    expect(throttle.wait(1)).toBe(1000);
    throttle.ended(6, { sentAt: 0, own: 1, refused: { retryAfterMs: 5000 } });
    expect(throttle.wait(6)).toBe(5000);
  });

  test("what was under way and succeeded does not open the gate", () => {
    const { throttle } = refusing(1);
    throttle.ended(5, { sentAt: 0, own: 1 });
    expect(throttle.wait(1)).toBe(1000);
  });

  test("the short window is narrowed, and widens step by step", () => {
    const { throttle, now } = refusing(1);
    const most = (at: number) => throttle.windows(at)[0]?.most;
    expect([most(now), most(31_000), most(61_000), most(600_000)]).toEqual([68, 73, 78, 98]);
    expect(throttle.mostWrites(now)).toBe(1);
    expect(throttle.mostWrites(600_000)).toBe(Number.POSITIVE_INFINITY);
  });

  test("no window is narrowed to less than a tenth", () => {
    const throttle = new Throttle(windows, () => 0);
    for (let now = 1, round = 0; round < 40; round += 1) {
      throttle.sent();
      throttle.ended(now, { sentAt: now, own: 1, refused: {} });
      now += throttle.wait(now);
      throttle.sent();
      throttle.ended(now + 1, { sentAt: now, own: 1 });
      now += 2;
      expect(throttle.windows(now)[0]?.most).toBeGreaterThanOrEqual(9);
      expect(throttle.windows(now)[1]?.most).toBeGreaterThanOrEqual(89);
    }
  });
});

describe("a project that somebody else writes to as well", () => {
  /** Sends writes through a limiter to a console with the published limits; the other sends `most` in each `everyMs`. */
  async function share(writes: number, other: { most: number; everyMs: number }) {
    const clock = new VirtualClock();
    const over = countWrites(() => clock.time);
    const limiter = new Limiter({ maxConcurrency: 8, writes: { project: windows, ids: [] } }, clock, {
      random: () => 0.5,
    });
    const counts = { sent: 0, refused: 0 };
    const send = async () => {
      await clock.sleep(25);
      const refused = over("project");
      counts.sent += 1;
      counts.refused += Number(refused);
      await clock.sleep(25);
      return refused;
    };
    const write = async () => {
      for (let again = false; ; again = true) {
        const refusal = (refused: boolean) => (refused ? {} : undefined);
        if (!(await limiter.run({ demand: "project", send, refusal, again }))) return;
      }
    };
    let going = true;
    void (async () => {
      while (going) {
        for (let count = 0; count < other.most; count += 1) over("project");
        await clock.sleep(other.everyMs);
      }
    })();
    const done = Promise.all(Array.from({ length: writes }, write));
    await clock.passUntil(done);
    going = false;
    return { ...counts, minutes: clock.time / 60_000 };
  }

  test.each<[string, { most: number; everyMs: number }, number]>([
    ["nobody", { most: 0, everyMs: 900_000 }, 76],
    ["a little, all the time", { most: 1, everyMs: 10_000 }, 100],
    ["half of what the project may", { most: 5, everyMs: 10_000 }, 200],
    ["in bursts that fill the short window", { most: 90, everyMs: 300_000 }, 130],
    ["half of it at once", { most: 450, everyMs: 900_000 }, 200],
  ])("%s: less than one refusal in a hundred", async (_, other, mostMinutes) => {
    const { sent, refused, minutes } = await share(5000, other);
    expect(refused / sent).toBeLessThan(0.01);
    expect(minutes).toBeLessThan(mostMinutes);
  });

  test("the limits of the console are those that we keep to", () => {
    expect(publishedLimits.project.map(({ windowMs }) => windowMs)).toEqual(
      windows.map(({ windowMs }) => windowMs),
    );
  });
});
