import { describe, expect, test } from "@jest/globals";
import { Coalescer } from "../../src/provider/client/limits/coalesce";
import { type Demand, Limiter } from "../../src/provider/client/limits/limiter";
import { VirtualClock } from "./fakes";

const none = { project: [], ids: [] };
const write = <T>(limiter: Limiter, send: () => Promise<T>) => limiter.run({ demand: "project", send });
const window = (most: number, windowMs = 10_000) => ({ most, windowMs });
type Writes = ConstructorParameters<typeof Limiter>[0]["writes"];
const two: Writes = { project: [window(2)], ids: [] };

/** A limiter over a clock that a test moves, and the second in which each exchange was sent. */
function limiterWith(maxConcurrency: number, writes: Writes) {
  const clock = new VirtualClock();
  const limiter = new Limiter({ maxConcurrency, writes }, clock, { random: () => 0 });
  const sent: string[] = [];
  const note = (name: string) => void sent.push(`${name}:${clock.time / 1000}`);
  return { clock, limiter, sent, note };
}

test("as many exchanges run at a time as may, and all in the end", async () => {
  const { clock, limiter } = limiterWith(3, none);
  let [running, most] = [0, 0];
  const send = async () => {
    running += 1;
    most = Math.max(most, running);
    await clock.sleep(1);
    running -= 1;
  };
  const demands = Array.from({ length: 20 }, (_, index): Demand => (index % 2 === 0 ? "project" : "read"));
  await clock.passUntil(Promise.all(demands.map((demand) => limiter.run({ demand, send }))));
  expect([running, most, clock.time]).toEqual([0, 3, 7]);
});

test("a failed exchange gives its place to the next", async () => {
  const { limiter } = limiterWith(1, none);
  const failed = write(limiter, () => Promise.reject(new Error("no")));
  const next = write(limiter, () => Promise.resolve("next"));
  await expect(failed).rejects.toThrow("no");
  await expect(next).resolves.toBe("next");
});

describe("writes go as soon as their windows allow, in the order in which they came", () => {
  const both = { project: [window(2), window(3, 900_000)], ids: [] };
  const ownOfIds = { project: [window(4)], ids: [window(1)] };
  const sharedByIds = { project: [window(2)], ids: [window(9)] };

  test.each<[string, Writes, string, string]>([
    ["spread over one window", two, "project project project project project", "0:0 1:0 2:10 3:10 4:20"],
    ["within both of two", both, "project project project project project", "0:0 1:0 2:10 3:900 4:900"],
    [
      "ids within their own limit, which holds nobody else up",
      ownOfIds,
      "ids ids project project",
      "0:0 2:0 3:0 1:10",
    ],
    ["ids counted against the limit of the project", sharedByIds, "ids ids project", "0:0 1:0 2:10"],
    ["reads at once", two, "project project read project read", "0:0 1:0 2:0 4:0 3:10"],
  ])("%s", async (_, writes, demands, expected) => {
    const { clock, limiter, sent, note } = limiterWith(10, writes);
    const exchanges = demands
      .split(" ")
      .map((demand, index) =>
        limiter.run({ demand: demand as Demand, send: async () => note(String(index)) }),
      );
    await clock.passUntil(Promise.all(exchanges));
    expect(sent.join(" ")).toBe(expected);
  });
});

describe("a write is counted", () => {
  test("when it is sent and not when it gets in line for a place", async () => {
    const { clock, limiter, sent, note } = limiterWith(1, two);
    const read = limiter.run({ demand: "read", send: () => clock.sleep(60_000) });
    const writes = [1, 2, 3].map((one) => write(limiter, async () => note(String(one))));
    await clock.passUntil(Promise.all([read, ...writes]));
    expect(sent.join(" ")).toBe("1:60 2:60 3:70");
  });

  test("until a window after its answer, however long that took", async () => {
    const { clock, limiter, sent, note } = limiterWith(9, two);
    const send = (name: string) => {
      note(name);
      return clock.sleep(4000);
    };
    await clock.passUntil(Promise.all(["1", "2", "3"].map((one) => write(limiter, () => send(one)))));
    expect(sent.join(" ")).toBe("1:0 2:0 3:14");
  });
});

describe("after a refusal", () => {
  /** Sends a write again and again, until it has had all of these answers. */
  const sending = ({ clock, limiter, note }: ReturnType<typeof limiterWith>) => {
    return async (name: string, answers: readonly number[], takesMs = 0) => {
      for (const [index, answer] of answers.entries()) {
        const send = async () => {
          note(name);
          if (takesMs > 0) await clock.sleep(takesMs);
          return answer;
        };
        const refusal = (got: number) => (got === 429 ? {} : undefined);
        const isAnswer = (got: number) => got !== 503;
        await limiter.run({ demand: "project", send, refusal, isAnswer, again: index > 0 });
      }
    };
  };

  test("the refused write goes again before those that were never sent, alone, and then all go", async () => {
    const parts = limiterWith(1, none);
    const one = sending(parts);
    await parts.clock.passUntil(
      Promise.all([one("first", [429, 429, 200]), one("second", [200]), one("third", [200])]),
    );
    expect(parts.sent.join(" ")).toBe("first:0 first:1 first:3 second:3 third:3");
  });

  test("a probe without an answer opens the gate for nobody: the next write probes, alone", async () => {
    const parts = limiterWith(9, none);
    const one = sending(parts);
    const first = one("first", [429, 503]);
    await parts.clock.passUntil(parts.clock.sleep(10));
    const others = [one("second", [200], 5000), one("third", [200]), one("fourth", [200])];
    await parts.clock.passUntil(Promise.all([first, ...others]));
    expect(parts.sent.join(" ")).toBe("first:0 first:1 second:1 third:6 fourth:6");
  });
});

describe("a shared budget", () => {
  test("is asked for one write at a time, in their order; the others wait until it is worth asking again", async () => {
    const clock = new VirtualClock();
    const asked: number[] = [];
    let over = 0;
    const ended = () => {
      over += 1;
    };
    const take = async () => {
      asked.push(clock.time);
      return asked.length === 2 ? { waitMs: 500 } : { waitMs: 0, ended };
    };
    const limiter = new Limiter({ maxConcurrency: 2, writes: none }, clock, { shared: { take } });
    const sent: string[] = [];
    const writes = [0, 1, 2].map((index) =>
      write(limiter, async () => void sent.push(`${index}:${clock.time}`)),
    );
    await clock.passUntil(Promise.all(writes));
    expect(sent).toEqual(["0:0", "1:500", "2:500"]);
    expect([asked, over]).toEqual([[0, 0, 500, 500], 3]);
  });

  test("is not asked by reads", async () => {
    const shared = { take: () => Promise.reject(new Error("asked")) };
    const limiter = new Limiter({ maxConcurrency: 2, writes: none }, new VirtualClock(), { shared });
    await expect(limiter.run({ demand: "read", send: () => Promise.resolve(1) })).resolves.toBe(1);
  });
});

describe("identical reads", () => {
  /** Reads of a place, each with the answer that a test gives when it likes. */
  const reading = () => {
    const coalescer = new Coalescer();
    const flights: { resolve(text: string): void; reject(error: Error): void }[] = [];
    const read = (place = "/gates/a") =>
      coalescer.read(
        place,
        () => new Promise<string>((resolve, reject) => void flights.push({ resolve, reject })),
      );
    return { coalescer, flights, read };
  };

  // That they are joined, and that the next one reads again, is in call.test.ts.
  test("of other places are not joined, nor across a write", async () => {
    const { coalescer, flights, read } = reading();
    const [one, other] = [read(), read("/gates/a?page=2")];
    coalescer.wrote();
    const after = read();
    for (const [index, text] of ["old", "page", "new"].entries()) flights[index]?.resolve(text);
    expect(await Promise.all([one, other, after])).toEqual(["old", "page", "new"]);
  });

  test("that fail fail for all that joined, and are tried anew after", async () => {
    const { flights, read } = reading();
    const both = [read(), read()];
    flights[0]?.reject(new Error("lost"));
    for (const one of both) await expect(one).rejects.toThrow("lost");
    const again = read();
    flights[1]?.resolve("fine");
    await expect(again).resolves.toBe("fine");
  });
});
