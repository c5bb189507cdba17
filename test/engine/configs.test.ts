import { afterEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { mustStayQuiet, quiet } from "../laws/quiet";
import { type Resource, type Subject, startSubject } from "../laws/subject";

let subject: Subject;
afterEach(() => subject.close());

const staysQuiet = (made: Resource, args: JsonObject) => mustStayQuiet(subject, made, args);

test("[W2] an empty id of a variant is none, and a program may say so", async () => {
  subject = await startSubject(catalog.dynamicConfig);
  const variants = [{ name: "a", passPercentage: 100, returnValue: { a: 1 }, id: "" }];
  const args = {
    key: "one",
    rules: [{ name: "one", passPercentage: 100, conditions: [], id: "", baseID: "", variants }],
  };
  const made = await subject.up(args);
  expect(made.outputs.rules).toMatchObject([{ variants: [{ name: "a", id: expect.stringMatching(/./) }] }]);
  expect(await subject.diff(made, args)).toEqual(quiet);
});

test("[A8] a program that asks for it has each write checked first", async () => {
  subject = await startSubject(catalog.dynamicConfig);
  const args = { key: "config", validate: true, schema: '{"type":"object","required":["a"]}' };
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
  ["variants only", { variants: [{ name: "a", passPercentage: 100, returnValue: { a: 1 } }] }],
  ["{}", { returnValue: {} }],
])("[R7] a rule of a config with %s reads {} or nothing, and is quiet", async (_, members) => {
  const rule = { name: "one", passPercentage: 100, conditions: [{ type: "public" }], ...members };
  const args = { key: "config", rules: [rule] };
  for (const filledDefaults of ["stored", "all", "none"] as const) {
    subject = await startSubject(catalog.dynamicConfig, { behaviour: { filledDefaults } });
    const made = await staysQuiet(await subject.up(args), args);
    const read = (await subject.raw.dynamicConfig.get({ id: made.id })).rules as JsonObject[];
    if (filledDefaults === "all") expect(read[0]?.returnValue).toEqual({});
    if (filledDefaults !== "none") await subject.close();
  }
});

test.each([
  ["its share", { passPercentage: 10, returnValue: { a: 1 } }, { returnValue: { a: 1 } }],
  ["its value", { passPercentage: 10, returnValue: { a: 1 } }, { passPercentage: 10 }],
  ["a value for its text", { returnValue: { a: 1 } }, { returnValueJson5: "{a: 2}" }],
])("[R7] a rule of a config that no longer gives %s has the default again", async (_, before, after) => {
  subject = await startSubject(catalog.dynamicConfig);
  const args = (members: JsonObject) => ({
    key: "config",
    rules: [{ name: "one", conditions: [{ type: "public" }], ...members }],
  });
  const made = await subject.up(args(before));
  await staysQuiet(await subject.update(made, args(after)), args(after));
  const { rules } = await subject.raw.dynamicConfig.get({ id: "config" });
  const text = "returnValueJson5" in after;
  expect(rules).toMatchObject([
    {
      passPercentage: "passPercentage" in after ? 10 : 100,
      returnValue: text ? { a: 2 } : "returnValue" in after ? { a: 1 } : {},
    },
  ]);
});

test("[R8] the type of a config is settled after the create, and stale is temporary", async () => {
  const stale = { id: "old_config", name: "old config", type: "STALE" };
  subject = await startSubject(catalog.dynamicConfig, { seed: { dynamic_configs: [stale] } });
  const args = { key: "config", type: "PERMANENT" };
  const made = await subject.up(args);
  expect(subject.writes().map(({ method }) => method)).toEqual(["POST", "PATCH"]);
  expect((await subject.raw.dynamicConfig.get({ id: "config" })).type).toBe("PERMANENT");
  await staysQuiet(made, args);
  const temporary = {
    ...{ key: "old_config", name: "old config", type: "TEMPORARY" },
    ...{ adopt: true, __program: { name: "old" } },
  };
  subject.emulator.clearRequests();
  await staysQuiet(await subject.up(temporary), temporary);
  expect(subject.writes().map(({ method }) => method)).toEqual([]);
});

describe.each(["keep", "apply"] as const)("where partial updates %s declared defaults", (partialDefaults) => {
  const behaviour = { partialDefaults };

  test.each([
    ["said", { isEnabled: false }],
    ["not said", {}],
  ])("[R9] a config stays off when it changes: %s", async (_, said) => {
    subject = await startSubject(catalog.dynamicConfig, { behaviour });
    const args = { key: "config", ...said };
    const made = await subject.up(args);
    await subject.raw.dynamicConfig.disable({ id: "config" });
    const refreshed = (await subject.refresh(made)) ?? made;
    const changed = { ...args, description: "new" };
    await staysQuiet(await subject.update(refreshed, changed), changed);
    expect(await subject.raw.dynamicConfig.get({ id: "config" })).toMatchObject({
      isEnabled: false,
      status: "Disabled",
      description: "new",
    });
  });

  test.each([
    ["said", { isCore: true }],
    ["not said", {}],
  ])("[R9] a tag stays a core tag: %s", async (_, said) => {
    subject = await startSubject(catalog.tag, { behaviour });
    const args = { name: "tag", description: "", ...said };
    const made = await subject.up(args);
    await subject.raw.tag.patch({ id: "tag", body: { isCore: true } });
    const changed = { ...args, description: "new" };
    await staysQuiet(await subject.update((await subject.refresh(made)) ?? made, changed), changed);
    expect((await subject.raw.tag.get({ id: "tag" })).isCore).toBe(true);
  });

  test.each([
    ["said", { directionality: "decrease" }],
    ["not said", {}],
  ])("[R9] a metric keeps its direction: %s", async (_, said) => {
    subject = await startSubject(catalog.metric, { behaviour });
    const args = { name: "metric", type: "sum", ...said };
    const made = await subject.up(args);
    await subject.raw.metric.update({ id: made.id, body: { directionality: "decrease" } });
    const changed = { ...args, description: "new" };
    await staysQuiet(await subject.update((await subject.refresh(made)) ?? made, changed), changed);
    expect((await subject.raw.metric.get({ id: made.id })).directionality).toBe("decrease");
  });
});
