import { describe, expect, jest, test } from "@jest/globals";
import { whyNoRedis } from "../support/redis-server";
import { announcedIn, errorOf, tooLong } from "./announced";
import { tryLimits } from "./run";

jest.setTimeout(20 * 60_000);

// Samples of `npm run prove -- limits`, which does the same with thousands of gates and looks at the time too.

test("the real CLI against a console with write limits is refused nothing, and says once how long it will wait for how many writes", async () => {
  const { ups, seen } = await tryLimits({
    ...{ gates: 15, stacks: 1, factor: 90, timeoutMs: 240_000 },
    env: { FEATURE_CONSOLE_WRITES_PER_15MIN: "10" },
  });
  expect(ups.map(({ code, output }) => (code === 0 ? code : output))).toEqual([0]);
  expect(seen).toMatchObject({ writes: 15, refused: 0, failed: 0 });
  const texts = [...new Set(ups[0]?.announced.map(({ text }) => text))];
  expect(texts).toEqual([
    expect.stringMatching(/^waiting \d+ s for the console's write limit, 5 writes left, about \d+ s$/),
  ]);
});

const withRedis = whyNoRedis === undefined ? test : test.skip;
const reason = whyNoRedis === undefined ? "" : ` (${whyNoRedis})`;
withRedis(`two stacks at once keep inside the limits of one project${reason}`, async () => {
  const trial = { gates: 80, stacks: 2, clients: true, factor: 2, timeoutMs: 240_000 };
  const { seen, live } = await tryLimits(trial);
  expect(seen).toMatchObject({ writes: 160, refused: 0, failed: 0 });
  expect(live).toEqual({ made: 160, touched: [] });
});

describe("an announcement", () => {
  test("is found in what the CLI prints", () => {
    const text = "a (info) waiting 8 s for the console's write limit, 412 writes left, about 7 min\nmore";
    const waiting = "waiting 8 s for the console's write limit";
    expect(announcedIn(text, 1000)).toEqual([
      { at: 1000, text: `${waiting}, 412 writes left, about 7 min`, writesLeft: 412, leftMs: 420_000 },
    ]);
    expect(announcedIn(waiting, 1)).toEqual([{ at: 1, text: waiting }]);
  });

  test("is as wrong as the end of the run shows", () => {
    const announced = [{ at: 1000, text: "", writesLeft: 1, leftMs: 90_000 }];
    expect(errorOf(announced, 101_000)).toBeCloseTo(0.1);
    expect(errorOf([], 1)).toBeUndefined();
  });

  test("of at least so long is wrong where the run ends sooner, and said again at its end it is not", () => {
    const announced = [
      { at: 1000, text: "a", leftMs: 90_000 },
      { at: 91_000, text: "a", leftMs: 90_000 },
    ];
    expect(tooLong(announced, 91_000)).toEqual([]);
    expect(tooLong(announced, 90_999)).toEqual([announced[0]]);
  });
});
