import { expect, test } from "@jest/globals";
import { coverageOf, coverageText } from "../../scripts/generate/coverage";
import { inventory } from "../../scripts/generate/files";
import { operationModels } from "../../scripts/generate/operations";
import published from "../../spec/published-operations.json";

const { operations } = published;

test("every operation of the API is covered, or its reason is told", () => {
  const { covered, all, uncovered } = coverageOf(inventory);
  expect([covered + uncovered.length, all]).toEqual([operations.length, 224]);
  expect(new Set(operations).size).toBe(224);
});

test("an operation that nothing covers is an error that names it, unless it is excused", () => {
  const more = { operations: [...operations, "GET /moon/{phase}"], uncovered: {} };
  expect(() => coverageOf(inventory, more)).toThrow(
    "GET /moon/{phase}: nothing covers it, and no reason says why",
  );
  const told = coverageOf(inventory, { ...more, uncovered: { "GET /moon/{phase}": "too far" } });
  expect([told.covered, told.all]).toEqual([224, 225]);
  const text = coverageText(told).join("\n");
  expect(text).toContain("covers 224 of the 225 operations");
  expect(text).toMatch(/\| `GET \/moon\/\{phase\}` \| too far \|/);
});

test("a route that no one published, and a reason that is none, are errors", () => {
  const less = { operations: operations.filter((one) => one !== "GET /users"), uncovered: {} };
  expect(() => coverageOf(inventory, less)).toThrow("GET /users: not published");
  const uncovered = { "GET /users": "why?", "GET /moon": "why?" };
  expect(() => coverageOf(inventory, { operations, uncovered })).toThrow(
    /GET \/users: excused, and covered\nGET \/moon: excused, and not published/,
  );
});

test("parameters of a path may be called otherwise", () => {
  const renamed = operations.map((one) => one.replaceAll("{id}", "{anything}"));
  expect(coverageOf(inventory, { operations: renamed, uncovered: {} }).covered).toBe(224);
});

test("reads that need no secret have a lookup, writes a resource, an action or the client", () => {
  const models = operationModels(inventory);
  const unread = models.filter(
    ({ request, users }) => request.startsWith("GET") && !users.some((one) => one.startsWith("lookup")),
  );
  expect(unread.map(({ request }) => request).sort()).toEqual(["GET /keys", "GET /keys/{id}"]);
});
