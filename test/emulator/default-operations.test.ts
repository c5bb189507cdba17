import { expect, test } from "@jest/globals";
import type { Operation } from "../../src/emulator/console/behaviour";
import { operationsOf } from "../../src/emulator/console/default-operations";
import { behaviours } from "../../src/emulator/kinds/index";
import { catalog } from "../../src/provider/definitions/index";
import type { JsonObject } from "../../src/provider/schema/json";
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

const { must, ask, refused } = sharedDesk();

test("[A11] a review of segments is committed by a route of its own", async () => {
  await must("POST", "/segments", { name: "one one", type: "rule_based" });
  // None is open here, so it is the review that is not found.
  expect((await ask("PUT", "/segments/one_one/reviews/r1/commit", {})).status).toBe(404);
});

// Every kind refuses an id that is not there, and a name that is taken, in words of its own. The laws and the acceptance tests hold
// that reads show what was sent, with the defaults of the definitions.

const inUse = "Name is already in use";
const query = {
  sql: "select 1",
  timestampColumn: "ts",
  idTypeMapping: [{ serviceUnitID: "userID", column: "u" }],
};
const awkward = "Source 1.0 / a::b ü";

/** List, body, the refusals of an unknown object and of a taken name; without the last, names need not be unique. */
const kinds: readonly (readonly [
  path: string,
  body: JsonObject,
  missing: string,
  taken: string | undefined,
])[] = [
  ["/gates", { name: "A Gate" }, "Gate not found.", inUse],
  ["/dynamic_configs", { name: "A Config" }, "Dynamic config not found.", inUse],
  ["/segments", { name: "Of Rules", type: "rule_based" }, "Segment not found.", inUse],
  ["/layers", { name: "A Layer", idType: "userID" }, "Layer not found.", "Layer name is already in use"],
  ["/holdouts", { name: "A Holdout" }, "Holdout not found.", inUse],
  ["/experiments", { name: "A Test 1" }, "Experiment not found.", inUse],
  ["/param_stores", { name: "a store", displayName: "A", description: "" }, "Param store not found.", inUse],
  ["/tags", { name: "a b", description: "x" }, "Tag not found.", inUse],
  ["/alerts", { name: "Errors" }, "Alert not found.", undefined],
  ["/metrics", { name: "revenue", type: "sum", metricEvents: [{ name: "buy" }] }, "Metric not found", inUse],
  [
    "/metrics/metric_source",
    { name: awkward, ...query },
    "Not Found. The requested resource could not be found.",
    inUse,
  ],
];
const named = ["/param_stores", "/tags", "/metrics/metric_source"];

test.each(kinds)("%s refuse a taken name and what is gone", async (path, body, missing, taken) => {
  const made = await must("POST", path, body);
  const place = `${path}/${encodeURIComponent(named.includes(path) ? made.name : made.id)}`;
  expect(await must("GET", place)).toEqual(made);
  if (taken === undefined) await must("POST", path, body);
  else expect(await refused("POST", path, body)).toBe(`400 ${taken}`);
  expect((await ask("DELETE", place)).body).toEqual({ message: expect.any(String) });
  for (const method of ["DELETE", "GET"]) expect(await refused(method, place)).toBe(`404 ${missing}`);
});
