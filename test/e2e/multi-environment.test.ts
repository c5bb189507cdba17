import path from "node:path";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { startEmulator } from "../../src/emulator";
import { exampleContent } from "../support/examples";
import { createPackedProject, type PackedProject } from "../support/packed-project";
import { createStack, FIRST_CLI_TIMEOUT_MS, type PulumiStack } from "../support/pulumi-cli";
import { rawClient } from "../support/raw-client";

jest.setTimeout(600_000);

const example = exampleContent("multi-environment");
const up = ["up", "--yes", "--skip-preview"];

let project: PackedProject;
let stack: PulumiStack;

beforeAll(async () => {
  project = await createPackedProject(example);
  stack = await createStack(project, { stack: "dev" });
}, FIRST_CLI_TIMEOUT_MS);
afterAll(async () => {
  await stack?.remove();
  await project?.remove();
});

test("one set of definitions reaches three consoles, each with the shares of its stack", async () => {
  for (const name of ["staging", "prod"])
    expect(await stack.run(["stack", "init", name])).toMatchObject({ code: 0 });
  const results = await Promise.all(
    ["dev", "staging", "prod"].map((name) => stack.run([...up, "--stack", name])),
  );
  expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(await shares("dev")).toEqual({ checkout_v2: 100, search_suggestions: 100 });
  expect(await shares("staging")).toEqual({ checkout_v2: 50, search_suggestions: 100 });
  expect(await shares("prod")).toEqual({ checkout_v2: 10, search_suggestions: 25 });
});

test("a promotion is one line of one stack's settings, and its preview shows that one change", async () => {
  await project.write("Pulumi.prod.yaml", settings("prod").replace("checkout_v2: 10", "checkout_v2: 50"));
  const { steps } = await stack.preview({ args: ["--stack", "prod"] });
  const changes = steps.flatMap(({ op, detailedDiff }) =>
    op === "same" ? [] : Object.keys(detailedDiff ?? {}),
  );
  expect(changes).toEqual(["rules[0].passPercentage"]);
});

test("every slip in the shares is named at once, with the file and what to give", async () => {
  const slips = settings("prod")
    .replace("checkout_v2: 10", "checkout_v2: fifty")
    .replace("search_suggestions: 25", "search_sugestions: 25");
  await project.write("Pulumi.prod.yaml", slips);
  const { code, stdout, stderr } = await stack.run(["preview", "--stack", "prod"]);
  expect(code).not.toBe(0);
  expect(stdout + stderr).toMatch(
    /Pulumi\.prod\.yaml, multi-environment:rollout:\s+checkout_v2: "fifty"; give a number from 0 to 100\s+search_suggestions: missing; give a number from 0 to 100\s+search_sugestions: no flag of this program/,
  );
});

function settings(name: string): string {
  return example.files?.[`Pulumi.${name}.yaml`] ?? "";
}

/** The share of users of each gate, as the console of a stack has it. */
async function shares(name: string): Promise<Record<string, unknown>> {
  const data = path.join(project.folder, ".feature-console", `${name}.db`);
  const emulator = await startEmulator({ profile: "embedded", data });
  const raw = rawClient({ profile: "custom", baseUrl: emulator.url, apiKey: "none" });
  const found: Record<string, unknown> = {};
  for await (const gate of raw.gate.list()) {
    const { id, rules } = gate as unknown as { id: string; rules: { passPercentage: number }[] };
    found[id] = rules[0]?.passPercentage;
  }
  await emulator.close();
  return found;
}
