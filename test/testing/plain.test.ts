import { readdirSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { run } from "../../scripts/process/run";
import { createPackedProject, type PackedProject } from "../support/packed-project";

/** A program, and tests of it with what Node itself brings. */
const program = (passPercentage: number) => `
import * as fc from "pulumi-feature-console";
export const checkout = new fc.Gate("checkout", {
  rules: [{ name: "Staff", passPercentage: ${passPercentage}, conditions: [{ type: "public" }] }],
});
export const legacy = fc.getGateOutput({ id: "legacy" });
`;
const tests = `
import assert from "node:assert/strict";
import { test } from "node:test";
import * as pulumi from "@pulumi/pulumi";
import { mocks, outputValue, resourcesMade } from "pulumi-feature-console/testing";

test("the new checkout is open to some", async () => {
  await pulumi.runtime.setMocks(mocks({ seed: { gates: [{ id: "legacy", name: "Legacy" }] } }));
  const { checkout, legacy } = await import("./program.mjs");
  assert.equal((await outputValue(checkout.rules))[0].passPercentage, 12.5);
  assert.equal((await outputValue(legacy)).name, "Legacy");
});
test("all of it can be made", () => resourcesMade());
`;

let project: PackedProject;
beforeAll(async () => {
  project = await createPackedProject({ program: "", files: { "program.test.mjs": tests } });
}, 300_000);
afterAll(() => project.remove());

async function tested(passPercentage: number) {
  await project.write("program.mjs", program(passPercentage));
  // Whatever is set where a test runs, no console is asked.
  const env = {
    ...process.env,
    FEATURE_CONSOLE_PROFILE: "custom",
    FEATURE_CONSOLE_BASE_URL: "http://127.0.0.1:9",
  };
  return run(process.execPath, ["--test", "--test-reporter=tap"], {
    cwd: project.folder,
    env,
    timeoutMs: 60_000,
  });
}

test("a test of a sound program passes, ends and leaves no file", async () => {
  const before = readdirSync(project.folder);
  const result = await tested(12.5);
  expect(result.stdout).toContain("# pass 2");
  expect(result.code).toBe(0);
  expect(readdirSync(project.folder).sort()).toEqual([...before, "program.mjs"].sort());
}, 120_000);

test("a test of a program with a slip fails and says which", async () => {
  const result = await tested(300);
  expect(result.code).toBe(1);
  expect(result.stdout).toContain("rules[0].passPercentage: found 300; at most 100 is needed");
}, 120_000);
