import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createPackedProject, type PackedProject } from "./packed-project";
import { createStack, FIRST_CLI_TIMEOUT_MS, type PulumiStack } from "./pulumi-cli";

function program(size: number): string {
  return `
import * as pulumi from "@pulumi/pulumi";
const handler = {
  async create(inputs: { size: number }) {
    if (inputs.size > 5) throw new Error("too large");
    return { id: "1", outs: inputs };
  },
};
class Thing extends pulumi.dynamic.Resource {}
new Thing(handler as pulumi.dynamic.ResourceProvider, "thing", { size: ${size} });
export const installed = require.resolve("pulumi-feature-console/package.json");`;
}

let project: PackedProject;
let stack: PulumiStack;
beforeAll(async () => {
  project = await createPackedProject({ program: program(1) });
  stack = await createStack(project);
}, FIRST_CLI_TIMEOUT_MS);
afterAll(async () => {
  await stack?.remove();
  await project?.remove();
});

test("a stack goes from preview to destroy", async () => {
  const foretold = await stack.preview();
  expect(foretold).toMatchObject({ code: 0, changeSummary: { create: 2 }, errors: [] });
  expect(foretold.steps.map(({ op }) => op)).toEqual(["create", "create"]);
  expect(await stack.up()).toMatchObject({ changeSummary: { create: 2 } });
  expect(await stack.outputs()).toEqual({ installed: expect.stringContaining("packed-") });
  const { deployment } = await stack.exportStack();
  expect(deployment.resources?.map(({ id }) => id)).toContain("1");
  expect(await stack.refresh()).toMatchObject({ changeSummary: { same: 2 } });
  expect(await stack.destroy()).toMatchObject({ changeSummary: { delete: 2 } });
}, 120_000);

test("a failing program is reported, or rejects", async () => {
  await project.setProgram(program(9));
  const failed = await stack.up({ mayFail: true });
  expect(failed.code).not.toBe(0);
  expect(failed.errors.join("\n")).toContain("too large");
  await expect(stack.up()).rejects.toThrow(/pulumi up .* failed \(exit code \d+\):[\s\S]*too large/);
}, 120_000);
