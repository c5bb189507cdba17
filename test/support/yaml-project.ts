import { chmod, mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeTree } from "../../scripts/process/atomic-folder";
import { cleanEnvironment } from "../../scripts/pulumi-cli/clean-environment";
import { pulumiEnvironment } from "../../scripts/pulumi-cli/environment";
import { languageHost } from "../../scripts/pulumi-cli/language-hosts";
import { executable } from "../../scripts/pulumi-cli/on-path";
import { packedNodeModules } from "./built-package";
import { createStack } from "./pulumi-cli";

/** What `createYamlProject` makes. */
export type YamlProject = Awaited<ReturnType<typeof createYamlProject>>;

/**
 * Makes a Pulumi project in YAML, and a stack of it that finds the plugin and no Node.js on its PATH. `write` makes a text the whole
 * `Pulumi.yaml`. The first call may have to build the CLI and the host of YAML: see FIRST_CLI_TIMEOUT_MS.
 */
export async function createYamlProject(text: string, env: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(path.join(tmpdir(), "feature-console-yaml-"));
  const write = (whole: string) => writeFile(path.join(folder, "Pulumi.yaml"), whole);
  await write(text);
  const commands = path.join(folder, ".commands");
  await fillCommands(commands);
  const stack = await createStack({ folder }, { env: { ...env, PATH: commands } });
  return {
    folder,
    stack,
    write,
    async close() {
      await stack.remove();
      await removeTree(folder);
    },
  };
}

/** The folder that is the whole PATH: the CLI, the host of YAML, and the plugin, which knows where its Node.js is. */
async function fillCommands(folder: string): Promise<void> {
  await mkdir(folder);
  const { command, env } = await pulumiEnvironment(cleanEnvironment());
  const host = executable("pulumi-language-yaml");
  await symlink(command, path.join(folder, executable("pulumi")));
  await symlink(path.join(await languageHost("yaml", env.PATH ?? ""), host), path.join(folder, host));
  const main = path.join(await packedNodeModules(), "pulumi-feature-console/dist/plugin.js");
  const plugin = path.join(folder, "pulumi-resource-feature-console");
  await writeFile(plugin, `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`);
  await chmod(plugin, 0o755);
}
