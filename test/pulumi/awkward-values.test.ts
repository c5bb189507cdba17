import { beforeAll, expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import * as fc from "../../src";
import { loggable } from "../../src/provider/pulumi/arguments/arguments";

const registered = new Map<string, unknown>();
beforeAll(() =>
  pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => {
      registered.set(name, inputs);
      return { id: name, state: inputs };
    },
    call: () => ({}),
  }),
);

const values: readonly Record<string, unknown>[] = [
  { toString: "text" },
  { toString: null, valueOf: 1 },
  { constructor: { prototype: null }, hasOwnProperty: false },
  { deep: { toString: { toString: 1 } } },
];

test.each([...values])("a config of the value %j can be registered as it is", async (defaultValue) => {
  const name = `config ${JSON.stringify(defaultValue)}`;
  const config = new fc.DynamicConfig(name, { defaultValue });
  await new Promise((resolve) => pulumi.output(config.id).apply(resolve));
  expect(registered.get(name)).toMatchObject({ defaultValue });
});

test.each<[unknown]>([
  ...values.map((one) => [one] as [unknown]),
  [[[{ toString: 1 }], "b"]],
  ["text"],
  [null],
])("%j is given to the SDK as something that it can make a text of", (value) => {
  const { given } = loggable({ given: value }) as { given: unknown };
  expect(() => `${String(given)}`).not.toThrow();
});

test("a value of which there is a text stays what it is", () => {
  const args = { list: [1, { a: 2 }], text: "x", toString: undefined };
  expect(loggable(args)).toEqual(args);
});
