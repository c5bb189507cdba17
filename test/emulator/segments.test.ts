import { describe, expect, test } from "@jest/globals";
import { finding, ruleFor } from "./desk";
import { desksOfTests, sharedDesk } from "./test-desk";

const open = desksOfTests();
const { ask, must } = sharedDesk();

const staff = {
  name: "staff",
  passPercentage: 100,
  conditions: [{ type: "user_id", operator: "any", targetValue: ["1"] }],
};

test("[L5] the lists of a project together hold no more ids than it may have", async () => {
  const desk = await open({ mostIds: 3 });
  for (const name of ["one", "two"]) await desk.must("POST", "/segments", { name, type: "id_list" });
  await desk.must("PATCH", "/segments/one/id_list", { ids: ["a", "b"] });
  const over = await desk.ask("PATCH", "/segments/two/id_list", { ids: ["a", "c"] });
  expect([over.status, over.body.message]).toEqual([400, "The ID lists of a project hold at most 3 IDs"]);
  expect((await desk.must("GET", "/segments/two/id_list")).ids).toEqual([]);
  await desk.must("DELETE", "/segments/one/id_list", { ids: ["b"] });
  await desk.must("POST", "/segments/two/id_list/reset", { ids: ["a", "c"] });
});

test.each([
  [{ name: "segment" }, "type", "Required"],
  [{ type: "rule_based" }, "name", "Required"],
  [{ name: "a.b", type: "rule_based" }, "name", "Invalid"],
  [
    { name: "segment", type: "list" },
    "type",
    "Invalid enum value. Expected 'id_list' | 'rule_based' | 'analysis_list' | 'user_store_id_list', received 'list'",
  ],
])("%j is refused", async (body, property, message) => {
  expect((await ask("POST", "/segments", body)).body).toEqual(finding(property, message));
});

describe("rules", () => {
  test.each([
    ["a bare list", [staff]],
    ["an object", { rules: [staff] }],
  ])("are replaced by %s", async (_form, body) => {
    const rules = [{ ...staff, name: "old" }];
    await must("POST", "/segments", { name: "segment", type: "rule_based", rules });
    const after = await must("POST", "/segments/segment/conditional", body);
    expect(after.rules).toMatchObject([{ ...staff, baseID: expect.any(String) }]);
  });

  test.each(["public", "passes_gate", "time", "url", "locale"])(
    "take no condition of type %s",
    async (type) => {
      await must("POST", "/segments", { name: "segment", type: "rule_based" });
      const { status, body } = await ask("POST", "/segments/segment/conditional", [
        { ...staff, conditions: [{ type }] },
      ]);
      expect(status).toBe(400);
      expect(body.errors).toMatchObject([{ property: "0.conditions.0.type" }]);
    },
  );

  test("belong to rule_based segments only", async () => {
    expect((await ask("POST", "/segments", { name: "bad", type: "id_list", rules: [staff] })).status).toBe(
      400,
    );
    await must("POST", "/segments", { name: "list", type: "id_list" });
    const { body } = await ask("POST", "/segments/list/conditional", [staff]);
    expect(body.message).toBe("Segment must be of type 'rule_based' to be modified on this endpoint");
  });

  test("have names of their own and known ids", async () => {
    await must("POST", "/segments", { name: "segment", type: "rule_based" });
    expect((await ask("POST", "/segments/segment/conditional", [staff, staff])).status).toBe(400);
    expect((await ask("POST", "/segments/segment/conditional", [{ ...staff, id: "unknown" }])).status).toBe(
      400,
    );
  });
});

test("an archived segment is read, takes no write and has no way back", async () => {
  await must("POST", "/segments", { name: "segment", type: "rule_based" });
  await must("PUT", "/segments/segment/archive");
  await must("PUT", "/segments/segment/archive");
  expect(Object.keys(await must("GET", "/segments/segment")).filter((name) => /archive/i.test(name))).toEqual(
    [],
  );
  expect((await ask("POST", "/segments/segment/conditional", [staff])).status).toBe(400);
  expect((await ask("PUT", "/segments/segment/unarchive")).status).toBe(404);
  expect((await ask("POST", "/segments", { name: "segment", type: "id_list" })).body.message).toBe(
    "Name is already in use",
  );
  await must("DELETE", "/segments/segment");
  expect((await ask("GET", "/segments/segment")).body.message).toBe("Segment not found.");
});

describe("ids", () => {
  test("are a set that grows, shrinks and is replaced", async () => {
    await must("POST", "/segments", { name: "list", type: "id_list" });
    const sorted = async () => [...(await must("GET", "/segments/list/id_list")).ids].sort();
    expect((await ask("PATCH", "/segments/list/id_list", { ids: ["b", "a", "a"] })).body).toEqual({
      message: expect.any(String),
    });
    expect(await sorted()).toEqual(["a", "b"]);
    await must("DELETE", "/segments/list/id_list", { ids: ["a", "x"] });
    expect(await sorted()).toEqual(["b"]);
    await must("POST", "/segments/list/id_list/reset", { ids: ["y", "z"] });
    expect(await must("GET", "/segments/list/id_list")).toMatchObject({ name: "list", count: 2 });
    expect(await must("GET", "/segments/list")).toMatchObject({ count: 2 });
    expect(await must("GET", "/segments/list/idlist_metadata")).toEqual({
      currentVersion: 3,
      isUpdating: false,
    });
  });

  test.each([
    [{ ids: [1] }, "ids.0", "Expected string, received number"],
    [{}, "ids", "Required"],
    [{ ids: Array.from({ length: 100_001 }, String) }, "ids", "Array must contain at most 100000 element(s)"],
  ])("of another form are refused", async (body, property, message) => {
    await must("POST", "/segments", { name: "list", type: "id_list" });
    expect((await ask("PATCH", "/segments/list/id_list", body)).body).toEqual(finding(property, message));
  });

  test("come in 100000 at once", async () => {
    await must("POST", "/segments", { name: "list", type: "id_list" });
    await must("PATCH", "/segments/list/id_list", {
      ids: Array.from({ length: 100_000 }, (_, index) => `user-${index}`),
    });
    expect(await must("GET", "/segments/list")).toMatchObject({ count: 100_000 });
  });

  test.each([
    ["rule_based", "PATCH", "id_list"],
    ["user_store_id_list", "PATCH", "id_list"],
    ["analysis_list", "DELETE", "id_list"],
    ["rule_based", "POST", "id_list/reset"],
    ["rule_based", "GET", "id_list"],
    ["rule_based", "GET", "idlist_metadata"],
    ["id_list", "PATCH", "add_ids"],
    ["analysis_list", "PATCH", "remove_ids"],
  ])("of a %s segment: %s %s is refused", async (type, method, path) => {
    await must("POST", "/segments", { name: "segment", type });
    const wanted = path.endsWith("_ids") ? "user_store_id_list" : "id_list";
    const { status, body } = await ask(
      method,
      `/segments/segment/${path}`,
      method === "GET" ? undefined : { ids: ["a"] },
    );
    const message = `Segment must be of type '${wanted}' to be modified on this endpoint`;
    expect([status, body.message]).toEqual([400, message]);
  });

  test("of a user store take an expected version", async () => {
    await must("POST", "/segments", { name: "store", type: "user_store_id_list" });
    await must("PATCH", "/segments/store/add_ids", { ids: ["a", "b"] });
    const { version } = await must("GET", "/segments/store");
    await must("PATCH", "/segments/store/remove_ids", { ids: ["a"], version });
    expect(await must("GET", "/segments/store")).toMatchObject({ count: 1 });
    expect((await ask("PATCH", "/segments/store/add_ids", { ids: ["c"], version })).status).toBe(409);
    const many = Array.from({ length: 1001 }, String);
    expect((await ask("PATCH", "/segments/store/add_ids", { ids: many })).status).toBe(400);
  });

  test("that are being applied are not there yet, and nothing else is taken meanwhile", async () => {
    let now = 0;
    const { ask, must } = await open({ idListDelayMs: 500, clock: () => now });
    await must("POST", "/segments", { name: "list", type: "id_list" });
    await must("PATCH", "/segments/list/id_list", { ids: ["a"] });
    expect(await must("GET", "/segments/list/idlist_metadata")).toEqual({
      currentVersion: 0,
      isUpdating: true,
    });
    expect(await must("GET", "/segments/list/id_list")).toMatchObject({ ids: [] });
    for (const [method, path] of [
      ["PATCH", ""],
      ["DELETE", ""],
      ["POST", "/reset"],
    ] as const) {
      expect((await ask(method, `/segments/list/id_list${path}`, { ids: ["b"] })).status).toBe(409);
    }
    now += 500;
    expect(await must("GET", "/segments/list/idlist_metadata")).toEqual({
      currentVersion: 1,
      isUpdating: false,
    });
    expect(await must("GET", "/segments/list/id_list")).toMatchObject({ ids: ["a"] });
    await must("DELETE", "/segments/list/id_list", { ids: ["a"] });
    now += 500;
    expect(await must("GET", "/segments/list/id_list")).toMatchObject({ ids: [], count: 0 });
  });

  test("are gone with their segment", async () => {
    for (let round = 0; round < 2; round++) {
      await must("POST", "/segments", { name: "list", type: "id_list" });
      expect(await must("GET", "/segments/list/id_list")).toMatchObject({ ids: [] });
      await must("PATCH", "/segments/list/id_list", { ids: ["a"] });
      await must("DELETE", "/segments/list");
    }
  });
});

test("a gate may name a segment that is not there", async () => {
  const conditions = [{ type: "passes_segment", targetValue: "nowhere" }];
  await must("POST", "/gates", { name: "gate", rules: [{ ...ruleFor("r"), conditions }] });
});
