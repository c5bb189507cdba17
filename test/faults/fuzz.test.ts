import { expect, test } from "@jest/globals";
import { fuzz } from "./fuzz";
import { ways } from "./fuzz-recipes";

// `npm run prove -- fuzz` gives 10,000 and more. The first recipes of this seed are of all ways.
test("75 wrong answers of the console: every verb ends in a true state or with a message, and the next run puts it right", async () => {
  const { outcomes, hostFaults } = await fuzz({ count: 75, seed: 1 });
  const met = outcomes.filter(({ given }) => given !== undefined);
  expect(met.length).toBeGreaterThanOrEqual(75);
  expect(
    outcomes.flatMap(({ kind, verb, recipe, faults }) =>
      faults.map((fault) => `${kind} ${verb}, ${recipe.way}: ${fault}`),
    ),
  ).toEqual([]);
  expect(hostFaults).toEqual([]);
  const common = ways.filter((way) => way !== "list without end");
  expect([...new Set(met.map(({ recipe }) => recipe.way))]).toEqual(expect.arrayContaining(common));
  expect(new Set(met.map(({ ended }) => ended))).toContain("refused");
}, 240_000);
