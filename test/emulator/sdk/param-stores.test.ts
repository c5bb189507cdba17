import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Statsig, StatsigUser } from "@statsig/statsig-node-core";
import type { JsonObject } from "../../../src/provider/schema/json";
import { type Desk, openDesk, ruleFor } from "../desk";
import { serverKey } from "./server-sdks";

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
