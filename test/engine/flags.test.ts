import { expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import {
  edit,
  expectChange,
  expectQuiet,
  listOf,
  live,
  refreshed,
  rule,
  sent,
  shares,
  start,
  staysQuiet,
  subject,
  updated,
} from "../laws/harness";

const key = "one";
const asking = (condition: JsonObject, passPercentage = 100) =>
  rule("one", passPercentage, { conditions: [condition] });

test("[W1] a program may say empty members too, and it is quiet", async () => {
  await start(catalog.gate);
  const empty = { operator: "", field: "", customID: "" };
  const rules = [asking({ type: "passes_segment", targetValue: "staff", ...empty })];
  await expectQuiet(await subject.up({ key, rules }), { key, rules });
});

test.each(["operator", "field", "customID", "targetValue"])(
  "[W7] an explicit null for %s inside a condition is refused, and a program's null is left out",
  async (member) => {
    await start(catalog.gate);
    const rules = [asking({ type: "public", [member]: null })];
    await expect(subject.raw.gate.create({ body: { name: "raw", rules } })).rejects.toThrow(
      new RegExp(`rules\\.0\\.conditions\\.0\\.${member}`),
    );
    const made = await subject.up({ key, rules });
    expect((await listOf(key))[0]?.conditions).toEqual([{ type: "public" }]);
    await expectQuiet(made, { key, rules });
  },
);

test.each(["scalar", "list"] as const)(
  "[W8] one target value that is read as a %s is no difference, nor a condition without operator",
  async (singleTargets) => {
    await start(catalog.segment, { behaviour: { singleTargets, emptyMembers: "absent" } });
    const conditions = [
      { type: "email", operator: "any", targetValue: ["a@example.com"] },
      { type: "passes_segment", targetValue: "staff" },
    ];
    const args = { key, type: "rule_based", rules: [rule("one", 100, { conditions })] };
    await expectQuiet(await refreshed(await subject.up(args)), args);
  },
);

test("[X1] a rule without a name stays quiet, and keeps its id when it changes", async () => {
  await start(catalog.gate);
  const args = (share: number) => ({ key, rules: [rule("", share)] });
  const made = await staysQuiet(await subject.up(args(10)), args(10));
  const [before] = await listOf(key);
  await subject.update(made, args(20));
  expect(await listOf(key)).toMatchObject([{ name: "", passPercentage: 20, baseID: before?.baseID }]);
});

test.each([29 * 1.1, 0.1 + 0.2, 100 / 3.125])(
  "a percentage of arithmetic, %d, is sent in the API's step, and settles",
  async (share) => {
    await start(catalog.gate);
    const args = { key, rules: [rule("A", share)] };
    const made = await staysQuiet(await subject.up(args), args);
    expect(await listOf(key)).toMatchObject([{ passPercentage: Number(share.toFixed(2)) }]);
    await updated(made, { key, rules: [rule("A", share * 2)] });
    expect(await listOf(key)).toMatchObject([{ passPercentage: Number((share * 2).toFixed(2)) }]);
  },
);

const [a, b, c, d] = [rule("A", 10), rule("B", 20), rule("C", 30), rule("D", 40)];
const three = [a, b, c];
const inStaging = [rule("A", 10, { environments: ["staging"] }), b, c];

// Several changes at once go in one request; that the API has no route for a new rule of a config makes it one too.
test.each<["gate" | "dynamicConfig", string, string, JsonObject[], JsonObject?, JsonObject[]?]>([
  ["gate", "one rule removed (operation 13)", "deleteRule", [a, c]],
  ["dynamicConfig", "one rule removed", "deleteRule", [a, c]],
  ["gate", "one rule changed", "patchRule", [a, rule("B", 12.5), c]],
  ["dynamicConfig", "one rule changed", "patchRule", [a, rule("B", 12.5), c]],
  ["gate", "one rule appended", "addRule", [...three, d]],
  ["dynamicConfig", "one rule appended", "patch", [...three, d]],
  ["gate", "two rules changed", "patch", [rule("A", 11), rule("B", 21), c]],
  ["gate", "one removed and one changed", "patch", [rule("A", 11), c]],
  ["gate", "another order", "patch", [b, a, c]],
  ["gate", "one inserted above", "patch", [d, ...three]],
  ["gate", "one rule and the description", "patch", [rule("A", 11), b, c], { description: "Both" }],
  ["gate", "environments of one rule taken away", "patch", three, {}, inStaging],
])("%s: %s is one %s", async (kind, _, route, rules, more = {}, from = three) => {
  await start(catalog[kind]);
  const made = await subject.up({ key, rules: from });
  subject.emulator.clearRequests();
  const args = { key, rules, ...more };
  await expectQuiet(await subject.update(made, args), args);
  expect(sent()).toEqual([route]);
});

test("a change that somebody else makes to another rule since the last refresh is kept, and told", async () => {
  await start(catalog.gate);
  const made = await subject.up({ key, rules: three });
  const before = await listOf(key);
  const body = { passPercentage: 99 };
  await subject.raw.gate.patchRule({ id: key, ruleID: String(before[2]?.id), body });
  const to = { key, rules: [a, rule("B", 12.5), c] };
  const updated = await subject.update(made, to);
  expect(await shares(key)).toEqual([
    ["A", 10],
    ["B", 12.5],
    ["C", 99],
  ]);
  expect((await listOf(key)).map(({ baseID }) => baseID)).toEqual(before.map(({ baseID }) => baseID));
  await expectQuiet(updated, to);
  expect(subject.lines).toEqual([
    expect.stringContaining("rules[2] changed in the console since the last refresh"),
  ]);
});

test("a variant that alone is renamed keeps its id, by the rule's own route as by the whole config's", async () => {
  await start(catalog.dynamicConfig);
  const args = (...names: string[]) => {
    const variants = names.map((name, place) => ({ name, passPercentage: 50, returnValue: { place } }));
    return { key, rules: [rule("A", 100, { variants }), b] };
  };
  const idsOf = async () => {
    const [first] = await listOf(key);
    return ((first?.variants ?? []) as JsonObject[]).map(({ name, id }) => [name, id]);
  };
  const made = await subject.up(args("Blue", "Red"));
  const [blue, red] = (await idsOf()).map(([, id]) => id);
  subject.emulator.clearRequests();
  const renamed = await subject.update(made, args("Azure", "Red"));
  expect(sent()).toEqual(["patchRule"]);
  await subject.update(renamed, { ...args("Azure", "Scarlet"), description: "And more" });
  expect(await idsOf()).toEqual([
    ["Azure", blue],
    ["Scarlet", red],
  ]);
});

const changed = { key, rules: [rule("A", 11), b, c, d] };

test("rules that people added and took away since the last refresh stay so, until a refresh has shown it", async () => {
  await start(catalog.gate);
  const made = await subject.up({ key, rules: three });
  const [liveA, , liveC] = await listOf(key);
  await edit(key, { rules: [liveA, rule("Theirs", 5), liveC] });
  const namesOf = async () => (await listOf(key)).map(({ name }) => name);
  const updated = await subject.update(made, changed);
  expect(await namesOf()).toEqual(["A", "Theirs", "C", "D"]);
  await expectQuiet(updated, changed);
  const again = await subject.update(updated, { key, rules: [rule("A", 12), b, c, d] });
  expect(await namesOf()).toEqual(["A", "Theirs", "C", "D"]);
  const seen = await refreshed(again);
  await expectChange(seen, changed);
  await subject.update(seen, changed);
  expect(await namesOf()).toEqual(["A", "B", "C", "D"]);
});

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
