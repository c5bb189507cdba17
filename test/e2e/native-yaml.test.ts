import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { run } from "../../scripts/process/run";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import { packedNodeModules } from "../support/built-package";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { createYamlProject, type YamlProject } from "../support/yaml-project";
import { testKey, writesTo } from "./bench";

// A program in YAML, whose resources the plugin alone answers for: its settings, its state, and what goes.

jest.setTimeout(240_000);

let project: YamlProject;
let here: RunningEmulator;
let elsewhere: RunningEmulator;
const program = (...gates: string[]) =>
  `name: flags\nruntime: yaml\nresources:\n${gates.map((name) => `  ${name}:\n    type: feature-console:Gate\n`).join("")}`;

beforeAll(async () => {
  [here, elsewhere] = await Promise.all([startEmulator({ key: testKey }), startEmulator({ key: testKey })]);
  project = await createYamlProject(program("kept", "dropped"), {});
}, FIRST_CLI_TIMEOUT_MS);
afterAll(async () => {
  await project?.close();
  await Promise.all([here?.close(), elsewhere?.close()]);
});

const set = (name: string, value: string, ...options: string[]) =>
  project.stack.run(["config", "set", ...options, `feature-console:${name}`, value]);
const type = async (...args: string[]) => {
  const { code, stdout, stderr } = await project.stack.run(args);
  return { code, stdout, text: stdout + stderr };
};
const up = ["up", "--yes", "--skip-preview"];
const destroy = ["destroy", "--yes", "--skip-preview"];

test("where no profile is set, a preview names what to type, once before any resource", async () => {
  const { code, text } = await type("preview");
  expect(code).not.toBe(0);
  const message =
    'No profile is set: set it with "pulumi config set feature-console:profile embedded" (or custom, statsig), or by FEATURE_CONSOLE_PROFILE.';
  // Once while it runs, and once in the summary.
  expect(text.split(message)).toHaveLength(3);
  expect(text).toContain("pulumi:providers:feature-console");
});

test("a report of a preview shows what a removal does", async () => {
  await set("profile", "custom");
  await set("baseUrl", here.url);
  await set("apiKey", testKey, "--secret");
  expect(await type(...up)).toMatchObject({ code: 0 });
  await project.write(program("kept"));
  const { stdout } = await type("preview", "--json", "--show-sames");
  await writeFile(path.join(project.folder, "preview.json"), stdout);
  const main = path.join(await packedNodeModules(), "pulumi-feature-console/dist/tools/cli/main.js");
  const options = { cwd: project.folder, env: project.stack.env, timeoutMs: 120_000 };
  const report = await run(process.execPath, [main, "report", "preview.json"], options);
  expect(report.stdout).toContain("it goes to the archive, from which the console can bring it back");
});

const onLinux = process.platform === "linux" ? test : test.skip;

onLinux("a new gate first, with a CLI that is on no PATH: nothing is sent to another address", async () => {
  await set("baseUrl", elsewhere.url);
  const newFirst = program("kept", "dropped", "first").replace(
    "kept:\n    type: feature-console:Gate\n",
    `$&    options:\n      dependsOn:\n        - \${first}\n`,
  );
  await project.write(newFirst);
  // From now on, this CLI is called by its whole path alone.
  await rm(path.join(project.folder, ".commands", "pulumi"));
  const { code, text } = await type(...up);
  expect(code).not.toBe(0);
  expect(text).toContain("FEATURE_CONSOLE_MOVE=1");
  expect(elsewhere.requests).toEqual([]);
});

test("a destroy, which runs no program, goes by the configuration of now, and leaves objects of another console", async () => {
  await set("baseUrl", elsewhere.url);
  const { code, text } = await type(...destroy);
  expect(text).toContain("is in another console");
  expect(code).not.toBe(0);
  expect(elsewhere.requests).toEqual([]);
  await set("baseUrl", here.url);
  here.clearRequests();
  expect(await type(...destroy)).toMatchObject({ code: 0 });
  expect(writesTo(here).sort()).toEqual(["PUT /gates/dropped/archive", "PUT /gates/kept/archive"]);
});

test("without the plugin Pulumi shows a line that docs/languages.md explains", async () => {
  await rm(path.join(project.folder, ".commands", "pulumi-resource-feature-console"));
  // Pulumi looks for a plugin to download, where nobody answers.
  const { code, stdout, stderr } = await project.stack.run(["preview"], {
    env: { PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "", HTTPS_PROXY: "http://127.0.0.1:9" },
  });
  expect(code).not.toBe(0);
  const line = "could not find latest version for provider feature-console";
  expect(stdout + stderr).toContain(line);
  expect(readFileSync(path.join(repositoryRoot, "docs", "languages.md"), "utf8")).toContain(line);
});
