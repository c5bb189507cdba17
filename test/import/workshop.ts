import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeTree } from "../../scripts/process/atomic-folder";
import { peakBytes } from "../../scripts/process/provider-host";
import { type Finished, run } from "../../scripts/process/run";
import { cleanEnvironment } from "../../scripts/pulumi-cli/clean-environment";
import { isolatedState, pulumiEnvironment, repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { languageHost } from "../../scripts/pulumi-cli/language-hosts";
import type { LanguageName } from "../../src/tools/import";
import { packedNodeModules } from "../support/built-package";
import { type PreviewResult, parsePreview, parseUpdate, type UpdateResult } from "../support/cli-output";

const node = path.join(repositoryRoot, "node_modules", ".bin", "node");

/** How a command ended, and what it took. */
export interface Timed extends Finished {
  readonly ms: number;
  /** The most memory that the process itself had, in bytes; undefined where the system does not tell. */
  readonly peakBytes: number | undefined;
}

/** A new user's machine: a folder in which the packed package is installed, a Pulumi of its own, and no program yet. */
export interface Workshop {
  /** Where the program is to be. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Runs `feature-console import`. Never rejects because of its exit code. */
  import(args: readonly string[], more?: ImportRun): Promise<Timed>;
  /** Runs `feature-console drift` in the folder of the program. Never rejects because of its exit code. */
  drift(args: readonly string[]): Promise<Timed>;
  /** Runs `tsc` with the project's own strict settings. */
  compile(): Promise<Finished>;
  /** Asks Prettier which files it would write otherwise. */
  badlyFormatted(): Promise<Finished>;
  /** Runs the CLI of Pulumi, in the folder of the program or in another. */
  pulumi(args: readonly string[], cwd?: string): Promise<Finished>;
  preview(args?: readonly string[]): Promise<PreviewResult>;
  up(args?: readonly string[]): Promise<UpdateResult>;
  /** Another folder for a program, beside the first and with the same packages. */
  another(name: string): Promise<string>;
  remove(): Promise<void>;
}

/** More about one run of the import. */
export interface ImportRun {
  readonly env?: Readonly<Record<string, string>>;
  readonly onStart?: (child: ChildProcess) => void;
  readonly cwd?: string;
}

const longestMs = 30 * 60_000;

/** Opens one. `settings`: the environment that leads to the console. `language`: of the program. The caller removes it. */
export async function openWorkshop(
  settings: Readonly<Record<string, string>>,
  stack: string,
  language: LanguageName = "typescript",
): Promise<Workshop> {
  const modules = await packedNodeModules();
  const top = await mkdtemp(path.join(tmpdir(), "feature-console-import-"));
  const folderOf = async (name: string): Promise<string> => {
    const folder = path.join(top, name);
    await mkdir(folder);
    await symlink(modules, path.join(folder, "node_modules"), "junction");
    return folder;
  };
  const folder = await folderOf("flags");
  const pulumi = await pulumiEnvironment(cleanEnvironment());
  const { PATH = "" } = pulumi.env;
  const commands = language === "yaml" ? [await languageHost("yaml", PATH), path.join(modules, ".bin")] : [];
  const env = {
    ...{ ...pulumi.env, PATH: [...commands, PATH].join(path.delimiter) },
    ...{ ...(await isolatedState(path.join(top, "pulumi"))), ...settings },
  };
  const call = (args: readonly string[], cwd = folder) =>
    run(pulumi.command, [...args, "--non-interactive", "--color", "never"], {
      cwd,
      env,
      timeoutMs: longestMs,
    });
  const bin = (name: string, ...args: string[]) =>
    run(node, [path.join(repositoryRoot, "node_modules", ...name.split("/")), ...args], { cwd: folder, env });
  return {
    ...{ folder, env },
    import: (args, { env: extra, cwd = folder, onStart } = {}) =>
      timed([cliOf(modules), "import", ...args], { cwd, env: { ...env, ...extra } }, onStart),
    drift: (args) => timed([cliOf(modules), "drift", ...args], { cwd: folder, env }),
    compile: () => bin("typescript/bin/tsc", "-p", "."),
    badlyFormatted: () => bin("prettier/bin/prettier.cjs", "--list-different", "--no-config", "*.ts"),
    pulumi: call,
    preview: async (args = []) => parsePreview(await call(["preview", "--json", "--stack", stack, ...args])),
    up: async (args = []) =>
      parseUpdate(await call(["up", "--yes", "--skip-preview", "--json", "--stack", stack, ...args])),
    another: folderOf,
    remove: () => removeTree(top),
  };
}

function cliOf(modules: string): string {
  return path.join(modules, "pulumi-feature-console", "dist", "tools", "cli", "main.js");
}

/** Runs a script of Node and watches its memory. */
function timed(
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  onStart?: (child: ChildProcess) => void,
): Promise<Timed> {
  const started = performance.now();
  const child = spawn(node, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
    });
  let peak: number | undefined;
  // The `node` of npm is a small program that starts the real one.
  const watch = setInterval(() => {
    for (const pid of child.pid === undefined ? [] : [child.pid])
      peak = Math.max(peak ?? 0, peakBytes(pid) ?? 0);
  }, 50);
  onStart?.(child);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      clearInterval(watch);
      resolve({ code: code ?? 1, ...output, ms: performance.now() - started, peakBytes: peak });
    });
  });
}
