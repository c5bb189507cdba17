import { existsSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { builtFromSource } from "./build";
import { cached, cacheFolder } from "./cached";
import { discover } from "./discover";
import { downloaded } from "./download";
import { whyNoGo } from "./go";
import { executable, onPath } from "./on-path";

/** The root folder of this checkout. */
export const repositoryRoot: string = path.resolve(path.dirname(__filename), "../..");

const modules = path.join(repositoryRoot, "node_modules");
/** Holds `pulumi-resource-pulumi-nodejs`; last on PATH, for a Pulumi that comes without it. */
const dynamicHostFolder = path.join(modules, "@pulumi", "pulumi");

/** A Pulumi CLI that is ready to run. */
export interface PulumiEnvironment {
  /** The absolute path of the CLI. */
  command: string;
  /** Where it came from, for people. */
  source: string;
  /** The caller's environment with everything that the CLI needs added. */
  env: NodeJS.ProcessEnv;
}

/**
 * Finds the Pulumi CLI, or gets one, and returns an environment that runs it. In this order: what is on PATH, a copy
 * in the user's cache folder, a download, a build from Go modules. The first run may take minutes and shows progress.
 */
export async function pulumiEnvironment(base: NodeJS.ProcessEnv = process.env): Promise<PulumiEnvironment> {
  const searchPath = base.PATH ?? "";
  const cache = cacheFolder(base);
  const canBuild = async () => (await whyNoGo()) === undefined;
  const binaries = await discover([
    onPath(searchPath),
    cached(cache),
    downloaded(cache, canBuild),
    builtFromSource(cache, dynamicHostFolder),
  ]);
  const [folder = ""] = binaries.folders;
  return {
    command: path.join(folder, executable("pulumi")),
    source: binaries.source,
    env: {
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
      ...base,
      // The checkout's Node.js, newer than many machines', comes first so that one beside an installed Pulumi does not win.
      PATH: [path.join(modules, ".bin"), ...binaries.folders, searchPath, dynamicHostFolder].join(
        path.delimiter,
      ),
    },
  };
}

/**
 * Settings for a Pulumi that keeps its state in a folder and talks to no service. Creates the folder.
 * @param folder absolute path
 */
export async function isolatedState(folder: string): Promise<Record<string, string>> {
  const [state, home] = [path.join(folder, "state"), path.join(folder, "home")];
  for (const needed of [state, home]) await mkdir(needed, { recursive: true });
  return { ...fileBackend(state), PULUMI_HOME: home };
}

/**
 * State settings for a user who has not chosen where Pulumi keeps its state: a folder of this checkout. A chosen
 * backend (by environment, access token or login) is left alone: the answer is then empty.
 */
export async function defaultState(base: NodeJS.ProcessEnv = process.env): Promise<Record<string, string>> {
  if (base.PULUMI_BACKEND_URL || base.PULUMI_ACCESS_TOKEN || isLoggedIn(base)) return {};
  const state = path.join(repositoryRoot, ".feature-console", "pulumi");
  await mkdir(state, { recursive: true });
  const { PULUMI_BACKEND_URL, ...passphrase } = fileBackend(state);
  const hasPassphrase = base.PULUMI_CONFIG_PASSPHRASE ?? base.PULUMI_CONFIG_PASSPHRASE_FILE;
  return { PULUMI_BACKEND_URL, ...(hasPassphrase === undefined ? passphrase : {}) };
}

function fileBackend(state: string) {
  return { PULUMI_BACKEND_URL: pathToFileURL(state).href, PULUMI_CONFIG_PASSPHRASE: "" };
}

function isLoggedIn(base: NodeJS.ProcessEnv): boolean {
  const home = base.PULUMI_HOME || path.join(homedir(), ".pulumi");
  const credentials = path.join(home, "credentials.json");
  if (!existsSync(credentials)) return false;
  try {
    return Boolean((JSON.parse(readFileSync(credentials, "utf8")) as { current?: string }).current);
  } catch {
    return false;
  }
}
