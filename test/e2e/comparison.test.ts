import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { allOf } from "../support/raw-client";
import { caseCount } from "../support/sample";
import { type Bench, openBench } from "./bench";

// The rows of docs/comparison.md that need the real CLI.

jest.setTimeout(300_000);

/** The page counts among 100: a sample of them shows as well that requests do not grow with what stays as it is. */
const count = caseCount(25, 100);
let bench: Bench;

/** A program of many gates; the first has its own description and tags. */
const programOf = (description: string, tags: readonly string[]) => `
for (let index = 0; index < ${count}; index += 1) {
  new fc.Gate("flag_" + index, {
    description: index === 0 ? ${JSON.stringify(description)} : "One of many",
    ...(index === 0 ? ${JSON.stringify(tags.length === 0 ? {} : { tags })} : {}),
    rules: [{ name: "Some", passPercentage: 12.5, conditions: [{ type: "public" }] }],
    onDelete: "delete",
  });
}`;

/** What was asked of the console since the last time. */
function asked(): string[] {
  const routes = bench.emulator.requests.map(({ method, route }) => `${method} ${route}`);
  bench.emulator.clearRequests();
  return routes;
}

beforeAll(async () => {
  bench = await openBench();
  await bench.write(programOf("First", ["shop", "beta"]));
}, FIRST_CLI_TIMEOUT_MS);

afterAll(() => bench?.close());

test("up of new gates is a request for each; a lost answer among them makes no second gate", async () => {
  bench.emulator.addFaults([{ method: "POST", path: "/gates", reset: "after", times: 1 }]);
  await bench.stack.up();
  const requests = asked();
  expect(requests.filter((one) => one === "POST create")).toHaveLength(count);
  // The question for the project, and the look after the lost answer.
  expect(requests.filter((one) => one !== "POST create")).toEqual(["GET get", "GET get"]);
  const names = (await allOf(bench.raw.gate.list())).map(({ id }) => id);
  expect(new Set(names).size).toBe(count);
  expect(names).toHaveLength(count);
  asked();
});

test("12.5 % goes live as 12.5 %", async () => {
  expect(await bench.raw.gate.get({ id: "flag_7" })).toMatchObject({ rules: [{ passPercentage: 12.5 }] });
  asked();
});

test("a preview with nothing to do is no request", async () => {
  await bench.stack.preview({ args: ["--expect-no-changes"] });
  expect(asked()).toEqual([]);
});

test("a refresh of many gates is at most three requests", async () => {
  await bench.stack.refresh({ args: ["--expect-no-changes"] });
  const requests = asked();
  expect(requests.length).toBeLessThanOrEqual(3);
  expect(requests).toContain("GET list");
});

test("a change of one among many is three requests, one of them for the project, and removed tags go", async () => {
  await bench.write(programOf("Changed", []));
  await bench.stack.up();
  expect(asked()).toEqual(["GET get", "GET get", "PATCH patch"]);
  expect(await bench.raw.gate.get({ id: "flag_0" })).toMatchObject({ description: "Changed", tags: [] });
  asked();
});

test("destroy is a request for each beside a few lists, and one that is refused with 429 is sent again until it went through", async () => {
  bench.emulator.addFaults([
    { method: "DELETE", path: "/gates/flag_5", status: 429, retryAfter: 0, times: 3 },
  ]);
  await bench.stack.destroy();
  const requests = asked();
  // Who asks for what goes for ever is looked for once in a run: a list for each kind that may.
  expect(requests.filter((request) => request.startsWith("GET ")).length).toBeLessThanOrEqual(8);
  expect(requests.filter((request) => !request.startsWith("GET "))).toEqual(
    Array(count + 3).fill("DELETE delete"),
  );
  expect(await allOf(bench.raw.gate.list({ query: { includeArchived: true } }))).toEqual([]);
});
