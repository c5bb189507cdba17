import { beforeEach, expect, test } from "@jest/globals";
import { finding } from "./desk";
import { sharedDesk } from "./test-desk";

const desk = sharedDesk();
beforeEach(async () => {
  await desk.must("POST", "/holdouts", { name: "holdout" });
  await desk.must("POST", "/gates", { name: "gate_a" });
  await desk.must("POST", "/gates", { name: "gate_b" });
  await desk.must("POST", "/layers", { name: "layer_a", idType: "userID" });
  await desk.must("POST", "/experiments", { name: "experiment_a" });
});

const holdoutsOf = async (path: string): Promise<unknown> => (await desk.must("GET", path)).holdoutIDs;

test("the list has pages of 20000, where others have 100", async () => {
  const { body } = await desk.ask("GET", "/holdouts");
  expect(body.pagination).toMatchObject({ itemsPerPage: 20_000 });
});

test("both sides of membership change in one step", async () => {
  const all = { gateIDs: ["gate_a", "gate_b"], experimentIDs: ["experiment_a"], layerIDs: ["layer_a"] };
  expect(await desk.must("PATCH", "/holdouts/holdout", all)).toMatchObject(all);
  for (const path of ["/gates/gate_a", "/gates/gate_b", "/experiments/experiment_a", "/layers/layer_a"])
    expect([path, await holdoutsOf(path)]).toEqual([path, ["holdout"]]);
  const [listed] = await desk.list("/gates");
  expect(listed?.holdoutIDs).toEqual(["holdout"]);

  await desk.must("PATCH", "/holdouts/holdout", { gateIDs: ["gate_b"] });
  expect(await holdoutsOf("/gates/gate_a")).toEqual([]);
  await desk.must("DELETE", "/gates/gate_b");
  await desk.must("DELETE", "/experiments/experiment_a");
  const left = { gateIDs: [], experimentIDs: [], layerIDs: ["layer_a"] };
  expect(await desk.must("GET", "/holdouts/holdout")).toMatchObject(left);
  await desk.must("DELETE", "/holdouts/holdout");
  expect(await holdoutsOf("/layers/layer_a")).toEqual([]);
});

test("the gate that a holdout asks is no member of it", async () => {
  await desk.must("PATCH", "/holdouts/holdout", { targetingGateID: "gate_a", gateIDs: ["gate_b"] });
  expect(await holdoutsOf("/gates/gate_a")).toEqual([]);
  await desk.must("DELETE", "/gates/gate_a");
  const kept = { targetingGateID: "gate_a", gateIDs: ["gate_b"] };
  expect(await desk.must("GET", "/holdouts/holdout")).toMatchObject(kept);
});

test("members that are not there are a 404 that names them, and nothing changes", async () => {
  const sent = { gateIDs: ["gate_a", "x", "y"], experimentIDs: ["e"], layerIDs: ["l"], description: "new" };
  const { status, body } = await desk.ask("PATCH", "/holdouts/holdout", sent);
  expect(status).toBe(404);
  expect(body).toEqual({
    status: 404,
    message: "Not Found Exception",
    errors: [
      { property: "gateIDs", errorMessage: "The following Gate IDs could not be found: [x, y]" },
      { property: "experimentIDs", errorMessage: "The following Experiment IDs could not be found: [e]" },
      { property: "layerIDs", errorMessage: "The following Layer IDs could not be found: [l]" },
    ],
  });
  expect(await desk.must("GET", "/holdouts/holdout")).toMatchObject({ description: "", gateIDs: [] });
});

test("a global holdout holds every new gate, and no old one", async () => {
  await desk.must("PATCH", "/holdouts/holdout", { isGlobal: true });
  const made = await desk.must("POST", "/gates", { name: "gate_c" });
  expect(made.holdoutIDs).toEqual(["holdout"]);
  expect(await holdoutsOf("/gates/gate_a")).toEqual([]);
  expect((await desk.must("GET", "/holdouts/holdout")).gateIDs).toEqual(["gate_c"]);
});

test("at most a tenth is held back", async () => {
  expect((await desk.ask("PATCH", "/holdouts/holdout", { passPercentage: 11 })).body).toEqual(
    finding("passPercentage", "Number must be less than or equal to 10"),
  );
});

test("POST on the holdout needs eight fields and drops the optional one", async () => {
  await desk.must("PATCH", "/holdouts/holdout", { monitoringMetrics: [{ name: "m", type: "sum" }] });
  const { body } = await desk.ask("POST", "/holdouts/holdout", {});
  expect(body.errors).toHaveLength(8);
  const whole = {
    ...{ isEnabled: false, description: "d", passPercentage: 1, gateIDs: ["gate_a"], experimentIDs: [] },
    ...{ layerIDs: [], isGlobal: false, targetingGateID: "gate_b" },
  };
  const after = await desk.must("POST", "/holdouts/holdout", whole);
  expect(after).toMatchObject({ ...whole, monitoringMetrics: [] });
});

test("the list is filtered by author and tags", async () => {
  expect(await desk.list("/holdouts?creatorName=CONSOLE%20API")).toHaveLength(1);
  expect(await desk.list("/holdouts?creatorName=nobody")).toHaveLength(0);
  expect(await desk.list("/holdouts?tags=x")).toHaveLength(0);
});

test("overrides answer 200", async () => {
  const path = "/holdouts/holdout/overrides";
  const one = { passingUserIDs: ["1"], failingUserIDs: [] };
  const more = { passingUserIDs: ["2"], failingUserIDs: [] };
  for (const [method, body, passingUserIDs] of [
    ["POST", one, ["1"]],
    ["GET", undefined, ["1"]],
    ["PATCH", more, ["1", "2"]],
    ["DELETE", one, ["2"]],
  ] as const)
    expect(await desk.ask(method, path, body)).toMatchObject({ status: 200, data: { passingUserIDs } });
});
