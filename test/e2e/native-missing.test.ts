import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, jest, test } from "@jest/globals";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { createPackedProject, type PackedProject } from "../support/packed-project";
import { createStack, FIRST_CLI_TIMEOUT_MS, type PulumiStack } from "../support/pulumi-cli";
import { createYamlProject, type YamlProject } from "../support/yaml-project";

jest.setTimeout(240_000);

/** A gate in YAML and in TypeScript. */
const programs = {
  yaml: "name: flags\nruntime: yaml\nresources:\n  checkout:\n    type: feature-console:Gate\n",
  typescript: 'import * as fc from "pulumi-feature-console/native";\nnew fc.Gate("checkout");\n',
};
const guide = readFileSync(path.join(repositoryRoot, "docs", "languages.md"), "utf8");

let yaml: YamlProject;
let project: PackedProject;
let typescript: PulumiStack;
beforeAll(async () => {
  yaml = await createYamlProject(programs.yaml, {});
  project = await createPackedProject({ program: programs.typescript });
  typescript = await createStack(project);
}, FIRST_CLI_TIMEOUT_MS);
afterAll(async () => {
  await yaml?.close();
  await typescript?.remove();
  await project?.remove();
});

/** `pulumi preview` in each language: its exit code and all that it printed. */
const preview = {
  yaml: async (env: Record<string, string>) => shown(await yaml.stack.run(["preview"], { env })),
  typescript: async (env: Record<string, string>) => {
    const commands = path.join(project.folder, "node_modules", ".bin");
    const PATH = [commands, typescript.env.PATH].join(path.delimiter);
    return shown(await typescript.run(["preview"], { env: { PATH, ...env } }));
  },
};
const shown = ({ code, stdout, stderr }: { code: number | undefined; stdout: string; stderr: string }) => ({
  code,
  text: stdout + stderr,
});

describe.each(["yaml", "typescript"] as const)("a preview of a program in %s", (language) => {
  test.each([
    [
      "profile",
      {},
      'No profile is set: set it with "pulumi config set feature-console:profile embedded" (or custom, statsig), or by FEATURE_CONSOLE_PROFILE.',
    ],
    [
      "key",
      { FEATURE_CONSOLE_PROFILE: "statsig" },
      'The profile "statsig" needs a key: set it with "pulumi config set --secret feature-console:apiKey", or by FEATURE_CONSOLE_API_KEY.',
    ],
  ])("names what to type where no %s is set", async (_, env, message) => {
    const { code, text } = await preview[language](env);
    expect(code).not.toBe(0);
    // Once while it runs, and once in the summary.
    expect(text.split(message)).toHaveLength(3);
  });
});

// The packages for Python and Go ask for their own version with every resource.
test("the version that a program asks for is no setting", async () => {
  await project.setProgram(programs.typescript.replace('"checkout"', '"checkout", {}, { version: "0.2.0" }'));
  const { code, text } = await preview.typescript({ FEATURE_CONSOLE_PROFILE: "embedded" });
  expect(text).not.toContain("error");
  expect({ code, text }).toEqual({ code: 0, text: expect.stringContaining("feature-console:index:Gate") });
});

/** Makes Pulumi look for a plugin to download, where nobody answers. */
const downloads = {
  PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "",
  HTTPS_PROXY: "http://127.0.0.1:9",
  FEATURE_CONSOLE_PROFILE: "embedded",
};

describe("without the plugin Pulumi shows a line that docs/languages.md explains", () => {
  beforeAll(() => rm(path.join(yaml.folder, ".commands", "pulumi-resource-feature-console")));

  test.each(["yaml", "typescript"] as const)("in a program in %s", async (language) => {
    await project.setProgram(programs.typescript);
    const PATH = (language === "yaml" ? yaml.stack : typescript).env.PATH ?? "";
    const { code, text } = await preview[language]({ ...downloads, PATH });
    expect(code).not.toBe(0);
    const line = "could not find latest version for provider feature-console";
    expect(text).toContain(line);
    expect(guide).toContain(line);
  });

  test("in a program that asks for a version, as in Python and Go", async () => {
    await project.setProgram(
      programs.typescript.replace('"checkout"', '"checkout", {}, { version: "0.2.0" }'),
    );
    const { code, text } = await preview.typescript({ ...downloads, PATH: typescript.env.PATH ?? "" });
    expect(code).not.toBe(0);
    const line = (version: string) =>
      `Could not automatically download and install resource plugin 'pulumi-resource-feature-console' at version v${version}`;
    expect(text).toContain(line("0.2.0"));
    expect(guide).toContain(line("…"));
  });
});

test("the lines of docs/languages.md in Pulumi.yaml lead a program with the npm package to the plugin", async () => {
  const [, lines = ""] = /```yaml\n(plugins:\n.*?)```/s.exec(guide) ?? [];
  await project.setProgram(programs.typescript);
  await project.write("Pulumi.yaml", `name: packed\nruntime: nodejs\n${lines}`);
  const found = await preview.typescript({
    FEATURE_CONSOLE_PROFILE: "embedded",
    PATH: typescript.env.PATH ?? "",
  });
  expect(found).toEqual({ code: 0, text: expect.stringContaining("feature-console:index:Gate") });
});
