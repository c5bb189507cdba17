import { existsSync } from "node:fs";
import path from "node:path";
import { contentOf } from "../../provider/pulumi/runs/project-file";

/** Installer of the packages of a project. */
type PackageManager = "npm" | "pnpm" | "yarn" | "bun";

/** Files by which a package manager is recognised in a folder. */
const tracks: readonly (readonly [file: string, manager: PackageManager])[] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["pnpm-workspace.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  [".yarnrc.yml", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["package-lock.json", "npm"],
];

/** TypeScript for Pulumi's host of Node.js programs: it cannot load 7, which most package managers add by themselves. */
export const typescriptPackage = "typescript@6";

/** The command that adds packages to the project of a folder. */
export function installLine(folder: string, ...packages: readonly string[]): string {
  const manager = packageManagerOf(folder);
  return [manager, manager === "npm" ? "install" : "add", ...packages].join(" ");
}

/** The command that installs what the package.json of a folder names. */
export function installAllLine(folder: string): string {
  return `${packageManagerOf(folder)} install`;
}

/** The command that makes one copy of several; undefined for a package manager that has none. */
export function dedupeLine(folder: string): string | undefined {
  const manager = packageManagerOf(folder);
  return manager === "bun" ? undefined : `${manager} dedupe`;
}

/** Advice where Yarn keeps the packages in its archives (Plug'n'Play), in which Pulumi finds none of them; undefined elsewhere. */
export function plugAndPlayAdvice(folder: string): string | undefined {
  const place = foldersFrom(folder).find(
    (one) => existsSync(path.join(one, ".pnp.cjs")) || existsSync(path.join(one, "node_modules")),
  );
  // Yarn removes this file when it makes a `node_modules`.
  if (place === undefined || !existsSync(path.join(place, ".pnp.cjs"))) return undefined;
  return "yarn config set nodeLinker node-modules && yarn install";
}

/** The package manager of the nearest folder that names or shows one; npm where none does. */
function packageManagerOf(folder: string): PackageManager {
  for (const place of foldersFrom(folder)) {
    const found = named(place) ?? tracks.find(([file]) => existsSync(path.join(place, file)))?.[1];
    if (found !== undefined) return found;
  }
  return "npm";
}

/** As `packageManager` of package.json names it: `pnpm@10.1.0`. */
function named(folder: string): PackageManager | undefined {
  const [, name] =
    /"packageManager"\s*:\s*"(npm|pnpm|yarn|bun)@/.exec(contentOf(path.join(folder, "package.json")) ?? "") ??
    [];
  return name as PackageManager | undefined;
}

/** A folder and those above it, the nearest first. */
export function foldersFrom(folder: string): string[] {
  const [here, above] = [path.resolve(folder), path.dirname(path.resolve(folder))];
  return here === above ? [here] : [here, ...foldersFrom(above)];
}
