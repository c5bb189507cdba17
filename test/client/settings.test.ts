import { describe, expect, test } from "@jest/globals";
import { type ClientSettings, defaultLimits, resolveSettings } from "../../src/provider/client/settings";
import { secretKey, settings } from "./fakes";

const resolved = (more: object) => resolveSettings({ ...settings, ...more } as ClientSettings);

const profileHint =
  'set it with "pulumi config set feature-console:profile embedded" (or custom, statsig), or by FEATURE_CONSOLE_PROFILE.';
const keyHint =
  'needs a key: set it with "pulumi config set --secret feature-console:apiKey", or by FEATURE_CONSOLE_API_KEY.';
const addressHint =
  'The profile "custom" needs an address: set it with "pulumi config set feature-console:baseUrl https://ADDRESS", or by FEATURE_CONSOLE_BASE_URL.';
const unusable =
  "feature-console:baseUrl is not usable: it must be like https://console.example.com, without user, password, query or fragment.";
const inClear = (origin: string) =>
  `feature-console:baseUrl is ${origin}: the key would cross the network in clear. Use https:, or set feature-console:allowInsecureHttp (FEATURE_CONSOLE_ALLOW_INSECURE_HTTP) to true where the network is yours.`;
const limit = (name: string, found: string) =>
  `feature-console:${name} must be a whole number above 0 and at most 2147483647, but is ${found}.`;

const notSent =
  "The key holds a space, a line break or another character that cannot be sent: set it again without it.";
const consoleKeys = (kind: string) =>
  `The key is a ${kind} key, and the profile "statsig" takes console keys alone: set one with "pulumi config set --secret feature-console:apiKey", or by FEATURE_CONSOLE_API_KEY.`;

describe("settings are refused with one clear message", () => {
  test.each<[string, object, string]>([
    ["no profile", { profile: undefined }, `No profile is set: ${profileHint}`],
    ["an unknown profile", { profile: "acme" }, `The profile "acme" is unknown: ${profileHint}`],
    ["a member of every object", { profile: "valueOf" }, `The profile "valueOf" is unknown: ${profileHint}`],
    ["no key", { apiKey: undefined }, `The profile "custom" ${keyHint}`],
    ["a blank key", { apiKey: "  " }, `The profile "custom" ${keyHint}`],
    ["no key for the service", { profile: "statsig", apiKey: "" }, `The profile "statsig" ${keyHint}`],
    ["a key with a line break", { apiKey: `${secretKey}\n` }, notSent],
    ["a key with a letter that no header takes", { apiKey: "schlüssel" }, notSent],
    ["the key of a server", { profile: "statsig", apiKey: ["secret", "x"].join("-") }, consoleKeys("server")],
    ["the key of a client", { profile: "statsig", apiKey: ["client", "x"].join("-") }, consoleKeys("client")],
    ["no address", { baseUrl: undefined }, addressHint],
    ["an empty address", { baseUrl: "" }, addressHint],
    ["a blank address", { baseUrl: " " }, addressHint],
    ["a host alone", { baseUrl: "console.example.com" }, unusable],
    ["another protocol", { baseUrl: "ftp://console.example.com" }, unusable],
    ["an address with a user", { baseUrl: "https://me@console.example.com" }, unusable],
    ["an address with a password alone", { baseUrl: "https://:pw@console.example.com" }, unusable],
    ["an address with a query", { baseUrl: "https://console.example.com?a=b" }, unusable],
    ["an address with a fragment", { baseUrl: "https://console.example.com#top" }, unusable],
    ["http: to another machine", { baseUrl: "http://c.example/base" }, inClear("http://c.example")],
    ["http: to a name like loopback", { baseUrl: "http://localhost.x.y" }, inClear("http://localhost.x.y")],
    ["http: to a name below localhost", { baseUrl: "http://x.localhost:1" }, inClear("http://x.localhost:1")],
    ["http: to any address", { baseUrl: "http://0.0.0.0:80" }, inClear("http://0.0.0.0")],
    ["http: refused", { baseUrl: "http://c.io", allowInsecureHttp: false }, inClear("http://c.io")],
    ["a timeout of nothing", { requestTimeoutMs: 0 }, limit("requestTimeoutMs", "0")],
    ["a timeout that no timer takes", { requestTimeoutMs: 2 ** 31 }, limit("requestTimeoutMs", "2147483648")],
    ["half a connection", { maxConcurrency: 0.5 }, limit("maxConcurrency", "0.5")],
    ["a negative number of writes", { writesPer10s: -1 }, limit("writesPer10s", "-1")],
    ["writes that are no number", { writesPer15min: Number.NaN }, limit("writesPer15min", "NaN")],
  ])("%s", (_, more, message) => {
    expect(() => resolved(more)).toThrow(expect.objectContaining({ category: "settings", message }));
  });

  test("that never holds the key", () => {
    const address = { baseUrl: `https://${secretKey}@x.example` };
    const silent = expect.objectContaining({ message: expect.not.stringContaining(secretKey) });
    for (const more of [{ profile: "x" }, address, { maxConcurrency: 0 }, { apiKey: `${secretKey} ` }])
      expect(() => resolved(more)).toThrow(silent);
  });
});

describe("settings are completed", () => {
  test("with the documented limits", () => {
    expect(resolved({}).limits).toEqual(defaultLimits);
    expect(resolved({ writesPer10s: 5 }).limits).toEqual({ ...defaultLimits, writesPer10s: 5 });
  });

  test.each([
    ["https://console.example.com", ["", "/", "///", "/console/v1", "/console/v1/", "//console/v1", " "]],
    ["http://127.0.0.1:8080/base", ["", "/"]],
    // Where the key may go in clear.
    ["http://localhost:1", [""]],
    ["http://127.9.0.1", [""]],
    ["http://[::1]:8080", [""]],
  ])("the address is %s, however it ends", (baseUrl, ends) => {
    for (const end of ends) expect(resolved({ baseUrl: `${baseUrl}${end}` })).toMatchObject({ baseUrl });
  });

  test("the key may go in clear where a setting allows it", () => {
    const baseUrl = "http://c.example";
    expect(resolved({ baseUrl, allowInsecureHttp: true })).toMatchObject({ baseUrl });
  });

  test("the embedded console needs neither key nor address", () => {
    expect(resolveSettings({ profile: "embedded" })).toMatchObject({
      apiKey: "embedded",
      baseUrl: "http://embedded.invalid",
    });
  });

  test("a profile's own address holds unless another is given", () => {
    expect(resolved({ profile: "statsig", baseUrl: undefined }).baseUrl).toBe("https://statsigapi.net");
    expect(resolved({ profile: "statsig" }).baseUrl).toBe("https://console.example.com");
  });
});

describe("write windows", () => {
  const windows = (more: object) => resolved(more).writeWindows;

  const window = (most: number, windowMs: number) => ({ most, windowMs });

  test("are those of the service with a little room, also for ids", () => {
    expect(windows({})).toEqual({
      project: [window(98, 10_000), window(890, 900_000)],
      ids: [window(11, 10_000), window(890, 900_000)],
    });
  });

  test("are all shortened by one factor", () => {
    const { project, ids } = windows({ writeWindowScale: 0.02, writesPer10s: 50 });
    expect([...project, ids[0]]).toEqual([window(50, 200), window(890, 18_000), window(6, 200)]);
  });

  test.each([0, -1, Number.NaN, 1001, "1"])("take no factor %p", (writeWindowScale) => {
    expect(() => windows({ writeWindowScale })).toThrow(/writeWindowScale must be a number above 0/);
  });

  test("are none for the embedded console", () => {
    expect(resolveSettings({ profile: "embedded" }).writeWindows).toEqual({ project: [], ids: [] });
  });
});

describe("the address of Redis", () => {
  test("may lead to this machine, or anywhere with TLS", () => {
    const local = ["redis://127.0.0.1:6379", "redis://:pw@localhost", "redis://[::1]:1"];
    for (const redisUrl of [...local, "rediss://redis.example.com"])
      expect(resolved({ redisUrl })).toMatchObject({ redisUrl });
  });

  const inClear = (host: string) =>
    `feature-console:redisUrl leads to ${host} without TLS: its password would cross the network in clear. Use rediss:, or set feature-console:allowInsecureRedis (FEATURE_CONSOLE_ALLOW_INSECURE_REDIS) to true where the network is yours.`;

  test.each([
    ["redis://user:pw@redis.example.com", "redis.example.com"],
    ["redis://redis.example.com:6379", "redis.example.com"],
    ["redis://:pw@127.0.0.1.evil.example", "127.0.0.1.evil.example"],
    ["redis://:pw@x.localhost", "x.localhost"],
    ["redis://:pw@10.0.0.1", "10.0.0.1"],
    // The client of Redis takes this as: no TLS.
    ["rediss://:pw@redis.example.com?tls=", "redis.example.com"],
    ["REDISS://:pw@redis.example.com", "redis.example.com"],
    [" rediss://:pw@redis.example.com", "redis.example.com"],
  ])("needs TLS to another machine, or a switch: %s", (redisUrl, host) => {
    expect(() => resolved({ redisUrl })).toThrow(
      expect.objectContaining({ category: "settings", message: inClear(host) }),
    );
    expect(resolved({ redisUrl, allowInsecureRedis: true })).toMatchObject({ redisUrl });
  });

  test("is not shown when it is unusable: it may hold a password", () => {
    const secret = ["pass", "word"].join("");
    const message = expect.stringMatching(new RegExp(`^(?!.*${secret}).*redisUrl is not usable`));
    for (const redisUrl of [`http://:${secret}@x`, secret])
      expect(() => resolved({ redisUrl })).toThrow(expect.objectContaining({ message }));
  });
});
