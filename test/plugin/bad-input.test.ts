import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { catalog, type KindName } from "../../src/catalog";
import { failureAt } from "../laws/failure-at";
import { badInputs } from "./bad-input-cases";
import { type Bench, openBench } from "./bench";

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
}, 300_000);
afterAll(() => bench?.close());

test.each(badInputs)("%s (%s)", async (_what, kind, args, property, reason) => {
  const { failures } = await bench.of(catalog[kind]).check(complete(kind, args));
  expect(failures).toEqual([failureAt(property, reason)]);
});

test("many mistakes in one resource are all reported, each with its path", async () => {
  const args = Object.assign({}, ...badInputs.filter(([, kind]) => kind === "layer").map(([, , bad]) => bad));
  const { failures } = await bench.of(catalog.layer).check(complete("layer", args));
  expect(failures.map(({ property }) => property).sort()).toEqual([
    "idType",
    "key",
    "onDelete",
    "parameters",
  ]);
});

test("at least 45 cases were tried, and the console was not asked anything", () => {
  expect(badInputs.length).toBeGreaterThanOrEqual(45);
  expect(bench.emulator.requests).toEqual([]);
});

function complete(kind: KindName, args: object) {
  const given = Object.entries({ ...catalog[kind].samples.smallest, ...args });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}
