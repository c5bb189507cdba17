import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { StatsigClient } from "@statsig/js-client";
import { startEmulator } from "../../../src/emulator";
import { EvaluationApart } from "../../../src/emulator/evaluation";
import { createClientEvaluation } from "../../../src/tools/cli/client-evaluation";
import { TestBrowser } from "../../support/browser";
import { serveHttp } from "../../support/http-server";
import { type Desk, deskOf, ruleFor } from "../desk";

jest.setTimeout(120_000);

const clientKey = "client-for-tests";
const serverKey = "secret-for-tests";
const consoleKey = "console-for-tests";
const header = { "STATSIG-API-KEY": consoleKey };
const said: string[] = [];
const evaluation = new EvaluationApart();
afterAll(() => evaluation.close());
let desk: Desk;

const forStaff = {
  ...ruleFor("Staff"),
  conditions: [{ type: "email", operator: "str_contains_any", targetValue: ["@staff.test"] }],
};

beforeAll(async () => {
  const settings = { profile: "statsig", key: consoleKey, serverKey } as const;
  const log = (line: string) => said.push(line);
  desk = deskOf(
    await startEmulator({ ...settings, log, evaluateForClients: createClientEvaluation(evaluation) }),
    header,
  );
  await desk.must("POST", "/gates", { name: "for_staff", isEnabled: true, rules: [forStaff] });
  const chrome = { type: "user_agent", operator: "str_contains_any", targetValue: ["Chrome"] };
  await desk.must("POST", "/gates", {
    ...{ name: "in_chrome", isEnabled: true },
    rules: [{ ...ruleFor("Chrome"), conditions: [chrome] }],
  });
  const device = { type: "unit_id", customID: "stableID", operator: "is_not_null" };
  await desk.must("POST", "/gates", {
    ...{ name: "known_device", isEnabled: true },
    rules: [{ ...ruleFor("Device"), conditions: [device] }],
  });
  await desk.must("POST", "/segments", { name: "many", id: "many", type: "id_list" });
  const ids = Array.from({ length: 1001 }, (_, index) => `id${index}`);
  await desk.must("PATCH", "/segments/many/id_list", { ids });
  const listed = { type: "passes_segment", targetValue: "many" };
  await desk.must("POST", "/gates", {
    ...{ name: "listed", isEnabled: true },
    rules: [{ ...ruleFor("Listed"), conditions: [listed] }],
  });
  await desk.must("POST", "/dynamic_configs", {
    ...{ name: "prices", isEnabled: true, defaultValue: { most: 20 } },
    rules: [{ ...forStaff, returnValue: { most: 99 } }],
  });
  await desk.must("POST", "/layers", { name: "page", idType: "userID" });
  await desk.must("PATCH", "/layers/page", {
    parameters: [
      { name: "colour", type: "string", defaultValue: "blue" },
      { name: "columns", type: "number", defaultValue: 2 },
    ],
  });
  const group = (name: string, size: number) => ({ name, size, parameterValues: { colour: name } });
  await desk.must("POST", "/experiments", {
    ...{ name: "colours", layerID: "page", allocation: 100 },
    groups: [group("green", 100), group("red", 0)],
  });
  await desk.must("PUT", "/experiments/colours/start", {});
});
afterAll(() => desk.close());

const ann = { userID: "ann", email: "ann@staff.test" };
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${desk.emulator.url}${path}`, {
    ...{ method: "POST", headers: { "STATSIG-API-KEY": clientKey, ...headers } },
    body: body instanceof Uint8Array || typeof body === "string" ? body : JSON.stringify(body),
  });
const asked = async (path: string, body: unknown, key = clientKey) => {
  const answer = await post(path, body, { "STATSIG-API-KEY": key });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

test("the client SDK gets its answers, and its events arrive", async () => {
  const client = new StatsigClient(clientKey, ann, {
    networkConfig: { api: `${desk.emulator.url}/v1` },
    loggingEnabled: "always",
  });
  const started = await client.initializeAsync();
  expect(started).toMatchObject({ success: true, source: "Network" });
  expect(["for_staff", "listed", "known_device"].map((name) => client.checkGate(name))).toEqual([
    true,
    false,
    true,
  ]);
  expect(client.getDynamicConfig("prices").value).toEqual({ most: 99 });
  const page = client.getLayer("page");
  expect([page.get("colour"), page.get("columns")]).toEqual(["green", 2]);
  client.logEvent("looked", 5, { at: "prices" });
  await client.flush();
  expect(await desk.list("/events/looked")).toMatchObject([
    { source: "javascript-client", value: "5", userID: "ann", metadata: { at: "prices" } },
  ]);
  expect(await desk.must("GET", "/gates/for_staff")).toMatchObject({ checksPerHour: 1 });
  await client.updateUserAsync({ userID: "id7" });
  expect(["for_staff", "listed"].map((name) => client.checkGate(name))).toEqual([false, true]);
  await client.shutdown();
});

test("a client is told of the flags of the console, and of no others", async () => {
  const { body } = await asked("/v1/initialize", { user: ann, hash: "none" });
  const names = Object.keys(body.feature_gates ?? {}).sort();
  expect(names).toEqual(["for_staff", "in_chrome", "known_device", "listed"]);
});

test("a page of this machine runs the client SDK", async () => {
  const bundle = join(dirname(require.resolve("@statsig/js-client/package.json")), "build");
  const script = readFileSync(join(bundle, "statsig-js-client.min.js"), "utf8");
  const site = await serveHttp((request, response) => {
    const isScript = request.url === "/sdk.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? script : `<link rel="icon" href="data:,"><script src="/sdk.js"></script>`);
  });
  const browser = await TestBrowser.start();
  try {
    const { page, requests } = await browser.open(`${site.url.replace("127.0.0.1", "localhost")}/`);
    const program = `(async () => {
      const client = new Statsig.StatsigClient("${clientKey}", ${JSON.stringify(ann)}, {
        networkConfig: { api: "${desk.emulator.url}/v1" },
      });
      const { success } = await client.initializeAsync();
      client.logEvent("opened", 1);
      await client.flush();
      return [success, client.checkGate("for_staff"), client.checkGate("in_chrome")];
    })()`;
    expect(await page.evaluate(program)).toEqual([true, true, true]);
    // The body was turned around: what this test is for.
    expect(requests.filter((one) => one.includes("/v1/initialize") && one.includes("se=1"))).toHaveLength(1);
    expect(await desk.list("/events/opened")).toHaveLength(1);
  } finally {
    await browser.close();
    await site.close();
  }
});

test("a page that is served elsewhere gets no answer, and one of this machine nothing of the Console API", async () => {
  const leave = async (origin: string) => {
    const answer = await post("/v1/initialize", { user: ann }, { origin });
    return answer.headers.get("access-control-allow-origin");
  };
  expect(await leave("http://localhost:3000")).toBe("http://localhost:3000");
  expect(await leave("https://example.com")).toBeNull();
  expect(await leave("https://localhost.example.com")).toBeNull();
  const console_ = await fetch(`${desk.emulator.url}/console/v1/gates`, {
    headers: { ...header, origin: "http://localhost:3000" },
  });
  expect([console_.status, console_.headers.get("access-control-allow-origin")]).toEqual([403, null]);
});

test("a packed and an encoded body are read", async () => {
  const events = (name: string) =>
    JSON.stringify({ events: [{ eventName: name, user: { userID: "u" }, time: 5 }] });
  const encoded = [...Buffer.from(events("encoded"), "latin1").toString("base64")].reverse().join("");
  expect((await post("/v1/rgstr?gz=1", gzipSync(events("packed")))).status).toBe(202);
  expect((await post(`/v1/rgstr?k=${clientKey}&se=1`, encoded)).status).toBe(202);
  expect((await post("/v1/rgstr", encoded, { "STATSIG-ENCODED": "1" })).status).toBe(202);
  expect(await desk.list("/events/packed")).toHaveLength(1);
  expect(await desk.list("/events/encoded")).toHaveLength(2);
});

// `statsig-node` 4.14 and 5.1 ask the service about conditions that they do not know.
test("one answer is given to clients and servers, and for what is not there", async () => {
  const server = { user: ann, gateName: "for_staff", statsigMetadata: { sdkVersion: "4.14.0" } };
  expect(await asked("/v1/check_gate", server, serverKey)).toMatchObject({
    status: 200,
    body: { name: "for_staff", value: true },
  });
  expect((await asked("/v1/check_gate", { user: { userID: "x" }, gateName: "for_staff" })).body).toEqual({
    ...{ name: "for_staff", value: false, rule_id: "default", group_name: null },
  });
  expect((await asked("/v1/get_config", { user: ann, configName: "colours" })).body).toMatchObject({
    ...{ value: { colour: "green" }, group_name: "green" },
  });
  expect((await asked("/v1/get_layer", { user: ann, layerName: "page" })).body).toMatchObject({
    value: { colour: "green", columns: 2 },
  });
  expect((await asked("/v1/check_gate", { gateName: "unknown" })).body).toMatchObject({ value: false });
  expect((await asked("/v1/get_config", { configName: "unknown" })).body).toMatchObject({ value: {} });
});

test("a change is seen by the next question", async () => {
  const question = { user: ann, gateName: "later" };
  expect((await asked("/v1/check_gate", question)).body).toMatchObject({ value: false });
  await desk.must("POST", "/gates", { name: "later", isEnabled: true, rules: [forStaff] });
  expect((await asked("/v1/check_gate", question)).body).toMatchObject({ value: true });
});

test("keys of clients open answers and events, and nothing else", async () => {
  expect((await asked("/v1/check_gate", {}, consoleKey)).body.message).toMatch(
    /^This is a key of the Console API/,
  );
  expect((await asked("/v1/initialize", {}, "secret-other")).body.message).toMatch(
    /^This server key is not known/,
  );
  const rules = await fetch(`${desk.emulator.url}/v1/download_config_specs/${clientKey}.json`);
  expect(rules.status).toBe(401);
  const scopes = ["client_download_config_specs"];
  const scoped = await desk.must("POST", "/keys", { description: "device", type: "CLIENT", scopes });
  const specs = await fetch(
    `${desk.emulator.url}/v1/download_config_specs?k=${encodeURIComponent(String(scoped.key))}`,
  );
  expect([specs.status, Object.keys((await specs.json()) as object)]).toEqual([
    200,
    expect.arrayContaining(["feature_gates", "dynamic_configs", "layer_configs"]),
  ]);
  const made = await desk.must("POST", "/keys", { description: "c", type: "CLIENT" });
  expect((await asked("/v1/check_gate", { gateName: "x" }, String(made.key))).status).toBe(200);
  await desk.must("PATCH", `/keys/${String(made.key)}/deactivate`, {});
  expect((await asked("/v1/check_gate", { gateName: "x" }, String(made.key))).status).toBe(401);
});

test("a console that evaluates nothing says so, once in its log too", async () => {
  const lines: string[] = [];
  const other = await startEmulator({ log: (line) => lines.push(line) });
  for (let time = 0; time < 2; time += 1) {
    const answer = await fetch(`${other.url}/v1/initialize?k=${clientKey}`, { method: "POST", body: "{}" });
    expect([answer.status, await answer.json()]).toEqual([
      501,
      { status: 501, message: expect.stringMatching(/`feature-console emulate` does/) },
    ]);
  }
  expect(lines).toEqual([
    expect.stringMatching(/^SDKs: \/v1\/initialize was not answered: nothing evaluates/),
  ]);
  await other.close();
});

/** Runs the vendor's own command line, whose address stands in its code, against the console. */
function siggy(home: string, ...args: readonly string[]): Promise<{ out: string; errors: string }> {
  const main = join(dirname(require.resolve("@statsig/siggy/package.json")), "dist", "app.js");
  const child = spawn(process.execPath, ["--require", join(home, "redirect.cjs"), main, ...args], {
    ...{ env: { ...process.env, HOME: home, CONSOLE: desk.emulator.url }, timeout: 30_000 },
  });
  const output = { out: "", errors: "" };
  child.stdout.on("data", (chunk) => {
    output.out += String(chunk);
  });
  child.stderr.on("data", (chunk) => {
    output.errors += String(chunk);
  });
  return new Promise((resolve) => child.on("close", () => resolve(output)));
}

const redirect = `const real = globalThis.fetch;
globalThis.fetch = (url, init) => real(process.env.CONSOLE + new URL(url).pathname + new URL(url).search, init);`;

test("the vendor's command line works on it", async () => {
  const home = mkdtempSync(join(tmpdir(), "siggy-"));
  writeFileSync(join(home, "redirect.cjs"), redirect);
  const keys = `machine statsig.com\n clientkey ${clientKey}\n consolekey ${consoleKey}\n`;
  writeFileSync(join(home, ".netrc"), keys);
  const object = async (...args: readonly string[]) => {
    const { out, errors } = await siggy(home, ...args);
    expect(errors).toBe("");
    return JSON.parse(out) as unknown;
  };
  expect(await object("gates", "create", "by_hand")).toMatchObject({ id: "by_hand" });
  const change = { isEnabled: true, rules: [forStaff] };
  expect(await object("gates", "update", "by_hand", JSON.stringify(change))).toMatchObject({ version: 2 });
  expect(await object("gates", "list")).toContainEqual(
    expect.objectContaining({ id: "by_hand", lastModifierName: "CONSOLE API" }),
  );
  const user = JSON.stringify(ann);
  expect(await object("gates", "check", "by_hand", "-u", user)).toMatchObject({ value: true });
  expect(await object("dyncon", "get-value", "prices", "-u", user)).toMatchObject({ value: { most: 99 } });
  const { out } = await siggy(home, "gates", "delete", "by_hand", "--force");
  expect(out).toBe("Gate deleted successfully.\n");
  expect((await siggy(home, "gates", "get", "by_hand")).errors).toBe("Gate not found.\n");
  // It sends no type, which the reference asks for (docs/assumptions.md, `bodiesOfSiggy`).
  expect((await siggy(home, "segments", "create", "by_hand")).errors).toMatch(/property: 'type'/);
  rmSync(home, { recursive: true });
});
