import { describe, expect, test } from "@jest/globals";
import { Coalescer } from "../../src/provider/client/limits/coalesce";
import { type Demand, Limiter } from "../../src/provider/client/limits/limiter";
import { FakeClock, VirtualClock } from "./fakes";

const none = { project: [], ids: [] };
const write = <T>(limiter: Limiter, send: () => Promise<T>) => limiter.run({ demand: "project", send });
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
    const limiter = new Limiter({ maxConcurrency: 3, writes: none }, new FakeClock());
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
      Array.from({ length: 20 }, (_, index) =>
        limiter.run({ demand: index % 2 === 0 ? "project" : "read", send: () => work(index) }),
      ),
    );
    expect(done).toEqual(Array.from({ length: 20 }, (_, index) => index));
    expect(most).toBe(3);
  });

  test("gives the place of a failed exchange to the next", async () => {
    const limiter = new Limiter({ maxConcurrency: 1, writes: none }, new FakeClock());
    const failed = write(limiter, () => Promise.reject(new Error("no")));
    const next = write(limiter, () => Promise.resolve("next"));
    await expect(failed).rejects.toThrow("no");
    await expect(next).resolves.toBe("next");
  });

  test("spreads writes over the window, in the order in which they came", async () => {
    const clock = new FakeClock();
    const limiter = new Limiter({ maxConcurrency: 10, writes: { project: [window10], ids: [] } }, clock);
    const sent: [number, number][] = [];
    const send = (index: number) => write(limiter, async () => void sent.push([index, clock.time]));
    await Promise.all([0, 1, 2, 3, 4].map(send));
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
      { maxConcurrency: 10, writes: { project: [window10, { most: 3, windowMs: 900_000 }], ids: [] } },
      clock,
    );
    const times: number[] = [];
    await Promise.all(
      Array.from({ length: 5 }, () => write(limiter, async () => void times.push(clock.time))),
    );
    expect(times).toEqual([0, 0, 10_000, 900_000, 900_000]);
  });

  test("does not make a write wait once the window has passed", async () => {
    const clock = new FakeClock();
    const limiter = new Limiter({ maxConcurrency: 10, writes: { project: [window10], ids: [] } }, clock);
    for (let round = 0; round < 3; round += 1) {
      await Promise.all([1, 2].map(() => write(limiter, () => Promise.resolve())));
      clock.time += 10_000;
    }
    expect(clock.sleeps).toEqual([]);
  });

  test("never makes a read wait for writes", async () => {
    const clock = new FakeClock();
    const limiter = new Limiter(
      { maxConcurrency: 10, writes: { project: [{ most: 1, windowMs: 10_000 }], ids: [] } },
      clock,
    );
    await write(limiter, () => Promise.resolve());
    await Promise.all(
      Array.from({ length: 30 }, () => limiter.run({ demand: "read", send: () => Promise.resolve() })),
    );
    expect(clock.sleeps).toEqual([]);
  });
});

describe("writes of ids", () => {
  const limits = {
    maxConcurrency: 10,
    writes: { project: [{ most: 4, windowMs: 10_000 }], ids: [{ most: 1, windowMs: 10_000 }] },
  };

  test("keep to their own limit too, and hold nobody else up", async () => {
    const clock = new VirtualClock();
    const limiter = new Limiter(limits, clock);
    const sent: [Demand, number][] = [];
    const send = (demand: Demand) =>
      limiter.run({ demand, send: async () => void sent.push([demand, clock.time]) });
    await clock.passUntil(Promise.all((["ids", "ids", "project", "project"] as const).map(send)));
    expect(sent).toEqual([
      ["ids", 0],
      ["project", 0],
      ["project", 0],
      ["ids", 10_000],
    ]);
  });

  test("count against the limit of the project", async () => {
    const clock = new VirtualClock();
    const limiter = new Limiter(
      { maxConcurrency: 10, writes: { project: [window10], ids: [{ most: 9, windowMs: 10_000 }] } },
      clock,
    );
    const times: number[] = [];
    const send = async () => void times.push(clock.time);
    const demands = ["ids", "ids", "project"] as const;
    await clock.passUntil(Promise.all(demands.map((demand) => limiter.run({ demand, send }))));
    expect(times).toEqual([0, 0, 10_000]);
  });
});

describe("a write is counted", () => {
  test("when it is sent and not when it gets in line for a place", async () => {
    const clock = new VirtualClock();
    const limiter = new Limiter({ maxConcurrency: 1, writes: { project: [window10], ids: [] } }, clock);
    const times: number[] = [];
    const read = limiter.run({ demand: "read", send: () => clock.sleep(60_000) });
    const send = async () => void times.push(clock.time);
    await clock.passUntil(Promise.all([read, ...[1, 2, 3].map(() => write(limiter, send))]));
    expect(times).toEqual([60_000, 60_000, 70_000]);
  });

  test("until a window after its answer, however long that took", async () => {
    const clock = new VirtualClock();
    const limiter = new Limiter({ maxConcurrency: 9, writes: { project: [window10], ids: [] } }, clock);
    const times: number[] = [];
    const send = () => {
      times.push(clock.time);
      return clock.sleep(4000);
    };
    await clock.passUntil(Promise.all([1, 2, 3].map(() => write(limiter, send))));
    expect(times).toEqual([0, 0, 14_000]);
  });
});

describe("a refused write", () => {
  test("goes again before those that were never sent, alone, and then all go", async () => {
    const clock = new VirtualClock();
    const limiter = new Limiter({ maxConcurrency: 1, writes: none }, clock, { random: () => 0 });
    const sent: [string, number][] = [];
    const one = async (name: string, refusals: number) => {
      for (let left = refusals, again = false; ; left -= 1, again = true) {
        const send = async () => {
          sent.push([name, clock.time]);
          return left > 0;
        };
        const refusal = (refused: boolean) => (refused ? {} : undefined);
        if (!(await limiter.run({ demand: "project", send, refusal, again }))) return;
      }
    };
    await clock.passUntil(Promise.all([one("first", 2), one("second", 0), one("third", 0)]));
    expect(sent).toEqual([
      ["first", 0],
      ["first", 1000],
      ["first", 3000],
      ["second", 3000],
      ["third", 3000],
    ]);
  });
});

describe("a probe without an answer", () => {
  test("opens the gate for nobody: the next write probes, alone", async () => {
    const clock = new VirtualClock();
    const limiter = new Limiter({ maxConcurrency: 9, writes: none }, clock, { random: () => 0 });
    const sent: [string, number][] = [];
    const one = async (name: string, answers: readonly string[], takesMs: number) => {
      for (const answer of answers) {
        const send = async () => {
          sent.push([name, clock.time]);
          await clock.sleep(takesMs);
          return answer;
        };
        const refusal = (got: string) => (got === "429" ? {} : undefined);
        const isAnswer = (got: string) => got !== "503";
        await limiter.run({ demand: "project", send, refusal, isAnswer, again: answer !== answers[0] });
      }
    };
    const first = one("first", ["429", "503"], 0);
    await clock.passUntil(clock.sleep(10));
    await clock.passUntil(
      Promise.all([first, one("second", ["200"], 5000), one("third", ["200"], 0), one("fourth", ["200"], 0)]),
    );
    expect(sent).toEqual([
      ["first", 0],
      ["first", 1000],
      ["second", 1000],
      ["third", 6000],
      ["fourth", 6000],
    ]);
  });
});

describe("a shared budget", () => {
  test("is asked for one write at a time, in their order; the others wait until it is worth asking again", async () => {
    const clock = new VirtualClock();
    const asked: [readonly string[], number][] = [];
    let over = 0;
    const ended = () => {
      over += 1;
    };
    const shared = {
      take(limits: readonly string[]) {
        asked.push([limits, clock.time]);
        return Promise.resolve(asked.length === 2 ? { waitMs: 500 } : { waitMs: 0, ended });
      },
    };
    const limiter = new Limiter({ maxConcurrency: 2, writes: none }, clock, { shared });
    const sent: [number, number][] = [];
    const work = [0, 1, 2].map((index) => write(limiter, async () => void sent.push([index, clock.time])));
    await clock.passUntil(Promise.all(work));
    expect(sent).toEqual([
      [0, 0],
      [1, 500],
      [2, 500],
    ]);
    expect(asked.map(([, time]) => time)).toEqual([0, 0, 500, 500]);
    expect(over).toBe(3);
  });

  test("is not asked by reads", async () => {
    const shared = { take: () => Promise.reject(new Error("asked")) };
    const limiter = new Limiter({ maxConcurrency: 2, writes: none }, new FakeClock(), { shared });
    await expect(limiter.run({ demand: "read", send: () => Promise.resolve(1) })).resolves.toBe(1);
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
