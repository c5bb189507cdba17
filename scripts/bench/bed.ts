import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createPackedProject } from "../../test/support/packed-project";
import { removeTree } from "../process/atomic-folder";
import { run } from "../process/run";
import { cleanEnvironment } from "../pulumi-cli/clean-environment";
import { isolatedState, pulumiEnvironment, repositoryRoot } from "../pulumi-cli/environment";
import { languageHost } from "../pulumi-cli/language-hosts";
import type { BenchConsole } from "./console";
import type { Operation } from "./operations";
import { type TreeUse, watchTree } from "./process-tree";
import { programOf, type SubjectName } from "./subjects";

/** What one command cost. */
export interface Cost extends TreeUse {
  /** From the start of the command to its end. */
  readonly seconds: number;
}

/** Bytes of a stack's state. */
export interface StateSize {
  /** All that `pulumi stack export` gives, without white space. */
  readonly whole: number;
  /** One gate, on average. */
  readonly gate: number;
}

/** A project of so many gates with a stack of its own on the file backend. */
export interface Bed {
  /** `written`: whose program of the same gates it is; left out: that of the bed's subject. */
  measure(operation: Operation, written?: SubjectName): Promise<Cost>;
  /** The Pulumi types of the gates in state. */
  gateTypes(): Promise<Set<string>>;
  stateSize(): Promise<StateSize>;
  remove(): Promise<void>;
}

/** How a bed is set up. */
export interface BedOptions {
  readonly subject: SubjectName;
  readonly count: number;
  readonly checkpoints: boolean;
  readonly console: BenchConsole;
}

/** The client's own limits, so high that they never hold anything back. */
const noLimit = "1000000";

const timeoutMs = 30 * 60_000;

/** Installs the packed package beside a program and makes a stack. The caller removes it. */
export async function makeBed({ subject, count, checkpoints, console }: BedOptions): Promise<Bed> {
  const project = await createPackedProject({ program: "", name: "bench" });
  const pulumi = await pulumiEnvironment(cleanEnvironment());
  const folder = await mkdtemp(path.join(tmpdir(), "feature-console-bench-"));
  const env = {
    ...pulumi.env,
    PATH: await pathWithPlugins(
      path.join(project.folder, "node_modules", ".bin"),
      folder,
      pulumi.env.PATH ?? "",
    ),
    ...(await isolatedState(folder)),
    ...(checkpoints ? {} : { PULUMI_SKIP_CHECKPOINTS: "true" }),
    ...settingsFor(console),
  };
  const cli = async (command: readonly string[], onStart: (pid: number) => void = () => {}) => {
    const args = [...command, "--non-interactive", "--color", "never"];
    const result = await run(pulumi.command, args, { cwd: project.folder, env, timeoutMs, onStart });
    if (result.code === 0 && result.problem === undefined) return result.stdout;
    throw new Error(
      `pulumi ${command[0]} failed: ${result.problem ?? ""}\n${result.stderr}\n${result.stdout}`,
    );
  };
  await cli(["stack", "init", "bench"]);
  const keys = subject.replace(" ", "_");
  const exported = async () => JSON.parse(await cli(["stack", "export"])) as ExportedStack;
  return {
    async measure({ wording, command, expects }, written = subject) {
      const { file, text } = programOf(written, keys, count, wording);
      await project.write(file, text);
      let watched: () => TreeUse = () => ({ cpuSeconds: undefined, hostPeakBytes: undefined });
      const started = performance.now();
      const said = await cli(command, (pid) => {
        watched = watchTree(pid);
      }).finally(() => watched());
      const seconds = (performance.now() - started) / 1000;
      makeSure(said, `pulumi ${command[0]}`, count, expects);
      return { seconds, ...watched() };
    },
    gateTypes: async () => new Set(gatesOf(await exported()).map(({ type }) => type)),
    stateSize: async () => sizeOf(await exported()),
    async remove() {
      await project.remove();
      await removeTree(folder);
    },
  };
}

function settingsFor({ url }: BenchConsole): Record<string, string> {
  return {
    FEATURE_CONSOLE_PROFILE: "custom",
    FEATURE_CONSOLE_BASE_URL: url,
    FEATURE_CONSOLE_API_KEY: ["bench", "key"].join("-"),
    FEATURE_CONSOLE_WRITES_PER_10S: noLimit,
    FEATURE_CONSOLE_WRITES_PER_15MIN: noLimit,
  };
}

/** A PATH with this package's plugin, with the one that does nothing, and with the host of YAML. */
async function pathWithPlugins(commands: string, folder: string, rest: string): Promise<string> {
  const idle = path.join(repositoryRoot, "scripts", "bench", "idle-plugin.cjs");
  const own = path.join(folder, "plugins");
  await mkdir(own);
  const command = `#!/bin/sh\nexec "${process.execPath}" "${idle}" "$@"\n`;
  await writeFile(path.join(own, "pulumi-resource-idle"), command, { mode: 0o755 });
  return [commands, own, rest, await languageHost("yaml", rest)].join(path.delimiter);
}

/** The CLI counts the stack itself among the resources of some operations. */
function makeSure(said: string, what: string, count: number, expects: string): void {
  const summary = said.slice(said.lastIndexOf("Resources:"));
  const counted = Number(new RegExp(`(\\d+) (?:to )?${expects}\\b`).exec(summary)?.[1]);
  if (counted === count || counted === count + 1) return;
  throw new Error(`${what} was to end with ${count} ${expects}, but said:\n${said.slice(-2000)}`);
}

interface ExportedStack {
  readonly deployment: { readonly resources?: readonly { readonly type: string }[] };
}

function gatesOf({ deployment: { resources = [] } }: ExportedStack) {
  return resources.filter(({ type }) => !type.startsWith("pulumi:"));
}

function sizeOf(state: ExportedStack): StateSize {
  const gates = gatesOf(state);
  const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
  return { whole: bytes(state), gate: Math.round(bytes(gates) / gates.length) };
}
