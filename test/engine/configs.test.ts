import { describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import {
  expectQuiet,
  listOf,
  live,
  refreshed,
  rule,
  start,
  staysQuiet,
  subject,
  updated,
} from "../laws/harness";

const key = "config";
const variant = { name: "a", passPercentage: 100, returnValue: { a: 1 } };

test("[W2] an empty id of a variant is none, and a program may say so", async () => {
  await start(catalog.dynamicConfig);
  const variants = [{ ...variant, id: "" }];
  const args = { key, rules: [rule("one", 100, { conditions: [], id: "", baseID: "", variants })] };
  const made = await subject.up(args);
  expect(made.outputs.rules).toMatchObject([{ variants: [{ name: "a", id: expect.stringMatching(/./) }] }]);
  await expectQuiet(made, args);
});

test("[A8] a program that asks for it has each write checked first", async () => {
  await start(catalog.dynamicConfig);
  const args = { key, validate: true, schema: '{"type":"object","required":["a"]}' };
  await expect(subject.up(args)).rejects.toThrow(/Does not satisfy the schema/);
  const good = { ...args, defaultValue: { a: 1 } };
  const made = await subject.up(good);
  subject.emulator.clearRequests();
  await subject.update(made, { ...good, description: "new" });
  const sent = subject.emulator.requests.filter(({ method }) => method === "PATCH");
  expect(sent.map(({ query }) => query.includes("dryRun=true"))).toEqual([true, false]);
});

test.each([
  ["no value", {}],
  ["variants only", { variants: [variant] }],
  ["{}", { returnValue: {} }],
])("[R7] a rule of a config with %s reads {} or nothing, and is quiet", async (_, members) => {
  const args = { key, rules: [rule("one", 100, members)] };
  for (const filledDefaults of ["stored", "all", "none"] as const) {
    await start(catalog.dynamicConfig, { behaviour: { filledDefaults } });
    await staysQuiet(await subject.up(args), args);
    if (filledDefaults === "all") expect((await listOf(key))[0]?.returnValue).toEqual({});
  }
});

const valued = { returnValue: { a: 1 } };
test.each<[string, JsonObject, JsonObject, JsonObject]>([
  ["its share", { passPercentage: 10, ...valued }, valued, { passPercentage: 100, ...valued }],
  ["its value", valued, {}, { passPercentage: 100, returnValue: {} }],
  ["a value for its text", valued, { returnValueJson5: "{a: 2}" }, { returnValue: { a: 2 } }],
])(
  "[R7] a rule of a config that no longer gives %s has the default again",
  async (_, before, after, read) => {
    await start(catalog.dynamicConfig);
    const args = (members: JsonObject) => ({
      ...{ key, rules: [{ name: "one", conditions: [{ type: "public" }], ...members }] },
    });
    await updated(await subject.up(args(before)), args(after));
    expect(await listOf(key)).toMatchObject([read]);
  },
);

test("[R8] the type of a config is settled after the create, and stale is temporary", async () => {
  const old = { name: "old config", type: "STALE" };
  await start(catalog.dynamicConfig, { seed: { dynamic_configs: [{ id: "old_config", ...old }] } });
  const args = { key, type: "PERMANENT" };
  const made = await subject.up(args);
  expect(subject.writes().map(({ method }) => method)).toEqual(["POST", "PATCH"]);
  expect(await live(key)).toMatchObject({ type: "PERMANENT" });
  await staysQuiet(made, args);
  const temporary = { ...old, key: "old_config", type: "TEMPORARY", adopt: true, __program: { name: "old" } };
  subject.emulator.clearRequests();
  await staysQuiet(await subject.up(temporary), temporary);
  expect(subject.writes()).toEqual([]);
});

// What is switched by hand, or set by the program, in partial updates that leave it out or would reset it.
describe.each(["keep", "apply"] as const)("where partial updates %s declared defaults", (partialDefaults) => {
  const ofTag = { name: "tag", description: "" };
  const ofMetric = { name: "metric", type: "sum" };
  const off = { isEnabled: false };
  const down = { directionality: "decrease" };
  test.each<[string, ResourceDefinition, JsonObject, JsonObject, JsonObject]>([
    [
      "a config stays off when it changes",
      catalog.dynamicConfig,
      { key },
      off,
      { ...off, status: "Disabled" },
    ],
    ["a config stays off, not said", catalog.dynamicConfig, { key }, {}, { ...off, status: "Disabled" }],
    ["a tag stays a core tag", catalog.tag, ofTag, { isCore: true }, { isCore: true }],
    ["a tag stays a core tag, not said", catalog.tag, ofTag, {}, { isCore: true }],
    ["a metric keeps its direction", catalog.metric, ofMetric, down, down],
    ["a metric keeps its direction, not said", catalog.metric, ofMetric, {}, down],
  ])("[R9] %s", async (_, definition, base, said, expected) => {
    await start(definition, { behaviour: { partialDefaults } });
    const made = await subject.up({ ...base, ...said });
    const { dynamicConfig, tag, metric } = subject.raw;
    if (definition === catalog.metric) await metric.update({ id: made.id, body: down });
    else if (definition === catalog.tag) await tag.patch({ id: "tag", body: { isCore: true } });
    else await dynamicConfig.disable({ id: key });
    await updated(await refreshed(made), { ...base, ...said, description: "new" });
    expect(await live(made.id)).toMatchObject({ ...expected, description: "new" });
  });
});
