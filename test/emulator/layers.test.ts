import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { type Desk, finding, openDesk } from "./desk";

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());
beforeEach(() => desk.emulator.reset());

const parameter = (name: string, defaultValue: unknown = "x") => ({ name, type: "string", defaultValue });

test("a bare layer is answered with 201 and without parameters, whatever the body says", async () => {
  const body = { name: "A Layer", idType: "userID", parameters: [parameter("p")], id: "other", tags: ["t"] };
  const { status, data } = await desk.ask("POST", "/layers", body);
  expect(status).toBe(201);
  expect(data).toMatchObject({
    id: "a_layer",
    name: "A Layer",
    idType: "userID",
    parameters: [],
    tags: [],
    isImplicitLayer: false,
  });
});

test("taken names and unknown layers have texts of their own", async () => {
  await desk.must("POST", "/layers", { name: "layer", idType: "userID" });
  const taken = { status: 400, message: "Layer name is already in use" };
  expect((await desk.ask("POST", "/layers", { name: "layer", idType: "userID" })).body).toEqual(taken);
  expect((await desk.ask("GET", "/layers/unknown")).body).toEqual({
    status: 404,
    message: "Layer not found.",
  });
});

test("a parameter whose value is of another type is refused, and its place named", async () => {
  await desk.must("POST", "/layers", { name: "layer", idType: "userID" });
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
  await desk.must("POST", "/layers", { name: "layer", idType: "userID" });
  await desk.must("PATCH", "/layers/layer", { parameters: [parameter("a"), parameter("b")] });
  const layer = await desk.must("PATCH", "/layers/layer", {
    parameters: [parameter("c")],
    targetApps: "web",
    name: "new",
  });
  expect(layer).toMatchObject({
    name: "layer",
    parameters: [parameter("c")],
    targetApps: ["web"],
    version: 3,
  });
});

test("POST on the layer needs every existing parameter", async () => {
  await desk.must("POST", "/layers", {
    name: "layer",
    idType: "userID",
    description: "x",
    targetApps: ["web"],
  });
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
  await desk.must("POST", "/layers", { name: "layer", idType: "userID" });
  expect((await desk.ask("PATCH", "/layers/layer", { parameters: [bad] })).body).toEqual(
    finding(property, message),
  );
});

test("no experiment is in a layer", async () => {
  await desk.must("POST", "/layers", { name: "layer", idType: "userID" });
  expect(await desk.list("/layers/layer/experiments")).toEqual([]);
  expect((await desk.ask("GET", "/layers/unknown/experiments")).status).toBe(404);
  await desk.must("DELETE", "/layers/layer");
});

test("overrides are replaced, added and cleared", async () => {
  await desk.must("POST", "/layers", { name: "layer", idType: "userID" });
  const path = "/layers/layer/overrides";
  const conditional = { type: "gate", name: "g", experimentName: "e", groupName: "x" };
  const one = { conditionalOverrides: [conditional], idOverrides: [{ groupName: "x", ids: ["1"] }] };
  expect(await desk.must("GET", path)).toEqual({ conditionalOverrides: [], idOverrides: [] });
  expect(await desk.must("POST", path, one)).toEqual(one);
  const more = {
    op: "add",
    conditionalOverrides: [conditional],
    idOverrides: [{ groupName: "x", ids: ["1", "2"] }],
  };
  const { op: _op, ...added } = more;
  expect(await desk.must("PATCH", path, more)).toEqual(added);
  expect((await desk.ask("PATCH", path, one)).body).toEqual(finding("op", "Required"));
  expect(await desk.must("DELETE", path)).toEqual({ conditionalOverrides: [], idOverrides: [] });
});

test("[A10] an override of a layer may hold in one environment", async () => {
  await desk.must("POST", "/layers", { name: "shop_layer", idType: "userID" });
  const override = {
    type: "gate",
    name: "g",
    experimentName: "e",
    groupName: "Test",
    environment: "staging",
  };
  const body = { conditionalOverrides: [override], idOverrides: [] };
  await desk.must("POST", "/layers/shop_layer/overrides", body);
  expect(await desk.must("GET", "/layers/shop_layer/overrides")).toEqual(body);
});
