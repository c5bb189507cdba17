import { afterEach, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { type Subject, startSubject } from "../laws/subject";

const rule = (name: string, passPercentage: number, more: JsonObject = {}) => ({
  name,
  passPercentage,
  conditions: [{ type: "public" }],
  ...more,
});
const three = [rule("A", 10), rule("B", 20), rule("C", 30)];

let subject: Subject;
afterEach(() => subject.close());

/** The writes of an update from one list of rules to another, and the names of the rules afterwards. */
async function writes(from: JsonObject[], to: JsonObject[], more: JsonObject = {}) {
  const made = await subject.up({ key: "flag_one", rules: from });
  subject.emulator.clearRequests();
  const updated = await subject.update(made, { key: "flag_one", rules: to, ...more });
  expect(await subject.diff(updated, { key: "flag_one", rules: to, ...more })).toEqual({
    quiet: true,
    replaces: [],
  });
  return subject.writes().map(({ route }) => route);
}

test.each([["gate"], ["dynamicConfig"]] as const)(
  "%s: one rule removed is one rule's delete (operation 13)",
  async (kind) => {
    subject = await startSubject(catalog[kind]);
    expect(await writes(three, [rule("A", 10), rule("C", 30)])).toEqual(["deleteRule"]);
  },
);

test.each([["gate"], ["dynamicConfig"]] as const)(
  "%s: one rule changed is one rule's patch",
  async (kind) => {
    subject = await startSubject(catalog[kind]);
    expect(await writes(three, [rule("A", 10), rule("B", 12.5), rule("C", 30)])).toEqual(["patchRule"]);
  },
);

test("a rule appended to a gate is one rule's post; to a config it is a patch, because the API has no such route", async () => {
  subject = await startSubject(catalog.gate);
  expect(await writes(three, [...three, rule("D", 40)])).toEqual(["addRule"]);
  await subject.close();
  subject = await startSubject(catalog.dynamicConfig);
  expect(await writes(three, [...three, rule("D", 40)])).toEqual(["patch"]);
});

test.each([
  ["two rules changed", [rule("A", 11), rule("B", 21), rule("C", 30)], {}],
  ["one removed and one changed", [rule("A", 11), rule("C", 30)], {}],
  ["another order", [rule("B", 20), rule("A", 10), rule("C", 30)], {}],
  ["one inserted above", [rule("D", 1), ...three], {}],
  ["one rule and the description", [rule("A", 11), rule("B", 20), rule("C", 30)], { description: "Both" }],
  [
    "environments of one rule taken away",
    three,
    {},
    [rule("A", 10, { environments: ["production"] }), rule("B", 20), rule("C", 30)],
  ],
] as [string, JsonObject[], JsonObject, JsonObject[]?][])(
  "several at once go in one request: %s",
  async (_, to, more, from = three) => {
    subject = await startSubject(catalog.gate);
    expect(await writes(from, to, more)).toEqual(["patch"]);
  },
);

test("a change that somebody else makes to another rule since the last refresh is kept, and told", async () => {
  subject = await startSubject(catalog.gate);
  const made = await subject.up({ key: "flag_one", rules: three });
  const rules = made.outputs.rules as JsonObject[];
  await subject.raw.gate.patchRule({
    id: made.id,
    ruleID: String(rules[2]?.id),
    body: { passPercentage: 99 },
  });
  const to = [rule("A", 10), rule("B", 12.5), rule("C", 30)];
  const updated = await subject.update(made, { key: "flag_one", rules: to });
  const live = (await subject.raw.gate.get({ id: made.id })).rules as JsonObject[];
  expect(live.map(({ passPercentage }) => passPercentage)).toEqual([10, 12.5, 99]);
  expect(live.map(({ baseID }) => baseID)).toEqual(rules.map(({ baseID }) => baseID));
  expect((await subject.diff(updated, { key: "flag_one", rules: to })).quiet).toBe(true);
  expect(subject.lines).toEqual([
    expect.stringContaining("rules[2] changed in the console since the last refresh"),
  ]);
});

test("a variant that alone is renamed keeps its id, by the rule's own route as by the whole config's", async () => {
  subject = await startSubject(catalog.dynamicConfig);
  const variants = (...names: string[]) =>
    names.map((name, index) => ({ name, passPercentage: 50, returnValue: { place: index } }));
  const args = (...names: string[]) => ({
    key: "flag_one",
    rules: [rule("A", 100, { variants: variants(...names) }), rule("B", 20)],
  });
  const idsOf = async () => {
    const { rules } = (await subject.raw.dynamicConfig.get({ id: "flag_one" })) as { rules: JsonObject[] };
    return ((rules[0]?.variants ?? []) as JsonObject[]).map(({ name, id }) => [name, id]);
  };
  const made = await subject.up(args("Blue", "Red"));
  const [blue, red] = await idsOf();
  subject.emulator.clearRequests();
  const renamed = await subject.update(made, args("Azure", "Red"));
  const sent = subject.writes().map(({ route }) => route);
  expect(sent).toEqual(["patchRule"]);
  expect(await idsOf()).toEqual([["Azure", blue?.[1]], red]);
  await subject.update(renamed, { ...args("Azure", "Scarlet"), description: "And more" });
  expect(await idsOf()).toEqual([
    ["Azure", blue?.[1]],
    ["Scarlet", red?.[1]],
  ]);
});

test("rules that people added and took away since the last refresh stay so, until a refresh has shown it", async () => {
  subject = await startSubject(catalog.gate);
  const made = await subject.up({ key: "flag_one", rules: three });
  const [a, , c] = made.outputs.rules as JsonObject[];
  await subject.raw.gate.patch({ id: made.id, body: { rules: [a, rule("Theirs", 5), c] } });
  const namesOf = async () =>
    ((await subject.raw.gate.get({ id: made.id })).rules as JsonObject[]).map(({ name }) => name);
  const to = { key: "flag_one", rules: [rule("A", 11), rule("B", 20), rule("C", 30), rule("D", 40)] };
  const updated = await subject.update(made, to);
  expect(await namesOf()).toEqual(["A", "Theirs", "C", "D"]);
  expect((await subject.diff(updated, to)).quiet).toBe(true);
  const again = await subject.update(updated, { ...to, rules: [rule("A", 12), ...to.rules.slice(1)] });
  expect(await namesOf()).toEqual(["A", "Theirs", "C", "D"]);
  const seen = (await subject.refresh(again)) ?? again;
  expect((await subject.diff(seen, to)).quiet).toBe(false);
  await subject.update(seen, to);
  expect(await namesOf()).toEqual(["A", "B", "C", "D"]);
});

test("an order that people made since the last refresh stays so, until a refresh has shown it", async () => {
  subject = await startSubject(catalog.gate);
  const made = await subject.up({ key: "flag_one", rules: three });
  const [a, b, c] = made.outputs.rules as JsonObject[];
  await subject.raw.gate.patch({ id: made.id, body: { rules: [c, a, b] } });
  const shares = async () =>
    ((await subject.raw.gate.get({ id: made.id })).rules as JsonObject[]).map(({ name, passPercentage }) => [
      name,
      passPercentage,
    ]);
  const to = { key: "flag_one", rules: [rule("A", 11), rule("B", 20), rule("C", 30)] };
  const updated = await subject.update(made, to);
  expect(await shares()).toEqual([
    ["C", 30],
    ["A", 11],
    ["B", 20],
  ]);
  expect(subject.lines).toEqual([
    expect.stringContaining("rules changed in the console since the last refresh"),
  ]);
  expect((await subject.diff(updated, to)).quiet).toBe(true);
  const seen = (await subject.refresh(updated)) ?? updated;
  expect((await subject.diff(seen, to)).quiet).toBe(false);
  await subject.update(seen, to);
  expect(await shares()).toEqual([
    ["A", 11],
    ["B", 20],
    ["C", 30],
  ]);
});
