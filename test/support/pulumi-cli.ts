import { createHash } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseDocument } from "yaml";
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
import { secretsProvider, startKeyService } from "./key-service";

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

/** What `pulumi stack export` prints. */
interface Exported {
  version: number;
  deployment: { resources?: StateResource[] };
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
  exportStack(): Promise<Exported>;
  /** Removes the backend and the home; the project's folder is the caller's. */
  remove(): Promise<void>;
}

const preload = path.join(repositoryRoot, "test", "support", "pulumi-start.cjs");
/** Makes Pulumi's Node.js processes start faster, and its Go processes, which end soon, collect no garbage before they hold a GiB. */
export const quickStart = { NODE_OPTIONS: `--require ${preload}`, GOGC: "off", GOMEMLIMIT: "1GiB" } as const;
/** Takes that away: for what is measured as users have it. */
export const asUsersHaveIt = { NODE_OPTIONS: "", GOGC: "", GOMEMLIMIT: "" } as const;
/** The same, and the types of the program are not checked: for what starts no place of its own. */
export const quickStartUntyped: Readonly<Record<string, string>> = {
  ...quickStart,
  PULUMI_NODEJS_TRANSPILE_ONLY: "true",
};

/** Where Pulumi works: its command, a backend and a home of their own, and no stack yet. */
export type PulumiPlace = Awaited<ReturnType<typeof createPulumiPlace>>;

/**
 * Makes one; no run of the CLI is needed. The first call may have to build the CLI: see FIRST_CLI_TIMEOUT_MS. Stacks whose settings begin
 * with `secretsSetting` have the key of a service that runs as long as the place is there.
 */
export async function createPulumiPlace(env: CliOptions["env"] = {}) {
  const keys = await startKeyService();
  const pulumi = await pulumiEnvironment(cleanEnvironment());
  const ownFolder = await mkdtemp(path.join(tmpdir(), "feature-console-pulumi-"));
  return {
    command: pulumi.command,
    env: {
      ...{ ...pulumi.env, ...quickStart, ...(await isolatedState(ownFolder)), ...keys.env, ...env },
    } as NodeJS.ProcessEnv,
    secretsSetting: `secretsprovider: ${secretsProvider}\n`,
    /** Removes the backend and the home, and ends the service. */
    async remove() {
      await keys.close();
      await removeTree(ownFolder);
    },
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
  const { command, env, secretsSetting, remove } = await createPulumiPlace(options.env);
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
  const stack = options.stack ?? STACK;
  const settings = path.join(project.folder, `Pulumi.${stack}.yaml`);
  const { PULUMI_BACKEND_URL: backend = "" } = env;
  if (!backend.startsWith("file:")) {
    succeed("stack init", await runCli(["stack", "init", stack]));
    return { env, ...stackCommands(runCli, settings), remove };
  }
  const known = existsSync(settings) ? readFileSync(settings, "utf8") : "";
  if (!known.includes(secretsSetting)) await writeFile(settings, secretsSetting + known);
  const file = await writeStack(project.folder, stack, env);
  const exportStack = async () => {
    const { version, checkpoint } = JSON.parse(await readFile(file, "utf8"));
    return { version, deployment: checkpoint.latest } as Exported;
  };
  return { env, ...stackCommands(runCli, settings), exportStack, remove };
}

/** The state of a stack that no run has changed yet. */
const unused = { manifest: { time: new Date(0), magic: "", version: "" }, metadata: {} };

/** Makes a stack in the folder of a backend and selects it, as `pulumi stack init` does, which takes longer. */
async function writeStack(folder: string, stack: string, env: NodeJS.ProcessEnv): Promise<string> {
  const { PULUMI_BACKEND_URL: backend = "", PULUMI_HOME: home = "" } = env;
  const project = path.join(await realpath(folder), "Pulumi.yaml");
  const name = /^name: *(\S+)/m.exec(await readFile(project, "utf8"))?.[1] ?? "";
  const qualified = `organization/${name}/${stack}`;
  const state = path.join(fileURLToPath(backend), ".pulumi");
  const file = path.join(state, "stacks", name, `${stack}.json`);
  const digest = createHash("sha1").update(project).digest("hex");
  const selection = path.join(home, "workspaces", `${name}-${digest}-workspace.json`);
  for (const [place, text] of [
    [path.join(state, "meta.yaml"), "version: 1\n"],
    [file, JSON.stringify({ version: 3, checkpoint: { stack: qualified, latest: unused } })],
    [selection, JSON.stringify({ stacks: { [backend]: qualified } })],
  ] as const) {
    await mkdir(path.dirname(place), { recursive: true });
    await writeFile(place, text);
  }
  return file;
}

/** Notes a run for the report of `npm test`. */
function noteRun([cli = ""]: readonly string[], milliseconds: number): void {
  const file = process.env.FEATURE_CONSOLE_TEST_COSTS;
  const note: CliRun = { cli, seconds: milliseconds / 1000 };
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(note)}\n`);
}

type RunCli = (args: readonly string[], options?: CliOptions) => Promise<CliResult>;

function stackCommands(runCli: RunCli, settings: string): Omit<PulumiStack, "env" | "remove"> {
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
      if (secret) return succeed("config set", await runCli(["config", "set", "--secret", key, value]));
      // As `pulumi config set` does, which takes longer.
      const document = parseDocument(existsSync(settings) ? await readFile(settings, "utf8") : "");
      document.setIn(["config", key], value);
      await writeFile(settings, document.toString());
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
