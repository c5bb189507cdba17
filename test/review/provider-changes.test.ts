import { describe, expect, test } from "@jest/globals";
import { digestOf } from "../../src/provider/pulumi/runs/console-digest";
import type { JsonObject } from "../../src/provider/schema/json";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import {
  makeReview,
  notAsked,
  readPreview,
  reviewMarkdown,
  reviewPage,
  settingsChanges,
} from "../../src/tools/review";
import { reviewOf } from "./desk";

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
const step = (op: string, type: string, old?: JsonObject, now?: JsonObject, name = "eu") => {
  const urn = urnOf(type, name);
  const [oldState, newState] = [old, now].map(
    (settings) => settings && { urn, type, inputs: inputsFor(type, settings) },
  );
  return { op, urn, oldState, newState };
};
const custom = (baseUrl: string, more: JsonObject = {}) => ({ profile: "custom", baseUrl, ...more });
const eu = "https://eu.example";
const apiKey = "[secret]";
const environmentKey = "with the key of the environment";

describe.each([dynamic, native])("a provider in a report: %s", (type) => {
  test("a new one is a high risk, with its address", () => {
    const review = reviewOf(step("create", type, undefined, custom(`${evil}/`)));
    const sentence = `new provider at ${evil}, ${environmentKey}`;
    expect(review.counts.risks).toMatchObject({ high: 1, low: 0 });
    expect(review.changes[0]).toMatchObject({ title: "provider", called: "eu", act: "create", risk: "high" });
    expect(review.changes[0]?.facts).toEqual([{ about: "address", level: "high", text: sentence }]);
    expect(reviewMarkdown(review).replaceAll("<!-- -->", "")).toContain(`high: ${sentence}`);
    expect(reviewMarkdown(review)).not.toContain("It is not known");
    expect(reviewPage(review)).toContain(sentence);
  });

  test.each<[string, JsonObject, string]>([
    ["its own key", { profile: "statsig", apiKey }, "at https://statsigapi.net, with a key of its own"],
    ["the environment's address", {}, `at the address of the environment, ${environmentKey}`],
    ["the embedded console", { profile: "embedded" }, "of the embedded console"],
    ["an unknown address", custom(UNKNOWN), `at an address that the update alone knows, ${environmentKey}`],
    [
      "a password in its address",
      custom("https://me:hush@eu.example/x", { apiKey: "hush" }),
      "at https://eu.example/x, with a key of its own",
    ],
  ])("a new one with %s", (_, settings, text) => {
    const review = reviewOf(step("create", type, undefined, settings));
    expect(review.changes[0]?.headline).toBe(`new provider ${text}`);
    expect(JSON.stringify(review)).not.toContain("hush");
  });

  test.each<[string, JsonObject, string]>([
    ["another address", custom(evil), `its address changes: ${eu} → ${evil}`],
    ["another profile", { profile: "statsig" }, `its address changes: ${eu} → https://statsigapi.net`],
    ["another setting", custom(eu, { allowInsecureHttp: "true" }), "its settings change: allowInsecureHttp"],
    ["another key", custom(eu), "it changes in nothing that the preview shows: its key may be another"],
  ])("a changed one is a high risk: %s", (_, settings, text) => {
    const review = reviewOf(step("update", type, custom(eu, { apiKey }), { ...settings, apiKey }));
    expect(review.changes).toMatchObject([{ risk: "high", headline: text }]);
  });

  test("secrets are never shown, however they stand in the preview", () => {
    const old = { profile: "statsig", apiKey: "hush-one", redisUrl: "rediss://:hush@x.example" };
    const fresh = { ...old, apiKey: "hush-two", redisUrl: "rediss://:hush@y.example" };
    const review = reviewOf(step("update", type, old, fresh));
    expect(review.changes[0]?.headline).toBe("its settings change: apiKey, redisUrl");
    for (const text of [JSON.stringify(review), reviewMarkdown(review), reviewPage(review)])
      expect(text).not.toContain("hush");
  });

  test("one that stays, one that goes, Pulumi's own and those of others are not listed", () => {
    const settings = { profile: "statsig" };
    // Pulumi makes one of the stack's configuration, too.
    const made = step("create", type, undefined, settings, "default_1_2_3");
    const review = reviewOf(
      step("same", type, settings, settings),
      step("delete", type, settings, undefined, "us"),
      type === native ? made : { ...made, newState: { ...made.newState, inputs: { profile: "statsig" } } },
      { op: "create", urn: urnOf(dynamic, "other"), newState: { type: dynamic, inputs: { region: "eu" } } },
    );
    expect(review.changes).toEqual([]);
  });
});

test("a dynamic provider of the program is one by its mark, whatever it is called", () => {
  const review = reviewOf(
    step("create", dynamic, undefined, custom(evil), "default"),
    step("create", dynamic, undefined, custom(evil), "default-eu"),
  );
  expect(review.changes.map(({ called, risk }) => [called, risk])).toEqual([
    ["default", "high"],
    ["default-eu", "high"],
  ]);
});

describe("the settings of a stack in a report", () => {
  const type = "pulumi-nodejs:dynamic/feature-console:Gate";
  const provider = `${urnOf(dynamic, "default")}::id`;
  const previewOf = (config: JsonObject, ...consoles: string[]) => {
    const gates = consoles.map((address, index) => {
      const [urn, id] = [urnOf(type, `g${index}`), `g${index}`];
      const oldState = { urn, type, id, provider, outputs: { __console: digestOf(address) } };
      return { op: "same", urn, oldState };
    });
    const steps = [{ op: "same", urn: urnOf("pulumi:pulumi:Stack", "shop-prod") }, ...gates];
    return readPreview(JSON.stringify({ config, steps }));
  };
  const config = { "feature-console:profile": "custom", "feature-console:baseUrl": evil };

  test("that lead to another console are a high risk", () => {
    const preview = previewOf(config, eu, eu, evil);
    const settings = settingsChanges(preview, {});
    const headline = `the settings lead to ${evil}, which is not the console of 2 objects of this stack`;
    expect(settings).toMatchObject([{ risk: "high", headline }]);
    const console = { ...notAsked, settings };
    expect(makeReview(preview, undefined, console).counts.risks.high).toBe(1);
  });

  test("also those of the environment; the same ones are none", () => {
    const environment = { FEATURE_CONSOLE_PROFILE: "statsig" };
    expect(settingsChanges(previewOf({}, eu), environment)[0]?.headline).toBe(
      "the settings lead to https://statsigapi.net, which is not the console of 1 object of this stack",
    );
    expect(settingsChanges(previewOf(config, evil), {})).toEqual([]);
    expect(settingsChanges(previewOf({}, evil), {})).toEqual([]);
  });
});
