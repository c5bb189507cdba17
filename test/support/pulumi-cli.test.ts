import { expect, test } from "@jest/globals";
import { createPackedProject } from "./packed-project";
import { createStack, FIRST_CLI_TIMEOUT_MS } from "./pulumi-cli";

const program = `
import * as pulumi from "@pulumi/pulumi";
const handler = {
  async create() {
    throw new Error("too large");
  },
};
class Thing extends pulumi.dynamic.Resource {}
new Thing(handler as pulumi.dynamic.ResourceProvider, "thing", {});
export const installed = require.resolve("pulumi-feature-console/package.json");`;

// What succeeds is seen wherever a test uses a stack.
test(
  "a failing program rejects with what the CLI printed",
  async () => {
    const project = await createPackedProject({ program });
    const stack = await createStack(project);
    try {
      await expect(stack.up()).rejects.toThrow(/pulumi up .* failed \(exit code \d+\):[\s\S]*too large/);
    } finally {
      await stack.remove();
      await project.remove();
    }
  },
  FIRST_CLI_TIMEOUT_MS,
);
