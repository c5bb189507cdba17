import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { afterEach, expect, test } from "@jest/globals";
import { StatsigServer } from "statsig-node";
import { createEmulator, type Seed } from "../../../src/emulator";
import type { JsonObject } from "../../../src/provider/schema/json";
import type { Desk } from "../desk";
import { desksOfTests } from "../test-desk";
import { lookAtWrites } from "./looks";
import { nodeSdk, type ServerSdk, serverKey, startBoth, startCoreSdk } from "./server-sdks";

const sdks: ServerSdk[] = [];
const both = async (...args: Parameters<typeof startBoth>): Promise<readonly ServerSdk[]> => {
  const started = await startBoth(...args);
  sdks.push(...started);
  return started;
};
afterEach(() => Promise.all(sdks.splice(0).map((sdk) => sdk.stop())));
// After the SDKs, which send what they still have.
const open = desksOfTests();

const everyone = [{ type: "public" }];
const gate = (desk: Desk, id: string, rest: JsonObject = {}) =>
  desk.must("POST", "/gates", {
    ...{ id, name: id, isEnabled: true, rules: [{ name: "r", passPercentage: 100, conditions: everyone }] },
    ...rest,
  });
interface SpecsAnswer extends JsonObject {
  readonly has_updates: boolean;
  readonly time: number;
  readonly feature_gates: readonly JsonObject[] | Readonly<Record<string, JsonObject>>;
}
const fetchSpecs = async (desk: Desk, path: string, init?: RequestInit) => {
  const answer = await fetch(`${desk.emulator.url}${path}`, init);
  return { status: answer.status, body: (await answer.json()) as SpecsAnswer };
};
const v1 = (key = serverKey): string => `/v1/download_config_specs/${key}.json`;
const v2 = (key = serverKey): string => `/v2/download_config_specs/${key}.json`;

test("an SDK that has the newest document is told so, and a change gives a later one", async () => {
  const desk = await open({ clock: () => 1_000_000 });
  await gate(desk, "one");
  const { body: first } = await fetchSpecs(desk, v2());
  expect(first).toMatchObject({ has_updates: true, time: expect.any(Number) });
  expect(Object.keys(first.feature_gates)).toEqual(["one"]);
  const since = `sinceTime=${first.time}`;
  expect((await fetchSpecs(desk, `${v2()}?supports_proto=true&${since}`)).body).toEqual({
    has_updates: false,
  });
  const asBody = { method: "POST", body: JSON.stringify({ sinceTime: first.time }) };
  const header = { "STATSIG-API-KEY": serverKey };
  expect((await fetchSpecs(desk, "/v1/download_config_specs", { ...asBody, headers: header })).body).toEqual({
    has_updates: false,
  });
  // `statsig-node` 4.14 to 5.10 ask so from the start.
  const { body: asked } = await fetchSpecs(desk, "/v1/download_config_specs", {
    ...{ method: "POST", headers: header },
    body: JSON.stringify({ statsigMetadata: { sdkType: "statsig-node" }, sinceTime: 0 }),
  });
  expect(asked.feature_gates).toMatchObject([{ name: "one" }]);
  // Nothing that an SDK would see.
  await desk.must("POST", "/tags", { name: "t", description: "" });
  expect((await fetchSpecs(desk, `${v2()}?${since}`)).body).toEqual({ has_updates: false });
  await gate(desk, "two");
  const { body: second } = await fetchSpecs(desk, `${v1()}?${since}`);
  expect(second.time).toBeGreaterThan(first.time);
  expect((second.feature_gates as JsonObject[]).map(({ name }) => name)).toEqual(["one", "two"]);
});

test("a running SDK sees what was written", async () => {
  const desk = await open();
  await gate(desk, "flag", { isEnabled: false });
  const sdk = await startCoreSdk(desk.emulator.url, { pollMs: 1000 });
  sdks.push(sdk);
  expect(sdk.gate("flag", { userID: "u" })).toBe(false);
  await desk.must("PUT", "/gates/flag/enable", {});
  const end = Date.now() + 20_000;
  while (!sdk.gate("flag", { userID: "u" }) && Date.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 100));
  expect(sdk.gate("flag", { userID: "u" })).toBe(true);
});

test("each key has its door, and the answers tell which", async () => {
  const consoleKey = "console-for-tests";
  const desk = await open({ profile: "statsig", key: consoleKey, serverKey });
  const refusal = async (path: string, headers: Record<string, string> = {}) => {
    const { status, body } = await fetchSpecs(desk, path, { headers });
    return `${status} ${String(body.message)}`;
  };
  expect((await fetchSpecs(desk, v1())).status).toBe(200);
  const takes =
    "An SDK takes a server key: the one of --server-key, or one of type SERVER that the console has made.";
  expect(await refusal(v1(consoleKey))).toBe(
    `401 This is a key of the Console API: programs and tools take it. ${takes}`,
  );
  expect(await refusal(v2("client-x"))).toBe(
    `401 This is a client key, whose scopes are not known. ${takes}`,
  );
  expect(await refusal(v2("secret-other"))).toBe(`401 This server key is not known. ${takes}`);
  expect(await refusal("/v1/get_id_lists")).toBe(`401 No key was sent. ${takes}`);
  expect(await refusal(v1("%zz"))).toBe(`401 No key was sent. ${takes}`);
  expect(await refusal("/console/v1/gates", { "STATSIG-API-KEY": serverKey })).toBe(
    "401 This is a server key: SDKs take it. The Console API takes a console key.",
  );
});

test("a server key that the console made opens until it is deactivated, and shows the objects of its app", async () => {
  const desk = await open({ serverKey });
  for (const name of ["Web", "Phone"]) await desk.must("POST", "/target_app", { name, description: "" });
  await gate(desk, "for_all");
  await gate(desk, "asked", { targetApps: ["Phone"] });
  await gate(desk, "for_web", {
    targetApps: ["Web"],
    rules: [
      {
        name: "App",
        passPercentage: 100,
        conditions: [{ type: "target_app", operator: "any", targetValue: ["Web"] }],
      },
      { name: "Asks", passPercentage: 100, conditions: [{ type: "passes_gate", targetValue: "asked" }] },
    ],
  });
  await gate(desk, "for_phone", { targetApps: ["Phone"] });
  const apps = await desk.list("/target_app");
  const web = apps.find(({ name }) => name === "Web")?.id;
  const made = await desk.must("POST", "/keys", { description: "k", type: "SERVER", targetAppID: web });
  const { body } = await fetchSpecs(desk, v2(String(made.key)));
  expect(body.app_id).toBe("Web");
  expect(Object.keys(body.feature_gates).sort()).toEqual(["asked", "for_all", "for_web"]);
  const [node, core] = await both(desk.emulator.url, { key: String(made.key) });
  expect([node?.gate("for_web", { userID: "u" }), core?.gate("for_web", { userID: "u" })]).toEqual([
    true,
    true,
  ]);
  await desk.must("PATCH", `/keys/${String(made.key)}/deactivate`, {});
  expect((await fetchSpecs(desk, v2(String(made.key)))).status).toBe(401);
  const client = await desk.must("POST", "/keys", { description: "c", type: "CONSOLE" });
  expect((await fetchSpecs(desk, v2(String(client.key)))).status).toBe(401);
});

test("[L6] a file of ids grows, is read from any byte, and says how long it is", async () => {
  const desk = await open();
  const ids = Array.from({ length: 1001 }, (_, index) => `id${index}`);
  await desk.must("POST", "/segments", { id: "long", name: "long", type: "id_list" });
  await desk.must("PATCH", "/segments/long/id_list", { ids });
  const index = async () => {
    const { body } = await fetchSpecs(desk, "/v1/get_id_lists", {
      ...{ method: "POST", body: "", headers: { "STATSIG-API-KEY": serverKey } },
    });
    return body.long as { url: string; size: number; fileID: string; creationTime: number };
  };
  const first = await index();
  const read = async (from: number) => {
    const answer = await fetch(first.url, { headers: { Range: `bytes=${from}-` } });
    return { length: Number(answer.headers.get("content-length")), text: await answer.text() };
  };
  const whole = await read(0);
  expect(whole).toMatchObject({ length: first.size, text: expect.stringMatching(/^(\+.{8}\n){1001}$/) });
  await desk.must("PATCH", "/segments/long/id_list", { ids: ["one more"] });
  await desk.must("DELETE", "/segments/long/id_list", { ids: ["id7"] });
  const second = await index();
  expect(second).toMatchObject({ fileID: first.fileID, creationTime: first.creationTime, size: 1003 * 10 });
  expect(await read(first.size)).toMatchObject({
    length: 20,
    text: expect.stringMatching(/^-.{8}\n\+.{8}\n$/),
  });
  const [node, core] = await both(desk.emulator.url, { idLists: true });
  expect(node?.family).toBe("node");
  await gate(desk, "listed", {
    rules: [
      { name: "r", passPercentage: 100, conditions: [{ type: "passes_segment", targetValue: "long" }] },
    ],
  });
  await desk.must("DELETE", "/segments/long");
  expect(await index()).toBeUndefined();
  expect((await fetch(first.url)).status).toBe(404);
  expect(core?.gate("listed", { userID: "id1" })).toBe(false);
});

test("packed bodies are read, broken ones refused", async () => {
  const desk = await open();
  const body = JSON.stringify({ events: [{ eventName: "bought", user: { userID: "u" }, time: 5 }] });
  const send = (bytes: Uint8Array, encoding: string) =>
    fetch(`${desk.emulator.url}/v1/log_event`, {
      ...{ method: "POST", body: bytes },
      headers: { "STATSIG-API-KEY": serverKey, "Content-Encoding": encoding },
    });
  for (const [bytes, encoding] of [
    [gzipSync(body), "gzip"],
    [zstdCompressSync(body), "zstd"],
    [Buffer.from(body), "identity"],
  ] as const) {
    const answer = await send(bytes, encoding);
    expect([answer.status, await answer.json()]).toEqual([202, { success: true }]);
  }
  expect(await desk.list("/events/bought")).toHaveLength(3);
  expect((await send(Buffer.from("no"), "gzip")).status).toBe(400);
  expect((await send(gzipSync(Buffer.alloc(65 * 1024 * 1024)), "gzip")).status).toBe(413);
  expect((await send(Buffer.from(body), "bogus")).status).toBe(415);
});

test("what SDKs ask is neither counted as a request to the Console API nor kept with its key", async () => {
  const desk = await open();
  await fetchSpecs(desk, v1());
  await gate(desk, "one");
  expect(desk.emulator.requests.map(({ path }) => path)).toEqual(["/console/v1/gates"]);
});

// `npm run prove -- sdk` does the same with 100 clients, and while `pulumi up` writes.
test("every document that a client sees is the state after one of the writes", async () => {
  const folder = mkdtempSync(join(tmpdir(), "looks-"));
  for (const file of [{}, { data: join(folder, "console.db") }]) {
    const { states, wrong } = await lookAtWrites({ clients: 10, gates: 7, writes: 50, ...file });
    expect(wrong).toEqual([]);
    expect(states).toBeGreaterThan(5);
  }
  rmSync(folder, { recursive: true });
});

test("both SDKs start from a console in memory, without network and without timers", async () => {
  const console_ = createEmulator();
  const send = (method: "POST", url: string, body: unknown) =>
    console_.transport.send({
      ...{ method, url: `http://embedded.invalid/console/v1${url}` },
      ...{ headers: { "SERVICE-API-KEY": "k" }, body: JSON.stringify(body) },
    });
  await send("POST", "/gates", {
    ...{ id: "flag", name: "flag", isEnabled: true },
    rules: [
      {
        name: "r",
        passPercentage: 100,
        conditions: [{ type: "country", operator: "any", targetValue: ["NZ"] }],
      },
    ],
  });
  const { v1: first, v2: second, time, findings } = console_.sdkDocuments();
  expect(findings).toEqual([]);
  const classic = new StatsigServer(serverKey, {
    ...{ localMode: true, bootstrapValues: first, disableRulesetsSync: true, disableIdListsSync: true },
    ...{ disableDiagnostics: true, disableAllLogging: true, initStrategyForIDLists: "none" },
  });
  await classic.initializeAsync();
  const sdk = nodeSdk(classic);
  sdks.push(sdk);
  expect(sdk.gate("flag", { userID: "u", country: "NZ" })).toBe(true);
  expect(sdk.gate("flag", { userID: "u", country: "NL" })).toBe(false);
  expect(answersOfCore({ result: second, time })).toEqual([true, false]);
  console_.close();
});

/** What the core SDK says of the flag, in a process of its own: the functions of a data store would keep this one from ending. */
function answersOfCore(document: { result: string; time: number }): unknown {
  const program = `
    const { Statsig, StatsigUser } = require("@statsig/statsig-node-core");
    const document = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
    const sdk = new Statsig("secret-any", {
      disableNetwork: true, disableAllLogging: true, outputLogLevel: "none", waitForCountryLookupInit: true,
      specAdaptersConfig: [{ adapterType: "data_store", initTimeoutMs: 3000 }],
      dataStore: { initialize: async () => {}, get: async () => document },
    });
    sdk.initialize().then(() => {
      const ask = (country) => sdk.checkGate(new StatsigUser({ userID: "u", country }), "flag");
      console.log(JSON.stringify(["NZ", "NL"].map(ask)));
      process.exit(0);
    });`;
  const input = JSON.stringify(document);
  const run = spawnSync(process.execPath, ["-e", program], {
    input,
    encoding: "utf8",
    cwd: __dirname,
    timeout: 30_000,
  });
  return JSON.parse(run.stdout || JSON.stringify(run.stderr)) as unknown;
}

test("gates that ask each other in a circle are told, and those beside the circle are not", async () => {
  const asking = (name: string, ...others: string[]) => ({
    ...{ id: name, name, isEnabled: true },
    rules: others.map((other) => ({
      ...{ id: `${name}-${other}`, baseID: other, name: other, passPercentage: 100 },
      conditions: [{ type: "passes_gate", targetValue: other }],
    })),
  });
  const gates = [
    ...[
      asking("one", "two", "between"),
      asking("two", "three", "leaf"),
      asking("three", "one"),
      asking("self", "self"),
    ],
    ...[asking("before", "one"), asking("between", "self"), asking("leaf"), asking("lost", "nowhere")],
  ];
  const seeded = createEmulator({ profile: "custom", seed: { gates } as Seed });
  const told = seeded.sdkDocuments().findings.map((finding) => finding.split(":")[0]);
  seeded.close();
  expect(told.sort()).toEqual(["gate one", "gate self", "gate three", "gate two"]);
});
