import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { removeTree } from "../../scripts/process/atomic-folder";
import { run } from "../../scripts/process/run";
import { cleanEnvironment } from "../../scripts/pulumi-cli/clean-environment";
import { pulumiEnvironment } from "../../scripts/pulumi-cli/environment";
import { startEmulator } from "../../src/emulator";
import { createRouteClient } from "../../src/provider/client/client";
import { digestOf } from "../../src/provider/pulumi/runs/console-digest";
import type { Adapter } from "../laws/subject";
import { packedNodeModules } from "../support/built-package";
import { contentsOf } from "../world/picture";
import type { Declared } from "../world/programs";
import { beside, textOf } from "./program";

/** A key that is plainly none. */
const key: string = ["console", "kills", "test"].join("-");

const stack = "test";
const callLimitMs = 180_000;

/** A project, its state and its console, in a folder of their own. */
export type Place = Awaited<ReturnType<typeof placeIn>>;

/** Where places are made. */
export type Workshop = Awaited<ReturnType<typeof openWorkshop>>;

/** Gets the CLI, packs the package once, and makes a stack for every place to copy. `env` is added to the environment of each command. */
export async function openWorkshop(adapter: Adapter, env: Readonly<Record<string, string>> = {}) {
  const modules = await packedNodeModules();
  const pulumi = await pulumiEnvironment(cleanEnvironment());
  const folder = await mkdtemp(path.join(tmpdir(), "feature-console-kills-"));
  const home = path.join(folder, "home");
  await mkdir(home);
  const empty = path.join(folder, "empty");
  await furnish(empty, modules);
  const environment = (place: string): NodeJS.ProcessEnv => ({
    ...pulumi.env,
    // The plugin as npm installs it: a command of the package.
    PATH: [path.join(modules, ".bin"), pulumi.env.PATH].join(path.delimiter),
    PULUMI_HOME: home,
    // One that the tests keep is full already.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? path.join(home, "compiled"),
    ...env,
    PULUMI_BACKEND_URL: pathToFileURL(path.join(place, "state")).href,
    PULUMI_CONFIG_PASSPHRASE: "",
  });
  const initialised = await run(pulumi.command, ["stack", "init", stack, "--non-interactive"], {
    cwd: path.join(empty, "project"),
    env: environment(empty),
    timeoutMs: callLimitMs,
  });
  if (initialised.code !== 0) throw new Error(`pulumi stack init failed: ${initialised.stderr}`);
  return {
    folder,
    /** Opens a place of its own that begins as `from` is: another place's folder, or the one in which nothing is yet. */
    async open(name: string, from = empty, checkpoints = true) {
      const place = path.join(folder, name);
      await cp(from, place, { recursive: true, verbatimSymlinks: true });
      return placeIn(place, adapter, pulumi.command, {
        ...environment(place),
        ...(checkpoints ? {} : { PULUMI_SKIP_CHECKPOINTS: "true" }),
      });
    },
    remove: () => removeTree(folder),
  };
}

async function furnish(place: string, modules: string): Promise<void> {
  const project = path.join(place, "project");
  await mkdir(project, { recursive: true });
  await mkdir(path.join(place, "state"));
  await symlink(modules, path.join(project, "node_modules"), "junction");
  await writeFile(
    path.join(project, "Pulumi.yaml"),
    "name: kills\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n",
  );
  await writeFile(
    path.join(project, "package.json"),
    '{ "name": "kills", "private": true, "main": "index.js" }\n',
  );
}

async function placeIn(folder: string, adapter: Adapter, command: string, base: NodeJS.ProcessEnv) {
  const emulator = await startEmulator({ key, data: path.join(folder, "console.db"), seed: beside });
  await followConsole(folder, emulator.url);
  const env = {
    ...base,
    FEATURE_CONSOLE_PROFILE: "custom",
    FEATURE_CONSOLE_BASE_URL: emulator.url,
    FEATURE_CONSOLE_API_KEY: key,
    // The matrix is about kills; a round that waits for the write limit would only be longer.
    FEATURE_CONSOLE_WRITES_PER_10S: "100000",
    FEATURE_CONSOLE_WRITES_PER_15MIN: "100000",
  };
  const cwd = path.join(folder, "project");
  const rest = ["--stack", stack, "--non-interactive", "--color", "never"];
  let commands = 0;
  const logOf = (words: string[]) => {
    commands += 1;
    return path.join(folder, `${String(commands).padStart(2, "0")}-${words[0]}.log`);
  };
  return {
    folder,
    emulator,
    /** Everything in its console. */
    contents: () => contentsOf(createRouteClient({ profile: "custom", baseUrl: emulator.url, apiKey: key })),
    write: (declared: readonly Declared[]) =>
      writeFile(path.join(cwd, "index.js"), textOf(declared, adapter)),
    /** Runs a command of the CLI to its end; what it prints is kept in the folder. */
    async type(...words: string[]) {
      const log = logOf(words);
      const result = await run(command, [...words, ...rest], { cwd, env, timeoutMs: callLimitMs });
      const end = result.problem ?? `exit code ${result.code}`;
      await writeFile(log, `pulumi ${words.join(" ")}\n${result.stdout}\n${result.stderr}\n${end}\n`);
      return result;
    },
    /** Starts one without waiting for it. */
    start(...words: string[]) {
      const log = openSync(logOf(words), "w");
      const child = spawn(command, [...words, ...rest], {
        cwd,
        env,
        detached: true,
        stdio: ["ignore", log, log],
      });
      closeSync(log);
      return child;
    },
    /** Closes the console; the folder stays. */
    close: () => emulator.close(),
  };
}

/** A copy of a console has an address of its own, and a copied state knows that of the first. */
async function followConsole(folder: string, url: string): Promise<void> {
  const file = stateFileOf(folder);
  const text = await readFile(file, "utf8").catch(() => "");
  const moved = text.replaceAll(/(?<="__console":\s*")[^"]*/g, digestOf(url));
  if (moved === text) return;
  await writeFile(file, moved);
  await removeAttributes({ folder });
}

function stateFileOf(folder: string): string {
  return path.join(folder, "state", ".pulumi", "stacks", "kills", `${stack}.json`);
}

/** Whether the stack is locked, as a user would be told by the next command. */
export async function hasLock({ folder }: Pick<Place, "folder">): Promise<boolean> {
  const locks = path.join(folder, "state", ".pulumi", "locks");
  const entries = await readdir(locks, { recursive: true }).catch(() => []);
  return entries.some((name) => name.endsWith(".json"));
}

/** Removes what Pulumi's file backend keeps beside the stack's state: it does without. */
export function removeAttributes({ folder }: Pick<Place, "folder">): Promise<void> {
  return rm(`${stateFileOf(folder)}.attrs`, { force: true });
}

/** Deployment of the stack's state as the file backend holds it. */
export async function stateOf({ folder }: Pick<Place, "folder">): Promise<Deployment> {
  const { checkpoint } = JSON.parse(await readFile(stateFileOf(folder), "utf8")) as {
    checkpoint: { latest?: Deployment };
  };
  return checkpoint.latest ?? {};
}

/** What of a state is looked at. */
export interface Deployment {
  readonly resources?: readonly { readonly urn: string; readonly type: string; readonly id?: string }[];
  readonly pending_operations?: readonly { readonly type: string }[];
}
