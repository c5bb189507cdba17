import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { expect, test } from "@jest/globals";
import { StatsigServer } from "statsig-node";
import { run } from "../../../scripts/process/run";
import { createEmulator } from "../../../src/emulator";
import type { JsonObject } from "../../../src/provider/schema/json";
import { freshFolder } from "../../support/folders";
import { type Desk, ruleFor } from "../desk";
import { desksOfTests } from "../test-desk";
import { lookAtWrites } from "./looks";
import { nodeSdk, serverKey, startBoth, startCoreSdk } from "./server-sdks";
import { sdksOfTests } from "./test-sdks";

const stopLater = sdksOfTests();
// After the SDKs, which send what they still have.
const open = desksOfTests();

const gate = (api: Desk, id: string, rest: JsonObject = {}) =>
  api.must("POST", "/gates", { id, rules: [ruleFor("r")], ...rest });
const asking = (name: string, type: string, targetValue: unknown) => ({
  ...{ ...ruleFor(name), conditions: [{ type, targetValue }] },
});
interface SpecsAnswer extends JsonObject {
  readonly has_updates: boolean;
  readonly time: number;
  readonly feature_gates: readonly JsonObject[] | Readonly<Record<string, JsonObject>>;
}
const fetchSpecs = async (api: Desk, path: string, init?: RequestInit) => {
  const answer = await fetch(`${api.emulator.url}${path}`, init);
  return { status: answer.status, body: (await answer.json()) as SpecsAnswer };
};
const v1 = (key = serverKey): string => `/v1/download_config_specs/${key}.json`;
const v2 = (key = serverKey): string => `/v2/download_config_specs/${key}.json`;

test("an SDK that has the newest document is told so, and a change gives a later one", async () => {
  const api = await open({ clock: () => 1_000_000 });
  await gate(api, "one");
  const { body: first } = await fetchSpecs(api, v2());
  expect(first).toMatchObject({ has_updates: true, time: expect.any(Number) });
  expect(Object.keys(first.feature_gates)).toEqual(["one"]);
  const since = `sinceTime=${first.time}`;
  const post = (body: object) =>
    fetchSpecs(api, "/v1/download_config_specs", {
      ...{ method: "POST", headers: { "STATSIG-API-KEY": serverKey }, body: JSON.stringify(body) },
    });
  const nothingNew = { has_updates: false };
  expect((await fetchSpecs(api, `${v2()}?supports_proto=true&${since}`)).body).toEqual(nothingNew);
  expect((await post({ sinceTime: first.time })).body).toEqual(nothingNew);
  // `statsig-node` 4.14 to 5.10 ask so from the start.
  const { body: asked } = await post({ statsigMetadata: { sdkType: "statsig-node" }, sinceTime: 0 });
  expect(asked.feature_gates).toMatchObject([{ name: "one" }]);
  // Nothing that an SDK would see.
  await api.must("POST", "/tags", { name: "t", description: "" });
  expect((await fetchSpecs(api, `${v2()}?${since}`)).body).toEqual(nothingNew);
  await gate(api, "two");
  const { body: second } = await fetchSpecs(api, `${v1()}?${since}`);
  expect(second.time).toBeGreaterThan(first.time);
  expect((second.feature_gates as JsonObject[]).map(({ name }) => name)).toEqual(["one", "two"]);
  // What SDKs ask is neither counted as a request to the Console API nor kept with its key.
  const counted = ["gates", "tags", "gates"].map((list) => `/console/v1/${list}`);
  expect(api.emulator.requests.map(({ path }) => path)).toEqual(counted);
});

test("a running SDK sees what was written", async () => {
  const api = await open();
  await gate(api, "flag", { isEnabled: false });
  const [sdk] = stopLater([await startCoreSdk(api.emulator.url, { pollMs: 1000 })] as const);
  expect(sdk.gate("flag", { userID: "u" })).toBe(false);
  await api.must("PUT", "/gates/flag/enable", {});
  const end = Date.now() + 20_000;
  while (!sdk.gate("flag", { userID: "u" }) && Date.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 100));
  expect(sdk.gate("flag", { userID: "u" })).toBe(true);
});

test("each key has its door, and the answers tell which", async () => {
  const consoleKey = "console-for-tests";
  const api = await open({ profile: "statsig", key: consoleKey, serverKey });
  expect((await fetchSpecs(api, v1())).status).toBe(200);
  const takes =
    "An SDK takes a server key: the one of --server-key, or one of type SERVER that the console has made.";
  for (const [path, message] of [
    [v1(consoleKey), `This is a key of the Console API: programs and tools take it. ${takes}`],
    [v2("client-x"), `This is a client key, whose scopes are not known. ${takes}`],
    [v2("secret-other"), `This server key is not known. ${takes}`],
    ["/v1/get_id_lists", `No key was sent. ${takes}`],
    [v1("%zz"), `No key was sent. ${takes}`],
  ] as const)
    expect(await fetchSpecs(api, path)).toMatchObject({ status: 401, body: { message } });
  const message = "This is a server key: SDKs take it. The Console API takes a console key.";
  const atConsole = await api.ask("GET", "/gates", undefined, { "STATSIG-API-KEY": serverKey });
  expect(atConsole).toMatchObject({ status: 401, body: { message } });
});

test("a server key that the console made opens until it is deactivated, and shows the objects of its app", async () => {
  const api = await open({ serverKey });
  for (const name of ["Web", "Phone"]) await api.must("POST", "/target_app", { name, description: "" });
  await gate(api, "for_all");
  for (const id of ["asked", "for_phone"]) await gate(api, id, { targetApps: ["Phone"] });
  const ofApp = { type: "target_app", operator: "any", targetValue: ["Web"] };
  const rules = [{ ...ruleFor("App"), conditions: [ofApp] }, asking("Asks", "passes_gate", "asked")];
  await gate(api, "for_web", { targetApps: ["Web"], rules });
  const targetAppID = (await api.list("/target_app")).find(({ name }) => name === "Web")?.id;
  const made = async (type: string) =>
    String((await api.must("POST", "/keys", { description: "k", type, targetAppID })).key);
  const key = await made("SERVER");
  const { body } = await fetchSpecs(api, v2(key));
  expect(body.app_id).toBe("Web");
  expect(Object.keys(body.feature_gates).sort()).toEqual(["asked", "for_all", "for_web"]);
  const sdks = stopLater(await startBoth(api.emulator.url, { key }));
  expect(sdks.map((sdk) => sdk.gate("for_web", { userID: "u" }))).toEqual([true, true]);
  await api.must("PATCH", `/keys/${key}/deactivate`, {});
  for (const closed of [key, await made("CONSOLE")])
    expect((await fetchSpecs(api, v2(closed))).status).toBe(401);
});

test("a server key that was deleted or rotated opens nothing again, where any other is taken", async () => {
  const api = await open();
  const made = async () =>
    String((await api.must("POST", "/keys", { description: "k", type: "SERVER" })).key);
  const [deleted, rotated] = [await made(), await made()];
  await api.must("DELETE", `/keys/${deleted}`);
  const next = String((await api.must("PATCH", `/keys/${rotated}/rotate`, {})).key);
  const statuses = [deleted, rotated, next, serverKey].map(
    async (key) => (await fetchSpecs(api, v2(key))).status,
  );
  expect(await Promise.all(statuses)).toEqual([401, 401, 200, 200]);
});

test("[L6] a file of ids grows, is read from any byte, and says how long it is", async () => {
  const api = await open();
  const ids = Array.from({ length: 1001 }, (_, index) => `id${index}`);
  await api.must("POST", "/segments", { name: "long", type: "id_list" });
  await api.must("PATCH", "/segments/long/id_list", { ids });
  const index = async () => {
    const { body } = await fetchSpecs(api, "/v1/get_id_lists", {
      ...{ method: "POST", body: "", headers: { "STATSIG-API-KEY": serverKey } },
    });
    return body.long as { url: string; size: number; fileID: string; creationTime: number };
  };
  const first = await index();
  const read = async (from: number) => {
    const answer = await fetch(first.url, { headers: { Range: `bytes=${from}-` } });
    return { length: Number(answer.headers.get("content-length")), text: await answer.text() };
  };
  const lines = expect.stringMatching(/^(\+.{8}\n){1001}$/);
  expect(await read(0)).toEqual({ length: first.size, text: lines });
  await api.must("PATCH", "/segments/long/id_list", { ids: ["one more"] });
  await api.must("DELETE", "/segments/long/id_list", { ids: ["id7"] });
  const { fileID, creationTime } = first;
  expect(await index()).toMatchObject({ fileID, creationTime, size: 1003 * 10 });
  const changes = expect.stringMatching(/^-.{8}\n\+.{8}\n$/);
  expect(await read(first.size)).toEqual({ length: 20, text: changes });
  await gate(api, "listed", { rules: [asking("r", "passes_segment", "long")] });
  const sdks = stopLater(await startBoth(api.emulator.url, { idLists: true }));
  const inList = ["id1", "id7"].map((userID) => sdks.map((sdk) => sdk.gate("listed", { userID })));
  expect(inList).toEqual([
    [true, true],
    [false, false],
  ]);
  await api.must("DELETE", "/segments/long");
  expect(await index()).toBeUndefined();
  expect((await fetch(first.url)).status).toBe(404);
});

test("packed bodies are read, broken ones refused", async () => {
  const api = await open();
  const body = JSON.stringify({ events: [{ eventName: "bought", user: { userID: "u" }, time: 5 }] });
  const send = (bytes: Uint8Array, encoding: string) =>
    fetch(`${api.emulator.url}/v1/log_event`, {
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
  expect(await api.list("/events/bought")).toHaveLength(3);
  expect((await send(Buffer.from("no"), "gzip")).status).toBe(400);
  expect((await send(gzipSync(Buffer.alloc(65 * 1024 * 1024)), "gzip")).status).toBe(413);
  expect((await send(Buffer.from(body), "bogus")).status).toBe(415);
});

// `npm run prove -- sdk` does the same with 100 clients, and while `pulumi up` writes.
test("every document that a client sees is the state after one of the writes", async () => {
  const folder = freshFolder();
  for (const file of [{}, { data: join(folder, "console.db") }]) {
    const { states, wrong } = await lookAtWrites({ clients: 10, gates: 7, writes: 50, ...file });
    expect(wrong).toEqual([]);
    expect(states).toBeGreaterThan(5);
  }
});

test("both SDKs start from a console in memory, without network and without timers", async () => {
  const conditions = [{ type: "country", operator: "any", targetValue: ["NZ"] }];
  const gates = [{ id: "flag", rules: [{ ...ruleFor("r"), conditions }] }];
  const { sdkDocuments, close } = createEmulator({ seed: { gates } });
  const { v1: first, v2: second, time, findings } = sdkDocuments();
  expect(findings).toEqual([]);
  const classic = new StatsigServer(serverKey, {
    ...{ localMode: true, bootstrapValues: first, disableRulesetsSync: true, disableIdListsSync: true },
    ...{ disableDiagnostics: true, disableAllLogging: true, initStrategyForIDLists: "none" },
  });
  await classic.initializeAsync();
  const [sdk] = stopLater([nodeSdk(classic)] as const);
  const passes = (country: string) => sdk.gate("flag", { userID: "u", country });
  expect(["NZ", "NL"].map(passes)).toEqual([true, false]);
  expect(await answersOfCore({ result: second, time })).toEqual([true, false]);
  close();
});

/** What the core SDK says of the flag, in a process of its own: the functions of a data store would keep this one from ending. */
async function answersOfCore(document: { result: string; time: number }): Promise<unknown> {
  const program = `
    const { Statsig, StatsigUser } = require("@statsig/statsig-node-core");
    const document = ${JSON.stringify(document)};
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
  const { stdout, stderr } = await run(process.execPath, ["-e", program], {
    cwd: __dirname,
    timeoutMs: 30_000,
  });
  return JSON.parse(stdout || JSON.stringify(stderr)) as unknown;
}

test("gates that ask each other in a circle are told, and those beside the circle are not", async () => {
  const asks = (id: string, ...others: string[]) => ({
    id,
    rules: others.map((other) => asking(other, "passes_gate", other)),
  });
  const gates = [
    ...[asks("one", "two", "between"), asks("two", "three", "leaf"), asks("three", "one")],
    ...[asks("self", "self"), asks("before", "one"), asks("between", "self"), asks("leaf")],
    asks("lost", "nowhere"),
  ];
  const { sdkDocuments, close } = createEmulator({ profile: "custom", seed: { gates } });
  const told = sdkDocuments().findings.map((finding) => finding.split(":")[0]);
  close();
  expect(told.sort()).toEqual(["gate one", "gate self", "gate three", "gate two"]);
});
