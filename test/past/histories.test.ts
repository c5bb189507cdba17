import { expect, test } from "@jest/globals";
import { playHistory } from "./histories";

/** The long run is `npm run prove -- rollback`. */
test("after a rollback and an update, 20 random objects are as they were, but for what was named", async () => {
  let settings = 0;
  for (let seed = 1; seed <= 20; seed += 1) {
    const { faults, wroteSettings } = await playHistory(seed);
    expect([seed, faults]).toEqual([seed, []]);
    if (wroteSettings) settings += 1;
  }
  expect(settings).toBeGreaterThan(0);
}, 120_000);
