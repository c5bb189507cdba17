import { expect, test } from "@jest/globals";
import { playFleet } from "./promotions";

/** The long run is `npm run prove -- promote`. */
test("26 flags go from dev to staging and prod, and compare shows only what was kept or listed", async () => {
  const { faults, interrupted, refused } = await playFleet({ flags: 26, rounds: 2, seed: 2 });
  expect(faults).toEqual([]);
  expect(interrupted).toBeGreaterThanOrEqual(2);
  expect(refused).toBeGreaterThan(0);
}, 120_000);
