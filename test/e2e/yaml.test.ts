// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of Pulumi's YAML look so.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { run as started } from "../../scripts/process/run";
import { folderOnPath } from "../../scripts/pulumi-cli/on-path";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import { type ConsoleClient, createClient } from "../../src/provider/client";
import { packedNodeModules } from "../support/built-package";
import { FIRST_CLI_TIMEOUT_MS, type StateResource } from "../support/pulumi-cli";
import { createYamlProject, type YamlProject } from "../support/yaml-project";
import { settingsFor, testKey, writesTo } from "./bench";

jest.setTimeout(600_000);

let emulator: RunningEmulator;
let raw: ConsoleClient;
let yaml: YamlProject;
beforeAll(async () => {
  emulator = await startEmulator({ key: testKey });
  raw = createClient({ profile: "custom", baseUrl: emulator.url, apiKey: testKey });
  yaml = await createYamlProject(program(lookups), settingsFor(emulator));
}, FIRST_CLI_TIMEOUT_MS);
afterAll(async () => {
  await yaml?.close();
  await emulator?.close();
});

const program = (more: string) => `name: flags
runtime: yaml
resources:
  staff:
    type: feature-console:Segment
    properties:
      type: rule_based
      rules:
        - name: Company mail
          passPercentage: 100
          conditions:
            - type: email
              operator: str_contains_any
              targetValue: ["@example.com"]
  checkout_v2:
    type: feature-console:Gate
    properties:
      description: New checkout
      rules:
        - name: Staff
          passPercentage: 100
          conditions:
            - type: passes_segment
              targetValue: ["\${staff.id}"]
        - name: Everyone
          passPercentage: 10
          conditions: [{ type: public }]
${more}`;

const lookups = `  found:
    type: feature-console:Gate
    get:
      id: \${checkout_v2.key}
variables:
  shown:
    fn::invoke:
      function: feature-console:getGate
      arguments:
        id: \${checkout_v2.id}
      return: description
outputs:
  gate: \${checkout_v2.id}
  shown: \${shown}
  found: \${found.description}
`;

const run = async (...args: string[]) => {
  const { code, stdout, stderr } = await yaml.stack.run(args);
  return { code, text: stdout + stderr };
};
const resources = async (): Promise<StateResource[]> =>
  ((await yaml.stack.exportStack()).deployment.resources ?? []).filter(({ type }) =>
    type.startsWith("feature-console:"),
  );

test("its PATH has no Node.js", () => {
  expect(folderOnPath("node", yaml.stack.env.PATH ?? "")).toBeUndefined();
});

test("a preview knows nothing of what a program looks up of an object that does not exist yet; the update does", async () => {
  expect(await run("preview")).toMatchObject({ code: 0 });
  await yaml.stack.up();
  const outputs = { gate: "checkout_v2", shown: "New checkout", found: "New checkout" };
  expect(await yaml.stack.outputs()).toEqual(outputs);
  expect(await raw.gate.get({ id: "checkout_v2" })).toMatchObject({
    description: "New checkout",
    rules: [{ name: "Staff", passPercentage: 100, conditions: [{ targetValue: "staff" }] }, {}],
  });
  const stored = await resources();
  expect(stored.map(({ type, id }) => `${type} ${id}`).sort()).toEqual([
    "feature-console:index:Gate checkout_v2",
    "feature-console:index:Gate checkout_v2",
    "feature-console:index:Segment staff",
  ]);
  expect(JSON.stringify(stored)).not.toContain(testKey);
});

test("pulumi import prints the YAML of an object, with which the next preview is empty", async () => {
  const rules = [{ name: "All", passPercentage: 10, conditions: [{ type: "public" }] }];
  await raw.gate.create({ body: { name: "by_hand", description: "Made by hand", rules } } as never);
  emulator.clearRequests();
  const printed = path.join(yaml.folder, "by_hand.yaml");
  const imported = await run(
    ...["import", "feature-console:index:Gate", "by_hand", "by_hand", "--protect=false", "--yes"],
    ...["--out", printed],
  );
  expect(imported).toMatchObject({ code: 0 });
  const text = await readFile(printed, "utf8");
  expect(text).toContain("type: feature-console:Gate");
  const [, lines = ""] = text.split("resources:\n");
  await yaml.write(program(lines));
  expect(await run("preview", "--expect-no-changes")).toMatchObject({ code: 0 });
  expect(writesTo(emulator)).toEqual([]);
});

test("drift --accept says that it changes only programs in TypeScript", async () => {
  await raw.gate.disable({ id: "checkout_v2" });
  const main = path.join(await packedNodeModules(), "pulumi-feature-console/dist/tools/cli/main.js");
  const place = { cwd: yaml.folder, env: yaml.stack.env, timeoutMs: 120_000 };
  const { code, stdout, stderr } = await started(process.execPath, [main, "drift", "--accept"], place);
  expect(stdout + stderr).toContain("the program is for the runtime yaml, and only programs in TypeScript");
  expect(code).toBe(1);
});

test("a destroy archives the objects", async () => {
  await yaml.stack.destroy();
  for (const id of ["checkout_v2", "by_hand"])
    expect(await raw.gate.get({ id })).toMatchObject({ status: "Archived" });
  expect(await resources()).toEqual([]);
});
