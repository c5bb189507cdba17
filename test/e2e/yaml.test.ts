import { readFile, writeFile } from "node:fs/promises";
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

jest.setTimeout(240_000);

let emulator: RunningEmulator;
let raw: ConsoleClient;
let yaml: YamlProject;
beforeAll(async () => {
  emulator = await startEmulator({ key: testKey });
  raw = createClient({ profile: "custom", baseUrl: emulator.url, apiKey: testKey });
  yaml = await createYamlProject(program({}), settingsFor(emulator));
}, FIRST_CLI_TIMEOUT_MS);
afterAll(async () => {
  await yaml?.close();
  await emulator?.close();
});

const program = ({ share = 10, argument = "description" }) => `name: flags
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
      ${argument}: New checkout
      rules:
        - name: Staff
          passPercentage: ${share}
          conditions:
            - type: passes_segment
              targetValue: \${staff.id}
outputs:
  gate: \${checkout_v2.id}
`;

const run = async (...args: string[]) => {
  const { code, stdout, stderr } = await yaml.stack.run(args);
  return { code, text: stdout + stderr };
};
/** Runs the packed command in the folder of the project. */
const tool = async (...args: string[]) => {
  const main = path.join(await packedNodeModules(), "pulumi-feature-console/dist/tools/cli/main.js");
  const options = { cwd: yaml.folder, env: yaml.stack.env, timeoutMs: 120_000 };
  const { code, stdout, stderr } = await started(process.execPath, [main, ...args], options);
  return { code, text: stdout + stderr };
};
const resources = async (): Promise<StateResource[]> =>
  ((await yaml.stack.exportStack()).deployment.resources ?? []).filter(({ type }) =>
    type.startsWith("feature-console:"),
  );

test("its PATH has no Node.js", () => {
  expect(folderOnPath("node", yaml.stack.env.PATH ?? "")).toBeUndefined();
});

const lookups = `
  found:
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
  shown: \${shown}
  found: \${found.description}
`;

test("a preview knows nothing of what a program looks up of an object that does not exist yet", async () => {
  await yaml.write(program({}).replace(/outputs:\n/, lookups.slice(1)));
  expect(await run("preview")).toMatchObject({ code: 0 });
  await yaml.write(program({}));
});

test("pulumi up creates the objects, and the state holds them without a key", async () => {
  await yaml.stack.up();
  expect(await yaml.stack.outputs()).toEqual({ gate: "checkout_v2" });
  expect(await raw.gate.get({ id: "checkout_v2" })).toMatchObject({
    description: "New checkout",
    rules: [{ name: "Staff", passPercentage: 10, conditions: [{ targetValue: "staff" }] }],
  });
  const stored = await resources();
  expect(stored.map(({ type, id }) => `${type} ${id}`).sort()).toEqual([
    "feature-console:index:Gate checkout_v2",
    "feature-console:index:Segment staff",
  ]);
  expect(JSON.stringify(stored)).not.toContain(testKey);
});

test("the next preview is empty, and so is the next update", async () => {
  emulator.clearRequests();
  expect(await run("preview", "--expect-no-changes")).toMatchObject({ code: 0 });
  await yaml.stack.up();
  expect(writesTo(emulator)).toEqual([]);
});

test("a preview shows a change of one property by its path, and the update makes it", async () => {
  await yaml.write(program({ share: 25 }));
  const preview = await run("preview", "--diff");
  expect(preview.text).toMatch(/~ passPercentage: 10 => 25/);
  expect(preview.text).not.toMatch(/[+~-] description/);
  await yaml.stack.up();
  expect(await raw.gate.get({ id: "checkout_v2" })).toMatchObject({ rules: [{ passPercentage: 25 }] });
});

test("a misspelt argument is refused by its name, before any write", async () => {
  await yaml.write(program({ share: 30, argument: "descripton" }));
  emulator.clearRequests();
  const preview = await run("preview");
  expect(preview.code).not.toBe(0);
  expect(preview.text).toContain("descripton");
  expect(preview.text).toContain("description");
  const update = await run("up", "--yes", "--skip-preview");
  expect(update.code).not.toBe(0);
  expect(writesTo(emulator)).toEqual([]);
});

test("pulumi import prints the YAML of an object", async () => {
  await yaml.write(program({ share: 25 }));
  const rules = [{ name: "All", passPercentage: 10, conditions: [{ type: "public" }] }];
  await raw.gate.create({ body: { name: "found", description: "Made by hand", rules } } as never);
  const printed = path.join(yaml.folder, "found.yaml");
  const imported = await run(
    ...["import", "feature-console:index:Gate", "found", "found", "--protect=false", "--yes"],
    ...["--out", printed],
  );
  expect(imported).toMatchObject({ code: 0 });
  const text = await readFile(printed, "utf8");
  expect(text).toContain("type: feature-console:Gate");
  const [, lines = ""] = text.split("resources:\n");
  await yaml.write(program({ share: 25 }).replace("outputs:", `${lines.trimEnd()}\noutputs:`));
  expect(await run("preview", "--expect-no-changes")).toMatchObject({ code: 0 });
});

test("report, drift and doctor work in the folder of a program in YAML", async () => {
  await yaml.write(program({ share: 80 }));
  const { stdout: preview } = await yaml.stack.run(["preview", "--json", "--show-sames"]);
  await writeFile(path.join(yaml.folder, "preview.json"), preview);
  const report = await tool("report", "preview.json");
  expect(report.text).toContain('25 % → 80 % of users in segment "staff" (rule "Staff")');
  expect(report.text).not.toContain(yaml.folder);
  await raw.gate.disable({ id: "checkout_v2" });
  const drift = await tool("drift");
  expect(drift).toMatchObject({ code: 7, text: expect.stringContaining('"In Progress"  "Disabled"') });
  expect(await tool("drift", "--accept")).toMatchObject({
    code: 1,
    text: expect.stringContaining("the program is for the runtime yaml, and only programs in TypeScript"),
  });
  const { text: findings } = await tool("doctor");
  expect(findings).toMatch(/^ok +package +pulumi-resource-feature-console is on PATH$/m);
  expect(findings).not.toMatch(/^failed/m);
});

test("an object without its lines is archived, and so is all by a destroy", async () => {
  await yaml.write(program({ share: 25 }));
  const preview = await run("preview", "--diff");
  expect(preview.text).toMatch(/- feature-console:index:Gate/);
  await yaml.stack.up();
  expect(await raw.gate.get({ id: "found" })).toMatchObject({ status: "Archived" });
  await yaml.stack.destroy();
  expect(await raw.gate.get({ id: "checkout_v2" })).toMatchObject({ status: "Archived" });
  expect(await resources()).toEqual([]);
});
