import { appendFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeTree } from "../../scripts/process/atomic-folder";
import { run } from "../../scripts/process/run";
import { cleanEnvironment } from "../../scripts/pulumi-cli/clean-environment";
import { isolatedState, pulumiEnvironment, repositoryRoot } from "../../scripts/pulumi-cli/environment";
import type { CliRun } from "../../scripts/report/costs";
import {
  type CliResult,
  type PreviewResult,
  parsePreview,
  parseUpdate,
  type UpdateResult,
} from "./cli-output";

const CALL_LIMIT_MS = 120_000;
const STACK = "test";

/** For `beforeAll` of a test that uses the CLI: getting it may mean building it. */
export const FIRST_CLI_TIMEOUT_MS: number = 20 * 60 * 1000;

/** How to run the CLI. */
export interface CliOptions {
  /** Added to the stack's environment for this run. */
  env?: Readonly<Record<string, string>>;
  /** More arguments, such as `--refresh`. */
  args?: readonly string[];
  /** Whether the result is wanted even when the CLI fails; otherwise a failure rejects with what it printed. */
  mayFail?: boolean;
  /** The CLI is stopped after this many milliseconds; two minutes when left out. */
  timeoutMs?: number;
}

/** A resource as it stands in the stack's state. */
export interface StateResource {
  urn: string;
  type: string;
  id?: string;
  inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
}

/** A stack of a project, with a backend and a Pulumi home of its own, driven through the real CLI. */
export interface PulumiStack {
  /** The environment that every run gets. */
  env: NodeJS.ProcessEnv;
  /** Runs any command in the project's folder. Never rejects because of its exit code. */
  run(args: readonly string[], options?: Pick<CliOptions, "env" | "timeoutMs">): Promise<CliResult>;
  preview(options?: CliOptions): Promise<PreviewResult>;
  up(options?: CliOptions): Promise<UpdateResult>;
  refresh(options?: CliOptions): Promise<UpdateResult>;
  destroy(options?: CliOptions): Promise<UpdateResult>;
  setConfig(key: string, value: string, options?: { secret?: boolean }): Promise<void>;
  /** The stack's outputs, secrets in plain text. */
  outputs(): Promise<Record<string, unknown>>;
  exportStack(): Promise<{ version: number; deployment: { resources?: StateResource[] } }>;
  /** Removes the backend and the home; the project's folder is the caller's. */
  remove(): Promise<void>;
}

const preload = path.join(repositoryRoot, "test", "support", "pulumi-preload.cjs");
/** Makes Pulumi's Node.js processes start faster. What is to be measured as users have it sets `NODE_OPTIONS` to "". */
const quickStart = { NODE_OPTIONS: `--require ${preload}` };

/** Where Pulumi works: its command, a backend and a home of their own, and no stack yet. */
export interface PulumiPlace {
  command: string;
  env: NodeJS.ProcessEnv;
  /** Removes the backend and the home. */
  remove(): Promise<void>;
}

/** Makes one; no run of the CLI is needed. The first call may have to build the CLI: see FIRST_CLI_TIMEOUT_MS. */
export async function createPulumiPlace(env: CliOptions["env"] = {}): Promise<PulumiPlace> {
  const pulumi = await pulumiEnvironment(cleanEnvironment());
  const ownFolder = await mkdtemp(path.join(tmpdir(), "feature-console-pulumi-"));
  return {
    command: pulumi.command,
    env: { ...pulumi.env, ...quickStart, ...(await isolatedState(ownFolder)), ...env },
    remove: () => removeTree(ownFolder),
  };
}

/**
 * Makes a stack for the project in a folder; `stack` is its name, `test` when left out. The first call may have to build
 * the CLI: see FIRST_CLI_TIMEOUT_MS.
 */
export async function createStack(
  project: { folder: string },
  options: Pick<CliOptions, "env"> & { stack?: string } = {},
): Promise<PulumiStack> {
  const { command, env, remove } = await createPulumiPlace(options.env);
  const runCli: RunCli = async (args, { env: extra, timeoutMs = CALL_LIMIT_MS } = {}) => {
    const started = Date.now();
    const result = await run(command, [...args, "--non-interactive", "--color", "never"], {
      cwd: project.folder,
      env: { ...env, ...extra },
      timeoutMs,
    });
    noteRun(args, Date.now() - started);
    return result;
  };
  const initialised = await runCli(["stack", "init", options.stack ?? STACK]);
  succeed("stack init", initialised);
  return { env, ...stackCommands(runCli), remove };
}

/** Notes a run for the report of `npm test`. */
function noteRun([cli = ""]: readonly string[], milliseconds: number): void {
  const file = process.env.FEATURE_CONSOLE_TEST_COSTS;
  const note: CliRun = { cli, seconds: milliseconds / 1000 };
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(note)}\n`);
}

type RunCli = (args: readonly string[], options?: CliOptions) => Promise<CliResult>;

function stackCommands(runCli: RunCli): Omit<PulumiStack, "env" | "remove"> {
  const update = (...command: string[]) => {
    return async (options: CliOptions = {}): Promise<UpdateResult> => {
      const result = parseUpdate(await runCli([...command, "--json", ...(options.args ?? [])], options));
      if (!options.mayFail) succeed(command.join(" "), result, result.errors);
      return result;
    };
  };
  const json = async (...args: string[]) => {
    const result = await runCli(args);
    succeed(args.join(" "), result);
    return JSON.parse(result.stdout);
  };
  return {
    run: (args, options = {}) => runCli(args, options),
    async preview(options = {}) {
      const result = parsePreview(await runCli(["preview", "--json", ...(options.args ?? [])], options));
      if (!options.mayFail) succeed("preview", result, result.errors);
      return result;
    },
    up: update("up", "--yes", "--skip-preview"),
    refresh: update("refresh", "--yes", "--skip-preview"),
    destroy: update("destroy", "--yes", "--skip-preview"),
    async setConfig(key, value, { secret = false } = {}) {
      const kind = secret ? "--secret" : "--plaintext";
      succeed("config set", await runCli(["config", "set", kind, key, value]));
    },
    outputs: () => json("stack", "output", "--json", "--show-secrets"),
    exportStack: () => json("stack", "export"),
  };
}

function succeed(what: string, result: CliResult, errors: readonly string[] = []): void {
  if (result.code === 0 && result.problem === undefined) return;
  const said = errors.length > 0 ? errors.join("\n") : `${result.stderr}\n${result.stdout}`.trim();
  throw new Error(`pulumi ${what} failed (${result.problem ?? `exit code ${result.code}`}):\n${said}`);
}
