import { expect, test } from "@jest/globals";
import type { Operation } from "../../src/emulator/console/behaviour";
import { operationsOf } from "../../src/emulator/console/default-operations";
import { behaviours } from "../../src/emulator/kinds/index";
import { catalog } from "../../src/provider/definitions/index";
import { route } from "../../src/provider/schema/verbs";
import { sharedDesk } from "./test-desk";

const answer: Operation = () => ({ message: "Done." });
const extra = route("PUT", "/tags/{id}/shine", "message", "Polishes it.");
const shining = { ...catalog.tag, routes: { ...catalog.tag.routes, shine: extra } };

test("a kind has an operation for each usual route: its own, or the default", () => {
  const definition = catalog.tag;
  expect(Object.keys(operationsOf({ definition }))).toEqual(Object.keys(definition.routes));
  expect(operationsOf({ definition, operations: { get: answer } }).get).toBe(answer);
});

test("a route without an operation, and an operation without a route, are refused at start", () => {
  expect(() => operationsOf({ definition: shining })).toThrow("Tag.shine has no operation");
  expect(operationsOf({ definition: shining, operations: { shine: answer } }).shine).toBe(answer);
  const misspelt = { definition: catalog.tag, operations: { patsh: answer } };
  expect(() => operationsOf(misspelt)).toThrow('Tag has no route "patsh"');
});

test("switching on and off asks for states", () => {
  const { definition, states, operations = {} } = behaviours.gate;
  expect(() => operationsOf({ definition, operations })).toThrow("Gate.enable has no operation");
  expect(operationsOf({ definition, operations, ...(states && { states }) }).enable).toBeDefined();
});

const { must, ask } = sharedDesk();

test.each([
  ["gates", {}],
  ["dynamic_configs", {}],
  ["segments", { type: "rule_based" }],
  ["experiments", {}],
])("[A11] a review of %s is committed by a route of its own", async (list, more) => {
  await must("POST", `/${list}`, { name: "one one", ...more });
  // None is open here, so it is the review that is not found.
  expect((await ask("PUT", `/${list}/one_one/reviews/r1/commit`, {})).status).toBe(404);
  const operations = Object.values(catalog).flatMap(({ routes }) => Object.values<{ path: string }>(routes));
  expect(operations.map(({ path }) => path)).toContain(`/${list}/{id}/reviews/{reviewID}/commit`);
});
