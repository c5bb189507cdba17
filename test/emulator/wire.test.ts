import { beforeEach, describe, expect, test } from "@jest/globals";
import { overHttp, ruleFor, testKey } from "./desk";
import { desksOfTests, sharedDesk } from "./test-desk";

const api = desksOfTests(overHttp);
const { ask, must, refused } = sharedDesk();

describe("keys", () => {
  const custom = "SERVICE-API-KEY";
  const statsig = "STATSIG-API-KEY";

  test.each([
    ["custom", custom, statsig],
    ["statsig", statsig, custom],
  ] as const)("profile %s takes the key from %s, and not from %s", async (profile, header, other) => {
    const { ask } = await api({ profile, key: testKey });
    expect((await ask("GET", "/gates", undefined, { [header]: testKey })).status).toBe(200);
    expect((await ask("GET", "/gates", undefined, { [other]: testKey })).status).toBe(401);
  });

  test("a wrong key is refused and echoed, a missing one is refused", async () => {
    const { ask } = await api({ key: testKey });
    const message = expect.stringMatching(/Key: wrong$/);
    const wrong = await ask("GET", "/gates", undefined, { [custom]: "wrong" });
    expect(wrong).toMatchObject({ status: 401, body: { status: 401, message } });
    for (const [method, body] of [["GET"], ["POST", { name: "gate" }]] as const)
      expect((await ask(method, "/gates", body, {})).status).toBe(401);
  });

  test("without a key of its own the console takes every key but those of another kind", async () => {
    const { ask } = await api({ profile: "statsig" });
    for (const [key, status] of [
      [testKey, 200],
      [["secret", "test"].join("-"), 401],
      [["client", "test"].join("-"), 401],
    ] as const)
      expect((await ask("GET", "/gates", undefined, { [statsig]: key })).status).toBe(status);
  });

  test("a key that was deleted or rotated opens nothing again, where any other is taken", async () => {
    const { ask, must } = await api({ profile: "custom" });
    const made = async () =>
      String((await must("POST", "/keys", { description: "CI", type: "CONSOLE" })).key);
    const [deleted, rotated] = [await made(), await made()];
    await must("DELETE", `/keys/${deleted}`);
    const next = String((await must("PATCH", `/keys/${rotated}/rotate`, {})).key);
    const statuses = [deleted, rotated, next, testKey].map(
      async (key) => (await ask("GET", "/gates", undefined, { [custom]: key })).status,
    );
    expect(await Promise.all(statuses)).toEqual([401, 401, 200, 200]);
  });

  test("a key is taken as what it is: by its state, its type and its scopes; one for reads reads alone", async () => {
    const { ask, must } = await api({ key: testKey, readOnlyKey: "reader" });
    const made = async (type: string, ...scopes: string[]) =>
      String((await must("POST", "/keys", { description: "CI", type, scopes })).key);
    const statusOf = async (key: string, method: string, path: string) => {
      const body = method === "GET" ? undefined : { name: "by another" };
      return (await ask(method, path, body, { [custom]: key })).status;
    };
    const writing = await made("CONSOLE", "omni_read_write");
    expect(await statusOf(writing, "POST", "/gates")).toBe(201);
    expect(await statusOf(writing, "GET", "/keys")).toBe(403);
    const reading = await made("CONSOLE", "omni_read_only", "can_access_keys");
    expect(await statusOf(reading, "GET", "/keys")).toBe(200);
    expect(await statusOf(reading, "POST", "/gates")).toBe(403);
    expect(await statusOf(await made("SCIM"), "GET", "/gates")).toBe(401);
    const next = String((await must("PATCH", `/keys/${writing}/rotate`, {})).key);
    expect(await statusOf(writing, "GET", "/gates")).toBe(401);
    expect(await statusOf(next, "GET", "/gates")).toBe(200);
    await must("PATCH", `/keys/${next}/deactivate`, {});
    expect(await statusOf(next, "GET", "/gates")).toBe(401);
    expect(await statusOf("reader", "GET", "/gates")).toBe(200);
    const write = await ask("POST", "/gates", { name: "gate" }, { [custom]: "reader" });
    expect(write).toMatchObject({ status: 403, body: { status: 403, message: "Forbidden resource" } });
  });

  test("no key is recorded", async () => {
    const { ask, emulator } = await api();
    await ask("GET", "/gates?limit=3");
    await ask("PATCH", "/nowhere", {});
    const list = { method: "GET", path: "/console/v1/gates", query: "limit=3", kind: "gate", route: "list" };
    expect(emulator.requests).toEqual([
      { ...list, status: 200 },
      { method: "PATCH", path: "/console/v1/nowhere", query: "", status: 404 },
    ]);
    expect(JSON.stringify(emulator.requests)).not.toContain(testKey);
  });
});

describe("paths and bodies", () => {
  test("what is no operation is not found; every answer is JSON in UTF-8", async () => {
    const { ask } = await api();
    const type = "application/json; charset=utf-8";
    const body = { status: 404, message: "Not Found. The requested resource could not be found." };
    const paths = ["/nowhere", "/gates/", "/experiments/assignment_source/some", "/gates/%E0%A4%A"];
    for (const request of [...paths.map((path) => `GET ${path}`), "PUT /gates", "OPTIONS /gates"]) {
      const [method = "", path = ""] = request.split(" ");
      expect([request, await ask(method, path)]).toMatchObject([request, { status: 404, type, body }]);
    }
    expect((await ask("GET", "/gates")).type).toBe(type);
  });

  test("a body that is no JSON or no object is refused", async () => {
    const { ask, refused } = await api();
    expect(await ask("POST", "/gates", "{")).toMatchObject({ status: 400, body: { status: 400 } });
    expect(await refused("POST", "/gates", "[]")).toBe("400 : Expected object, received array");
  });

  const passing = (passPercentage: unknown) => ({ rules: [{ ...ruleFor("a"), passPercentage }] });
  test.each([
    [{ isEnabled: "yes" }, "isEnabled: Expected boolean, received string"],
    [{ isEnabled: null }, "isEnabled: Expected boolean, received null"],
    [{ name: "ab" }, "name: String must contain at least 3 character(s)"],
    [{ name: "a".repeat(101) }, "name: String must contain at most 100 character(s)"],
    [{ name: "a/b/c" }, "name: Invalid"],
    [{ type: "STALE" }, "type: Invalid enum value. Expected 'PERMANENT' | 'TEMPORARY', received 'STALE'"],
    [{ description: "a".repeat(1001) }, "description: String must contain at most 1000 character(s)"],
    [passing("5"), "rules.0.passPercentage: Expected number, received string"],
    [passing(101), "rules.0.passPercentage: Number must be less than or equal to 100"],
    [{ rules: [{ name: "a", passPercentage: 1 }] }, "rules.0.conditions: Required"],
    [{ reviewSettings: {} }, "reviewSettings.requiredReview: Required"],
  ])("a gate of %j is refused: %s", async (body, reason) => {
    expect(await refused("POST", "/gates", { name: "gate", ...body })).toBe(`400 ${reason}`);
    expect((await ask("GET", "/gates")).data).toEqual([]);
  });

  test("every finding is named at once", async () => {
    expect((await ask("POST", "/layers", { description: 1 })).body).toEqual({
      ...{ status: 400, message: "Bad Request Exception" },
      errors: [
        { property: "name", errorMessage: "Required" },
        { property: "description", errorMessage: "Expected string, received number" },
        { property: "idType", errorMessage: "Required" },
      ],
    });
  });

  test("unknown members and prototype names do no harm", async () => {
    const { ask, must } = await api();
    const members = '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}';
    const gate = await must("POST", "/gates", `{"name":"gate",${members},"status":"Launched"}`);
    expect(gate.status).toBe("In Progress");
    expect(JSON.stringify(gate)).not.toContain("polluted");
    const config = '{"name":"config","defaultValue":{"a":{"__proto__":{"polluted":1}}}}';
    await must("POST", "/dynamic_configs", config);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    for (const id of ["__proto__", "constructor"])
      expect((await ask("GET", `/gates/${id}`)).status).toBe(404);
  });

  test("large bodies are taken", async () => {
    const { must } = await api();
    const large = { name: "large", defaultValue: { text: "x".repeat(20_000_000) } };
    const { defaultValue } = await must("POST", "/dynamic_configs", large);
    expect((defaultValue as { text: string }).text).toHaveLength(20_000_000);
  }, 30_000);

  test("a value that is too deep, or that a pattern is never done with, is refused, and the console goes on", async () => {
    const limits = "/dynamic_configs/limits";
    await must("POST", "/dynamic_configs", { name: "limits" });
    const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
    const deep = await refused("PATCH", limits, `{"defaultValue":${nested(5000)}}`);
    expect(deep).toBe("400 : The request body is nested deeper than 500 levels");
    expect((await ask("PATCH", limits, { defaultValueJson5: nested(20_000) })).status).toBe(400);
    await must("PATCH", limits, `{"defaultValue":${nested(400)}}`);
    const schema = JSON.stringify({ properties: { a: { pattern: "^(a+)+$" } } });
    const endless = { schema, defaultValue: { a: `${"a".repeat(40)}!` } };
    expect(await refused("PATCH", limits, endless)).toMatch(/^400 .*cannot be checked within 500 ms/);
    await must("GET", limits);
  });
});

describe("pages", () => {
  beforeEach(async () => {
    for (let index = 1; index <= 5; index++)
      await must("POST", "/layers", { name: `layer ${index}`, idType: "userID" });
  });

  test("pages are stable, in the order of creation, and link to each other; beyond the end they are empty", async () => {
    const { body, items } = await ask("GET", "/layers?limit=2&page=2");
    expect(items.map((one) => one.id)).toEqual(["layer_3", "layer_4"]);
    expect(body.pagination).toEqual({
      ...{ itemsPerPage: 2, pageNumber: 2, totalItems: 5, all: "/console/v1/layers" },
      nextPage: "/console/v1/layers?page=3&limit=2",
      previousPage: "/console/v1/layers?page=1&limit=2",
    });
    const beyond = { data: [], pagination: { nextPage: null, totalItems: 5 } };
    expect(await ask("GET", "/layers?limit=2&page=9")).toMatchObject({ status: 200, body: beyond });
  });

  test.each([
    ["", 100],
    ["?limit=7", 7],
    ["?limit=500", 100],
    ["?limit=0", 0],
  ])("layers%s come %i to a page", async (query, itemsPerPage) => {
    expect((await ask("GET", `/layers${query}`)).body.pagination).toMatchObject({ itemsPerPage });
  });

  test.each([
    ["/layers?limit=many", "limit: Expected number, received nan"],
    ["/layers?page=0", "page: Number must be greater than or equal to 1"],
    ["/layers?limit=1.5", "limit: Expected integer, received float"],
    ["/layers?limit=-1", "limit: Number must be greater than or equal to 0"],
    ["/gates/gate/gate_references?limit=101", "limit: Number must be less than or equal to 100"],
  ])("%s is refused", async (path, reason) => {
    await must("POST", "/gates", { name: "gate" });
    expect(await refused("GET", path)).toBe(`400 ${reason}`);
  });

  test("links keep the filters", async () => {
    for (const name of ["one", "two"]) await must("POST", "/gates", { name, tags: ["a b"] });
    const { body } = await ask("GET", "/gates?tags=a%20b&limit=1");
    expect(body.pagination).toMatchObject({ nextPage: "/console/v1/gates?tags=a+b&page=2&limit=1" });
  });
});

test("four requests answer in the specified form on demand", async () => {
  const { ask, must } = await api({ specifiedForm: true });
  expect((await ask("POST", "/segments", { name: "segment", type: "rule_based" })).status).toBe(200);
  expect((await ask("GET", "/segments")).body).toHaveProperty("pagination");
  await must("POST", "/gates", { name: "gate" });
  expect((await ask("GET", "/gates/gate/dynamic_config_references")).body).not.toHaveProperty("pagination");
  expect((await ask("GET", "/param_stores")).body).not.toHaveProperty("pagination");
  const groups = ["A", "B"].map((name) => ({ name, size: 50, parameterValues: {} }));
  await must("POST", "/experiments", { name: "trial", groups });
  const disabled = await ask("POST", "/experiments/trial/disable_groups", { group_names: ["A"] });
  expect(disabled.status).toBe(200);
});
