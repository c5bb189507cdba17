import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { chmod, cp, mkdir, readdir, symlink } from "node:fs/promises";
import path from "node:path";
import { copyPacked } from "../../scripts/package/pack";
import { ensureFolder, removeTree } from "../../scripts/process/atomic-folder";
import { withLock } from "../../scripts/process/lock";
import { npmCommand, run } from "../../scripts/process/run";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { policyPackName, startedByCommand } from "./policy-pack";

const cache = path.join(repositoryRoot, "node_modules", ".cache", "pulumi-feature-console");
const LEFTOVER_AGE_MS = 60 * 60 * 1000;

interface Manifest {
  name: string;
  bin: Record<string, string>;
  dependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
}

/**
 * A `node_modules` folder with the files that npm would publish of this package, its commands too; its dependencies, Pulumi's
 * SDK and TypeScript are links into the checkout. Builds the package first when `dist` is older than `src`. Made once
 * for a given build, whichever test asks first.
 */
export function packedNodeModules(): Promise<string> {
  made ??= makeNodeModules();
  return made;
}

let made: Promise<string> | undefined;

async function makeNodeModules(): Promise<string> {
  await ensureBuilt();
  const folder = path.join(cache, `packed-${fingerprint()}`);
  await ensureFolder(folder, { fill });
  if (process.env.NODE_COMPILE_CACHE !== undefined)
    await ensureFolder(path.join(folder, "compiled"), { fill: () => compile(folder) });
  await removeOldFolders(folder);
  return path.join(folder, "node_modules");
}

/**
 * Installs this package in a project, as npm would, with links to its dependencies, Pulumi's SDK and these packages of the
 * checkout: whatever else the checkout has cannot be loaded there.
 */
export async function installPacked(project: string, packages: readonly string[]): Promise<void> {
  const packed = await packedNodeModules();
  const manifest = readManifest();
  const modules = path.join(project, "node_modules");
  await cp(path.join(packed, manifest.name), path.join(modules, manifest.name), { recursive: true });
  await linkAll([...Object.keys(manifest.dependencies), "@pulumi/pulumi", ...packages], modules);
}

/** Builds the package unless what is built is newer than every source. */
export async function ensureBuilt(): Promise<void> {
  // Half of a build of another process looks current.
  await withLock(path.join(cache, "build.lock"), async () => {
    if (isCurrent()) return;
    const built = await run(npmCommand, ["run", "--silent", "build"], {
      cwd: repositoryRoot,
      timeoutMs: 180_000,
    });
    if (built.code === 0) return;
    // Half of a build would count as current.
    await removeTree(path.join(repositoryRoot, "dist"));
    throw new Error(`The package does not build:\n${built.problem ?? built.stdout}`);
  });
}

function isCurrent(): boolean {
  return [".", "policy"].every((place) => {
    const sources = files(path.join(place, "src")).map((file) => statSync(file).mtimeMs);
    const results = files(path.join(place, "dist")).map((file) => statSync(file).mtimeMs);
    return results.length > 0 && Math.max(...sources) <= Math.max(...results);
  });
}

function files(folder: string): string[] {
  const root = path.join(repositoryRoot, folder);
  if (!existsSync(root)) return [];
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

function fingerprint(): string {
  const hash = createHash("sha256");
  const packed = ["dist", "policy/dist"].flatMap((folder) => files(folder).sort());
  for (const file of [path.join(repositoryRoot, "package.json"), ...packed]) {
    hash.update(file).update(readFileSync(file));
  }
  return hash.digest("hex").slice(0, 16);
}

const readManifest = (): Manifest =>
  JSON.parse(readFileSync(path.join(repositoryRoot, "package.json"), "utf8")) as Manifest;

async function fill(staging: string): Promise<void> {
  const manifest = readManifest();
  const modules = path.join(staging, "node_modules");
  await copyPacked(repositoryRoot, path.join(modules, manifest.name));
  await fillPolicyPack(modules);
  await mkdir(path.join(modules, ".bin"));
  for (const [command, file] of Object.entries(manifest.bin)) {
    await chmod(path.join(modules, manifest.name, file), 0o755);
    await symlink(path.join("..", manifest.name, file), path.join(modules, ".bin", command));
  }
  const links = [manifest.dependencies, manifest.peerDependencies].flatMap((group) => Object.keys(group));
  await linkAll([...links, "typescript", "@types/node"], modules);
}

/** The policy pack beside it, to be started as `test/support/policy-pack.ts` describes. */
async function fillPolicyPack(modules: string): Promise<void> {
  const folder = path.join(modules, policyPackName);
  await copyPacked(path.join(repositoryRoot, "policy"), folder);
  await startedByCommand(folder);
  const { dependencies } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as Manifest;
  await linkAll(Object.keys(dependencies), modules);
}

async function linkAll(names: readonly string[], modules: string): Promise<void> {
  for (const name of names) {
    const link = path.join(modules, name);
    await mkdir(path.dirname(link), { recursive: true });
    await symlink(path.join(repositoryRoot, "node_modules", name), link, "junction");
  }
}

/** Fills the compile cache with what a provider host loads: Pulumi kills each before it would do so itself. */
async function compile(folder: string): Promise<void> {
  const parts = ["", "/runtime", "/proto/plugin_pb", "/proto/provider_grpc_pb"];
  const pulumi = parts.map((part) => `@pulumi/pulumi${part}`);
  const ours = ["", "/dynamic/v1", "/emulator"].map((part) => `pulumi-feature-console${part}`);
  const program = `for (const name of ${JSON.stringify([...pulumi, ...ours, "typescript"])}) require(name);
    require("node:module").flushCompileCache();`;
  const node = path.join(repositoryRoot, "node_modules", ".bin", "node");
  const { code, stderr } = await run(node, ["--eval", program], { cwd: folder, timeoutMs: 60_000 });
  if (code !== 0) throw new Error(`The packed package cannot be loaded: ${stderr}`);
}

async function removeOldFolders(current: string): Promise<void> {
  for (const name of await readdir(cache)) {
    const folder = path.join(cache, name);
    if (!name.startsWith("packed-") || folder.startsWith(current)) continue;
    const entry = statSync(folder, { throwIfNoEntry: false });
    if (entry && Date.now() - entry.mtimeMs > LEFTOVER_AGE_MS) await removeTree(folder);
  }
}
