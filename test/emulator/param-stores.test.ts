import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { Statsig, StatsigUser } from "@statsig/statsig-node-core";
import type { JsonObject } from "../../src/provider/schema/json";
import { type Desk, openDesk, ruleFor } from "./desk";
import { serverKey } from "./sdk/server-sdks";
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

describe("what SDKs get of them", () => {
  // Of the two families only the one with the shared core knows param stores and groups of experiments in conditions.

  let api: Desk;
  let sdk: Statsig;
  const dutch = [{ type: "country", operator: "any", targetValue: ["NL"] }];

  beforeAll(async () => {
    api = await openDesk({ log: () => {} });
    const rule = { ...ruleFor("r"), conditions: dutch };
    await api.must("POST", "/gates", { id: "dutch", rules: [rule] });
    const rules = [{ ...rule, returnValue: { c: "orange" } }];
    await api.must("POST", "/dynamic_configs", { name: "colors", defaultValue: { c: "grey" }, rules });
    const groups = [{ name: "Only", size: 100, parameterValues: { e: "from experiment" } }];
    await api.must("POST", "/experiments", { id: "exp", name: "exp", groups, targetingGateID: "dutch" });
    await api.must("PUT", "/experiments/exp/start", {});
    await api.must("POST", "/layers", { name: "layer", idType: "userID" });
    const parameters = [{ name: "l", type: "string", defaultValue: "from layer" }];
    await api.must("PATCH", "/layers/layer", { parameters });
    await api.must("POST", "/param_stores", { name: "store", displayName: "store", description: "" });
    const text = (name: string, rest: JsonObject) => ({ name, param_type: "string", ...rest });
    await api.must("POST", "/param_stores/store", {
      parameters: [
        text("fixed", { ref_type: "static", value: "always" }),
        text("gated", { ref_type: "gate", gate_name: "dutch", pass_value: "hoi", fail_value: "hi" }),
        text("configured", { ref_type: "dynamic_config", config_name: "colors", param_name: "c" }),
        text("tried", { ref_type: "experiment", experiment_name: "exp", param_name: "e" }),
        text("layered", { ref_type: "layer", layer_name: "layer", param_name: "l" }),
      ],
    });
    const inGroup = { type: "experiment_group", field: "exp", operator: "any", targetValue: ["Only"] };
    await api.must("POST", "/gates", { id: "of_group", rules: [{ ...ruleFor("r"), conditions: [inGroup] }] });
    const { url } = api.emulator;
    sdk = new Statsig(serverKey, {
      ...{ specsUrl: `${url}/v2/download_config_specs`, logEventUrl: `${url}/v1/log_event` },
      ...{ waitForCountryLookupInit: true, outputLogLevel: "none" },
    });
    await sdk.initialize();
  });
  afterAll(async () => {
    await sdk.shutdown();
    await api.close();
  });

  test("each parameter of a store answers from where it refers to", () => {
    const names = ["fixed", "gated", "configured", "tried", "layered"];
    const values = (country: string) => {
      const store = sdk.getParameterStore(new StatsigUser({ userID: "u", country }), "store");
      return names.map((name) => store.getValue(name, "none"));
    };
    expect(values("NL")).toEqual(["always", "hoi", "orange", "from experiment", "from layer"]);
    expect(values("DE")).toEqual(["always", "hi", "grey", "none", "from layer"]);
  });

  test("a condition on the group of an experiment", () => {
    const passes = (country: string) => sdk.checkGate(new StatsigUser({ userID: "u", country }), "of_group");
    expect([passes("NL"), passes("DE")]).toEqual([true, false]);
  });
});
