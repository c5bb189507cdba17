import { beforeEach, describe, expect, test } from "@jest/globals";
import { sharedDesk } from "./test-desk";

const { ask, must, list, refused } = sharedDesk();

describe("a layer", () => {
  const at = "/layers/layer";
  const parameter = (name: string, defaultValue: unknown = "x") => ({ name, type: "string", defaultValue });
  const patch = (...parameters: object[]) => must("PATCH", at, { parameters });
  beforeEach(() => must("POST", "/layers", { name: "layer", idType: "userID", targetApps: ["web"] }));

  const types = "'string' | 'number' | 'boolean' | 'object' | 'array'";
  test.each([
    [{ name: "p", type: "string" }, /^400 parameters\.1\.defaultValue: Required$/],
    [
      { ...parameter("p"), type: "text" },
      `400 parameters.1.type: Invalid enum value. Expected ${types}, received 'text'`,
    ],
    [{ ...parameter("p"), type: "number" }, /^400 parameters\.1\.defaultValue: [^;]+$/],
  ])("refuses the parameter %j, and names its place", async (wrong, reason) => {
    const parameters = [parameter("a"), wrong];
    expect(await refused("PATCH", at, { parameters })).toEqual(expect.stringMatching(reason));
    expect(await refused("POST", at, { description: "", parameters })).toEqual(expect.stringMatching(reason));
    expect((await must("GET", at)).parameters).toEqual([]);
  });

  test("needs every existing parameter in a POST", async () => {
    await patch(parameter("a"), parameter("b"));
    expect((await ask("POST", at, { description: "", parameters: [] })).body).toEqual({
      status: 400,
      message: "Bad Request Exception",
      errors: { property: "parameters", errorMessage: "Parameter(s) missing: [a, b]" },
    });
    const parameters = [parameter("b", "y"), parameter("a"), parameter("c")];
    const layer = await must("POST", at, { description: "new", parameters });
    expect(layer).toMatchObject({ description: "new", parameters, targetApps: [], idType: "userID" });
  });

  test("takes overrides of any texts: that none is empty holds for programs alone", async () => {
    const lists = { conditionalOverrides: [], idOverrides: [{ groupName: "", ids: [""] }] };
    expect(await must("POST", `${at}/overrides`, lists)).toEqual(lists);
  });

  test("[A10] has overrides, also in one environment, which are replaced, added and cleared", async () => {
    const path = `${at}/overrides`;
    const inStaging = { experimentName: "e", groupName: "x", environment: "staging" };
    const conditionalOverrides = [{ type: "gate", name: "g", ...inStaging }];
    const of = (...ids: string[]) => ({ conditionalOverrides, idOverrides: [{ groupName: "x", ids }] });
    const none = { conditionalOverrides: [], idOverrides: [] };
    expect(await must("GET", path)).toEqual(none);
    expect(await must("POST", path, of("1"))).toEqual(of("1"));
    expect(await must("PATCH", path, { op: "add", ...of("1", "2") })).toEqual(of("1", "2"));
    expect(await must("GET", path)).toEqual(of("1", "2"));
    expect(await refused("PATCH", path, of("1"))).toBe("400 op: Required");
    expect(await must("DELETE", path)).toEqual(none);
  });
});

describe("a holdout", () => {
  const at = "/holdouts/holdout";
  const patch = (body: object) => must("PATCH", at, body);
  const holdoutsOf = async (path: string): Promise<unknown> => (await must("GET", path)).holdoutIDs;
  beforeEach(async () => {
    await must("POST", "/holdouts", { name: "holdout" });
    for (const name of ["gate_a", "gate_b"]) await must("POST", "/gates", { name });
    await must("POST", "/layers", { name: "layer_a", idType: "userID" });
    await must("POST", "/experiments", { name: "experiment_a" });
  });

  test("is listed on pages of 20000, where others have 100, and by author and tags", async () => {
    expect((await ask("GET", "/holdouts")).body.pagination).toMatchObject({ itemsPerPage: 20_000 });
    expect(await list("/holdouts?creatorName=CONSOLE%20API")).toHaveLength(1);
    for (const query of ["creatorName=nobody", "tags=x"])
      expect(await list(`/holdouts?${query}`)).toEqual([]);
  });

  test("changes both sides of membership in one step", async () => {
    const all = { gateIDs: ["gate_a", "gate_b"], experimentIDs: ["experiment_a"], layerIDs: ["layer_a"] };
    expect(await patch(all)).toMatchObject(all);
    for (const path of ["/gates/gate_a", "/gates/gate_b", "/experiments/experiment_a", "/layers/layer_a"])
      expect([path, await holdoutsOf(path)]).toEqual([path, ["holdout"]]);
    expect((await list("/gates"))[0]?.holdoutIDs).toEqual(["holdout"]);

    await patch({ gateIDs: ["gate_b"] });
    expect(await holdoutsOf("/gates/gate_a")).toEqual([]);
    await must("DELETE", "/gates/gate_b");
    await must("DELETE", "/experiments/experiment_a");
    const left = { gateIDs: [], experimentIDs: [], layerIDs: ["layer_a"] };
    expect(await must("GET", at)).toMatchObject(left);
    await must("DELETE", at);
    expect(await holdoutsOf("/layers/layer_a")).toEqual([]);
  });

  test("has no member in the gate that it asks, which it survives", async () => {
    const asking = { targetingGateID: "gate_a", gateIDs: ["gate_b"] };
    await patch(asking);
    expect(await holdoutsOf("/gates/gate_a")).toEqual([]);
    await must("DELETE", "/gates/gate_a");
    expect(await must("GET", at)).toMatchObject(asking);
  });

  test("names the members that are not there, and then changes nothing", async () => {
    const unknown = { gateIDs: ["gate_a", "x", "y"], experimentIDs: ["e"], layerIDs: ["l"] };
    const lost = (kind: string, ids: string) => `The following ${kind} IDs could not be found: [${ids}]`;
    expect(await refused("PATCH", at, { ...unknown, description: "new" })).toBe(
      `404 gateIDs: ${lost("Gate", "x, y")}; experimentIDs: ${lost("Experiment", "e")}; layerIDs: ${lost("Layer", "l")}`,
    );
    expect(await must("GET", at)).toMatchObject({ description: "", gateIDs: [] });
  });

  test("that is global holds every new gate, and no old one", async () => {
    await patch({ isGlobal: true });
    expect((await must("POST", "/gates", { name: "gate_c" })).holdoutIDs).toEqual(["holdout"]);
    expect(await holdoutsOf("/gates/gate_a")).toEqual([]);
    expect((await must("GET", at)).gateIDs).toEqual(["gate_c"]);
  });

  test("holds back at most a tenth, and needs eight fields in a POST, which drops the optional one", async () => {
    const tooMany = "400 passPercentage: Number must be less than or equal to 10";
    expect(await refused("PATCH", at, { passPercentage: 11 })).toBe(tooMany);
    await patch({ monitoringMetrics: [{ name: "m", type: "sum" }] });
    expect((await refused("POST", at, {})).match(/: Required/g)).toHaveLength(8);
    const whole = {
      ...{ isEnabled: false, description: "d", passPercentage: 1, gateIDs: ["gate_a"], experimentIDs: [] },
      ...{ layerIDs: [], isGlobal: false, targetingGateID: "gate_b" },
    };
    expect(await must("POST", at, whole)).toMatchObject({ ...whole, monitoringMetrics: [] });
  });

  test("answers overrides with 200", async () => {
    const of = (id: string) => ({ passingUserIDs: [id], failingUserIDs: [] });
    for (const [method, body, passingUserIDs] of [
      ["POST", of("1"), ["1"]],
      ["GET", undefined, ["1"]],
      ["PATCH", of("2"), ["1", "2"]],
      ["DELETE", of("1"), ["2"]],
    ] as const) {
      const answer = await ask(method, `${at}/overrides`, body);
      expect(answer).toMatchObject({ status: 200, data: { passingUserIDs } });
    }
  });
});
