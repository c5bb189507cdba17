import { expect, test } from "@jest/globals";
import { playHistory } from "./histories";

/** The long run is `npm run prove -- rollback`. */
test("after a rollback and an update, 40 random objects are as they were, but for what was named", async () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const { faults } = await playHistory(seed);
    expect([seed, faults]).toEqual([seed, []]);
  }
}, 120_000);
