import { expect, jest, test } from "@jest/globals";
import { typePrefix } from "../../src/provider/pulumi/stored-names";
import { type JsonObject, storedObjects } from "../../src/tools/facts";
import { policiesOf, stateRead } from "../src/pack";
import { rules } from "../src/rules";
import { freeze } from "../src/rules/freeze";
import type { StackState } from "../src/state";

/** Pulumi's own wrapping of arguments. */
const { unknownCheckingProxy } = jest.requireActual<{
  unknownCheckingProxy: (props: JsonObject) => JsonObject;
}>("@pulumi/policy/proxy");
const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const secretMark = {
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  ciphertext: "x",
};
const urnOf = (kind: string, name: string) => `urn:pulumi:prod::shop::${typePrefix}${kind}::${name}`;

interface Stored {
  readonly kind: string;
  readonly name: string;
  readonly inputs?: JsonObject;
  readonly outputs?: JsonObject;
  readonly more?: JsonObject;
}

function stateWith(stored: readonly Stored[]): StackState {
  const resources = stored.map(({ kind, name, inputs = {}, outputs = {}, more = {} }) => ({
    ...{ urn: urnOf(kind, name), type: `${typePrefix}${kind}`, id: name },
    inputs: { key: name, __provider: "text", ...inputs },
    outputs: { key: name, __managed: [], ...inputs, ...outputs },
    ...more,
  }));
  return { objects: storedObjects(JSON.stringify({ deployment: { resources } })) };
}

interface Declared {
  readonly kind: string;
  readonly name: string;
  readonly args?: JsonObject;
  readonly aliases?: readonly string[];
}

type Validation = (args: object, report: (message: string) => void) => Promise<void>;

/** A policy, as far as Pulumi calls it. */
interface Policy {
  readonly validateResource: Validation;
  readonly validateStack?: Validation;
}

/** Runs a policy as Pulumi does: over each resource as it is registered, and over the stack at the end. */
async function run(name: string, state: StackState, declared: readonly Declared[], config: JsonObject = {}) {
  const notes: string[] = [];
  const messages: string[] = [];
  const surroundings = {
    stateOf: async () => state,
    circumstances: () => ({ now: new Date("2026-11-22T15:00:00Z"), environment: {} }),
    tell: (note: string) => void notes.push(note),
  };
  const policy = policiesOf(rules, surroundings).find((one) => one.name === name) as unknown as Policy;
  const report = (message: string) => void messages.push(message);
  const resources = declared.map(({ kind, name: called, args = {}, aliases = [] }) => ({
    ...{ type: `${typePrefix}${kind}`, urn: urnOf(kind, called), name: called, opts: { aliases } },
    props: unknownCheckingProxy({ key: called, __resource: "digest", ...args }),
    getConfig: () => config,
  }));
  for (const resource of resources) await policy.validateResource(resource, report);
  const stack = {
    resources: [{ urn: urnOf("Stack", "x"), type: "pulumi:pulumi:Stack", opts: {} }, ...resources],
  };
  await policy.validateStack?.({ ...stack, getConfig: () => config }, report);
  return { messages, notes };
}

const everyone = (passPercentage: unknown) => ({
  rules: [{ name: "Everyone", passPercentage, conditions: [{ type: "public" }] }],
});
const asking = {
  rules: [{ name: "In", passPercentage: 1, conditions: [{ type: "passes_gate", targetValue: "checkout" }] }],
};
const gate = (name: string, inputs: JsonObject = {}, outputs: JsonObject = {}): Stored => ({
  ...{ kind: "Gate", name, inputs, outputs },
});
const always = { weekly: [{ from: "Mon 00:00", to: "Mon 00:00" }] };

test.each<[rule: string, config: JsonObject, problem: string]>([
  [
    "freeze",
    { emergencies: "INC-(" },
    'freeze.emergencies is "INC-(", which is no regular expression (Unterminated group)',
  ],
  [
    "freeze",
    { weekly: [{ from: "Fri", to: "Mon 08:00" }] },
    'freeze.weekly[0].from is "Fri"; a time of the week',
  ],
  ["naming", { patterns: { gate: "[" } }, 'naming.patterns.gate is "[", which is no regular expression'],
  [
    "naming",
    { patterns: { gates: "^a" } },
    'naming.patterns names "gates", which is no kind; did you mean "gate"?',
  ],
  ["owner", { tagPattern: "(?" }, 'owner.tagPattern is "(?", which is no regular expression'],
  ["owner", { kinds: ["flag"] }, 'owner.kinds names "flag", which is no kind; the kinds are '],
  [
    "percentage-jump",
    { mots: 20 },
    "percentage-jump.mots is no parameter; those of the rule are most, environments, newObjects, newRules",
  ],
  ["expired", { timeZone: "Berlin" }, 'expired.timeZone is "Berlin", which is no time zone'],
  ["expiry-tag", { kinds: ["dynamic_configs"] }, 'expiry-tag.kinds names "dynamic_configs"'],
])(
  "parameters of %s that cannot be read stop the run before anything is judged: %j",
  async (rule, config, problem) => {
    const stack = { kind: "AnythingElse", name: "first" };
    await expect(run(rule, stateWith([]), [stack], config)).rejects.toThrow(
      `The configuration of the policies cannot be used; correct it in the file of --policy-pack-config:\n  ${problem}`,
    );
  },
);

test("what was is found under the same name, under an alias, and under another name of the same flag", async () => {
  const state = stateWith([gate("checkout", everyone(1))]);
  const jump = (declared: Declared) => run("percentage-jump", state, [declared]);
  const args = everyone(90);
  expect((await jump({ kind: "Gate", name: "checkout", args })).messages).toHaveLength(1);
  const aliases = [urnOf("Gate", "checkout")];
  expect(
    (await jump({ kind: "Gate", name: "pay", args: { ...args, key: "pay" }, aliases })).messages,
  ).toHaveLength(1);
  expect(
    (await jump({ kind: "Gate", name: "pay", args: { ...args, key: "checkout" } })).messages,
  ).toHaveLength(1);
  expect((await jump({ kind: "Gate", name: "pay", args })).messages).toEqual([]);
});

test("what the console showed last counts, and not what the program said", async () => {
  const state = stateWith([gate("checkout", everyone(10), everyone(60))]);
  const { messages } = await run("percentage-jump", state, [
    { kind: "Gate", name: "checkout", args: everyone(100) },
  ]);
  expect(messages).toEqual([]);
});

test("what is not known yet leads to Pulumi's own note, and a secret of the state to one of ours", async () => {
  const state = stateWith([gate("checkout", everyone(1)), gate("pay", { rules: secretMark })]);
  const run1 = run("percentage-jump", state, [
    { kind: "Gate", name: "checkout", args: everyone(unknownText) },
  ]);
  await expect(run1).rejects.toThrow("string value at .rules.0.passPercentage can't be known during preview");
  const { messages, notes } = await run("percentage-jump", state, [
    { kind: "Gate", name: "pay", args: everyone(90) },
  ]);
  expect(messages).toEqual([]);
  expect(notes).toEqual(['percentage-jump cannot judge gate "pay": the state holds rules as a secret.']);
});

test("in a freeze what changes is told, and what is as it was is not", async () => {
  const state = stateWith([
    gate("same", everyone(1), { version: 3 }),
    gate("changed", everyone(1)),
    gate("hidden", { description: secretMark }),
    gate("gone"),
  ]);
  const { messages } = await run(
    "freeze",
    state,
    [
      { kind: "Gate", name: "same", args: everyone(1) },
      { kind: "Gate", name: "changed", args: everyone(2) },
      { kind: "Gate", name: "hidden", args: { description: "text" } },
      { kind: "Gate", name: "fresh" },
    ],
    always,
  );
  expect(messages.map((message) => message.split(" in the freeze")[0])).toEqual([
    'gate "changed" would change',
    'gate "fresh" would change',
    'gate "gone" would be archived',
  ]);
});

test("what leaves is what the program dropped or gave another key, unless it is left where it is", async () => {
  const asks = (...names: string[]) => ({
    rules: names.map((name) => ({
      ...{ name, passPercentage: 1, conditions: [{ type: "passes_gate", targetValue: name }] },
    })),
  });
  const all = asks("dropped", "rekeyed", "kept", "retained", "read", "moved", "deleted");
  const state = stateWith([
    gate("dropped"),
    gate("rekeyed"),
    gate("kept", { onDelete: "retain" }),
    { ...gate("retained"), more: { retainOnDelete: true } },
    { ...gate("read"), more: { external: true } },
    gate("moved"),
    gate("deleted", { onDelete: "delete" }),
    gate("asks", all),
  ]);
  const { messages } = await run("still-in-use", state, [
    { kind: "Gate", name: "rekeyed", args: { key: "other" } },
    { kind: "Gate", name: "home", args: { key: "moved" } },
    { kind: "Gate", name: "asks", args: all },
  ]);
  expect(messages.map((message) => message.split(", and")[0])).toEqual([
    'gate "deleted" would be deleted',
    'gate "dropped" would be archived',
    'gate "rekeyed" would be archived',
  ]);
});

test("what stays and refers to what leaves is named, and what leaves with it is not", async () => {
  const state = stateWith([gate("checkout"), gate("asks", asking)]);
  const staying = [{ kind: "Gate", name: "asks", args: asking }];
  expect((await run("still-in-use", state, staying)).messages).toEqual([
    expect.stringContaining('gate "checkout" would be archived, and gate "asks" still refers to it'),
  ]);
  expect((await run("still-in-use", state, [])).messages).toEqual([]);
});

test("a state that cannot be read is told once, and those that need it say nothing", async () => {
  const state = { problem: "the backend is away" };
  const declared = ["one", "two"].map((name) => ({ kind: "Gate", name, args: everyone(100) }));
  expect((await run(stateRead, state, declared)).messages).toEqual([
    expect.stringMatching(/the backend is away.*percentage-jump, sudden-launch, freeze, still-in-use/),
  ]);
  for (const { name } of rules.filter(({ needs }) => needs === "state"))
    expect((await run(name, state, declared, name === freeze.name ? always : {})).messages).toEqual([]);
  expect((await run(stateRead, stateWith([]), declared)).messages).toEqual([]);
});

test("a stack that was never updated has no objects", () => {
  expect(storedObjects('{"version":3,"deployment":{"manifest":{}}}')).toEqual([]);
  expect(storedObjects('{"version":3}')).toEqual([]);
});
