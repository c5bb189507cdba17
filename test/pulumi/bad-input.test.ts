import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { catalog, type KindName } from "../../src/provider/definitions";
import { failureAt, notSet } from "../laws/failure-at";
import { type Subject, startSubject } from "../laws/subject";
import { badInputs } from "./bad-input-cases";

let subject: Subject;
beforeAll(async () => {
  subject = await startSubject(catalog.gate);
});
afterAll(() => subject.close());

test.each(badInputs)("%s (%s)", async (_what, kind, args, property, reason) => {
  const given = complete(kind, args);
  const value = Object.hasOwn(given, property) ? given[property] : notSet;
  expect(await subject.of(catalog[kind]).problems(given)).toEqual([failureAt(property, reason, value)]);
});

test("many mistakes in one resource are all reported, each with its path", async () => {
  const args = Object.assign({}, ...badInputs.filter(([, kind]) => kind === "layer").map(([, , bad]) => bad));
  const problems = await subject.of(catalog.layer).problems(complete("layer", args));
  expect(problems.map(({ property, reason }) => property || /^\w+/.exec(reason)?.[0]).sort()).toEqual([
    "idType",
    "key",
    "onDelete",
    "parameters",
  ]);
});

test("at least 45 cases were tried, and the console was not asked anything", () => {
  expect(badInputs.length).toBeGreaterThanOrEqual(45);
  expect(subject.emulator.requests).toEqual([]);
});

function complete(kind: KindName, args: object): Record<string, unknown> {
  const given = Object.entries({ ...catalog[kind].samples.smallest, ...args });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}
