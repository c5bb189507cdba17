import { beforeAll, describe, expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import * as fc from "../../src";
import { managed } from "../../src/provider/definitions";
import { idsAndKinds, loggable, sourcesIn, withIds } from "../../src/provider/pulumi/arguments/arguments";
import { ignoredNote } from "../../src/provider/pulumi/arguments/program-note";
import { declaredBeside } from "../../src/provider/pulumi/arguments/registering";
import { soundArguments } from "../../src/provider/pulumi/arguments/unsound-values";
import { asProvider } from "../../src/provider/pulumi/mocks";
import { hasLookedUp, noteLookup } from "../../src/provider/pulumi/previews/known-consoles";
import { samplesOf } from "../samples";

// What a program gives to a class, and what the class hands on.

const registered = new Map<string, Record<string, unknown>>();
beforeAll(() =>
  pulumi.runtime.setMocks({
    newResource: asProvider(({ name, inputs }) => {
      registered.set(name, inputs);
      return { id: `id of ${name}`, state: inputs };
    }),
    call: () => ({}),
  }),
);

/** The value with outputs resolved. */
const resolved = (value: unknown) =>
  new Promise<unknown>((resolve) => (pulumi.output(value) as pulumi.Output<unknown>).apply(resolve));

/** What the engine was given of a resource. */
async function inputsOf(resource: pulumi.CustomResource, name: string): Promise<Record<string, unknown>> {
  await resolved(resource.urn);
  return registered.get(name) ?? {};
}

const config = (name: string, defaultValue: unknown) => new fc.DynamicConfig(name, { defaultValue } as never);

describe("members with the names of an object's own", () => {
  const values: readonly Record<string, unknown>[] = [
    { toString: "text" },
    { toString: null, valueOf: 1 },
    { constructor: { prototype: null }, hasOwnProperty: false },
    { deep: { toString: { toString: 1 } } },
  ];

  test.each([...values])("a config of the value %j can be registered as it is", async (defaultValue) => {
    const name = `config ${JSON.stringify(defaultValue)}`;
    expect(await inputsOf(config(name, defaultValue), name)).toMatchObject({ defaultValue });
  });

  test("are given to the SDK as something that it can make a text of, and others as they are", () => {
    for (const value of [...values, [[{ toString: 1 }], "b"], "text", null]) {
      const { given } = loggable({ given: value }) as { given: unknown };
      expect(() => `${String(given)}`).not.toThrow();
    }
    const args = { list: [1, { a: 2 }], text: "x", toString: undefined };
    expect(loggable(args)).toEqual(args);
  });
});

describe("a value that Pulumi cannot hold", () => {
  class Money {
    amount = 1;
  }
  const circle = { a: [{}] as object[] };
  circle.a[0] = { back: circle };
  // biome-ignore lint/suspicious/noExplicitAny: what a program may say by mistake
  const literal = { a: { __proto__: { b: 1 }, c: 2 } as any };
  const parsed = JSON.parse('{"a":{"__proto__":{"b":1}}}');
  const half = "half a character (a surrogate without its other half)";
  const name = "a name that Pulumi cannot hold";
  const refusal = (object: string, ...findings: string[]) =>
    new pulumi.RunError(
      `${object} has values that Pulumi cannot hold:\n${findings.map((one) => `  - ${one}\n`).join("")}` +
        "Pass text, finite numbers, true, false, null, lists and plain objects.",
    ) as unknown as Error;

  test.each<[string, unknown, string]>([
    [
      "a date",
      { since: new Date(0) },
      "since: a Date; pass its getTime(), milliseconds as a number, where a time is meant, and its toISOString() where a text is",
    ],
    ["a function", { a: () => 1 }, "a: a function"],
    ["an instance of a class", { price: new Money() }, "price: an instance of Money"],
    ["__proto__ of JSON", parsed, `a.__proto__: ${name}`],
    ["__proto__ of a literal", literal, "a: an object with a prototype of its own"],
    ["a circle", circle, "a[0].back: a value that holds itself"],
    ["a bigint", { a: 5n }, "a: a bigint"],
    ["a symbol", { a: Symbol("x") }, "a: a symbol"],
    ["no number", { a: Number.NaN }, "a: the number NaN"],
    ["a number without end", { a: [-1 / 0] }, "a[0]: the number -Infinity"],
    ["half a character", { a: "x\ud83d" }, `a: ${half}`],
    ["half a character in a name", { "x\ude00": 1 }, `x\ude00: ${name}`],
  ])("%s in a config is an error of its constructor, with its path", (_, value, text) => {
    expect(() => config("checkout", value)).toThrow(
      refusal('DynamicConfig "checkout"', `defaultValue.${text}`),
    );
  });

  test("all findings of a resource are in one error, which Pulumi prints without a stack", () => {
    const rule = { name: "A", passPercentage: Number.NaN, conditions: new Set() };
    const make = () => new fc.Gate("checkout", { description: "\ud83d", rules: [rule] } as never);
    const found = ["rules[0].passPercentage: the number NaN", "rules[0].conditions: an instance of Set"];
    expect(make).toThrow(refusal('Gate "checkout"', `description: ${half}`, ...found));
    try {
      make();
    } catch (error) {
      expect(pulumi.RunError.isInstance(error)).toBe(true);
    }
  });

  test.each<[string, (value: unknown) => unknown]>([
    ["an output", (value) => pulumi.output("x").apply(() => value)],
    ["a promise", (value) => Promise.resolve(value)],
  ])("%s fails once it is known to be no JSON", async (_, wrapped) => {
    const args = { defaultValue: { a: [wrapped({ since: new Date(0) })] } };
    const sound = soundArguments('DynamicConfig "late"', args, []) as unknown as {
      defaultValue: { a: (Promise<unknown> | { promise(): Promise<unknown> })[] };
    };
    const [one] = sound.defaultValue.a;
    await expect(one instanceof Promise ? one : one?.promise()).rejects.toThrow(
      refusal(
        'DynamicConfig "late"',
        "defaultValue.a[0].since: a Date; pass its getTime(), milliseconds as a number, where a time is meant, and its toISOString() where a text is",
      ),
    );
  });

  test("is none that is plain, of any realm, and none that Pulumi knows", async () => {
    const shared = { a: 1 };
    const other = new fc.Gate("other");
    const conditions = [{ type: "passes_gate", targetValue: other }] as never;
    const environments = Promise.resolve(["production"]);
    const gate = new fc.Gate("fine", { rules: [{ name: "A", passPercentage: 1, conditions, environments }] });
    const made = config("plain", {
      ...{ shared, again: shared, cloned: structuredClone(shared), none: Object.create(null), nothing: null },
      ...{ missing: undefined, text: "😀", id: gate.id, list: [undefined, -0] },
    });
    expect((await inputsOf(made, "plain")).defaultValue).toMatchObject({
      ...{ shared, again: shared, cloned: shared, none: {}, nothing: null, text: "😀", id: "id of fine" },
    });
    expect((await inputsOf(gate, "fine")).rules).toMatchObject([
      { conditions: [{ targetValue: "id of other" }], environments: ["production"] },
    ]);
  });
});

test("an output that is a secret stays one, and the class notes where secrets are", async () => {
  const hidden = config("hidden", pulumi.secret({ a: 1 })) as unknown as {
    defaultValue: pulumi.Output<unknown>;
  };
  await resolved(hidden.defaultValue);
  expect(JSON.stringify(registered.get("hidden"))).toContain('"a":1');
  expect(await pulumi.isSecret(hidden.defaultValue)).toBe(true);
  const quiet = pulumi.secret("quiet");
  const gate = new fc.Gate("guarded", {
    ...{ description: quiet, team: pulumi.output("plain") },
    rules: [
      { name: "One", passPercentage: 1, conditions: [] },
      { name: pulumi.interpolate`${quiet} two`, passPercentage: 2, conditions: pulumi.output([]) },
    ],
  });
  const { __program: note } = await inputsOf(gate, "guarded");
  expect(note).toMatchObject({ secrets: [["description"], ["rules", 1, "name"]] });
  const open = new fc.Gate("open", { description: pulumi.output("said"), team: Promise.resolve("plain") });
  expect((await inputsOf(open, "open")).__program).not.toHaveProperty("secrets");
  expect((await inputsOf(new fc.Gate("bare"), "bare")).__program).not.toHaveProperty("secrets");
});

describe("resources among the arguments", () => {
  test("become their ids, and the place tells the kind", async () => {
    const [gate, staff] = [new fc.Gate("asked"), new fc.Segment("staff", { type: "rule_based" })];
    const withTargets = (targetingGateID: unknown, targetValue: unknown[]) => ({
      ...{ targetingGateID, description: "text" },
      rules: [{ name: "Staff", conditions: [{ type: "passes_segment", targetValue }] }],
    });
    const args = withTargets(gate, [gate, staff]);
    const { value, kinds } = idsAndKinds(args);
    const expected = withTargets("id of asked", ["id of asked", "id of staff"]);
    expect(await resolved(value)).toEqual(expected);
    expect(await resolved(withIds(args))).toEqual(expected);
    const place = "rules[0].conditions[0].targetValue";
    expect(kinds).toEqual({ targetingGateID: "Gate", [`${place}[0]`]: "Gate", [`${place}[1]`]: "Segment" });
  });

  test("have no kind where they may be anything: resources of others, ids, outputs and promises", async () => {
    /** Of a type that only looks like one of ours. */
    class Other extends pulumi.CustomResource {
      constructor() {
        super("other:feature-console:Gate", "other", {});
      }
    }
    const list = [pulumi.output("text"), null, undefined, 5];
    const args = { other: new Other(), id: new fc.Gate("another").id, later: Promise.resolve("text"), list };
    const { value, kinds } = idsAndKinds(args);
    expect(kinds).toEqual({});
    expect(value).toMatchObject({ id: args.id, later: args.later, list });
    expect(await resolved((value as typeof args).other)).toBe("id of other");
  });

  test("are told by their names and the places of the values that come of them", () => {
    const [shop, staff] = [
      new fc.Layer("shop", { idType: "userID" }),
      new fc.Segment("staff", { type: "rule_based" }),
    ];
    const both = pulumi.all([shop.id, staff.id]);
    const { value } = idsAndKinds({ whole: shop, name: shop.name, both, text: "a", in: [{ it: staff.id }] });
    expect(sourcesIn(value)).toEqual({
      ...{ whole: "Layer shop", name: "Layer shop", both: "Layer shop\nSegment staff" },
      "in[0].it": "Segment staff",
    });
  });

  test("have the kind of their class's definition", () => {
    type OfKind = new (name: string, args: object) => pulumi.CustomResource;
    for (const definition of Object.values(managed)) {
      const { kind } = definition;
      const Class = (fc as unknown as Record<string, OfKind>)[kind] as OfKind;
      const one = new Class(`one ${kind}`, samplesOf(definition).smallest);
      expect(idsAndKinds({ one }).kinds).toEqual({ one: kind });
    }
  });
});

test("a program notes its ignored paths, and the lists into which they lead", () => {
  const args = { rules: [1], tags: [2], defaultValue: { a: 3 } };
  expect(ignoredNote({}, args)).toEqual({});
  for (const [ignoreChanges, lists] of [
    [["tags", "defaultValue.a", "*"], {}],
    [["rules[0].x", "rules[*]", "tags"], { rules: [1] }],
  ] as const)
    expect(ignoredNote({ ignoreChanges: [...ignoreChanges] }, args)).toEqual({
      ignored: { paths: ignoreChanges, args: lists },
    });
});

test("a program tells how many resources it has declared, those of another provider apart", async () => {
  const type = "declared";
  const before = await declaredBeside(type, {});
  const three = await Promise.all([1, 2, 3].map(() => declaredBeside(type, {})));
  expect(three).toEqual([before + 3, before + 3, before + 3]);
  // Only its identity matters here, and the engine that a real one needs is not there.
  const provider = Object.create(fc.Provider.prototype) as fc.Provider;
  expect(await Promise.all([1, 2].map(() => declaredBeside(type, { provider })))).toEqual([2, 2]);
  expect(await declaredBeside(type, {})).toBe(before + 4);
});

test("a lookup of one program is none of the next one in the same process", async () => {
  const mocks = { newResource: () => ({ id: "id", state: {} }), call: () => ({}) };
  await pulumi.runtime.setMocks(mocks);
  noteLookup(undefined);
  expect(hasLookedUp(undefined)).toBe(true);
  await pulumi.runtime.setMocks(mocks);
  expect(hasLookedUp(undefined)).toBe(false);
});
