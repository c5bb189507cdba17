import { describe, expect, test } from "@jest/globals";
import { digestOf } from "../../src/provider/pulumi/runs/console-digest";
import type { JsonObject } from "../../src/provider/schema/json";
import { makeReview, readPreview, reviewMarkdown, reviewPage, settingsChange } from "../../src/tools/review";

const urnOf = (type: string, name: string) => `urn:pulumi:prod::shop::${type}::${name}`;
const dynamic = "pulumi:providers:pulumi-nodejs";
const native = "pulumi:providers:feature-console";
const evil = "http://127.0.0.1:4455";
const inputsFor = (type: string, settings: JsonObject): JsonObject =>
  type === native
    ? settings
    : Object.fromEntries([
        ["feature-console:explicit", "true"],
        ...Object.entries(settings).map(([name, value]) => [`feature-console:${name}`, value]),
      ]);
const step = (op: string, type: string, sides: { old?: JsonObject; new?: JsonObject }, name = "eu") => {
  const side = (settings: JsonObject) => ({
    urn: urnOf(type, name),
    type,
    inputs: inputsFor(type, settings),
  });
  return {
    ...{ op, urn: urnOf(type, name) },
    ...(sides.old === undefined ? {} : { oldState: side(sides.old) }),
    ...(sides.new === undefined ? {} : { newState: side(sides.new) }),
  };
};
/** The provider that Pulumi makes of the stack's configuration. */
const withoutMark = ({ newState, ...rest }: ReturnType<typeof step>) => ({
  ...rest,
  newState: { ...newState, inputs: { ...newState?.inputs, "feature-console:explicit": undefined } },
});
const reviewOf = (...steps: object[]) => makeReview(readPreview(JSON.stringify({ steps })));

describe.each([dynamic, native])("a provider in a report: %s", (type) => {
  test("a new one is a high risk, with its address", () => {
    const review = reviewOf(step("create", type, { new: { profile: "custom", baseUrl: `${evil}/` } }));
    const sentence = `new provider at ${evil}, with the key of the environment`;
    expect(review.counts.risks).toMatchObject({ high: 1, low: 0 });
    expect(review.changes[0]).toMatchObject({ title: "provider", called: "eu", act: "create", risk: "high" });
    expect(review.changes[0]?.facts).toEqual([{ about: "address", level: "high", text: sentence }]);
    expect(reviewMarkdown(review).replaceAll("<!-- -->", "")).toContain(`high: ${sentence}`);
    expect(reviewMarkdown(review)).not.toContain("It is not known");
    expect(reviewPage(review)).toContain(sentence);
  });

  test.each<[string, JsonObject, string]>([
    [
      "its own key",
      { profile: "statsig", apiKey: "[secret]" },
      "at https://statsigapi.net, with a key of its own",
    ],
    ["the environment's address", {}, "at the address of the environment, with the key of the environment"],
    ["the embedded console", { profile: "embedded" }, "of the embedded console"],
    [
      "an address that is not known yet",
      { profile: "custom", baseUrl: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" },
      "at an address that the update alone knows, with the key of the environment",
    ],
    [
      "a password in its address",
      { profile: "custom", baseUrl: "https://me:hush@eu.example/x", apiKey: "hush" },
      "at https://eu.example/x, with a key of its own",
    ],
  ])("a new one with %s", (_, settings, text) => {
    const review = reviewOf(step("create", type, { new: settings }));
    expect(review.changes[0]?.headline).toBe(`new provider ${text}`);
    expect(JSON.stringify(review)).not.toContain("hush");
  });

  test.each<[string, JsonObject, string]>([
    [
      "another address",
      { profile: "custom", baseUrl: evil },
      `its address changes: https://eu.example → ${evil}`,
    ],
    [
      "another profile",
      { profile: "statsig" },
      "its address changes: https://eu.example → https://statsigapi.net",
    ],
    [
      "another setting",
      { profile: "custom", baseUrl: "https://eu.example", allowInsecureHttp: "true" },
      "its settings change: allowInsecureHttp",
    ],
    [
      "another key, which nobody sees",
      { profile: "custom", baseUrl: "https://eu.example" },
      "it changes in nothing that the preview shows: its key may be another",
    ],
  ])("a changed one is a high risk: %s", (_, settings, text) => {
    const old = { profile: "custom", baseUrl: "https://eu.example", apiKey: "[secret]" };
    const review = reviewOf(step("update", type, { old, new: { ...settings, apiKey: "[secret]" } }));
    expect(review.changes.map(({ risk, headline }) => [risk, headline])).toEqual([["high", text]]);
  });

  test("secrets are never shown, however they stand in the preview", () => {
    const old = { profile: "statsig", apiKey: "hush-one", redisUrl: "rediss://:hush@x.example" };
    const fresh = { ...old, apiKey: "hush-two", redisUrl: "rediss://:hush@y.example" };
    const review = reviewOf(step("update", type, { old, new: fresh }));
    expect(review.changes[0]?.headline).toBe("its settings change: apiKey, redisUrl");
    for (const text of [JSON.stringify(review), reviewMarkdown(review), reviewPage(review)])
      expect(text).not.toContain("hush");
  });

  test("one that stays, one that goes, Pulumi's own and those of others are not listed", () => {
    const settings = { profile: "statsig" };
    const review = reviewOf(
      step("same", type, { old: settings, new: settings }),
      step("delete", type, { old: settings }, "us"),
      type === native
        ? step("create", type, { new: settings }, "default_1_2_3")
        : withoutMark(step("create", type, { new: settings }, "default_1_2_3")),
      { op: "create", urn: urnOf(dynamic, "other"), newState: { type: dynamic, inputs: { region: "eu" } } },
    );
    expect(review.changes).toEqual([]);
  });
});

test("a dynamic provider of the program is one by its mark, whatever it is called", () => {
  const review = reviewOf(
    step("create", dynamic, { new: { profile: "custom", baseUrl: evil } }, "default"),
    step("create", dynamic, { new: { profile: "custom", baseUrl: evil } }, "default-eu"),
  );
  expect(review.changes.map(({ called, risk }) => [called, risk])).toEqual([
    ["default", "high"],
    ["default-eu", "high"],
  ]);
});

describe("the settings of a stack in a report", () => {
  const previewOf = (config: JsonObject, ...consoles: string[]) =>
    readPreview(
      JSON.stringify({
        config,
        steps: [
          { op: "same", urn: urnOf("pulumi:pulumi:Stack", "shop-prod") },
          ...consoles.map((address, index) => ({
            ...{ op: "same", urn: urnOf("pulumi-nodejs:dynamic/feature-console:Gate", `g${index}`) },
            oldState: {
              type: "pulumi-nodejs:dynamic/feature-console:Gate",
              provider: `${urnOf(dynamic, "default")}::id`,
              outputs: { __console: digestOf(address) },
            },
          })),
        ],
      }),
    );
  const config = { "feature-console:profile": "custom", "feature-console:baseUrl": evil };

  test("that lead to another console are a high risk", () => {
    const preview = previewOf(config, "https://eu.example", "https://eu.example", evil);
    const settings = settingsChange(preview, {});
    expect(settings).toMatchObject({
      risk: "high",
      headline: `the settings lead to ${evil}, which is not the console of 2 objects of this stack`,
    });
    const review = makeReview(preview, undefined, {
      ...{ asked: "not asked", objects: [], notes: [] },
      ...(settings === undefined ? {} : { settings }),
    });
    expect(review.counts.risks.high).toBe(1);
  });

  test("objects of a provider of the program are not in the console of the settings", () => {
    const preview = previewOf(config, "https://eu.example");
    const provider = step("same", dynamic, { old: {}, new: {} }, "default");
    expect(
      settingsChange(
        {
          ...preview,
          steps: [...preview.steps, ...readPreview(JSON.stringify({ steps: [provider] })).steps],
        },
        {},
      ),
    ).toBeUndefined();
  });

  test("also those of the environment; the same ones are none", () => {
    const environment = { FEATURE_CONSOLE_PROFILE: "statsig" };
    expect(settingsChange(previewOf({}, "https://eu.example"), environment)?.headline).toBe(
      "the settings lead to https://statsigapi.net, which is not the console of 1 object of this stack",
    );
    expect(settingsChange(previewOf(config, evil), {})).toBeUndefined();
    expect(settingsChange(previewOf({}, evil), {})).toBeUndefined();
  });
});
