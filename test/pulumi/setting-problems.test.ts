import { describe, expect, test } from "@jest/globals";
import { ProviderProcess } from "../../src/provider/pulumi/process";
import {
  collectSettings,
  openSettings,
  settingNames,
  switchNames,
  unknownSettings,
} from "../../src/provider/pulumi/provider-settings";
import { keyAdvice, settingProblems } from "../../src/provider/pulumi/setting-problems";

const key = ["no", "key"].join("-");
const all =
  "profile, apiKey, baseUrl, allowInsecureHttp, embeddedPath, requestTimeoutMs, maxConcurrency, writesPer10s, writesPer15min, writeWindowScale, protectConcurrentEdits, overwriteConsoleEdits, reviews, reviewMessage, observations, redisUrl, allowInsecureRedis";
const choices =
  'set it with "pulumi config set feature-console:profile embedded" (or custom, statsig), or by FEATURE_CONSOLE_PROFILE.';
const noProfile = `No profile is set: ${choices}`;

type Values = Record<string, string>;
const configOf = (stack: Values): Values =>
  Object.fromEntries(Object.entries(stack).map(([name, value]) => [`feature-console:${name}`, value]));
const problems = (stack: Values, environment: Values = {}, project = "flags") => {
  const config = configOf(stack);
  const unknown = unknownSettings([...Object.keys(config), "aws:region", "flags:profil"], project);
  return settingProblems((name) => config[name], unknown, environment);
};

test.each<[string, Values, Values?]>([
  ["the embedded console", { profile: "embedded" }],
  ["a profile from the environment", {}, { FEATURE_CONSOLE_PROFILE: "embedded" }],
  ["a console of one's own", { profile: "custom", baseUrl: "https://x.example", apiKey: key }],
  ["a key from the environment", { profile: "statsig" }, { FEATURE_CONSOLE_API_KEY: key }],
  ["numbers", { profile: "embedded", writesPer10s: "5", writeWindowScale: "0.5" }],
  ["a switch", { profile: "embedded", protectConcurrentEdits: "true" }],
  ["an explicit provider", { explicit: "true", profile: "embedded" }],
])("settings that a run can work with: %s", (...[, stack, environment]) => {
  expect(problems(stack, environment)).toEqual([]);
});

const ofStack = { apiKey: key };
const ofProvider = { explicit: "true", ...ofStack };
const around = { FEATURE_CONSOLE_API_KEY: key };
const advice = (where: string) => `Check the key${where}: it must be an active console key of this project.`;
const stored = (whose: string, how: string) =>
  `Check the key: without the program, a command uses the ${whose} of the last update, which state holds. To use another, ${how}.`;
const setIt = "set FEATURE_CONSOLE_API_KEY to an active console key of this project";
const upFirst = 'run "pulumi up" with another one first, or add --run-program';

test.each<[string, Values, Values, boolean, string]>([
  ["of the stack", ofStack, {}, false, advice(", feature-console:apiKey")],
  ["of the environment", ofStack, around, false, advice(" in FEATURE_CONSOLE_API_KEY")],
  ["of a provider", ofProvider, around, false, advice(", apiKey of the provider")],
  ["of the environment in a destroy", ofStack, around, true, advice(" in FEATURE_CONSOLE_API_KEY")],
  ["of the last update in a destroy", ofStack, {}, true, stored("feature-console:apiKey", setIt)],
  ["of a provider in a destroy", ofProvider, around, true, stored("apiKey of the provider", upFirst)],
])("the advice about a refused key %s names where it comes from", (_, stack, environment, isStored, text) => {
  const config = configOf(stack);
  expect(keyAdvice((name) => config[name], environment, isStored)).toBe(text);
});

test("without a key in a refresh or a destroy, the advice names what counts there", () => {
  const session = (isOfState: boolean) => () => {
    const process = new ProviderProcess({ environment: () => ({}) });
    const config = configOf({ profile: "custom", baseUrl: "https://x.example" });
    process.configure((name) => config[name], isOfState);
    return process.session();
  };
  expect(session(true)).toThrow(
    /^The profile "custom" needs a key: .* only the environment changes them here, and "pulumi config set" counts from the next update\.$/,
  );
  expect(session(false)).toThrow(/by FEATURE_CONSOLE_API_KEY\.$/);
});

const ofExplicit =
  "These settings are those of an explicit provider: it takes them as its arguments or from the environment, and does not read the stack's configuration.";
test.each<[string, Values, (string | RegExp)[]]>([
  ["no profile", {}, [noProfile]],
  ["an empty profile", { profile: "" }, [noProfile]],
  ["an explicit provider without a profile", { explicit: "true" }, [noProfile, ofExplicit]],
  ["an unknown profile", { profile: "embeded" }, [`The profile "embeded" is unknown: ${choices}`]],
  [
    "neither key nor address",
    { profile: "custom" },
    [/^The profile "custom" needs a key: /, /needs an address: /],
  ],
  [
    "numbers that are none, beside others that are out of range",
    {
      ...{ profile: "embedded", writesPer10s: "many", protectConcurrentEdits: "yes" },
      ...{ requestTimeoutMs: "30 s", maxConcurrency: "0" },
    },
    [
      'feature-console:requestTimeoutMs must be a number, but is "30 s".',
      'feature-console:writesPer10s must be a number, but is "many".',
      'feature-console:protectConcurrentEdits must be true or false, but is "yes".',
      "feature-console:maxConcurrency must be a whole number above 0 and at most 2147483647, but is 0.",
    ],
  ],
])("values are refused in the words of the client: %s", (_, stack, expected) => {
  const texts = expected.map((text) => (typeof text === "string" ? text : expect.stringMatching(text)));
  expect(problems(stack)).toEqual(texts);
});

test("a number that is none is refused too where settings are collected", () => {
  expect(() => collectSettings(() => undefined, { FEATURE_CONSOLE_WRITES_PER_10S: "many" })).toThrow(
    'FEATURE_CONSOLE_WRITES_PER_10S must be a number, but is "many".',
  );
});

describe("names of the stack's configuration that are no settings", () => {
  test.each([
    ["profil", "; did you mean feature-console:profile?"],
    ["api-key", "; did you mean feature-console:apiKey?"],
    ["baseURL", "; did you mean feature-console:baseUrl?"],
    ["colour", `. The settings are ${all}.`],
    ["constructor", `. The settings are ${all}.`],
  ])("are told with the one that was meant, or all that there are: %s", (name, guess) => {
    const text = `feature-console:${name} is no setting${guess}`;
    expect(problems({ profile: "embedded", [name]: "x" })).toEqual([text]);
    // They come before what they cause.
    expect(problems({ [name]: "embedded" })).toEqual([text, noProfile]);
  });

  test("are the project's own where it is called like the namespace, and do not concern an explicit provider", () => {
    expect(problems({ profile: "embedded", profil: "x" }, {}, "feature-console")).toEqual([]);
    expect(problems({ profile: "embedded", profil: "x", explicit: "true" })).toEqual([]);
  });
});

describe("secrets that stand in the configuration in the clear", () => {
  const open = (more: Values, encrypted: string[] = []) => {
    const config = configOf({ profile: "custom", baseUrl: "https://x.example", apiKey: key, ...more });
    const read = (name: string) => config[name];
    return settingProblems(
      read,
      openSettings(read, (name) => encrypted.includes(name)),
      {},
    );
  };
  const encrypted = ["feature-console:apiKey"];

  test("a key is refused, and not shown", () => {
    const [problem = "", ...others] = open({});
    expect(others).toEqual([]);
    expect(problem).toMatch(
      /^feature-console:apiKey is stored in plain text in the stack's configuration.*"pulumi config set --secret feature-console:apiKey"/,
    );
    expect(problem).not.toContain(key);
  });

  test("so is an address of Redis with a password; what is encrypted is fine, and an explicit provider does not read the stack's", () => {
    const redis = open({ redisUrl: "rediss://:word@redis.example" }, encrypted);
    expect(redis).toEqual([expect.stringMatching(/^feature-console:redisUrl is stored in plain text/)]);
    expect(open({ redisUrl: "rediss://redis.example" }, encrypted)).toEqual([]);
    expect(open({ explicit: "true" })).toEqual([]);
  });
});

describe("variables of the environment", () => {
  const told = (environment: Values) => problems({ profile: "embedded" }, environment);

  test.each([
    ["PROFIL", "PROFILE"],
    ["PORFILE", "PROFILE"],
    ["APIKEY", "API_KEY"],
    ["BASEURL", "BASE_URL"],
    ["TAKEOVER", "TAKE_OVER"],
    ["WRITES_PER_10_S", "WRITES_PER_10S"],
    ["ALLOWED_HOST", "ALLOWED_HOSTS"],
  ])("FEATURE_CONSOLE_%s is refused: FEATURE_CONSOLE_%s is meant", (name, meant) => {
    const full = `FEATURE_CONSOLE_${name}`;
    const message = `The environment variable ${full} is no setting; did you mean FEATURE_CONSOLE_${meant}?`;
    expect(told({ [full]: "x" })).toEqual([message]);
  });

  test("that are somebody else's may be anything", () => {
    const ours = ["READ_ONLY_KEY", "TEST_RECORD", "API_KEY_EU", "PROFILE_2", "MODE", "TEAM", ""];
    for (const name of [
      ...ours.map((one) => `FEATURE_CONSOLE_${one}`),
      "FEATURE_CONSOLES_PROFILE",
      "PROFILE",
    ])
      expect(told({ [name]: "x" })).toEqual([]);
  });

  test("the known ones are none of these, and beside the right one a wrong one does no harm", () => {
    for (const name of Object.values(switchNames)) expect(told({ [name]: "1" })).toEqual([]);
    const { environment } = settingNames.profile;
    expect(told({ [environment]: "embedded", FEATURE_CONSOLE_PROFIL: "x" })).toEqual([]);
  });

  test("a key is in no message", () => {
    const found = [...told({ FEATURE_CONSOLE_APIKEY: key }), ...problems({ profile: "custom", apikey: key })];
    expect(found).toHaveLength(4);
    expect(found.join()).not.toContain(key);
  });
});
