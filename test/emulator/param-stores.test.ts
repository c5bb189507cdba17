import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { type Desk, finding, openDesk } from "./desk";

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());
beforeEach(() => desk.emulator.reset());

const path = "/param_stores/a%20store";
const bare = { name: "a store", displayName: "A store", description: "" };
const fixed = { name: "p", ref_type: "static", param_type: "number", value: 1 };

test("a create answers 200, without parameters and without what cannot be read", async () => {
  const body = { ...bare, team: "growth", tags: ["t"], targetAppIDs: ["x"], parameters: [fixed] };
  const { status, data } = await desk.ask("POST", "/param_stores", body);
  expect(status).toBe(200);
  expect(data).toMatchObject({ ...bare, team: "growth", parameters: [], id: expect.any(String) });
  expect(data).not.toHaveProperty("tags");
  expect(data).not.toHaveProperty("targetAppIDs");
});

test("it is addressed by its name", async () => {
  const made = await desk.must("POST", "/param_stores", bare);
  expect(await desk.must("GET", path)).toEqual(made);
  expect((await desk.ask("GET", `/param_stores/${made.id}`)).status).toBe(404);
});

test("an update keeps what it leaves out and replaces parameters whole", async () => {
  await desk.must("POST", "/param_stores", bare);
  await desk.must("POST", path, { parameters: [fixed, { ...fixed, name: "q" }] });
  const updated = await desk.must("POST", path, { description: "new", displayName: "other" });
  expect(updated).toMatchObject({ description: "new", displayName: "A store" });
  expect(updated.parameters).toHaveLength(2);
  expect(await desk.must("POST", path, { parameters: [fixed] })).toMatchObject({
    description: "new",
    parameters: [fixed],
  });
});

test.each([
  ["a value of another type", { ...fixed, value: "1" }, "parameters.0.value"],
  ["an object for an array", { ...fixed, param_type: "array", value: {} }, "parameters.0.value"],
  ["no value", { name: "p", ref_type: "static", param_type: "number" }, "parameters.0.value"],
  [
    "no gate",
    { ...fixed, ref_type: "gate", value: undefined, pass_value: 1, fail_value: 2 },
    "parameters.0.gate_name",
  ],
  ["no type", { name: "p", ref_type: "static", value: 1 }, "parameters.0.param_type"],
  ["a foreign source", { ...fixed, ref_type: "segment" }, "parameters.0.ref_type"],
])("a parameter with %s is refused with its place", async (_, parameter, property) => {
  await desk.must("POST", "/param_stores", bare);
  const { status, body } = await desk.ask("POST", path, { parameters: [parameter] });
  expect(status).toBe(400);
  expect(body.errors).toMatchObject([{ property }]);
});

test("two parameters of one name are refused", async () => {
  await desk.must("POST", "/param_stores", bare);
  expect((await desk.ask("POST", path, { parameters: [fixed, fixed] })).body).toEqual(
    finding("parameters.1.name", '"p" is the name of parameters[0] too; parameter names are unique'),
  );
});

test("every source is stored in the API's names", async () => {
  await desk.must("POST", "/param_stores", bare);
  const parameters = [
    {
      name: "a",
      ref_type: "gate",
      param_type: "object",
      gate_name: "g",
      pass_value: { x: null },
      fail_value: {},
    },
    { name: "b", ref_type: "layer", param_type: "string", layer_name: "l", param_name: "p" },
    { name: "c", ref_type: "dynamic_config", param_type: "array", config_name: "c", param_name: "p" },
    { name: "d", ref_type: "experiment", param_type: "boolean", experiment_name: "e", param_name: "p" },
  ];
  expect((await desk.must("POST", path, { parameters })).parameters).toEqual(parameters);
});

test("the list is paginated, and as specified it is not", async () => {
  await desk.must("POST", "/param_stores", bare);
  expect((await desk.ask("GET", "/param_stores")).body).toHaveProperty("pagination");
  const specified = await openDesk({ specifiedForm: true });
  expect((await specified.ask("GET", "/param_stores")).body).not.toHaveProperty("pagination");
  await specified.close();
});

test("deleted, it answers 404", async () => {
  await desk.must("POST", "/param_stores", bare);
  const { body } = await desk.ask("DELETE", path);
  expect(body).not.toHaveProperty("data");
  expect((await desk.ask("DELETE", path)).status).toBe(404);
});
