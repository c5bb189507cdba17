import { describe, expect, test } from "@jest/globals";
import { ruleFor } from "./desk";
import { desksOfTests, sharedDesk } from "./test-desk";

const open = desksOfTests();
const { ask, must, refused } = sharedDesk();

const make = (type: string, name = "segment") => must("POST", "/segments", { name, type });
const conditional = "/segments/segment/conditional";
const idList = "/segments/segment/id_list";
const staff = { ...ruleFor("staff"), conditions: [{ type: "user_id", operator: "any", targetValue: ["1"] }] };
const numbered = (count: number) => ({ ids: Array.from({ length: count }, (_, at) => `user-${at}`) });

describe("rules", () => {
  test.each([
    ["a bare list", [staff]],
    ["an object", { rules: [staff] }],
  ])("are replaced by %s", async (_form, body) => {
    const rules = [{ ...staff, name: "old" }];
    await must("POST", "/segments", { name: "segment", type: "rule_based", rules });
    const after = await must("POST", conditional, body);
    expect(after.rules).toMatchObject([{ ...staff, baseID: expect.any(String) }]);
  });

  test("take no condition of some types, and have names of their own and known ids", async () => {
    await make("rule_based");
    for (const type of ["public", "passes_gate", "time", "url", "locale"]) {
      const reason = await refused("POST", conditional, [{ ...staff, conditions: [{ type }] }]);
      expect([type, reason]).toEqual([type, expect.stringMatching(/^400 0\.conditions\.0\.type: /)]);
    }
    for (const rules of [[staff, staff], [{ ...staff, id: "unknown" }]])
      expect((await ask("POST", conditional, rules)).status).toBe(400);
  });

  test("belong to rule_based segments only", async () => {
    const withRules = { name: "bad", type: "id_list", rules: [staff] };
    expect((await ask("POST", "/segments", withRules)).status).toBe(400);
    await make("id_list");
    expect(await refused("POST", conditional, [staff])).toBe(
      "400 Segment must be of type 'rule_based' to be modified on this endpoint",
    );
  });
});

test("an archived segment is read, takes no write and has no way back", async () => {
  await make("rule_based");
  for (let time = 0; time < 2; time++) await must("PUT", "/segments/segment/archive");
  const shown = Object.keys(await must("GET", "/segments/segment"));
  expect(shown.filter((name) => /archive/i.test(name))).toEqual([]);
  expect((await ask("POST", conditional, [staff])).status).toBe(400);
  expect((await ask("PUT", "/segments/segment/unarchive")).status).toBe(404);
  const again = { name: "segment", type: "id_list" };
  expect(await refused("POST", "/segments", again)).toBe("400 Name is already in use");
  await must("DELETE", "/segments/segment");
  expect(await refused("GET", "/segments/segment")).toBe("404 Segment not found.");
});

describe("ids", () => {
  test("are a set that grows, shrinks and is replaced, and is gone with its segment", async () => {
    await make("id_list");
    const sorted = async () => [...(await must("GET", idList)).ids].sort();
    const { body } = await ask("PATCH", idList, { ids: ["b", "a", "a"] });
    expect(body).toEqual({ message: expect.any(String) });
    expect(await sorted()).toEqual(["a", "b"]);
    await must("DELETE", idList, { ids: ["a", "x"] });
    expect(await sorted()).toEqual(["b"]);
    await must("POST", `${idList}/reset`, { ids: ["y", "z"] });
    expect(await must("GET", idList)).toMatchObject({ name: "segment", count: 2 });
    expect(await must("GET", "/segments/segment")).toMatchObject({ count: 2 });
    const metadata = { currentVersion: 3, isUpdating: false };
    expect(await must("GET", "/segments/segment/idlist_metadata")).toEqual(metadata);
    await must("DELETE", "/segments/segment");
    await make("id_list");
    expect(await sorted()).toEqual([]);
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
    await make(type);
    const wanted = path.endsWith("_ids") ? "user_store_id_list" : "id_list";
    const body = method === "GET" ? undefined : { ids: ["a"] };
    expect(await refused(method, `/segments/segment/${path}`, body)).toBe(
      `400 Segment must be of type '${wanted}' to be modified on this endpoint`,
    );
  });

  test("of a user store take an expected version", async () => {
    await make("user_store_id_list");
    const add = (body: object) => ask("PATCH", "/segments/segment/add_ids", body);
    await add({ ids: ["a", "b"] });
    const { version } = await must("GET", "/segments/segment");
    await must("PATCH", "/segments/segment/remove_ids", { ids: ["a"], version });
    expect(await must("GET", "/segments/segment")).toMatchObject({ count: 1 });
    expect((await add({ ids: ["c"], version })).status).toBe(409);
    expect((await add(numbered(1001))).status).toBe(400);
  });

  test("that are being applied are not there yet, and nothing else is taken meanwhile", async () => {
    let now = 0;
    const { ask, must } = await open({ idListDelayMs: 500, clock: () => now });
    await must("POST", "/segments", { name: "segment", type: "id_list" });
    const read = async () => {
      const { currentVersion, isUpdating } = await must("GET", "/segments/segment/idlist_metadata");
      return [currentVersion, isUpdating, (await must("GET", idList)).ids];
    };
    await must("PATCH", idList, { ids: ["a"] });
    expect(await read()).toEqual([0, true, []]);
    for (const request of ["PATCH ", "DELETE ", "POST /reset"]) {
      const [method = "", path] = request.split(" ");
      expect((await ask(method, `${idList}${path}`, { ids: ["b"] })).status).toBe(409);
    }
    now += 500;
    expect(await read()).toEqual([1, false, ["a"]]);
    await must("DELETE", idList, { ids: ["a"] });
    now += 500;
    expect(await must("GET", idList)).toMatchObject({ ids: [], count: 0 });
  });

  test("[L5] the lists of a project together hold no more of them than it may have", async () => {
    const { must, refused } = await open({ mostIds: 3 });
    for (const name of ["one", "two"]) await must("POST", "/segments", { name, type: "id_list" });
    await must("PATCH", "/segments/one/id_list", { ids: ["a", "b"] });
    const over = await refused("PATCH", "/segments/two/id_list", { ids: ["a", "c"] });
    expect(over).toBe("400 The ID lists of a project hold at most 3 IDs");
    expect((await must("GET", "/segments/two/id_list")).ids).toEqual([]);
    await must("DELETE", "/segments/one/id_list", { ids: ["b"] });
    await must("POST", "/segments/two/id_list/reset", { ids: ["a", "c"] });
  });
});
