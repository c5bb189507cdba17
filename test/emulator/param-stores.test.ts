import { beforeEach, expect, test } from "@jest/globals";
import { finding } from "./desk";
import { desksOfTests, sharedDesk } from "./test-desk";

const desk = sharedDesk();
const open = desksOfTests();
beforeEach(() => desk.must("POST", "/param_stores", bare));

const path = "/param_stores/a%20store";
const bare = { name: "a store", displayName: "A store", description: "" };
const fixed = { name: "p", ref_type: "static", param_type: "number", value: 1 };
const gated = { name: "p", ref_type: "gate", param_type: "number", pass_value: 1, fail_value: 2 };

test("it is not found by its id", async () => {
  const { id } = await desk.must("GET", path);
  expect((await desk.ask("GET", `/param_stores/${id}`)).status).toBe(404);
});

test("an update keeps what it leaves out and replaces parameters whole", async () => {
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
  ["no gate", { ...gated, gate_name: undefined }, "parameters.0.gate_name"],
  ["no type", { name: "p", ref_type: "static", value: 1 }, "parameters.0.param_type"],
  ["a foreign source", { ...fixed, ref_type: "segment" }, "parameters.0.ref_type"],
])("a parameter with %s is refused with its place", async (_, parameter, property) => {
  const { status, body } = await desk.ask("POST", path, { parameters: [parameter] });
  expect(status).toBe(400);
  expect(body.errors).toMatchObject([{ property }]);
});

test("two parameters of one name are refused", async () => {
  expect((await desk.ask("POST", path, { parameters: [fixed, fixed] })).body).toEqual(
    finding("parameters.1.name", '"p" is the name of parameters[0] too; parameter names are unique'),
  );
});

test("the list is paginated, and as specified it is not", async () => {
  expect((await desk.ask("GET", "/param_stores")).body).toHaveProperty("pagination");
  const specified = await open({ specifiedForm: true });
  expect((await specified.ask("GET", "/param_stores")).body).not.toHaveProperty("pagination");
});
