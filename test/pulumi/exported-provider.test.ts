import { expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import * as fc from "../../src";

/** Members of a resource that a program which exports it writes into the outputs of its stack. */
async function exported(resource: pulumi.Resource): Promise<string> {
  const values = Object.entries(resource).filter(([name]) => !name.startsWith("__"));
  const plain = values.filter(([name]) => !name.startsWith("feature-console:"));
  const known = await Promise.all(plain.map(([, value]) => (pulumi.Output.isInstance(value) ? "" : value)));
  return JSON.stringify(known);
}

/** An output of a resource that is yet to be created, as a preview has it. */
function notKnownYet(): pulumi.Output<string> {
  const output = pulumi.output("later");
  const known = { isKnown: { value: Promise.resolve(false) } };
  return Object.create(output, known) as pulumi.Output<string>;
}

function mock(preview: boolean): Promise<void> {
  const mocks = {
    newResource: ({ name, inputs }: pulumi.runtime.MockResourceArgs) => ({ id: name, state: inputs }),
    call: () => ({}),
  };
  return pulumi.runtime.setMocks(mocks, "project", "stack", preview);
}

const key = ["console", "exported"].join("-");

test("a program that exports an explicit provider does not export its key", async () => {
  await mock(false);
  const provider = new fc.Provider("exported", { profile: "embedded", apiKey: pulumi.secret(key) });
  expect(await exported(provider)).not.toContain(key);
});

test("a lookup finds what it finds through an explicit provider, and no secret in it", async () => {
  await mock(false);
  const provider = new fc.Provider("used", {
    profile: "embedded",
    embeddedPath: ":memory:",
    apiKey: pulumi.secret(key),
  });
  expect(await fc.listGates({}, { provider })).toEqual([]);
  expect(await pulumi.isSecret(fc.listGatesOutput({}, { provider }))).toBe(false);
});

test("a lookup through a provider that a preview does not know fails instead of waiting for ever", async () => {
  await mock(true);
  const provider = new fc.Provider("unknown", { profile: "embedded", apiKey: notKnownYet() });
  await expect(fc.listGates({}, { provider })).rejects.toThrow("not known in this preview");
});
