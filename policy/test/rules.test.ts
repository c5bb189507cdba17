import { describe, expect, test } from "@jest/globals";
import { judgedExample } from "../../scripts/generate/policies";
import { randomId } from "../../src/emulator";
import { UNKNOWN } from "../../src/tools/facts";
import { rules } from "../src/rules";
import { deadRule } from "../src/rules/dead-rule";
import { expired } from "../src/rules/expired";
import { expiryTag } from "../src/rules/expiry-tag";
import { naming } from "../src/rules/naming";
import { owner } from "../src/rules/owner";
import { percentageJump } from "../src/rules/percentage-jump";
import { secretInConfig } from "../src/rules/secret-in-config";
import { stillInUse } from "../src/rules/still-in-use";
import { suddenLaunch } from "../src/rules/sudden-launch";
import { writeKey } from "../src/rules/write-key";
import { messagesOf } from "./subject";

test.each(rules.map((rule) => [rule.name, rule] as const))("%s: its examples", (_, rule) => {
  expect(messagesOf(rule, rule.examples.violated)).not.toEqual([]);
  expect(messagesOf(rule, rule.examples.met)).toEqual([]);
});

test.each(rules.map((rule) => [rule.name, rule] as const))(
  "%s: says nothing of what is not known",
  (_, rule) => {
    const args = {
      rules: UNKNOWN,
      tags: UNKNOWN,
      type: UNKNOWN,
      key: UNKNOWN,
      team: UNKNOWN,
      isEnabled: UNKNOWN,
    };
    for (const before of [{ rules: [] }, { rules: UNKNOWN, type: UNKNOWN }])
      expect(messagesOf(rule, { kind: "Gate", args, before })).toEqual([]);
  },
);

const everyone = (passPercentage: unknown, more = {}) => ({
  name: "Everyone",
  passPercentage,
  conditions: [{ type: "public" }],
  ...more,
});
const staff = (passPercentage: number) => ({
  name: "Staff",
  passPercentage,
  conditions: [{ type: "passes_segment", targetValue: "staff" }],
});
const gate = (before: object | undefined, args: object, parameters = {}) => ({
  kind: "Gate",
  args: { ...args },
  ...(before === undefined ? {} : { before: { ...before } }),
  parameters,
});

const inNz = (passPercentage: number, ...more: string[]) => ({
  ...{ name: "NZ", passPercentage },
  conditions: [{ type: "country", operator: "any", targetValue: ["NZ", ...more] }],
});

describe("a percentage jumps", () => {
  test.each([
    [
      "beyond the limit",
      gate({ rules: [everyone(10)] }, { rules: [everyone(61)] }),
      /rules\[0\].* 10 % to 61 %.*60 % first/,
    ],
    [
      "beyond a limit of its own",
      gate({ rules: [everyone(1)] }, { rules: [everyone(7)] }, { most: 5 }),
      /1 % to 7 %/,
    ],
    ["for some", gate({ rules: [staff(10)] }, { rules: [staff(100)] }), /10 % to 100 %/],
    ["by a launch", gate({ rules: [everyone(10)] }, { status: "Launched" }), /everybody.*10 % to 100 %/],
    [
      "by being switched on",
      gate({ isEnabled: false, rules: [everyone(80)] }, { isEnabled: true }),
      /0 % to 80 %/,
    ],
    ["by a new rule for all", gate({ rules: [] }, { rules: [everyone(80)] }), /0 % to 80 %/],
    [
      "by a new rule in another's place",
      gate({ rules: [everyone(10)] }, { rules: [{ ...everyone(80), name: "All" }] }),
      /10 % to 80 %/,
    ],
    [
      "by conditions that go",
      gate({ rules: [staff(100)] }, { rules: [{ ...staff(100), conditions: [] }] }),
      /0 % to 100 %/,
    ],
    [
      "by an environment that comes",
      gate({ rules: [everyone(100, { environments: ["staging"] })] }, { rules: [everyone(100)] }),
      /in production/,
    ],
    [
      "by a rule that kept some out and goes",
      gate({ rules: [{ ...inNz(0), name: "Block" }, everyone(100)] }, { rules: [everyone(100)] }),
      /rules\[0\] would go from 0 % to 100 %/,
    ],
    [
      "by places that change",
      gate({ rules: [everyone(10), staff(100)] }, { rules: [staff(100), everyone(10)] }),
      /rules\[0\] would go from 10 % to 100 %/,
    ],
    [
      "in a variant",
      {
        ...gate(
          { rules: [{ name: "A", conditions: [], variants: [{ name: "b", passPercentage: 1 }] }] },
          { rules: [{ name: "A", conditions: [], variants: [{ name: "b", passPercentage: 99 }] }] },
        ),
        kind: "DynamicConfig",
      },
      /rules\[0\]\.variants\[0\]\.passPercentage would go from 1 % to 99 %/,
    ],
    [
      "in a new object, where that counts",
      gate(undefined, { rules: [everyone(80)] }, { newObjects: true }),
      /0 % to 80 %/,
    ],
    [
      "after the console changed it",
      gate({ rules: [everyone(20)] }, { rules: [everyone(90)] }),
      /20 % to 90 %/,
    ],
  ])("%s", (_, example, message) => {
    expect(messagesOf(percentageJump, example)).toEqual([expect.stringMatching(message)]);
  });

  test.each([
    ["down", gate({ rules: [everyone(100)] }, { rules: [everyone(0)] })],
    ["to the limit", gate({ rules: [everyone(10)] }, { rules: [everyone(60)] })],
    [
      "of a rule that nobody reaches",
      gate({ rules: [everyone(10), staff(0)] }, { rules: [everyone(10), staff(100)] }),
    ],
    [
      "of a rule behind a wider one",
      gate(
        { rules: [{ ...inNz(10, "AU"), name: "Oceania" }, inNz(0)] },
        { rules: [{ ...inNz(10, "AU"), name: "Oceania" }, inNz(100)] },
      ),
    ],
    ["in a new object", gate(undefined, { rules: [everyone(100)] })],
    [
      "of an object that stays off",
      gate({ isEnabled: false, rules: [everyone(0)] }, { rules: [everyone(100)] }),
    ],
    [
      "of an object that is switched off",
      gate({ rules: [everyone(0)] }, { isEnabled: false, rules: [everyone(100)] }),
    ],
    [
      "of what everybody has",
      gate({ status: "Launched", rules: [] }, { status: "In Progress", rules: [everyone(90)] }),
    ],
    ["for a new audience", gate({ rules: [everyone(10)] }, { rules: [staff(100), everyone(10)] })],
    [
      "in another environment",
      gate(
        { rules: [everyone(0, { environments: ["staging"] })] },
        { rules: [everyone(100, { environments: ["staging"] })] },
      ),
    ],
    [
      "by a condition for another environment",
      gate(
        { rules: [] },
        {
          rules: [
            {
              name: "A",
              passPercentage: 100,
              conditions: [{ type: "environment_tier", targetValue: ["staging"] }],
            },
          ],
        },
      ),
    ],
  ])("not: %s", (_, example) => {
    expect(judgedExample(percentageJump, example)).toEqual([]);
  });

  test("what is not known yet is no jump, and is told", () => {
    const before = { rules: [everyone(10)] };
    expect(judgedExample(percentageJump, gate(before, { rules: [everyone(UNKNOWN)] }))).toEqual([
      { unknown: ["rules", 0, "passPercentage"] },
    ]);
    expect(judgedExample(percentageJump, gate({ rules: UNKNOWN }, { rules: [everyone(90)] }))).toEqual([
      { unknown: ["rules"] },
    ]);
  });
});

describe("where the console owns the percentages", () => {
  const owns = { rollout: "console" };
  const launched = gate({ owns, rules: [everyone(0)] }, { owns, rules: [everyone(100)] });

  test("none of a rule that stays rises, whatever else changes", () => {
    const reworded = gate(
      { rules: [everyone(0), staff(0)] },
      { owns, description: "New", rules: [staff(100), { ...everyone(100), name: "All" }] },
    );
    for (const rule of [percentageJump, suddenLaunch])
      expect([launched, reworded].flatMap((example) => judgedExample(rule, example))).toEqual([]);
  });

  test("none rises of an object that is taken over", () => {
    const adopted = gate(undefined, { owns, adopt: true, rules: [everyone(100)] }, { newObjects: true });
    for (const rule of [percentageJump, suddenLaunch]) expect(judgedExample(rule, adopted)).toEqual([]);
  });

  test("one of a new rule counts, for the program says it; so does each where code owns them", () => {
    const added = gate({ owns, rules: [] }, { owns, rules: [everyone(100)] });
    const taken = gate({ owns, rules: [everyone(0)] }, { rules: [everyone(100)] });
    for (const rule of [percentageJump, suddenLaunch])
      expect([added, taken].flatMap((example) => messagesOf(rule, example))).toHaveLength(2);
  });
});

test("from nobody to everybody, and nothing in between", () => {
  const from = (before: number, after: number) =>
    messagesOf(suddenLaunch, gate({ rules: [everyone(before)] }, { rules: [everyone(after)] })).length;
  expect([from(0, 100), from(0, 99), from(1, 100), from(100, 100)]).toEqual([1, 0, 0, 0]);
});

test.each([
  ["Layer", "layer", { team: "growth" }],
  ["ParamStore", "paramStore", { team: "growth" }],
  ["Alert", "alert", { teamID: "team-1" }],
])("a team is the owner of a %s, too", (kind, name, args) => {
  const parameters = { kinds: [name] };
  expect(messagesOf(owner, { kind, args: { ...args }, parameters })).toEqual([]);
  expect(messagesOf(owner, { kind, args: {}, parameters })).toHaveLength(1);
});

test("an owner is a team, an owner, or a tag that names one", () => {
  const says = (args: object, kind = "Gate") => messagesOf(owner, { kind, args: { ...args } }).length;
  expect(says({ team: "growth" })).toBe(0);
  expect(says({ teamID: "t-1" })).toBe(0);
  expect(says({ owner: { ownerName: "Ana" } }, "DynamicConfig")).toBe(0);
  expect(says({ owner: {} }, "DynamicConfig")).toBe(1);
  expect(says({ team: "", tags: ["owner:ana"] })).toBe(0);
  expect(says({ tags: ["shop"] })).toBe(1);
  expect(says({}, "Tag")).toBe(0);
  expect(judgedExample(owner, { kind: "Gate", args: { team: UNKNOWN } })).toEqual([{ unknown: ["team"] }]);
});

test("what is temporary says until when, and goes then", () => {
  const said = (rule: typeof expired, args: object, at?: string, parameters = {}) =>
    messagesOf(
      rule,
      { kind: "Gate", args: { ...args }, parameters },
      at === undefined ? undefined : new Date(at),
    ).length;
  // A gate is temporary unless the program says otherwise.
  expect(said(expiryTag, {})).toBe(1);
  expect(said(expiryTag, { type: "PERMANENT" })).toBe(0);
  expect(said(expiryTag, { isTemplate: true })).toBe(0);
  expect(said(expiryTag, { tags: ["expires-soon"] })).toBe(1);
  const tags = ["shop", "expires-2026-12-31"];
  expect(said(expiryTag, { tags })).toBe(0);
  expect(said(expired, { tags }, "2026-12-31T23:59:59Z")).toBe(0);
  expect(said(expired, { tags }, "2027-01-01T00:00:00Z")).toBe(1);
  expect(said(expired, { tags }, "2026-12-31T23:59:59Z", { timeZone: "Asia/Tokyo" })).toBe(1);
  expect(said(expired, { tags: ["expires-2026-02-31"] })).toBe(1);
});

test("nothing that is in use goes", () => {
  const users = ["a", "b", "c", "d", "e"].map((name) => `gate "${name}"`);
  expect(messagesOf(stillInUse, { kind: "Segment", args: {}, before: {}, leaves: { users } })).toEqual([
    expect.stringContaining('gate "a", gate "b", gate "c", 2 more still refer to it'),
  ]);
});

test("names follow the pattern of their kind, and no other", () => {
  const says = (kind: string, args: object, parameters = {}) =>
    messagesOf(naming, { kind, args: { ...args }, parameters });
  expect(says("Gate", { key: "Checkout" })).toHaveLength(1);
  expect(says("Segment", { key: "Checkout" })).toEqual([]);
  expect(says("Segment", { key: "Checkout" }, { patterns: { segment: "^[a-z]+$" } })).toHaveLength(1);
});

test("0 % says nothing where people ramp in the console", () => {
  const args = { owns: { rollout: "console" }, rules: [everyone(0)] };
  expect(messagesOf(deadRule, { kind: "Gate", args })).toEqual([]);
  const nowhere = { ...everyone(0), environments: [] };
  expect(messagesOf(deadRule, { kind: "Gate", args: { ...args, rules: [nowhere] } })).toHaveLength(1);
});

test("0 % may be on purpose", () => {
  const example = { kind: "Gate", args: { rules: [everyone(0)] } };
  expect(messagesOf(deadRule, example)).toEqual([expect.stringContaining("rules[0].passPercentage is 0")]);
  expect(messagesOf(deadRule, { ...example, parameters: { allowZero: true } })).toEqual([]);
});

test("a key that may write is no matter of a stack that previews can decrypt", () => {
  const says = (args: object) => messagesOf(writeKey, { kind: "Key", args: { ...args } });
  const scopes = ["can_access_keys", "personal_read_write"];
  expect(says({ type: "CONSOLE", scopes })).toEqual([expect.stringMatching(/^key "checkout" may write to/)]);
  expect(says({ type: "SERVER", scopes })).toEqual([]);
  expect(says({ type: "CONSOLE", scopes: ["omni_read_only", UNKNOWN] })).toEqual([]);
  expect(says({ type: UNKNOWN, scopes: UNKNOWN })).toEqual([]);
});

describe("secrets in values", () => {
  const random = ["q7Zt1", "Xb9Lw", "2Kc8V", "m4Rj6", "Hd3Np"].join("");
  const says = (value: unknown, more = {}) =>
    messagesOf(secretInConfig, { kind: "DynamicConfig", args: { defaultValue: { of: value }, ...more } });

  test.each([
    ["a key of a cloud", `${"AK"}IAABCDEFGHIJKLMNOP`],
    ["a token", `gh${"p_"}abcdefghijklmnopqrstuvwxyz`],
    ["a key of the console", `secret${"-"}abcdefghijklmnopqrstuvwxyz`],
    ["a key that the emulator has made", `console${"-"}${randomId()}-${randomId()}`],
    ["a key of 32 bytes", "0123456789abcdef".repeat(4)],
    ["a password in a connection string", "Server=db.example.com;User=shop;Password=hunter2;"],
    ["a password at its end", "server=db.example.com; pwd = hunter2"],
    ["a password at its beginning", "Password=hunter2;Server=db.example.com"],
    ["a private key", `-----BEGIN ${"RSA PRIVATE"} KEY-----`],
    ["a random word", `Bearer ${random}`],
    ["a password in an address", "postgres://shop:hunter2@db.example.com/shop"],
  ])("%s is told by its place alone", (_, value) => {
    const [message, ...rest] = says(value);
    expect(rest).toEqual([]);
    expect(message).toContain("defaultValue.of looks like");
    expect(message).not.toContain(value.slice(4, 12));
  });

  test.each([
    ["a sentence", "Buy two and get the third one for half the price until Sunday evening"],
    ["an address", "https://cdn.example.com/assets/2026/11/checkout-banner-large@2x.png"],
    ["an id", "0b2f4c1e-5d60-4c3e-9c9a-1f7d3b6a8e42"],
    ["a name of many words", "checkout_v2_payment_methods_rollout_2026"],
    ["a name of the console", "console-error-reporting-of-the-checkout"],
    ["a word about passwords", "Password=Choose one of 12 characters"],
    ["a digest of 40 digits", "0123456789".repeat(4)],
    ["a number", 12_345_678_901],
    ["nothing yet", UNKNOWN],
  ])("%s is none", (_, value) => {
    expect(says(value)).toEqual([]);
  });

  test("in rules, in JSON5, and in other kinds; not where somebody looked", () => {
    const json5 = `{ /* for maps */ key: "${random}" }`;
    const args = {
      defaultValueJson5: json5,
      rules: [{ name: "A", conditions: [], returnValue: { a: [random] } }],
    };
    expect(messagesOf(secretInConfig, { kind: "DynamicConfig", args })).toEqual([
      expect.stringContaining("rules[0].returnValue.a[0] looks"),
      expect.stringContaining("defaultValueJson5 looks"),
    ]);
    const layer = {
      kind: "Layer",
      args: { parameters: [{ name: "a", type: "string", defaultValue: random }] },
    };
    expect(messagesOf(secretInConfig, layer)).toHaveLength(1);
    const except = { parameters: { except: ["parameters[0].defaultValue"] } };
    expect(messagesOf(secretInConfig, { ...layer, ...except })).toEqual([]);
  });
});
