import { chmod, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeTree } from "../../scripts/process/atomic-folder";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";

/** Its folder in `node_modules`. */
export const policyPackName = "pulumi-feature-console-policy";

/** What starts policy packs in tests. */
export interface PackStarter {
  /** A folder for the front of PATH. */
  readonly bin: string;
  remove(): Promise<void>;
}

/** The language host that can be built from Go modules starts no policy packs: this names one that does. */
const runtime = "house";

/** Has Pulumi start an unpacked policy pack by the language host of a {@link PackStarter}. */
export async function startedByCommand(folder: string): Promise<void> {
  const file = path.join(folder, "PulumiPolicy.yaml");
  const text = await readFile(file, "utf8");
  if (!text.includes("runtime: nodejs\n")) throw new Error(`${file} is not for Node.js`);
  await writeFile(file, text.replace("runtime: nodejs\n", `runtime: ${runtime}\n`));
}

/** Makes that language host. `env`: what it changes of the environment. */
export async function createPackStarter(env: Readonly<Record<string, string>> = {}): Promise<PackStarter> {
  const bin = await mkdtemp(path.join(tmpdir(), "feature-console-policies-"));
  const file = path.join(bin, `pulumi-language-${runtime}`);
  const modules = path.join(repositoryRoot, "node_modules");
  const node = path.join(modules, ".bin", "node");
  const module = path.join(modules, "@pulumi", "pulumi", "cmd", "run-policy-pack");
  const changes = Object.entries(env).map(([name, value]) => `export ${name}="${value}"\n`);
  const host = path.join(repositoryRoot, "test", "support", "policy-language-host.cjs");
  await writeFile(file, `#!/bin/sh\n${changes.join("")}exec "${node}" "${host}" "${module}"\n`);
  await chmod(file, 0o755);
  return { bin, remove: () => removeTree(bin) };
}
