import { chmod, mkdir, mkdtemp, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { packTarball } from "../../scripts/package/pack";
import { removeTree } from "../../scripts/process/atomic-folder";
import { run } from "../../scripts/process/run";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { packedNodeModules } from "./built-package";

/** The policy pack as a user would have installed it. */
export interface InstalledPack {
  /** The folder for `--policy-pack`. */
  readonly folder: string;
  /** A folder for the front of PATH, in which Pulumi finds what starts the pack. */
  readonly bin: string;
  remove(): Promise<void>;
}

/** The language host that can be built from Go modules starts no policy packs; Pulumi asks for a command of this name then. */
const runtime = "house";

/**
 * Packs the policy pack, unpacks it beside its dependencies, and has it started by a command of its own. `env`: what that
 * command changes of the environment.
 */
export async function installPolicyPack(env: Readonly<Record<string, string>> = {}): Promise<InstalledPack> {
  const packed = await packedNodeModules();
  const root = await mkdtemp(path.join(tmpdir(), "feature-console-policies-"));
  const modules = path.join(root, "node_modules");
  const folder = path.join(modules, "pulumi-feature-console-policy");
  await mkdir(path.join(modules, "@pulumi"), { recursive: true });
  const tarball = await packTarball(path.join(repositoryRoot, "policy"), root);
  const unpacked = await run("tar", ["-xzf", tarball, "-C", root], { timeoutMs: 60_000 });
  if (unpacked.code !== 0) throw new Error(`The tarball cannot be unpacked: ${unpacked.stderr}`);
  await rename(path.join(root, "package"), folder);
  const link = (from: string, name: string) =>
    symlink(path.join(from, name), path.join(modules, name), "junction");
  await link(packed, "pulumi-feature-console");
  for (const name of ["@pulumi/policy", "@pulumi/pulumi", "luxon"])
    await link(path.join(repositoryRoot, "node_modules"), name);
  await otherRuntime(path.join(folder, "PulumiPolicy.yaml"));
  return { folder, bin: await starter(root, env), remove: () => removeTree(root) };
}

async function otherRuntime(file: string): Promise<void> {
  const text = await readFile(file, "utf8");
  if (!text.includes("runtime: nodejs\n")) throw new Error(`${file} is not for Node.js`);
  await writeFile(file, text.replace("runtime: nodejs\n", `runtime: ${runtime}\n`));
}

async function starter(root: string, env: Readonly<Record<string, string>>): Promise<string> {
  const bin = path.join(root, "bin");
  await mkdir(bin);
  const file = path.join(bin, `pulumi-analyzer-policy-${runtime}`);
  const node = path.join(repositoryRoot, "node_modules", ".bin", "node");
  const module = path.join(root, "node_modules", "@pulumi", "pulumi", "cmd", "run-policy-pack");
  const changes = Object.entries(env).map(([name, value]) => `export ${name}="${value}"\n`);
  await writeFile(file, `#!/bin/sh\n${changes.join("")}exec "${node}" "${module}" "$@"\n`);
  await chmod(file, 0o755);
  return bin;
}
