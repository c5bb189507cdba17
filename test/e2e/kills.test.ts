import { expect, jest, test } from "@jest/globals";
import { runMatrix } from "../kills/matrix";
import { FIRST_CLI_TIMEOUT_MS, quickStart } from "../support/pulumi-cli";

jest.setTimeout(FIRST_CLI_TIMEOUT_MS);

test("killed with kill -9 while it creates, without checkpoints: the next up ends in the same state", async () => {
  const outcomes = await runMatrix({
    ...{ rounds: 1, seed: 24, checkpoints: "off", resources: 50, atOnce: 1 },
    env: quickStart,
  });
  expect(outcomes.map(({ round, failures }) => ({ round, failures }))).toEqual([{ round: 0, failures: [] }]);
  // A kill that comes too early or too late shows nothing.
  expect(outcomes.some(({ takenOver }) => takenOver > 0)).toBe(true);
});
