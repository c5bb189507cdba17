import { beforeAll, expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import * as fc from "../../src";
import { soundArguments } from "../../src/provider/pulumi/arguments/unsound-values";

const registered = new Map<string, Record<string, unknown>>();
beforeAll(() =>
  pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => {
      registered.set(name, inputs);
      return { id: name, state: inputs };
    },
    call: () => ({}),
  }),
);

class Money {
  amount = 1;
}

function circle(): object {
  const config: Record<string, unknown> = { a: [{}] };
  (config.a as Record<string, unknown>[])[0] = { back: config };
  return config;
}

const config = (defaultValue: unknown) => () => new fc.DynamicConfig("checkout", { defaultValue } as never);

test.each<[string, unknown, string]>([
  [
    "a date",
    { since: new Date(0) },
    "since: found an instance of Date; pass value.getTime() for milliseconds, or value.toISOString()",
  ],
  ["a map", { a: [new Map([["b", 1]])] }, "a[0]: found an instance of Map; pass Object.fromEntries(value)"],
  ["a set", { a: new Set([1]) }, "a: found an instance of Set; pass [...value]"],
  ["a function", { a: () => 1 }, "a: found a function; pass its result"],
  ["an address", { a: new URL("https://example.com") }, "a: found an instance of URL; pass value.href"],
  ["a pattern", { a: /x/ }, "a: found an instance of RegExp; pass value.source"],
  [
    "an instance of a class",
    { price: new Money() },
    "price: found an instance of Money; pass a plain object, such as { ...value }",
  ],
  [
    "bytes",
    { a: Buffer.from("x") },
    "a: found an instance of Buffer; pass a plain object, such as { ...value }",
  ],
  [
    "a member __proto__ of JSON",
    JSON.parse('{"a":{"__proto__":{"b":1}}}'),
    "a.__proto__: Pulumi takes a member of this name for the parent of its object",
  ],
  [
    "a member __proto__ of a literal",
    // biome-ignore lint/suspicious/noExplicitAny: what a program may say by mistake
    { a: { __proto__: { b: 1 }, c: 2 } as any },
    "a: found an object with a parent of its own (a member __proto__?), which Pulumi would leave out; pass { ...parent, ...value }",
  ],
  ["a circle", circle(), "a[0].back: found a value that holds itself; JSON has no such value"],
  ["a bigint", { a: 5n }, "a: found the bigint 5n; pass Number(value), or text"],
  ["a symbol", { a: Symbol("x") }, "a: found a symbol; JSON has no such value"],
  ["no number", { a: Number.NaN }, "a: found NaN; JSON has no such number"],
  ["a number without end", { a: [-1 / 0] }, "a[0]: found -Infinity; JSON has no such number"],
  [
    "half a character",
    { a: "x\ud83d" },
    "a: found half a character (a surrogate without its other half), which no UTF-8 can hold",
  ],
  [
    "half a character in a name",
    { "x\ude00": 1 },
    "x\ude00: this name holds half a character (a surrogate without its other half), which no UTF-8 can hold",
  ],
])("%s in a config is an error of its constructor, with its path", (_, value, text) => {
  expect(config(value)).toThrow(
    new pulumi.RunError(`DynamicConfig "checkout": defaultValue.${text}.`) as unknown as Error,
  );
});

test("all findings of a resource are in one error, which Pulumi prints without a stack", () => {
  const make = () =>
    new fc.Gate("checkout", {
      description: "\ud83d",
      rules: [{ name: "A", passPercentage: Number.NaN, conditions: new Set() }],
    } as never);
  expect(make).toThrow(
    /^Gate "checkout": 3 values that Pulumi cannot hold\n {2}- description: .*\n {2}- rules\[0\]/,
  );
  try {
    make();
  } catch (error) {
    expect(pulumi.RunError.isInstance(error)).toBe(true);
  }
});

test("what is plain, of any realm, and what Pulumi knows stays what it is", async () => {
  const shared = { a: 1 };
  const other = new fc.Gate("other");
  const gate = new fc.Gate("fine", {
    rules: [
      {
        name: "A",
        passPercentage: 1,
        conditions: [{ type: "passes_gate", targetValue: other }],
        environments: Promise.resolve(["production"]),
      },
    ],
  });
  const made = new fc.DynamicConfig("plain", {
    defaultValue: {
      ...{ shared, again: shared, cloned: structuredClone(shared), none: Object.create(null), nothing: null },
      ...{ missing: undefined, text: "😀", id: gate.id, list: [undefined, -0] },
    },
  } as never);
  await new Promise((resolve) => pulumi.output(made.id).apply(resolve));
  expect(registered.get("plain")?.defaultValue).toMatchObject({
    ...{ shared, again: shared, cloned: shared, none: {}, nothing: null, text: "😀", id: "fine" },
  });
  expect(registered.get("fine")?.rules).toMatchObject([
    { conditions: [{ targetValue: "other" }], environments: ["production"] },
  ]);
});

const late = (value: unknown) => pulumi.output("x").apply(() => value);

test.each<[string, (value: unknown) => unknown]>([
  ["an output", late],
  ["a promise", (value) => Promise.resolve(value)],
])("%s fails once it is known to be no JSON", async (_, wrapped) => {
  const args = { defaultValue: { a: [wrapped({ since: new Date(0) })] } };
  const sound = soundArguments('DynamicConfig "late"', args, []) as unknown as {
    defaultValue: { a: (Promise<unknown> | { promise(): Promise<unknown> })[] };
  };
  const [one] = sound.defaultValue.a;
  await expect(one instanceof Promise ? one : one?.promise()).rejects.toThrow(
    'DynamicConfig "late": defaultValue.a[0].since: found an instance of Date',
  );
});

test("an output that is a secret stays one", async () => {
  const made = new fc.DynamicConfig("hidden", { defaultValue: pulumi.secret({ a: 1 }) } as never);
  await new Promise((resolve) => pulumi.output(made.id).apply(resolve));
  expect(JSON.stringify(registered.get("hidden"))).toContain('"a":1');
  expect(
    await pulumi.isSecret((made as unknown as { defaultValue: pulumi.Output<unknown> }).defaultValue),
  ).toBe(true);
});
