import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import type { Resource } from "../support/driver";
import { allOf } from "../support/raw-client";
import { caseCount } from "../support/sample";
import { emulator, raw, start, startJob } from "./stage";

// The rows of docs/comparison.md about requests, each in a run of its own.

/** The page counts among 100: a sample of them shows as well that requests do not grow with what stays as it is. */
const count = caseCount(25, 100);
const all = Array.from({ length: count }, (_, index) => index);
const rules = [{ name: "Some", passPercentage: 12.5, conditions: [{ type: "public" }] }];
const argsOf = (index: number, more: object) => ({
  ...{ __program: { name: `flag_${index}` }, key: `flag_${index}`, description: "One of many", rules },
  ...{ onDelete: "delete", ...more },
});
const own = (index: number, more: object) => (index === 0 ? more : {});

/** What was asked of the console since the last time. */
function asked(): string[] {
  const routes = emulator.requests.map(({ method, route }) => `${method} ${route}`);
  emulator.clearRequests();
  return routes;
}

test("many gates: a request for each that is new, none for a preview, three for a change of one, and one for each that goes", async () => {
  await start();
  emulator.addFaults([{ method: "POST", path: "/gates", reset: "after", times: 1 }]);
  const up = startJob();
  const tags = (index: number) => own(index, { tags: ["shop", "beta"] });
  const made = await Promise.all(all.map((index) => up.up(argsOf(index, tags(index)))));
  const creates = asked().toSorted();
  // The question for the project, and the look after the answer that got lost: no second gate was made.
  expect(creates).toEqual(["GET get", "GET get", ...Array(count).fill("POST create")]);
  const ids = (await allOf(raw.gate.list())).map(({ id }) => id);
  expect([ids.length, new Set(ids).size]).toEqual([count, count]);
  expect(await raw.gate.get({ id: "flag_7" })).toMatchObject({ rules: [{ passPercentage: 12.5 }] });
  asked();

  const preview = startJob();
  const plans = all.map((index) => preview.diff(made[index] as Resource, argsOf(index, tags(index))));
  expect((await Promise.all(plans)).every(({ quiet }) => quiet)).toBe(true);
  expect(asked()).toEqual([]);

  const change = startJob();
  const changed = argsOf(0, { description: "Changed" });
  const kept = all.slice(1).map((index) => change.diff(made[index] as Resource, argsOf(index, {})));
  expect((await Promise.all(kept)).every(({ quiet }) => quiet)).toBe(true);
  const first = await change.update(made[0] as Resource, changed);
  const ofOne = asked();
  expect(ofOne).toEqual(["GET get", "GET get", "PATCH patch"]);
  expect(readFileSync("docs/comparison.md", "utf8")).toContain(`among 100 | 101 | ${ofOne.length} |`);
  expect(await raw.gate.get({ id: "flag_0" })).toMatchObject({ description: "Changed", tags: [] });
  asked();

  emulator.addFaults([{ method: "DELETE", path: "/gates/flag_5", status: 429, retryAfter: 0, times: 3 }]);
  const destroy = startJob();
  await Promise.all([first, ...made.slice(1)].map((one) => destroy.destroy(one)));
  const requests = asked();
  // Who asks for what goes for ever is looked for once in a run: a list for each kind that may.
  expect(requests.filter((request) => request.startsWith("GET ")).length).toBeLessThanOrEqual(8);
  expect(requests.filter((request) => !request.startsWith("GET "))).toEqual(
    Array(count + 3).fill("DELETE delete"),
  );
  expect(await allOf(raw.gate.list({ query: { includeArchived: true } }))).toEqual([]);
});
