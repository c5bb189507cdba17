import { beforeAll, expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import * as fc from "../../src";
import { asProvider } from "../../src/provider/pulumi/mocks";

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

async function inputsOf(gate: fc.Gate, name: string): Promise<Record<string, unknown> | undefined> {
  await new Promise((resolve) => gate.urn.apply(resolve));
  return registered.get(name);
}

test("a class tells where secrets are, and where none is says nothing", async () => {
  const quiet = pulumi.secret("quiet");
  const gate = new fc.Gate("guarded", {
    description: quiet,
    team: pulumi.output("plain"),
    rules: [
      { name: "One", passPercentage: 1, conditions: [] },
      { name: pulumi.interpolate`${quiet} two`, passPercentage: 2, conditions: pulumi.output([]) },
    ],
  });
  const { __program: note } = (await inputsOf(gate, "guarded")) ?? {};
  expect(note).toMatchObject({ secrets: [["description"], ["rules", 1, "name"]] });
  const open = new fc.Gate("open", { description: pulumi.output("said"), team: Promise.resolve("plain") });
  expect((await inputsOf(open, "open"))?.__program).not.toHaveProperty("secrets");
  const bare = await inputsOf(new fc.Gate("bare"), "bare");
  expect(bare?.__program).not.toHaveProperty("secrets");
});
