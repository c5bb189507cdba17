import { beforeEach, expect, test } from "@jest/globals";
import { sharedDesk } from "./test-desk";

const { ask, must, refused } = sharedDesk();
beforeEach(() => must("POST", "/param_stores", { name: "a store", displayName: "A store", description: "" }));

const path = "/param_stores/a%20store";
const fixed = { name: "p", ref_type: "static", param_type: "number", value: 1 };
const gated = { name: "p", ref_type: "gate", param_type: "number", pass_value: 1, fail_value: 2 };

test("it is not found by its id, and its list is paginated", async () => {
  const { id } = await must("GET", path);
  expect((await ask("GET", `/param_stores/${id}`)).status).toBe(404);
  expect((await ask("GET", "/param_stores")).body).toHaveProperty("pagination");
});

test("an update keeps what it leaves out and replaces parameters whole", async () => {
  await must("POST", path, { parameters: [fixed, { ...fixed, name: "q" }] });
  const updated = await must("POST", path, { description: "new", displayName: "other" });
  expect(updated).toMatchObject({ description: "new", displayName: "A store", parameters: { length: 2 } });
  const kept = { description: "new", parameters: [fixed] };
  expect(await must("POST", path, { parameters: [fixed] })).toMatchObject(kept);
});

test.each([
  ["a value of another type", { ...fixed, value: "1" }, "value"],
  ["an object for an array", { ...fixed, param_type: "array", value: {} }, "value"],
  ["no value", { ...fixed, value: undefined }, "value"],
  ["no gate", gated, "gate_name"],
  ["no type", { ...fixed, param_type: undefined }, "param_type"],
  ["a foreign source", { ...fixed, ref_type: "segment" }, "ref_type"],
])("a parameter with %s is refused with its place", async (_, parameter, member) => {
  const reason = await refused("POST", path, { parameters: [parameter] });
  expect(reason).toMatch(new RegExp(`^400 parameters\\.0\\.${member}: `));
});

test("two parameters of one name are refused", async () => {
  expect(await refused("POST", path, { parameters: [fixed, fixed] })).toBe(
    '400 parameters.1.name: "p" is the name of parameters[0] too; parameter names are unique',
  );
});
