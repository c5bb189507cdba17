import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { createRouteClient } from "../../src/provider/client/client";
import { httpTransport } from "../../src/provider/client/transport";
import { catalog } from "../../src/provider/definitions";
import { Plugin } from "../../src/provider/native/plugin";
import { collectSettings, settingNames } from "../../src/provider/pulumi/provider-settings";
import { settingProblems } from "../../src/provider/pulumi/setting-problems";
import { explicitSettings } from "../../src/tools/stack/consoles";
import { driverOf } from "../support/driver";
import { type HttpServer, serveHttp } from "../support/http-server";
import { startProcess, testKey } from "../support/in-process";
import { callsOf } from "../support/native";
import { type Adapter, adapters, backendsOf, startRun } from "../support/run";
import { toStruct } from "../support/wire-json";

type Values = Record<string, string>;
const ownKey = `${testKey}-own`;
const onlyHosts = "FEATURE_CONSOLE_ALLOWED_HOSTS";

/** A listener that answers 404 and remembers the keys that it was sent. */
let listener: HttpServer;
let keys: unknown[] = [];
beforeAll(async () => {
  listener = await serveHttp((request, response) => {
    keys.push(request.headers["service-api-key"] ?? request.headers["statsig-api-key"] ?? "none");
    response.writeHead(404, { "content-type": "application/json" }).end('{"status":404,"message":"none"}');
  });
});
beforeEach(() => {
  keys = [];
});
afterAll(() => listener.close());

const full = (settings: Values): Values =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [`feature-console:${name}`, value]));
const around = (settings: Partial<Record<keyof typeof settingNames, string>>): Values =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      settingNames[name as keyof typeof settingNames].environment,
      value,
    ]),
  );

describe("a key and its address belong together", () => {
  const elsewhere = "https://evil.example:8443";
  const eu = "https://eu.example";
  const problemsOf = (config: Values, environment: Values) => {
    const read = (name: string) => full(config)[name];
    return settingProblems(read, [], environment).filter((text) => !text.startsWith("These settings"));
  };
  const explicit = (settings: Values) => ({ explicit: "true", ...settings });

  const custom = (more: Values) => ({ profile: "custom", baseUrl: elsewhere, ...more });
  /** The environment has a key, and more. */
  const env = (more: Parameters<typeof around>[0] = {}) => around({ apiKey: testKey, ...more });
  const at = (baseUrl: string) => env({ profile: "custom", baseUrl });
  const [key, statsig] = [env(), { profile: "statsig" }];
  const ofStack = { apiKey: testKey, fromStack: "key" };

  test.each<[string, Values, Values]>([
    ["an address of the program", custom({}), key],
    ["another address than the environment's", custom({}), at(eu)],
    ["a profile whose address nobody else names", statsig, key],
    ["another address of the environment's profile", custom(statsig), env(statsig)],
    ["another path of the same host", custom({ baseUrl: `${eu}/b` }), at(`${eu}/a`)],
    ["the environment's key, passed on by hand", custom({ apiKey: testKey }), key],
    ["the same without its line break", custom({ apiKey: testKey }), env({ apiKey: `${testKey}\n` })],
    ["the stack's key, passed on by hand", custom(ofStack), {}],
  ])("a key that did not come with its provider is refused: %s", (_, settings, environment) => {
    const problems = problemsOf(explicit(settings), environment);
    expect(problems).toEqual([
      expect.stringMatching(
        /^An explicit provider of the program names the address https:\S+, which neither the environment nor the stack names, and its key is that of (the environment|the stack's configuration): the key was not sent\. Give the provider a key of its own \(apiKey\), or name [\w.:]+ in FEATURE_CONSOLE_ALLOWED_HOSTS, beside every other host that gets a key\.$/,
      ),
    ]);
    expect(problems.join()).not.toContain(testKey);
    const collect = () => collectSettings((name) => full(explicit(settings))[name], environment);
    expect(collect).toThrow(problems[0] as string);
  });

  const named = { ...key, [onlyHosts]: "eu.example, EVIL.example:8443" };
  test.each<[string, Values, Values]>([
    ["its own key", explicit(custom({ apiKey: ownKey })), {}],
    ["its own, beside one of the environment", explicit({ ...statsig, apiKey: ownKey }), key],
    ["the environment's address", explicit(custom({ baseUrl: `${eu}/console/v1/` })), env({ baseUrl: eu })],
    ["that of its profile", explicit({ ...statsig, baseUrl: "https://statsigapi.net" }), env(statsig)],
    ["the environment alone", explicit({}), at(eu)],
    ["the stack's address", explicit(custom({ fromStack: "address" })), key],
    ["the embedded console", explicit({ profile: "embedded" }), key],
    ["a host that a person named", explicit(custom({})), named],
    ["no explicit provider", custom({}), key],
  ])("others are not: %s", (_, settings, environment) => {
    expect(problemsOf(settings, environment)).toEqual([]);
  });

  const hosts = (value: string, baseUrl: string, more: Values = {}) =>
    problemsOf({ profile: "custom", baseUrl, apiKey: testKey, ...more }, { [onlyHosts]: value });

  test.each([
    ["eu.example", "https://us.example"],
    ["eu.example", "https://eu.example.evil.example"],
    ["eu.example", "https://a.eu.example"],
    ["eu.example:8443", "https://eu.example"],
    ["eu.example:443", "https://eu.example:8443"],
    ["127.0.0.1:1", "http://127.0.0.1:2"],
  ])("where hosts are named, no key goes to another: %s, %s", (value, baseUrl) => {
    const { origin, host } = new URL(baseUrl);
    const text = `The console's address is ${origin}, and ${onlyHosts} does not name that host: the key was not sent. Correct the address, or add ${host} to ${onlyHosts}.`;
    expect(hosts(value, baseUrl)).toEqual([text]);
    // Whoever brings the key, and whoever names the address.
    expect(hosts(value, baseUrl, { explicit: "true", apiKey: ownKey })).toEqual([text]);
    const environment = { ...around({ profile: "custom", baseUrl, apiKey: testKey }), [onlyHosts]: value };
    expect(problemsOf({}, environment)).toEqual([text]);
  });

  test.each([
    ["eu.example", "https://eu.example"],
    ["us.example,eu.example", "https://eu.example:8443/base"],
    ["EU.example:443", "https://eu.example"],
    ["[::1]:80", "http://[::1]"],
    ["127.0.0.1", "http://127.0.0.1:4455"],
  ])("and to those it does: %s, %s", (value, baseUrl) => expect(hosts(value, baseUrl)).toEqual([]));

  test("a pattern or an address is no host", () => {
    for (const value of ["*.example", "https://eu.io", "eu.io/x", "eu.io:http", "me@eu.io", "eu.io evil.io"])
      expect(hosts(value, "https://eu.io")).toEqual([
        `${onlyHosts} holds ${JSON.stringify(value)}, which is no host. Name whole hosts, such as console.example.com or console.example.com:8443, with commas between them.`,
      ]);
  });

  test.each(["", " ", ","])("a variable that names none allows none: %j", (value) => {
    expect(hosts(value, "https://eu.example")).toEqual([
      `${onlyHosts} is set and names no host. Name hosts with commas between them, or unset it.`,
    ]);
    expect(problemsOf({ profile: "embedded" }, { [onlyHosts]: value })).toEqual([]);
  });
});

const args = { key: "sneaky", isEnabled: true, type: "TEMPORARY" };
const tried = (work: Promise<unknown>) =>
  work.then(String, (error) => JSON.stringify(error.message ?? error));

/** Gates of a run with these settings. */
const gatesWith = (settings: Values, environment: Values) =>
  startRun({
    config: full({ profile: "custom", ...settings }),
    ...{ folder: undefined, environment: () => environment },
  }).of(catalog.gate);

describe("every verb of a dynamic resource refuses before a request", () => {
  const verbs = async (settings: Values, environment: Values) => {
    const { calls, problems } = gatesWith({ explicit: "true", ...settings }, environment);
    const state = { ...args, id: "sneaky", __managed: ["isEnabled"] };
    return [
      JSON.stringify(await problems(args)),
      await tried(calls().create(args)),
      await tried(calls().update("sneaky", state, { ...args, isEnabled: false })),
      await tried(calls().read("sneaky", state)),
      await tried(calls().delete("sneaky", state)),
    ];
  };

  test.each<[string, Values, Values, string]>([
    ["the environment's key", {}, around({ apiKey: testKey }), "Give the provider a key of its own (apiKey)"],
    ["any key, elsewhere", { apiKey: ownKey }, { [onlyHosts]: "eu.example" }, "does not name that host"],
  ])("with %s", async (_, settings, environment, expected) => {
    const found = await verbs({ baseUrl: listener.url, ...settings }, environment);
    for (const text of found) expect(text).toContain(expected);
    expect(keys).toEqual([]);
  });

  test("and asks with a key of its own", async () => {
    await verbs({ baseUrl: listener.url, apiKey: ownKey }, around({ apiKey: testKey }));
    expect(new Set(keys)).toEqual(new Set([ownKey]));
  });
});

test("a provider that no class of this package made has no settings for its resources", async () => {
  const { problems } = gatesWith({ baseUrl: listener.url }, around({ apiKey: testKey }));
  const provider = "urn:pulumi:dev::test::pulumi:providers:pulumi-nodejs::eu";
  const reason = expect.stringContaining(
    'The resource "sneaky" has a provider that this package did not make, and a key must not go wherever that one leads: nothing was sent.',
  );
  const found = await problems({ ...args, __program: { name: "sneaky", preview: true, provider } });
  expect(found).toEqual([{ property: "", reason }]);
  expect(keys).toEqual([]);
});

describe("the native plugin", () => {
  const plugin = (environment: Values) => {
    const ports = { folder: undefined, environment: () => environment };
    const processOf = (report: (line: string) => void) => startProcess({}, { ...ports, report });
    return callsOf(new Plugin(processOf, () => {}), ports.environment);
  };
  const checkConfig = async (environment: Values, values: Values, name = "eu") => {
    const request = new proto.CheckRequest().setName(name).setNews(toStruct(values));
    const answer = await plugin(environment)<proto.CheckResponse>("checkConfig", request);
    return answer.getFailuresList().map((one) => one.getReason());
  };
  const atListener = () => ({ profile: "custom", baseUrl: listener.url });
  const stack = (settings: Values) => ({ PULUMI_CONFIG: JSON.stringify(settings) });

  test("refuses its provider, its resources and its lookups", async () => {
    const environment = { ...around({ apiKey: testKey }), ...stack({ profile: "statsig" }) };
    const [problem, ...others] = await checkConfig(environment, atListener());
    expect(problem).toContain("Give the provider a key of its own (apiKey)");
    expect(others).toEqual([expect.stringMatching(/^These settings are those of an explicit provider/)]);
    const call = plugin(environment);
    await call("configure", new proto.ConfigureRequest().setName("eu").setArgs(toStruct(atListener())));
    const urn = "urn:pulumi:dev::test::feature-console:index:Gate::sneaky";
    const state = toStruct({ key: "sneaky", isEnabled: true });
    for (const [method, request] of [
      ["create", new proto.CreateRequest().setUrn(urn).setProperties(toStruct(args))],
      ["read", new proto.ReadRequest().setUrn(urn).setId("sneaky").setProperties(state)],
      ["delete", new proto.DeleteRequest().setUrn(urn).setId("sneaky").setProperties(state)],
      ["invoke", new proto.InvokeRequest().setTok("feature-console:index:listGates").setArgs(toStruct({}))],
    ] as const)
      expect(await tried(call(method, request))).toContain("Give the provider a key of its own");
    expect(keys).toEqual([]);
  });

  test("knows the stack's address and key", async () => {
    const key = around({ apiKey: testKey });
    expect(await checkConfig({ ...key, ...stack(atListener()) }, atListener())).toEqual([]);
    const withKey = stack({ profile: "statsig", apiKey: testKey });
    const [problem] = await checkConfig(withKey, { ...atListener(), apiKey: testKey });
    expect(problem).toContain("its key is that of the stack's configuration");
    expect(await checkConfig(withKey, { ...atListener(), apiKey: ownKey })).toEqual([]);
    // The word of a program does not count.
    expect(await checkConfig(key, { ...atListener(), fromStack: "address" })).toContainEqual(
      expect.stringContaining("Give the provider a key of its own"),
    );
  });

  test("takes no provider of a program for the one of the stack's configuration", async () => {
    const environment = { ...around({ apiKey: testKey }), ...stack({ profile: "statsig" }) };
    for (const name of ["default", "default_eu"])
      expect(await checkConfig(environment, atListener(), name)).toEqual([
        `A provider of a program whose name begins with "default" is taken for the one that Pulumi makes of the stack's configuration. Give it another name.`,
      ]);
    expect(await checkConfig(environment, { profile: "statsig", version: "1.0.0" }, "default")).toEqual([]);
  });
});

test("the tools know what an explicit provider of the state shares with the stack", () => {
  const environment = around({ apiKey: testKey });
  const inputs = { explicit: "true", profile: "custom", baseUrl: listener.url };
  const provider = (type: string, values: Values) => ({
    urn: `urn:pulumi:dev::flags::${type}::eu`,
    ...{ type, custom: true, inputs: values },
  });
  const resources = [
    provider("pulumi:providers:pulumi-nodejs", full(inputs)),
    provider("pulumi:providers:feature-console", { profile: "custom", baseUrl: listener.url }),
  ];
  const settingsBeside = (stack: Values) =>
    [...explicitSettings({ resources }, (name) => full(stack)[name], environment).values()].map(
      (read) => () => collectSettings(read, environment),
    );
  for (const collect of settingsBeside({ profile: "statsig" })) expect(collect).toThrow("a key of its own");
  for (const collect of settingsBeside({ profile: "custom", baseUrl: listener.url }))
    expect(collect()).toMatchObject({ baseUrl: listener.url });
  expect(settingsBeside({})).toHaveLength(2);
});

describe("whoever asks over HTTP", () => {
  afterEach(() => {
    for (const name of [onlyHosts, "HTTP_PROXY"]) delete process.env[name];
  });

  test("asks no host but those named, also without the settings of a run", async () => {
    process.env[onlyHosts] = "eu.example";
    const client = createRouteClient({ profile: "custom", baseUrl: listener.url, apiKey: testKey });
    const asked = client.items(catalog.gate.routes.list, {}).next();
    await expect(asked).rejects.toThrow(`${onlyHosts} does not name that host: the key was not sent.`);
    expect(keys).toEqual([]);
  });

  test("counts a proxy that would read the key as a host", async () => {
    process.env[onlyHosts] = "eu.example";
    process.env.HTTP_PROXY = listener.url;
    const ask = () =>
      httpTransport(1).send({
        ...{ method: "GET", url: "http://eu.example/x", headers: { "SERVICE-API-KEY": testKey } },
        signal: AbortSignal.timeout(30_000),
      });
    await expect(ask()).rejects.toThrow(
      `The proxy of HTTP_PROXY would read the key on its way to http://eu.example, and ${onlyHosts} does not name the proxy's host: the key was not sent.`,
    );
    expect(keys).toEqual([]);
    process.env[onlyHosts] = `eu.example,${new URL(listener.url).host}`;
    await ask();
    expect(keys).toEqual([testKey]);
  });
});

describe("certificates that nothing checks", () => {
  const linesOf = async (profile: string, value: string, adapter: Adapter) => {
    const environment = { ...around({ profile, apiKey: testKey }), NODE_TLS_REJECT_UNAUTHORIZED: value };
    const lines: string[] = [];
    const report = (line: string) => void lines.push(line);
    const run = startProcess({}, { folder: undefined, environment: () => environment, report });
    run.isPreview = true;
    const backends = backendsOf(adapter, () => run, report);
    const { problems } = driverOf({ definition: catalog.gate, backend: () => backends(catalog.gate) });
    for (let check = 0; check < 2; check += 1) await problems({ ...args, key: "" });
    return lines.filter((line) => line.includes("NODE_TLS_REJECT_UNAUTHORIZED"));
  };

  test.each(adapters)("are announced once in a run: %s", async (adapter) => {
    expect(await linesOf("statsig", "0", adapter)).toEqual([
      "NODE_TLS_REJECT_UNAUTHORIZED is 0: nothing checks the console's certificate, so another machine can pose as the console and read the key. Unset that variable. Where a CA of your own signed the certificate, export NODE_EXTRA_CA_CERTS=/path/to/ca.pem.",
    ]);
    expect(await linesOf("statsig", "1", adapter)).toEqual([]);
    expect(await linesOf("embedded", "0", adapter)).toEqual([]);
  });
});
