import { expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import {
  edit,
  expectChange,
  expectQuiet,
  listOf,
  refreshed,
  rule,
  sent,
  shares,
  start,
  subject,
} from "../laws/harness";

const key = "flag_one";
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

test("an order that people made since the last refresh stays so, until a refresh has shown it", async () => {
  await start(catalog.gate);
  const made = await subject.up({ key, rules: three });
  const [liveA, liveB, liveC] = await listOf(key);
  await edit(key, { rules: [liveC, liveA, liveB] });
  const to = { key, rules: [rule("A", 11), b, c] };
  const updated = await subject.update(made, to);
  expect((await shares(key)).flat()).toEqual(["C", 30, "A", 11, "B", 20]);
  expect(subject.lines).toEqual([
    expect.stringContaining("rules changed in the console since the last refresh"),
  ]);
  await expectQuiet(updated, to);
  const seen = await refreshed(updated);
  await expectChange(seen, to);
  await subject.update(seen, to);
  expect((await shares(key)).flat()).toEqual(["A", 11, "B", 20, "C", 30]);
});
