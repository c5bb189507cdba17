import { expect, test } from "@jest/globals";
import { coverageOf, coverageText } from "../../scripts/generate/coverage";
import { inventory } from "../../scripts/generate/files";
import { operationModels } from "../../scripts/generate/operations";
import published from "../../spec/published-operations.json";

const { descriptions, uncovered: excuses } = published;
const operations = descriptions.flatMap((one) => one.operations);
/** The same, as one description. */
const described = (own: readonly string[], uncovered: Record<string, string> = excuses) => ({
  descriptions: [{ title: "All", date: "today", operations: own }],
  undescribed: [],
  uncovered,
});

test("every operation of the API is covered, or its reason is told", () => {
  const { covered, all, uncovered, descriptions: counted } = coverageOf(inventory);
  expect([covered + uncovered.length, all]).toEqual([282, 282]);
  expect(counted.map((one) => [one.covered, one.all])).toEqual([
    [224, 224],
    [21, 21],
    [18, 37],
  ]);
  expect(new Set(operations).size).toBe(282);
});

test("an operation that nothing covers is an error that names it, unless it is excused", () => {
  const more = [...operations, "GET /moon/{phase}"];
  expect(() => coverageOf(inventory, described(more))).toThrow(
    "GET /moon/{phase}: nothing covers it, and no reason says why",
  );
  const told = coverageOf(inventory, described(more, { ...excuses, "GET /moon/{phase}": "too far" }));
  expect([told.covered, told.all]).toEqual([263, 283]);
  const text = coverageText(told).join("\n");
  expect(text).toContain("covers 263 of the 283 operations");
  expect(text).toMatch(/\| `GET \/moon\/\{phase\}` +\| too far +\|/);
});

test("a route that no one published, and a reason that is none, are errors", () => {
  const less = operations.filter((one) => one !== "GET /users");
  expect(() => coverageOf(inventory, described(less))).toThrow("GET /users: not published");
  const wrong = { ...excuses, "GET /users": "why?", "GET /moon": "why?" };
  expect(() => coverageOf(inventory, described(operations, wrong))).toThrow(
    /GET \/users: excused, and covered\nGET \/moon: excused, and not published/,
  );
});

test("parameters of a path may be called otherwise", () => {
  const covered = operations.filter((one) => !(one in excuses));
  const renamed = covered.map((one) => one.replaceAll("{id}", "{anything}"));
  expect(coverageOf(inventory, described(renamed, {})).covered).toBe(263);
});

test("reads that need no secret have a lookup, writes a resource, an action or the client", () => {
  const models = operationModels(inventory);
  const unread = models.filter(
    ({ request, users }) => request.startsWith("GET") && !users.some((one) => one.startsWith("lookup")),
  );
  expect(unread.map(({ request }) => request).sort()).toEqual(["GET /keys", "GET /keys/{id}"]);
});
