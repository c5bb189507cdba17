import { readFileSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { run as started } from "../../scripts/process/run";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { folderOnPath } from "../../scripts/pulumi-cli/on-path";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import { type ConsoleClient, createClient } from "../../src/provider/client";
import { packedNodeModules } from "../support/built-package";
import { FIRST_CLI_TIMEOUT_MS, type StateResource } from "../support/pulumi-cli";
import { createYamlProject, type YamlProject } from "../support/yaml-project";
import { testKey, writesTo } from "./bench";

// A program in YAML, whose resources the plugin alone answers for: its settings, its state, and what goes.

jest.setTimeout(600_000);

let here: RunningEmulator;
let elsewhere: RunningEmulator;
let raw: ConsoleClient;
let yaml: YamlProject;
beforeAll(async () => {
  [here, elsewhere] = await Promise.all([startEmulator({ key: testKey }), startEmulator({ key: testKey })]);
  raw = createClient({ profile: "custom", baseUrl: here.url, apiKey: testKey });
  yaml = await createYamlProject(program(lookups), {});
}, FIRST_CLI_TIMEOUT_MS);
afterAll(async () => {
  await yaml?.close();
  await Promise.all([here?.close(), elsewhere?.close()]);
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
  return { code, stdout, text: stdout + stderr };
};
const up = ["up", "--yes", "--skip-preview"];
const destroy = ["destroy", "--yes", "--skip-preview"];
/** Runs the packed `feature-console` in the folder of the project. */
const command = async (...args: string[]) => {
  const main = path.join(await packedNodeModules(), "pulumi-feature-console/dist/tools/cli/main.js");
  const place = { cwd: yaml.folder, env: yaml.stack.env, timeoutMs: 120_000 };
  return started(process.execPath, [main, ...args], place);
};
const resources = async (): Promise<StateResource[]> =>
  ((await yaml.stack.exportStack()).deployment.resources ?? []).filter(({ type }) =>
    type.startsWith("feature-console:"),
  );

test("its PATH has no Node.js", () => {
  expect(folderOnPath("node", yaml.stack.env.PATH ?? "")).toBeUndefined();
});

test("where no profile is set, a preview names what to type, once before any resource", async () => {
  const { code, text } = await run("preview");
  expect(code).not.toBe(0);
  const message =
    'No profile is set: set it with "pulumi config set feature-console:profile embedded" (or custom, statsig), or by FEATURE_CONSOLE_PROFILE.';
  // Once while it runs, and once in the summary.
  expect(text.split(message)).toHaveLength(3);
  expect(text).toContain("pulumi:providers:feature-console");
});

test("a preview knows nothing of what a program looks up of an object that does not exist yet; the update does", async () => {
  await yaml.stack.setConfig("feature-console:profile", "custom");
  await yaml.stack.setConfig("feature-console:baseUrl", here.url);
  await yaml.stack.setConfig("feature-console:apiKey", testKey, { secret: true });
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
  here.clearRequests();
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
  expect(writesTo(here)).toEqual([]);
});

test("a report of a preview shows what a removal does", async () => {
  await yaml.write(program(""));
  const { stdout } = await run("preview", "--json", "--show-sames");
  await writeFile(path.join(yaml.folder, "preview.json"), stdout);
  const report = await command("report", "preview.json");
  expect(report.stdout).toContain("it goes to the archive, from which the console can bring it back");
});

test("drift --accept says that it changes only programs in TypeScript", async () => {
  await raw.gate.disable({ id: "checkout_v2" });
  const { code, stdout, stderr } = await command("drift", "--accept");
  expect(stdout + stderr).toContain("the program is for the runtime yaml, and only programs in TypeScript");
  expect(code).toBe(1);
});

const onLinux = process.platform === "linux" ? test : test.skip;

onLinux("a new gate first, with a CLI that is on no PATH: nothing is sent to another address", async () => {
  await yaml.stack.setConfig("feature-console:baseUrl", elsewhere.url);
  const first = "  first:\n    type: feature-console:Gate\n";
  const newFirst = program(first).replace(
    / {2}staff:\n.*\n/,
    '$&    options:\n      dependsOn: ["${first}"]\n',
  );
  await yaml.write(newFirst);
  // From now on, this CLI is called by its whole path alone.
  await rm(path.join(yaml.folder, ".commands", "pulumi"));
  const { code, text } = await run(...up);
  expect(code).not.toBe(0);
  expect(text).toContain("FEATURE_CONSOLE_MOVE=1");
  expect(elsewhere.requests).toEqual([]);
});

test("a destroy, which runs no program, goes by the configuration of now, and leaves objects of another console", async () => {
  const { code, text } = await run(...destroy);
  expect(text).toContain("is in another console");
  expect(code).not.toBe(0);
  expect(elsewhere.requests).toEqual([]);
  await yaml.stack.setConfig("feature-console:baseUrl", here.url);
  expect(await run(...destroy)).toMatchObject({ code: 0 });
  for (const id of ["checkout_v2", "by_hand"])
    expect(await raw.gate.get({ id })).toMatchObject({ status: "Archived" });
  expect(await resources()).toEqual([]);
});

const guide = readFileSync(path.join(repositoryRoot, "docs", "languages.md"), "utf8");

test("a plugin that cannot start names the reason, which docs/languages.md explains", async () => {
  await rm(path.join(yaml.folder, ".commands", "pulumi-resource-feature-console"));
  const plugin = path.join(await packedNodeModules(), "pulumi-feature-console", "plugin");
  for (const [folder, line] of [
    [plugin, "needs Node 22.19 or newer, and PATH has none"],
    ["./nowhere", "no folder at path '"],
  ] as const) {
    const plugins = `plugins:\n  providers:\n    - name: feature-console\n      path: ${folder}\n`;
    await yaml.write(program("") + plugins);
    const { code, stdout, stderr } = await yaml.stack.run(["preview"]);
    expect([code === 0, stdout + stderr]).toEqual([false, expect.stringContaining(line)]);
    expect(guide).toContain(line);
  }
});

test("without the plugin Pulumi shows a line that docs/languages.md explains", async () => {
  await yaml.write(program(""));
  // Pulumi looks for a plugin to download, where nobody answers.
  const { code, stdout, stderr } = await yaml.stack.run(["preview"], {
    env: { PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "", HTTPS_PROXY: "http://127.0.0.1:9" },
  });
  expect(code).not.toBe(0);
  const line = "could not find latest version for provider feature-console";
  expect(stdout + stderr).toContain(line);
  expect(guide).toContain(line);
});
