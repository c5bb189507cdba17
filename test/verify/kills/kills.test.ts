import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { killedRun, type OtherConsole, startOtherConsole } from "./rounds";

jest.setTimeout(120_000);

let other: OtherConsole;
beforeAll(async () => {
  other = await startOtherConsole(40);
});
afterAll(() => other.close());

// `npm run prove -- verify` kills at 50 moments.
test("a run that is killed leaves nothing after the next one", async () => {
  expect(await killedRun(other, 1, 2)).toMatchObject({ isKilled: true, leftAfter: 0, failures: [] });
});
