import { expect, test } from "@jest/globals";
import type { Operation } from "../../src/emulator/console/behaviour";
import { operationsOf } from "../../src/emulator/console/default-operations";
import { behaviours } from "../../src/emulator/kinds/index";
import { catalog } from "../../src/provider/definitions/index";
import { route } from "../../src/provider/schema/verbs";

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
