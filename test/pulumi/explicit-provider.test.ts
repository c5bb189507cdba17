import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import * as fc from "../../src";
import * as native from "../../src/native";
import { type HttpServer, serveHttp } from "../support/http-server";
import { testKey } from "../support/in-process";

const ownKey = pulumi.secret(`${testKey}-own`);
let listener: HttpServer;
let keys: unknown[] = [];
let inputs = new Map<string, Record<string, unknown>>();

beforeAll(async () => {
  listener = await serveHttp((request, response) => {
    keys.push(request.headers["service-api-key"]);
    response.writeHead(200, { "content-type": "application/json" }).end('{"message":"ok","data":[]}');
  });
});
beforeEach(async () => {
  delete process.env.FEATURE_CONSOLE_BASE_URL;
  process.env.FEATURE_CONSOLE_API_KEY = testKey;
  keys = [];
  inputs = new Map();
  const newResource = (one: pulumi.runtime.MockResourceArgs) => {
    inputs.set(one.name, one.inputs);
    return { id: one.name, state: one.inputs };
  };
  await pulumi.runtime.setMocks({ newResource, call: () => ({}) }, "project", "stack", false);
  pulumi.runtime.setAllConfig({});
});
afterAll(() => listener.close());

const atListener = () => ({ profile: "custom", baseUrl: listener.url }) as const;
const inputsOf = async (provider: pulumi.ProviderResource, name: string) => {
  await new Promise((resolve) => provider.urn.apply(resolve));
  return inputs.get(name) ?? {};
};

describe.each([
  ["a dynamic provider", fc],
  ["a native one", native],
] as const)("a lookup through %s", (_, { Provider, listGates }) => {
  test("sends no key of the environment to an address of the program", async () => {
    const provider = new Provider("eu", atListener());
    await expect(listGates({}, { provider })).rejects.toThrow("Give the provider a key of its own (apiKey)");
    expect(keys).toEqual([]);
  });

  test("sends its own", async () => {
    const provider = new Provider("eu", { ...atListener(), apiKey: ownKey });
    expect(await listGates({}, { provider })).toEqual([]);
    expect(new Set(keys)).toEqual(new Set([`${testKey}-own`]));
  });

  test("sends that of the environment to the stack's address, and the stack's to no other", async () => {
    pulumi.runtime.setAllConfig({ "feature-console:baseUrl": listener.url });
    expect(await listGates({}, { provider: new Provider("one", atListener()) })).toEqual([]);
    expect(keys).toContain(testKey);
    keys = [];
    delete process.env.FEATURE_CONSOLE_API_KEY;
    pulumi.runtime.setAllConfig({ "feature-console:apiKey": testKey, "feature-console:profile": "statsig" });
    const provider = new Provider("two", { ...atListener(), apiKey: pulumi.secret(testKey) });
    await expect(listGates({}, { provider })).rejects.toThrow("its key is that of the stack's configuration");
    expect(keys).toEqual([]);
  });
});

test("a lookup through a provider that no class of this package made asks nobody", async () => {
  pulumi.runtime.setAllConfig({
    "feature-console:profile": "custom",
    "feature-console:baseUrl": listener.url,
  });
  class Other extends pulumi.ProviderResource {}
  const provider = new Other("pulumi-nodejs", "eu", {}) as unknown as fc.Provider;
  await expect(fc.listGates({}, { provider })).rejects.toThrow(
    "A lookup has a provider that this package did not make, and a key must not go wherever that one leads: nothing was sent. Make the provider with the class Provider of pulumi-feature-console.",
  );
  expect(keys).toEqual([]);
});

test("the stack's address does not come before the environment's by a mark of explicit providers", async () => {
  process.env.FEATURE_CONSOLE_BASE_URL = "http://127.0.0.1:1";
  pulumi.runtime.setAllConfig({
    ...{ "feature-console:profile": "custom", "feature-console:baseUrl": listener.url },
    ...{ "feature-console:explicit": "true", "feature-console:fromStack": "address" },
    "feature-console:requestTimeoutMs": "1",
  });
  await expect(fc.listGates({})).rejects.toThrow("127.0.0.1:1");
  expect(keys).toEqual([]);
});

test("a dynamic provider takes along what it shares with the stack, where the decision needs it", async () => {
  const mark = "feature-console:fromStack";
  const noted = async (name: string, args: Partial<ConstructorParameters<typeof fc.Provider>[1]>) => {
    const provider = new fc.Provider(name, { ...atListener(), ...args });
    return (await inputsOf(provider, name))[mark];
  };
  expect(await noted("elsewhere", {})).toBeUndefined();
  pulumi.runtime.setAllConfig({
    "feature-console:baseUrl": listener.url,
    "feature-console:apiKey": "of-stack",
  });
  expect(await noted("its address", {})).toBe("address");
  expect(await noted("both", { apiKey: "of-stack" })).toBe("address,key");
  expect(await noted("key", { apiKey: "of-stack", baseUrl: "https://eu.example" })).toBe("key");
  expect(await noted("own", { apiKey: "own" })).toBeUndefined();
});

test("both secrets of a provider are secrets from the beginning", async () => {
  const secrets = { apiKey: "own-key", redisUrl: "rediss://:word@redis.example" };
  for (const [name, provider] of [
    ["dynamic", new fc.Provider("dynamic", { ...atListener(), ...secrets })],
    ["native", new native.Provider("native", { ...atListener(), ...secrets })],
  ] as const) {
    const found = await inputsOf(provider, name);
    const hidden = Object.entries(found).filter(([, value]) => typeof value === "object");
    expect(hidden.map(([key]) => key.replace("feature-console:", "")).sort()).toEqual(["apiKey", "redisUrl"]);
  }
});

test("a program that exports a provider, or what it looks up by it, exports no key", async () => {
  const provider = new fc.Provider("exported", {
    profile: "embedded",
    embeddedPath: ":memory:",
    apiKey: ownKey,
  });
  const members = Object.entries(provider).filter(([name]) => !/^(__|feature-console:)/.test(name));
  const plain = members.map(([, value]) => (pulumi.Output.isInstance(value) ? "" : value));
  expect(JSON.stringify(await Promise.all(plain))).not.toContain(`${testKey}-own`);
  expect(await fc.listGates({}, { provider })).toEqual([]);
  expect(await pulumi.isSecret(fc.listGatesOutput({}, { provider }))).toBe(false);
});

test("a lookup through a provider that a preview does not know fails instead of waiting for ever", async () => {
  const mocks = { newResource: () => ({ id: "eu", state: {} }), call: () => ({}) };
  await pulumi.runtime.setMocks(mocks, "project", "stack", true);
  const known = { isKnown: { value: Promise.resolve(false) } };
  const apiKey = Object.create(pulumi.output("later"), known) as pulumi.Output<string>;
  const provider = new fc.Provider("unknown", { profile: "embedded", apiKey });
  await expect(fc.listGates({}, { provider })).rejects.toThrow("not known in this preview");
});
