import { expect, test } from "@jest/globals";
import type { JsonObject } from "../../src/provider/schema/json";
import { sharedDesk } from "./test-desk";

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

const { ask, must, refused } = sharedDesk();

test.each(kinds)("%s refuse a taken name and what is gone", async (path, body, missing, taken) => {
  const made = await must("POST", path, body);
  const place = `${path}/${encodeURIComponent(named.includes(path) ? made.name : made.id)}`;
  expect(await must("GET", place)).toEqual(made);
  if (taken === undefined) await must("POST", path, body);
  else expect(await refused("POST", path, body)).toBe(`400 ${taken}`);
  expect((await ask("DELETE", place)).body).toEqual({ message: expect.any(String) });
  for (const method of ["DELETE", "GET"]) expect(await refused(method, place)).toBe(`404 ${missing}`);
});
