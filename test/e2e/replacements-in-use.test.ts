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

const program = (baseKey: string) => `import * as fc from "pulumi-feature-console";
const base = new fc.Gate("base", { key: "${baseKey}" });
const rules = [{ name: "In", passPercentage: 100, conditions: [{ type: "passes_gate" as const, targetValue: base }] }];
new fc.Gate("dependent", { rules });
new fc.DynamicConfig("limits", { rules: rules.map((rule) => ({ ...rule, returnValue: { most: 3 } })) });
new fc.Experiment("trial", { targetingGateID: base });
`;

const raw = () => createClient({ profile: "custom", baseUrl: emulator.url, apiKey: key });

beforeAll(async () => {
  emulator = await startEmulator({ profile: "custom", key });
  project = await createPackedProject({ program: program("base_one") });
  stack = await createStack(project, {
    env: {
      FEATURE_CONSOLE_PROFILE: "custom",
      FEATURE_CONSOLE_BASE_URL: emulator.url,
      FEATURE_CONSOLE_API_KEY: key,
    },
  });
  await stack.up();
}, FIRST_CLI_TIMEOUT_MS);

afterAll(async () => {
  await stack?.remove();
  await project?.remove();
  await emulator?.close();
});

const referred = async () => {
  const users = [
    await raw().gate.get({ id: "dependent" }),
    await raw().dynamicConfig.get({ id: "limits" }),
  ] as { rules: { conditions: { targetValue: unknown }[] }[] }[];
  const targets = users.map(({ rules }) => rules[0]?.conditions[0]?.targetValue);
  return [...targets.flat(), (await raw().experiment.get({ id: "trial" })).targetingGateID];
};

test("the key of a gate changes while others of the program refer to it: they follow", async () => {
  await project.setProgram(program("base_two"));
  await stack.up();
  expect((await raw().gate.get({ id: "base_one" })).status).toBe("Archived");
  expect(await referred()).toEqual(["base_two", "base_two", "base_two"]);
  await stack.preview({ args: ["--expect-no-changes"] });
});

test("what says the old key itself does not follow: the change is refused, with a refresh in the same run too", async () => {
  const literal = (text: string) =>
    text.replace(
      "const base",
      `new fc.Gate("literal", { rules: [{ name: "In", passPercentage: 100, conditions: [{ type: "passes_gate", targetValue: "base_two" }] }] });
const base`,
    );
  await project.setProgram(literal(program("base_two")));
  await stack.up();
  await project.setProgram(literal(program("base_three")));
  for (const words of [[], ["--refresh"]]) {
    const { code, stdout, stderr } = await stack.run(["up", "--yes", "--skip-preview", ...words]);
    expect(code).not.toBe(0);
    expect(`${stdout}${stderr}`).toContain("literal");
    expect((await raw().gate.get({ id: "base_two" })).status).toBe("In Progress");
  }
  await project.setProgram(program("base_two"));
  await stack.up();
  await stack.preview({ args: ["--expect-no-changes"] });
});

test("what is not of the stack is not hurt: the change is refused, and nothing is lost", async () => {
  const rules = [
    { name: "In", passPercentage: 100, conditions: [{ type: "passes_gate", targetValue: "base_two" }] },
  ];
  await raw().gate.create({ body: { name: "stranger", rules } });
  await project.setProgram(program("base_three"));
  const { code, stdout, stderr } = await stack.run(["up", "--yes", "--skip-preview"]);
  expect(code).not.toBe(0);
  expect(`${stdout}${stderr}`).toContain("stranger");
  expect(await raw().gate.get({ id: "base_two" })).toMatchObject({ status: "In Progress", name: "base" });
  expect(await referred()).toEqual(["base_two", "base_two", "base_two"]);

  await raw().gate.delete({ id: "stranger" });
  await stack.up({ args: ["--refresh"] });
  expect(await referred()).toEqual(["base_three", "base_three", "base_three"]);
  await stack.preview({ args: ["--expect-no-changes"] });
});
