import { expect, test } from "@jest/globals";
import type { Operation } from "../../src/emulator/console/behaviour";
import { operationsOf } from "../../src/emulator/console/default-operations";
import { behaviours } from "../../src/emulator/kinds/index";
import { catalog } from "../../src/provider/definitions/index";
import { route } from "../../src/provider/schema/verbs";
import { sharedDesk } from "./test-desk";

const answer: Operation = { run: () => ({ message: "Done." }) };
const extra = route("PUT", "/tags/{id}/shine", "message", "Polishes it.");
const shining = { ...catalog.tag, routes: { ...catalog.tag.routes, shine: extra } };

test("a kind that says nothing has an operation for each usual route", () => {
  expect(Object.keys(operationsOf({ definition: catalog.tag }))).toEqual(Object.keys(catalog.tag.routes));
});

test("what a kind says goes before the default", () => {
  expect(operationsOf({ definition: catalog.tag, operations: { get: answer } }).get).toBe(answer);
});

test("a route without an operation is refused at start", () => {
  expect(() => operationsOf({ definition: shining })).toThrow("Tag.shine has no operation");
  expect(operationsOf({ definition: shining, operations: { shine: answer } }).shine).toBe(answer);
});

test("switching on and off asks for states", () => {
  const { definition, states, operations = {} } = behaviours.gate;
  expect(() => operationsOf({ definition, operations })).toThrow("Gate.enable has no operation");
  expect(operationsOf({ definition, operations, ...(states && { states }) }).enable).toBeDefined();
});

test("an operation without a route is refused at start", () => {
  expect(() => operationsOf({ definition: catalog.tag, operations: { patsh: answer } })).toThrow(
    'Tag has no route "patsh"',
  );
});

const desk = sharedDesk();

test.each([
  ["gates", {}],
  ["dynamic_configs", {}],
  ["segments", { type: "rule_based" }],
  ["experiments", {}],
])("[A11] a review of %s is committed by a route of its own", async (list, more) => {
  await desk.must("POST", `/${list}`, { name: "one one", ...more });
  const answer = await desk.ask("PUT", `/${list}/one_one/reviews/r1/commit`, {});
  // None is open here, so it is the review that is not found.
  expect(answer.status).toBe(404);
  const operations = Object.values(catalog).flatMap(({ routes }) => Object.values<{ path: string }>(routes));
  expect(operations.map(({ path }) => path)).toContain(`/${list}/{id}/reviews/{reviewID}/commit`);
});
