import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { createClient } from "../../src/client";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import { createPackedProject, type PackedProject } from "../support/packed-project";
import { createStack, FIRST_CLI_TIMEOUT_MS, type PulumiStack } from "../support/pulumi-cli";

jest.setTimeout(300_000);

const key = ["console", "test"].join("-");
let emulator: RunningEmulator;
let project: PackedProject;
let stack: PulumiStack;

/** Gate A fails gate B while B passes A: by their ids, since a program cannot use either before it is declared. */
const program = (options: string) => `import * as fc from "pulumi-feature-console";
const gate = (name: string, type: "fails_gate" | "passes_gate", other: string) =>
  new fc.Gate(name, { ${options} rules: [{ name: "Other", passPercentage: 100, conditions: [{ type, targetValue: other }] }] });
gate("gate_a", "fails_gate", "gate_b");
gate("gate_b", "passes_gate", "gate_a");
`;

beforeAll(async () => {
  emulator = await startEmulator({ profile: "custom", key });
  project = await createPackedProject({ program: program("") });
  stack = await createStack(project, {
    env: {
      FEATURE_CONSOLE_PROFILE: "custom",
      FEATURE_CONSOLE_BASE_URL: emulator.url,
      FEATURE_CONSOLE_API_KEY: key,
    },
  });
}, FIRST_CLI_TIMEOUT_MS);

afterAll(async () => {
  await stack?.remove();
  await project?.remove();
  await emulator?.close();
});

test("two gates that refer to each other by id are made in one go", async () => {
  await stack.up();
  await stack.preview({ args: ["--expect-no-changes"] });
});

test("destroyed, they are refused with what helps, and go with it", async () => {
  const refused = await stack.destroy({ mayFail: true });
  expect(refused.code).not.toBe(0);
  expect(refused.errors.join("\n")).toContain("forceArchive: true on both");
  await project.setProgram(program("forceArchive: true,"));
  await stack.up();
  await stack.destroy();
  const raw = createClient({ profile: "custom", baseUrl: emulator.url, apiKey: key });
  for (const id of ["gate_a", "gate_b"]) expect((await raw.gate.get({ id })).status).toBe("Archived");
});
