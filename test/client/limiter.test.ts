import { describe, expect, test } from "@jest/globals";
import { Coalescer } from "../../src/client/coalesce";
import { Limiter } from "../../src/client/limiter";
import { FakeClock } from "./fakes";

const window10 = { most: 2, windowMs: 10_000 };
const ticks = async (count = 20) => {
  for (let tick = 0; tick < count; tick += 1) await Promise.resolve();
};

/** A promise that a test settles. */
function gatePromise<T>() {
  let open: (value: T) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { promise, open, fail };
}

describe("the limiter", () => {
  test("runs no more at a time than it may, and all in the end", async () => {
    const limiter = new Limiter({ maxConcurrency: 3, writes: [] }, new FakeClock());
    let running = 0;
    let most = 0;
    const work = async (index: number) => {
      running += 1;
      most = Math.max(most, running);
      await ticks(3);
      running -= 1;
      return index;
    };
    const done = await Promise.all(
      Array.from({ length: 20 }, (_, index) => limiter.run(index % 2 === 0, () => work(index))),
    );
    expect(done).toEqual(Array.from({ length: 20 }, (_, index) => index));
    expect(most).toBe(3);
  });

  test("gives the place of a failed exchange to the next", async () => {
    const limiter = new Limiter({ maxConcurrency: 1, writes: [] }, new FakeClock());
    const failed = limiter.run(true, () => Promise.reject(new Error("no")));
    const next = limiter.run(true, () => Promise.resolve("next"));
    await expect(failed).rejects.toThrow("no");
    await expect(next).resolves.toBe("next");
  });

  test("spreads writes over the window, in the order in which they came", async () => {
    const clock = new FakeClock();
    const limiter = new Limiter({ maxConcurrency: 10, writes: [window10] }, clock);
    const sent: [number, number][] = [];
    const write = (index: number) => limiter.run(true, async () => void sent.push([index, clock.time]));
    await Promise.all([0, 1, 2, 3, 4].map(write));
    expect(sent).toEqual([
      [0, 0],
      [1, 0],
      [2, 10_000],
      [3, 10_000],
      [4, 20_000],
    ]);
  });

  test("keeps to both of two windows", async () => {
    const clock = new FakeClock();
    const limiter = new Limiter(
      { maxConcurrency: 10, writes: [window10, { most: 3, windowMs: 900_000 }] },
      clock,
    );
    const times: number[] = [];
    await Promise.all(
      Array.from({ length: 5 }, () => limiter.run(true, async () => void times.push(clock.time))),
    );
    expect(times).toEqual([0, 0, 10_000, 900_000, 900_000]);
  });

  test("does not make a write wait once the window has passed", async () => {
    const clock = new FakeClock();
    const limiter = new Limiter({ maxConcurrency: 10, writes: [window10] }, clock);
    for (let round = 0; round < 3; round += 1) {
      await Promise.all([1, 2].map(() => limiter.run(true, () => Promise.resolve())));
      clock.time += 10_000;
    }
    expect(clock.sleeps).toEqual([]);
  });

  test("never makes a read wait for writes", async () => {
    const clock = new FakeClock();
    const limiter = new Limiter({ maxConcurrency: 10, writes: [{ most: 1, windowMs: 10_000 }] }, clock);
    await limiter.run(true, () => Promise.resolve());
    await Promise.all(Array.from({ length: 30 }, () => limiter.run(false, () => Promise.resolve())));
    expect(clock.sleeps).toEqual([]);
  });
});

describe("identical reads", () => {
  test("under way at the same time are joined", async () => {
    const coalescer = new Coalescer();
    const flight = gatePromise<string>();
    let reads = 0;
    const read = () =>
      coalescer.read("/gates/a", () => {
        reads += 1;
        return flight.promise;
      });
    const both = Promise.all([read(), read()]);
    flight.open("gate");
    expect(await both).toEqual(["gate", "gate"]);
    expect(reads).toBe(1);
  });

  test("are not kept: the next one reads again", async () => {
    const coalescer = new Coalescer();
    let reads = 0;
    const read = () =>
      coalescer.read("/gates/a", () => {
        reads += 1;
        return Promise.resolve(reads);
      });
    expect([await read(), await read()]).toEqual([1, 2]);
  });

  test("of other places are not joined", async () => {
    const coalescer = new Coalescer();
    const read = (key: string) => coalescer.read(key, () => Promise.resolve(key));
    expect(await Promise.all([read("/gates/a"), read("/gates/a?page=2")])).toEqual([
      "/gates/a",
      "/gates/a?page=2",
    ]);
  });

  test("are not joined across a write", async () => {
    const coalescer = new Coalescer();
    const [first, second] = [gatePromise<string>(), gatePromise<string>()];
    const before = coalescer.read("/gates/a", () => first.promise);
    coalescer.wrote();
    const after = coalescer.read("/gates/a", () => second.promise);
    second.open("new");
    first.open("old");
    expect(await Promise.all([before, after])).toEqual(["old", "new"]);
  });

  test("that fail fail for all that joined, and are tried anew after", async () => {
    const coalescer = new Coalescer();
    const flight = gatePromise<string>();
    const both = [1, 2].map(() => coalescer.read("/gates/a", () => flight.promise));
    flight.fail(new Error("lost"));
    for (const one of both) await expect(one).rejects.toThrow("lost");
    await expect(coalescer.read("/gates/a", () => Promise.resolve("fine"))).resolves.toBe("fine");
  });
});
