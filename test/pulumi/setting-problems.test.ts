import { describe, expect, test } from "@jest/globals";
import {
  collectSettings,
  openSettings,
  settingNames,
  switchNames,
  unknownSettings,
} from "../../src/provider/pulumi/provider-settings";
import { settingProblems } from "../../src/provider/pulumi/setting-problems";

const key = ["no", "key"].join("-");
const all =
  "profile, apiKey, baseUrl, allowInsecureHttp, embeddedPath, requestTimeoutMs, maxConcurrency, writesPer10s, writesPer15min, writeWindowScale, protectConcurrentEdits, overwriteConsoleEdits, reviews, reviewMessage, observations, redisUrl, allowInsecureRedis";
const choices =
  'set it with "pulumi config set feature-console:profile embedded" (or custom, statsig), or by FEATURE_CONSOLE_PROFILE.';
const noProfile = `No profile is set: ${choices}`;

type Values = Record<string, string>;
const problems = (stack: Values, environment: Values = {}, project = "flags") => {
  const config = Object.fromEntries(
    Object.entries(stack).map(([name, value]) => [`feature-console:${name}`, value]),
  );
  const unknown = unknownSettings([...Object.keys(config), "aws:region", "flags:profil"], project);
  return settingProblems((name) => config[name], unknown, environment);
};

describe("settings that a run can work with", () => {
  test.each<[string, Values, Values]>([
    ["the embedded console", { profile: "embedded" }, {}],
    ["a profile from the environment", {}, { FEATURE_CONSOLE_PROFILE: "embedded" }],
    ["a console of one's own", { profile: "custom", baseUrl: "https://x.example", apiKey: key }, {}],
    ["a key from the environment", { profile: "statsig" }, { FEATURE_CONSOLE_API_KEY: key }],
    ["numbers", { profile: "embedded", writesPer10s: "5", writeWindowScale: "0.5" }, {}],
    ["a switch", { profile: "embedded", protectConcurrentEdits: "true" }, {}],
    ["an explicit provider", { explicit: "true", profile: "embedded" }, {}],
  ])("have no problems: %s", (_, stack, environment) => {
    expect(problems(stack, environment)).toEqual([]);
  });
});

describe("values are refused in the words of the client", () => {
  test.each<[string, Values, string[]]>([
    ["no profile", {}, [noProfile]],
    ["an empty profile", { profile: "" }, [noProfile]],
    [
      "an explicit provider without a profile",
      { explicit: "true" },
      [
        noProfile,
        "These settings are those of an explicit provider: it takes them as its arguments or from the environment, and does not read the stack's configuration.",
      ],
    ],
    ["an unknown profile", { profile: "embeded" }, [`The profile "embeded" is unknown: ${choices}`]],
    [
      "neither key nor address",
      { profile: "custom" },
      [
        'The profile "custom" needs a key: set it with "pulumi config set --secret feature-console:apiKey", or by FEATURE_CONSOLE_API_KEY.',
        'The profile "custom" needs an address: set it with "pulumi config set feature-console:baseUrl https://ADDRESS", or by FEATURE_CONSOLE_BASE_URL.',
      ],
    ],
    [
      "numbers that are none, beside others that are out of range",
      {
        profile: "embedded",
        writesPer10s: "many",
        protectConcurrentEdits: "yes",
        requestTimeoutMs: "30 s",
        maxConcurrency: "0",
      },
      [
        'feature-console:requestTimeoutMs must be a number, but is "30 s".',
        'feature-console:writesPer10s must be a number, but is "many".',
        'feature-console:protectConcurrentEdits must be true or false, but is "yes".',
        "feature-console:maxConcurrency must be a whole number above 0 and at most 2147483647, but is 0.",
      ],
    ],
  ])("%s", (_, stack, expected) => {
    expect(problems(stack)).toEqual(expected);
  });

  test("a number that is none is refused too where settings are collected", () => {
    expect(() => collectSettings(() => undefined, { FEATURE_CONSOLE_WRITES_PER_10S: "many" })).toThrow(
      'FEATURE_CONSOLE_WRITES_PER_10S must be a number, but is "many".',
    );
  });
});

describe("names of the stack's configuration that are no settings", () => {
  test.each([
    ["profil", "; did you mean feature-console:profile?"],
    ["api-key", "; did you mean feature-console:apiKey?"],
    ["baseURL", "; did you mean feature-console:baseUrl?"],
    ["colour", `. The settings are ${all}.`],
    ["constructor", `. The settings are ${all}.`],
  ])("are told with the one that was meant, or all that there are: %s", (name, guess) => {
    expect(problems({ profile: "embedded", [name]: "x" })).toEqual([
      `feature-console:${name} is no setting${guess}`,
    ]);
  });

  test("come before what they cause", () => {
    expect(problems({ profil: "embedded" })).toEqual([
      "feature-console:profil is no setting; did you mean feature-console:profile?",
      noProfile,
    ]);
  });

  test("are the project's own where it is called like the namespace, and do not concern an explicit provider", () => {
    expect(problems({ profile: "embedded", profil: "x" }, {}, "feature-console")).toEqual([]);
    expect(problems({ profile: "embedded", profil: "x", explicit: "true" })).toEqual([]);
  });
});

describe("secrets that stand in the configuration in the clear", () => {
  const password = "rediss://:word@redis.example";
  const open = (stack: Values, encrypted: string[] = []) => {
    const config = Object.fromEntries(
      Object.entries(stack).map(([name, value]) => [`feature-console:${name}`, value]),
    );
    const read = (name: string) => config[name];
    const names = openSettings(read, (name) => encrypted.includes(name));
    return settingProblems(read, names, {});
  };
  const base = { profile: "custom", baseUrl: "https://x.example" };

  test("a key is refused, and not shown", () => {
    const [problem = "", ...others] = open({ ...base, apiKey: key });
    expect(others).toEqual([]);
    expect(problem).toMatch(/^feature-console:apiKey stands in the stack's configuration in the clear/);
    expect(problem).toContain('"pulumi config set --secret feature-console:apiKey"');
    expect(problem).not.toContain(key);
  });

  test("so is an address of Redis with a password; one without is none", () => {
    const encrypted = ["feature-console:apiKey"];
    expect(open({ ...base, apiKey: key, redisUrl: password }, encrypted)).toEqual([
      expect.stringMatching(/^feature-console:redisUrl stands/),
    ]);
    expect(open({ ...base, apiKey: key, redisUrl: "rediss://redis.example" }, encrypted)).toEqual([]);
  });

  test("what is encrypted is fine, and an explicit provider does not read the stack's", () => {
    expect(open({ ...base, apiKey: key }, ["feature-console:apiKey"])).toEqual([]);
    expect(open({ ...base, apiKey: key, explicit: "true" })).toEqual([]);
  });
});

describe("variables of the environment", () => {
  const told = (environment: Values) => problems({ profile: "embedded" }, environment);

  test.each([
    ["FEATURE_CONSOLE_PROFIL", "FEATURE_CONSOLE_PROFILE"],
    ["FEATURE_CONSOLE_PORFILE", "FEATURE_CONSOLE_PROFILE"],
    ["FEATURE_CONSOLE_APIKEY", "FEATURE_CONSOLE_API_KEY"],
    ["FEATURE_CONSOLE_BASEURL", "FEATURE_CONSOLE_BASE_URL"],
    ["FEATURE_CONSOLE_TAKEOVER", "FEATURE_CONSOLE_TAKE_OVER"],
    ["FEATURE_CONSOLE_WRITES_PER_10_S", "FEATURE_CONSOLE_WRITES_PER_10S"],
  ])("%s is refused: %s is meant", (name, meant) => {
    const message = `The environment variable ${name} is no setting; did you mean ${meant}?`;
    expect(told({ [name]: "x" })).toEqual([message]);
  });

  test.each([
    "FEATURE_CONSOLE_READ_ONLY_KEY",
    "FEATURE_CONSOLE_TEST_RECORD",
    "FEATURE_CONSOLE_API_KEY_EU",
    "FEATURE_CONSOLE_PROFILE_2",
    "FEATURE_CONSOLE_MODE",
    "FEATURE_CONSOLE_TEAM",
    "FEATURE_CONSOLE_",
    "FEATURE_CONSOLES_PROFILE",
    "PROFILE",
  ])("%s may be anything of anybody", (name) => expect(told({ [name]: "x" })).toEqual([]));

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
