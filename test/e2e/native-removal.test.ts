import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { run } from "../../scripts/process/run";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import { packedNodeModules } from "../support/built-package";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { createYamlProject, type YamlProject } from "../support/yaml-project";
import { settingsFor, testKey, writesTo } from "./bench";

jest.setTimeout(240_000);

let emulator: RunningEmulator;
let yaml: YamlProject;
beforeAll(async () => {
  emulator = await startEmulator({ key: testKey });
  yaml = await createYamlProject(program("kept", "dropped"), settingsFor(emulator));
}, FIRST_CLI_TIMEOUT_MS);
afterAll(async () => {
  await yaml?.close();
  await emulator?.close();
});

const program = (...names: string[]) =>
  `name: flags\nruntime: yaml\nresources:\n${names.map((name) => `  ${name}:\n    type: feature-console:Gate\n`).join("")}`;

test("a report of a preview shows what a removal from a YAML program does, and the update does it", async () => {
  await yaml.stack.up();
  await yaml.write(program("kept"));
  const { stdout } = await yaml.stack.run(["preview", "--json", "--show-sames"]);
  await writeFile(path.join(yaml.folder, "preview.json"), stdout);
  const main = path.join(await packedNodeModules(), "pulumi-feature-console/dist/tools/cli/main.js");
  const options = { cwd: yaml.folder, env: yaml.stack.env, timeoutMs: 120_000 };
  const report = await run(process.execPath, [main, "report", "preview.json"], options);
  expect(report.stdout).toContain("it goes to the archive, from which the console can bring it back");
  emulator.clearRequests();
  await yaml.stack.up();
  expect(writesTo(emulator)).toEqual(["PUT /gates/dropped/archive"]);
});
