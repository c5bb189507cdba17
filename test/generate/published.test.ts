import { expect, test } from "@jest/globals";
import { correctionsTable } from "../../scripts/generate/corrections";
import { coverageOf, coverageText } from "../../scripts/generate/coverage";
import { inventory } from "../../scripts/generate/files";
import { operationModels } from "../../scripts/generate/operations";
import { modelOf } from "../../scripts/generate/shapes";
import { terraformText } from "../../scripts/generate/terraform";
import attributes from "../../spec/published-attributes.json";
import published from "../../spec/published-operations.json";

const { descriptions, uncovered: excuses } = published;
const operations = descriptions.flatMap((one) => one.operations);
const isCarriedOut = (name: string) => !(name in excuses);
const carriedOut = operations.filter(isCarriedOut);
/** The same, as one description. */
const described = (own: readonly string[], uncovered: Record<string, string> = excuses) => ({
  descriptions: [{ title: "All", date: "today", operations: own }],
  undescribed: [],
  uncovered,
});

test("every operation of the API is covered, or its reason is told", () => {
  const { covered, all, uncovered, descriptions: counted } = coverageOf(inventory);
  expect([covered, uncovered.length, all]).toEqual([
    carriedOut.length,
    Object.keys(excuses).length,
    operations.length,
  ]);
  expect(counted.map((one) => [one.covered, one.all])).toEqual(
    descriptions.map((one) => [one.operations.filter(isCarriedOut).length, one.operations.length]),
  );
  expect(new Set(operations).size).toBe(operations.length);
});

// Numbers of 0.2.0: a new operation leaves them as they are.
test.each([
  [0, 224, 224],
  [1, 21, 21],
  [2, 18, 37],
])("description %i still has its %i covered of %i operations", (at, covered, all) => {
  const counted = coverageOf(inventory).descriptions[at];
  expect(counted?.covered).toBeGreaterThanOrEqual(covered);
  expect(counted?.all).toBeGreaterThanOrEqual(all);
});

test("an operation that nothing covers is an error that names it, unless it is excused", () => {
  const more = [...operations, "GET /moon/{phase}"];
  expect(() => coverageOf(inventory, described(more))).toThrow(
    "GET /moon/{phase}: nothing covers it, and no reason says why",
  );
  const told = coverageOf(inventory, described(more, { ...excuses, "GET /moon/{phase}": "too far" }));
  expect([told.covered, told.all]).toEqual([carriedOut.length, more.length]);
  const text = coverageText(told).join("\n");
  expect(text).toContain(`covers ${carriedOut.length} of the ${more.length} operations`);
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
  const renamed = carriedOut.map((one) => one.replaceAll("{id}", "{anything}"));
  expect(coverageOf(inventory, described(renamed, {})).covered).toBe(carriedOut.length);
});

test("reads that need no secret have a lookup, writes a resource, an action or the client", () => {
  const models = operationModels(inventory);
  const unread = models.filter(
    ({ request, users }) => request.startsWith("GET") && !users.some((one) => one.startsWith("lookup")),
  );
  expect(unread.map(({ request }) => request).sort()).toEqual(["GET /keys", "GET /keys/{id}"]);
});

const models = inventory.resources.map((definition) => modelOf(definition));

test("every argument of the published provider has its place here", () => {
  const text = terraformText(models);
  const names = Object.values(attributes.attributes).flat();
  expect(names.filter((one) => !text.includes(`\`${one}\``))).toEqual([]);
  expect(names).toHaveLength(206);
});

test("one that nothing here stands for is an error that names it", () => {
  const Gate = [...attributes.attributes.Gate, "moon_phases"];
  const more = { ...attributes, attributes: { ...attributes.attributes, Gate } };
  expect(() => terraformText(models, more)).toThrow(
    "spec/published-attributes.json: nothing of Gate stands for moon_phases.",
  );
});

const line = { id: "Z1", about: "reads", says: "so it is" };

test("a correction is shown with the tests that name it", () => {
  const tests = new Map([
    ["test/a.test.ts", 'test("[Z1] so", () => {})'],
    ["test/b.test.ts", 'test("[Z11] so", () => {})'],
  ]);
  expect(correctionsTable([line], tests).split("\n")[2]).toMatch(/Z1 .*so it is .*`test\/a\.test\.ts` +\|$/);
});

test("a correction that no test names is an error that names it", () => {
  expect(() => correctionsTable([line], new Map([["test/a.test.ts", "[Z2]"]]))).toThrow(/Z1 \(so it is\)/);
});
