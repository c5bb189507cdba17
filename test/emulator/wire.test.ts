import { beforeEach, describe, expect, test } from "@jest/globals";
import { finding, overHttp, ruleFor, testKey } from "./desk";
import { desksOfTests, sharedDesk } from "./test-desk";

const desk = desksOfTests(overHttp);
const { ask, must } = sharedDesk();

describe("keys", () => {
  test.each([
    ["custom", "SERVICE-API-KEY"],
    ["statsig", "STATSIG-API-KEY"],
  ] as const)("profile %s takes the key from %s", async (profile, header) => {
    const { ask } = await desk({ profile, key: testKey });
    expect((await ask("GET", "/gates", undefined, { [header]: testKey })).status).toBe(200);
    const other = header === "SERVICE-API-KEY" ? "STATSIG-API-KEY" : "SERVICE-API-KEY";
    expect((await ask("GET", "/gates", undefined, { [other]: testKey })).status).toBe(401);
  });

  test("a wrong key is refused and echoed, a missing one is refused", async () => {
    const { ask } = await desk({ key: testKey });
    const wrong = await ask("GET", "/gates", undefined, { "SERVICE-API-KEY": "wrong" });
    const message = expect.stringMatching(/Key: wrong$/);
    expect(wrong).toMatchObject({ status: 401, body: { status: 401, message } });
    expect((await ask("GET", "/gates", undefined, {})).status).toBe(401);
    expect((await ask("POST", "/gates", { name: "gate" }, {})).status).toBe(401);
  });

  test("without a key of its own the console takes every key but those of another kind", async () => {
    const { ask } = await desk({ profile: "statsig" });
    const status = async (key: string) =>
      (await ask("GET", "/gates", undefined, { "STATSIG-API-KEY": key })).status;
    expect(await status(testKey)).toBe(200);
    expect(await status(["secret", "test"].join("-"))).toBe(401);
    expect(await status(["client", "test"].join("-"))).toBe(401);
  });

  test("a key that the console has made is taken as what it is: by its state, its type and its scopes", async () => {
    const { ask, must } = await desk({ key: testKey });
    const made = async (more: object) =>
      String((await must("POST", "/keys", { description: "CI", ...more })).key);
    const statusOf = async (key: string, method: string, path: string) => {
      const body = method === "GET" ? undefined : { name: "by another" };
      return (await ask(method, path, body, { "SERVICE-API-KEY": key })).status;
    };
    const writing = await made({ type: "CONSOLE", scopes: ["omni_read_write"] });
    expect(await statusOf(writing, "POST", "/gates")).toBe(201);
    expect(await statusOf(writing, "GET", "/keys")).toBe(403);
    const reading = await made({ type: "CONSOLE", scopes: ["omni_read_only", "can_access_keys"] });
    expect(await statusOf(reading, "GET", "/keys")).toBe(200);
    expect(await statusOf(reading, "POST", "/gates")).toBe(403);
    expect(await statusOf(await made({ type: "SCIM" }), "GET", "/gates")).toBe(401);
    const { key: next } = await must("PATCH", `/keys/${writing}/rotate`, {});
    expect(await statusOf(writing, "GET", "/gates")).toBe(401);
    expect(await statusOf(String(next), "GET", "/gates")).toBe(200);
    await must("PATCH", `/keys/${String(next)}/deactivate`, {});
    expect(await statusOf(String(next), "GET", "/gates")).toBe(401);
  });

  test("a read-only key reads and does not write", async () => {
    const { ask } = await desk({ key: testKey, readOnlyKey: "reader" });
    const headers = { "SERVICE-API-KEY": "reader" };
    expect((await ask("GET", "/gates", undefined, headers)).status).toBe(200);
    const write = await ask("POST", "/gates", { name: "gate" }, headers);
    expect(write).toMatchObject({ status: 403, body: { status: 403, message: "Forbidden resource" } });
  });

  test("no key is recorded", async () => {
    const { ask, emulator } = await desk();
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
  test.each([
    ["GET", "/nowhere"],
    ["PUT", "/gates"],
    ["GET", "/gates/"],
    ["GET", "/experiments/assignment_source/some"],
    ["GET", "/gates/%E0%A4%A"],
    ["OPTIONS", "/gates"],
  ])("%s %s is no operation", async (method, path) => {
    const { ask } = await desk();
    const message = "Not Found. The requested resource could not be found.";
    expect(await ask(method, path)).toMatchObject({ status: 404, body: { status: 404, message } });
  });

  test("answers are JSON in UTF-8", async () => {
    const { ask } = await desk();
    expect((await ask("GET", "/gates")).type).toBe("application/json; charset=utf-8");
    expect((await ask("GET", "/nowhere")).type).toBe("application/json; charset=utf-8");
  });

  test("a body that is no JSON or no object is refused", async () => {
    const { ask } = await desk();
    expect(await ask("POST", "/gates", "{")).toMatchObject({ status: 400, body: { status: 400 } });
    expect((await ask("POST", "/gates", "[]")).body).toEqual(finding("", "Expected object, received array"));
  });

  const passing = (passPercentage: unknown) => ({ rules: [{ ...ruleFor("a"), passPercentage }] });
  test.each([
    [{ isEnabled: "yes" }, "isEnabled", "Expected boolean, received string"],
    [{ isEnabled: null }, "isEnabled", "Expected boolean, received null"],
    [{ name: "ab" }, "name", "String must contain at least 3 character(s)"],
    [{ name: "a".repeat(101) }, "name", "String must contain at most 100 character(s)"],
    [{ name: "a/b/c" }, "name", "Invalid"],
    [{ type: "STALE" }, "type", "Invalid enum value. Expected 'PERMANENT' | 'TEMPORARY', received 'STALE'"],
    [{ description: "a".repeat(1001) }, "description", "String must contain at most 1000 character(s)"],
    [passing("5"), "rules.0.passPercentage", "Expected number, received string"],
    [passing(101), "rules.0.passPercentage", "Number must be less than or equal to 100"],
    [{ rules: [{ name: "a", passPercentage: 1 }] }, "rules.0.conditions", "Required"],
    [{ reviewSettings: {} }, "reviewSettings.requiredReview", "Required"],
  ])("a gate of %j is refused at %s", async (body, property, message) => {
    expect((await ask("POST", "/gates", { name: "gate", ...body })).body).toEqual(finding(property, message));
    expect((await ask("GET", "/gates")).data).toEqual([]);
  });

  test("every finding is named at once", async () => {
    const { body } = await ask("POST", "/layers", { description: 1 });
    expect(body.errors).toEqual([
      { property: "name", errorMessage: "Required" },
      { property: "description", errorMessage: "Expected string, received number" },
      { property: "idType", errorMessage: "Required" },
    ]);
  });

  test("unknown members and prototype names do no harm", async () => {
    const { ask, must } = await desk();
    const members = '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}';
    const gate = `{"name":"gate",${members},"status":"Launched"}`;
    const { status, data } = await ask("POST", "/gates", gate);
    expect(status).toBe(201);
    expect(data.status).toBe("In Progress");
    expect(JSON.stringify(data)).not.toContain("polluted");
    const config = '{"name":"config","defaultValue":{"a":{"__proto__":{"polluted":1}}}}';
    await must("POST", "/dynamic_configs", config);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect((await ask("GET", "/gates/__proto__")).status).toBe(404);
    expect((await ask("GET", "/gates/constructor")).status).toBe(404);
  });

  test("an operator that does not fit the condition's type is taken", async () => {
    const conditions = [{ type: "email", operator: "version_gt", targetValue: 1 }];
    await must("POST", "/gates", { name: "gate", rules: [{ name: "r", passPercentage: 1, conditions }] });
  });

  test("large bodies are taken", async () => {
    const { must } = await desk();
    const large = { name: "large", defaultValue: { text: "x".repeat(20_000_000) } };
    const { defaultValue } = await must("POST", "/dynamic_configs", large);
    expect((defaultValue as { text: string }).text).toHaveLength(20_000_000);
  }, 30_000);
});

describe("pages", () => {
  beforeEach(async () => {
    for (let index = 1; index <= 5; index++)
      await must("POST", "/layers", { name: `layer ${index}`, idType: "userID" });
  });

  test("pages are stable, in the order of creation, and link to each other", async () => {
    const { body, items } = await ask("GET", "/layers?limit=2&page=2");
    expect(items.map((one) => one.id)).toEqual(["layer_3", "layer_4"]);
    expect(body.pagination).toEqual({
      itemsPerPage: 2,
      pageNumber: 2,
      totalItems: 5,
      nextPage: "/console/v1/layers?page=3&limit=2",
      previousPage: "/console/v1/layers?page=1&limit=2",
      all: "/console/v1/layers",
    });
  });

  test("a page beyond the end is empty", async () => {
    const { status, data, body } = await ask("GET", "/layers?limit=2&page=9");
    expect([status, data]).toEqual([200, []]);
    expect(body.pagination).toMatchObject({ nextPage: null, totalItems: 5 });
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
    ["/layers?limit=many", "limit", "Expected number, received nan"],
    ["/layers?page=0", "page", "Number must be greater than or equal to 1"],
    ["/layers?limit=1.5", "limit", "Expected integer, received float"],
    ["/layers?limit=-1", "limit", "Number must be greater than or equal to 0"],
    ["/gates/gate/gate_references?limit=101", "limit", "Number must be less than or equal to 100"],
  ])("%s is refused", async (path, property, message) => {
    await must("POST", "/gates", { name: "gate" });
    expect((await ask("GET", path)).body).toEqual(finding(property, message));
  });

  test("links keep the filters", async () => {
    for (const name of ["one", "two"]) await must("POST", "/gates", { name, tags: ["a b"] });
    const { body } = await ask("GET", "/gates?tags=a%20b&limit=1");
    expect(body.pagination).toMatchObject({ nextPage: "/console/v1/gates?tags=a+b&page=2&limit=1" });
  });
});

test("a value that is too deep, or that a pattern is never done with, is refused, and the console goes on", async () => {
  await must("POST", "/dynamic_configs", { name: "limits" });
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
  const deep = await ask("PATCH", "/dynamic_configs/limits", `{"defaultValue":${nested(5000)}}`);
  expect(deep.body).toEqual(finding("", "The request body is nested deeper than 500 levels"));
  const text = await ask("PATCH", "/dynamic_configs/limits", { defaultValueJson5: nested(20_000) });
  expect(text.status).toBe(400);
  await must("PATCH", "/dynamic_configs/limits", `{"defaultValue":${nested(400)}}`);
  const endless = JSON.stringify({ properties: { a: { pattern: "^(a+)+$" } } });
  const defaultValue = { a: `${"a".repeat(40)}!` };
  const refused = await ask("PATCH", "/dynamic_configs/limits", { schema: endless, defaultValue });
  expect(refused.status).toBe(400);
  expect(JSON.stringify(refused.body)).toContain("cannot be checked within 500 ms");
  expect((await ask("GET", "/dynamic_configs/limits")).status).toBe(200);
});

test("every request answers in the specified form on demand", async () => {
  const { ask, must } = await desk({ specifiedForm: true });
  expect((await ask("POST", "/segments", { name: "segment", type: "rule_based" })).status).toBe(200);
  await must("POST", "/gates", { name: "gate" });
  expect((await ask("GET", "/gates/gate/dynamic_config_references")).body).not.toHaveProperty("pagination");
});
