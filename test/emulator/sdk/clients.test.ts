import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { StatsigClient } from "@statsig/js-client";
import { run } from "../../../scripts/process/run";
import { startEmulator } from "../../../src/emulator";
import { SdkWorker } from "../../../src/emulator/evaluation";
import { createClientEvaluation } from "../../../src/tools/cli/emulate";
import { TestBrowser } from "../../support/browser";
import { freshFolder } from "../../support/folders";
import { serveHttp } from "../../support/http-server";
import { type Desk, deskOf, ruleFor } from "../desk";

jest.setTimeout(120_000);

const clientKey = "client-for-tests";
const serverKey = "secret-for-tests";
const consoleKey = "console-for-tests";
const header = { "STATSIG-API-KEY": consoleKey };
const said: string[] = [];
const evaluation = new SdkWorker();
afterAll(() => evaluation.close());
let api: Desk;

const onStaff = { type: "email", operator: "str_contains_any", targetValue: ["@staff.test"] };
const asking = (condition: object) => ({ ...ruleFor("Rule"), conditions: [condition] });

beforeAll(async () => {
  const settings = { profile: "statsig", key: consoleKey, serverKey } as const;
  const log = (line: string) => said.push(line);
  const evaluateForClients = createClientEvaluation(evaluation);
  api = deskOf(await startEmulator({ ...settings, log, evaluateForClients }), header);
  const { must } = api;
  for (const [name, condition] of Object.entries({
    for_staff: onStaff,
    in_chrome: { type: "user_agent", operator: "str_contains_any", targetValue: ["Chrome"] },
    known_device: { type: "unit_id", customID: "stableID", operator: "is_not_null" },
    listed: { type: "passes_segment", targetValue: "many" },
  }))
    await must("POST", "/gates", { name, rules: [asking(condition)] });
  await must("POST", "/segments", { name: "many", type: "id_list" });
  const ids = Array.from({ length: 1001 }, (_, index) => `id${index}`);
  await must("PATCH", "/segments/many/id_list", { ids });
  const rules = [{ ...asking(onStaff), returnValue: { most: 99 } }];
  await must("POST", "/dynamic_configs", { name: "prices", defaultValue: { most: 20 }, rules });
  await must("POST", "/layers", { name: "page", idType: "userID" });
  await must("PATCH", "/layers/page", {
    parameters: [
      { name: "colour", type: "string", defaultValue: "blue" },
      { name: "columns", type: "number", defaultValue: 2 },
    ],
  });
  const sizes = Object.entries({ green: 100, red: 0 });
  const groups = sizes.map(([name, size]) => ({ name, size, parameterValues: { colour: name } }));
  await must("POST", "/experiments", { name: "colours", layerID: "page", allocation: 100, groups });
  await must("PUT", "/experiments/colours/start", {});
});
afterAll(() => api.close());

const ann = { userID: "ann", email: "ann@staff.test" };
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${api.emulator.url}${path}`, {
    ...{ method: "POST", headers: { "STATSIG-API-KEY": clientKey, ...headers } },
    body: body instanceof Uint8Array || typeof body === "string" ? body : JSON.stringify(body),
  });
const asked = async (path: string, body: unknown, key = clientKey) => {
  const answer = await post(path, body, { "STATSIG-API-KEY": key });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

test("the client SDK gets its answers, and its events arrive", async () => {
  const networkConfig = { api: `${api.emulator.url}/v1` };
  const client = new StatsigClient(clientKey, ann, { networkConfig, loggingEnabled: "always" });
  expect(await client.initializeAsync()).toMatchObject({ success: true, source: "Network" });
  const gates = ["for_staff", "listed", "known_device"].map((name) => client.checkGate(name));
  expect(gates).toEqual([true, false, true]);
  expect(client.getDynamicConfig("prices").value).toEqual({ most: 99 });
  const page = client.getLayer("page");
  expect([page.get("colour"), page.get("columns")]).toEqual(["green", 2]);
  client.logEvent("looked", 5, { at: "prices" });
  await client.flush();
  expect(await api.list("/events/looked")).toMatchObject([
    { source: "javascript-client", value: "5", userID: "ann", metadata: { at: "prices" } },
  ]);
  expect(await api.must("GET", "/gates/for_staff")).toMatchObject({ checksPerHour: 1 });
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
        networkConfig: { api: "${api.emulator.url}/v1" },
      });
      const { success } = await client.initializeAsync();
      client.logEvent("opened", 1);
      await client.flush();
      return [success, client.checkGate("for_staff"), client.checkGate("in_chrome")];
    })()`;
    expect(await page.evaluate(program)).toEqual([true, true, true]);
    // The body was turned around: what this test is for.
    expect(requests.filter((one) => one.includes("/v1/initialize") && one.includes("se=1"))).toHaveLength(1);
    expect(await api.list("/events/opened")).toHaveLength(1);
  } finally {
    await browser.close();
    await site.close();
  }
});

test("a packed and an encoded body are read", async () => {
  const events = (name: string) =>
    JSON.stringify({ events: [{ eventName: name, user: { userID: "u" }, time: 5 }] });
  const encoded = [...Buffer.from(events("encoded"), "latin1").toString("base64")].reverse().join("");
  expect((await post("/v1/rgstr?gz=1", gzipSync(events("packed")))).status).toBe(202);
  expect((await post(`/v1/rgstr?k=${clientKey}&se=1`, encoded)).status).toBe(202);
  expect((await post("/v1/rgstr", encoded, { "STATSIG-ENCODED": "1" })).status).toBe(202);
  expect(await api.list("/events/packed")).toHaveLength(1);
  expect(await api.list("/events/encoded")).toHaveLength(2);
});

// `statsig-node` 4.14 and 5.1 ask the service about conditions that they do not know.
test("one answer is given to clients and servers, and for what is not there", async () => {
  const server = { user: ann, gateName: "for_staff", statsigMetadata: { sdkVersion: "4.14.0" } };
  const passes = { status: 200, body: { name: "for_staff", value: true } };
  expect(await asked("/v1/check_gate", server, serverKey)).toMatchObject(passes);
  const other = { user: { userID: "x" }, gateName: "for_staff" };
  const fails = { name: "for_staff", value: false, rule_id: "default", group_name: null };
  expect((await asked("/v1/check_gate", other)).body).toEqual(fails);
  for (const [path, question, answer] of [
    ["get_config", { user: ann, configName: "colours" }, { value: { colour: "green" }, group_name: "green" }],
    ["get_layer", { user: ann, layerName: "page" }, { value: { colour: "green", columns: 2 } }],
    ["check_gate", { gateName: "unknown" }, { value: false }],
    ["get_config", { configName: "unknown" }, { value: {} }],
  ] as const)
    expect((await asked(`/v1/${path}`, question)).body).toMatchObject(answer);
});

test("a change is seen by the next question", async () => {
  const question = { user: ann, gateName: "later" };
  expect((await asked("/v1/check_gate", question)).body).toMatchObject({ value: false });
  await api.must("POST", "/gates", { name: "later", rules: [asking(onStaff)] });
  expect((await asked("/v1/check_gate", question)).body).toMatchObject({ value: true });
});

test("keys of clients open answers and events, and nothing else", async () => {
  const messageTo = async (key: string) => (await asked("/v1/initialize", {}, key)).body.message;
  expect(await messageTo(consoleKey)).toMatch(/^This is a key of the Console API/);
  expect(await messageTo("secret-other")).toMatch(/^This server key is not known/);
  const specs = `${api.emulator.url}/v1/download_config_specs`;
  expect((await fetch(`${specs}/${clientKey}.json`)).status).toBe(401);
  const made = async (...scopes: string[]) =>
    String((await api.must("POST", "/keys", { description: "c", type: "CLIENT", scopes })).key);
  const scoped = encodeURIComponent(await made("client_download_config_specs"));
  const rules = (await (await fetch(`${specs}?k=${scoped}`)).json()) as object;
  const parts = ["feature_gates", "dynamic_configs", "layer_configs"];
  expect(Object.keys(rules)).toEqual(expect.arrayContaining(parts));
  const key = await made();
  const statusOf = async () => (await asked("/v1/check_gate", { gateName: "x" }, key)).status;
  expect(await statusOf()).toBe(200);
  await api.must("PATCH", `/keys/${key}/deactivate`, {});
  expect(await statusOf()).toBe(401);
});

test("a console that evaluates nothing says so, once in its log too", async () => {
  const lines: string[] = [];
  const other = await startEmulator({ log: (line) => lines.push(line) });
  const refusal = { status: 501, message: expect.stringMatching(/`feature-console emulate` does/) };
  for (let time = 0; time < 2; time += 1) {
    const answer = await fetch(`${other.url}/v1/initialize?k=${clientKey}`, { method: "POST", body: "{}" });
    expect([answer.status, await answer.json()]).toEqual([501, refusal]);
  }
  const line = /^SDKs: \/v1\/initialize was not answered: nothing evaluates/;
  expect(lines).toEqual([expect.stringMatching(line)]);
  await other.close();
});

const redirect = `const real = globalThis.fetch;
globalThis.fetch = (url, init) => real(process.env.CONSOLE + new URL(url).pathname + new URL(url).search, init);`;

// Its address stands in its code.
test("the vendor's command line works on it", async () => {
  const home = freshFolder();
  writeFileSync(join(home, "redirect.cjs"), redirect);
  const keys = `machine statsig.com\n clientkey ${clientKey}\n consolekey ${consoleKey}\n`;
  writeFileSync(join(home, ".netrc"), keys);
  const siggy = (...args: readonly string[]) => {
    const main = join(dirname(require.resolve("@statsig/siggy/package.json")), "dist", "app.js");
    const env = { ...process.env, HOME: home, CONSOLE: api.emulator.url };
    return run(process.execPath, ["--require", join(home, "redirect.cjs"), main, ...args], {
      env,
      timeoutMs: 30_000,
    });
  };
  const object = async (...args: readonly string[]) => {
    const { stdout, stderr } = await siggy(...args);
    expect(stderr).toBe("");
    return JSON.parse(stdout) as unknown;
  };
  expect(await object("gates", "create", "by_hand")).toMatchObject({ id: "by_hand" });
  const change = JSON.stringify({ isEnabled: true, rules: [asking(onStaff)] });
  expect(await object("gates", "update", "by_hand", change)).toMatchObject({ version: 2 });
  const listed = expect.objectContaining({ id: "by_hand", lastModifierName: "CONSOLE API" });
  expect(await object("gates", "list")).toContainEqual(listed);
  const user = JSON.stringify(ann);
  expect(await object("gates", "check", "by_hand", "-u", user)).toMatchObject({ value: true });
  expect(await object("dyncon", "get-value", "prices", "-u", user)).toMatchObject({ value: { most: 99 } });
  expect((await siggy("gates", "delete", "by_hand", "--force")).stdout).toBe("Gate deleted successfully.\n");
  // It sends no type, which the reference asks for (docs/assumptions.md, `bodiesOfSiggy`).
  expect((await siggy("segments", "create", "by_hand")).stderr).toMatch(/property: 'type'/);
});
