import { describe, expect, test } from "@jest/globals";
import { countWrites } from "../../src/emulator/console/console";
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
  test.each<[string, Parameters<typeof refusing>, number[]]>([
    ["longer and longer, up to half a minute", [7], [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]],
    ["shorter by chance", [2, undefined, 1], [750, 1500]],
    ["as long as the console asks for", [3, 7000], [7000, 7000, 7000]],
    ["a moment at least", [3, 0], [200, 200, 200]],
    ["a minute at most", [3, 3_600_000], [60_000, 60_000, 60_000]],
  ])("writes wait %s", (_, refusals, waits) => {
    expect(refusing(...refusals).waits).toEqual(waits);
  });

  test.each<[string, object, number]>([
    ["and succeeded does not open the gate", {}, 995],
    ["and was refused does not count again", { refused: {} }, 995],
    ["and was refused with a delay makes all wait for that", { refused: { retryAfterMs: 5000 } }, 5000],
  ])("what was under way %s", (_, answer, wait) => {
    const { throttle } = refusing(1);
    throttle.ended(6, { sentAt: 0, own: 1, ...answer });
    expect(throttle.wait(6)).toBe(wait);
  });

  test("the short window is narrowed, and widens step by step", () => {
    const { throttle, now } = refusing(1);
    const most = [now, 31_000, 61_000, 600_000].map((at) => throttle.windows(at)[0]?.most);
    expect(most).toEqual([68, 73, 78, 98]);
    expect([now, 600_000].map((at) => throttle.mostWrites(at))).toEqual([1, Number.POSITIVE_INFINITY]);
  });

  test("no window is narrowed to less than a tenth", () => {
    const throttle = new Throttle(windows, () => 0);
    for (let now = 1, round = 0; round < 40; round += 1) {
      for (const answer of [{ refused: {} }, {}]) {
        throttle.sent();
        throttle.ended(now, { sentAt: now, own: 1, ...answer });
        now += throttle.wait(now) + 1;
      }
      const [short, long] = throttle.windows(now);
      expect(short?.most).toBeGreaterThanOrEqual(9);
      expect(long?.most).toBeGreaterThanOrEqual(89);
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
