import { beforeEach, expect, test } from "@jest/globals";
import { finding } from "./desk";
import { sharedDesk } from "./test-desk";

const desk = sharedDesk();
beforeEach(() => desk.must("POST", "/layers", { name: "layer", idType: "userID", targetApps: ["web"] }));

const parameter = (name: string, defaultValue: unknown = "x") => ({ name, type: "string", defaultValue });

test("a parameter whose value is of another type is refused, and its place named", async () => {
  const wrong = { name: "n", type: "number", defaultValue: "text" };
  for (const [method, body] of [
    ["PATCH", { parameters: [parameter("a"), wrong] }],
    ["POST", { description: "", parameters: [parameter("a"), wrong] }],
  ] as const) {
    const answer = await desk.ask(method, "/layers/layer", body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ property: "parameters.1.defaultValue" }]);
  }
  expect((await desk.must("GET", "/layers/layer")).parameters).toEqual([]);
});

test("PATCH replaces parameters whole and passes over what it does not take", async () => {
  await desk.must("PATCH", "/layers/layer", { parameters: [parameter("a"), parameter("b")] });
  const body = { parameters: [parameter("c")], targetApps: "shop", name: "new" };
  const shown = { name: "layer", parameters: [parameter("c")], targetApps: ["shop"], version: 3 };
  expect(await desk.must("PATCH", "/layers/layer", body)).toMatchObject(shown);
});

test("POST on the layer needs every existing parameter", async () => {
  await desk.must("PATCH", "/layers/layer", { parameters: [parameter("a"), parameter("b")] });
  expect((await desk.ask("POST", "/layers/layer", { description: "", parameters: [] })).body).toEqual({
    status: 400,
    message: "Bad Request Exception",
    errors: { property: "parameters", errorMessage: "Parameter(s) missing: [a, b]" },
  });
  const parameters = [parameter("b", "y"), parameter("a"), parameter("c")];
  const layer = await desk.must("POST", "/layers/layer", { description: "new", parameters });
  expect(layer).toMatchObject({ description: "new", parameters, targetApps: [], idType: "userID" });
});

test.each([
  [{ name: "p", type: "string" }, "parameters.0.defaultValue", "Required"],
  [
    { ...parameter("p"), type: "text" },
    "parameters.0.type",
    "Invalid enum value. Expected 'string' | 'number' | 'boolean' | 'object' | 'array', received 'text'",
  ],
])("the parameter %j is refused", async (bad, property, message) => {
  expect((await desk.ask("PATCH", "/layers/layer", { parameters: [bad] })).body).toEqual(
    finding(property, message),
  );
});

test("no experiment is in a layer", async () => {
  expect(await desk.list("/layers/layer/experiments")).toEqual([]);
  expect((await desk.ask("GET", "/layers/unknown/experiments")).status).toBe(404);
});

test("overrides are replaced, added and cleared", async () => {
  const path = "/layers/layer/overrides";
  const conditional = { type: "gate", name: "g", experimentName: "e", groupName: "x" };
  const one = { conditionalOverrides: [conditional], idOverrides: [{ groupName: "x", ids: ["1"] }] };
  expect(await desk.must("GET", path)).toEqual({ conditionalOverrides: [], idOverrides: [] });
  expect(await desk.must("POST", path, one)).toEqual(one);
  const more = { conditionalOverrides: [conditional], idOverrides: [{ groupName: "x", ids: ["1", "2"] }] };
  expect(await desk.must("PATCH", path, { op: "add", ...more })).toEqual(more);
  expect((await desk.ask("PATCH", path, one)).body).toEqual(finding("op", "Required"));
  expect(await desk.must("DELETE", path)).toEqual({ conditionalOverrides: [], idOverrides: [] });
});

test("[A10] an override of a layer may hold in one environment", async () => {
  const inStaging = { experimentName: "e", groupName: "Test", environment: "staging" };
  const body = { conditionalOverrides: [{ type: "gate", name: "g", ...inStaging }], idOverrides: [] };
  await desk.must("POST", "/layers/layer/overrides", body);
  expect(await desk.must("GET", "/layers/layer/overrides")).toEqual(body);
});
