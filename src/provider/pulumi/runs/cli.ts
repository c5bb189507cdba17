import { type ExecFileException, execFile } from "node:child_process";
import { readlinkSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { isObject, objectsIn } from "../../schema/json";

/** Result of a command of Pulumi. */
export interface CommandResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `pulumi` in the folder of a program. `more`: variables beside those of its environment. @throws where there is no Pulumi. */
export type PulumiCommand = (args: readonly string[], more?: NodeJS.ProcessEnv) => Promise<CommandResult>;

/** Surroundings of a run of `pulumi`. */
export interface PulumiOptions {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Message for a PATH without it. */
  readonly missing: string;
  /** A command that takes longer is ended, milliseconds. Left out: none is. */
  readonly timeoutMs?: number;
}

/** The oldest Pulumi CLI that this package works with. */
export const oldestPulumi = "3.216.0";

/** The `pulumi` of the PATH, else the one that runs this process. It asks nothing and prints no colours. */
export function pulumiCommand(options: PulumiOptions): PulumiCommand {
  return async (args, more) => {
    const missing = new Error(options.missing);
    const around = { ...options, environment: { ...options.environment, ...more } };
    const onPath = await started("pulumi", args, around);
    const found = onPath ?? (await started(parentPulumi(), args, around));
    if (found === undefined) throw missing;
    return found;
  };
}

/** The CLI that has started this process, where the system shows it: a person may call it by its whole path, and have it on no PATH. */
function parentPulumi(): string | undefined {
  try {
    const parent = readlinkSync(`/proc/${process.ppid}/exe`);
    return path.basename(parent) === "pulumi" ? parent : undefined;
  } catch {
    return undefined;
  }
}

const run = promisify(execFile);

/** Runs a program; undefined where there is none of that name. */
async function started(
  command: string | undefined,
  args: readonly string[],
  { folder, environment, timeoutMs }: PulumiOptions,
): Promise<CommandResult | undefined> {
  if (command === undefined) return undefined;
  const env = { ...environment, PULUMI_SKIP_UPDATE_CHECK: "true" };
  const running = run(command, [...args, "--non-interactive", "--color", "never"], {
    ...{ cwd: folder, env, maxBuffer: Number.POSITIVE_INFINITY },
  });
  running.child.stdin?.end();
  // The time limit of Node goes on, and keeps the process alive, where there is no program to start.
  const late = timeoutMs === undefined ? undefined : setTimeout(() => running.child.kill(), timeoutMs);
  try {
    return { status: 0, ...(await running) };
  } catch (error) {
    const { code, stdout, stderr } = error as ExecFileException & Omit<CommandResult, "status">;
    if (code === "ENOENT") return undefined;
    if (typeof code === "string") throw error;
    return { status: code ?? null, stdout, stderr };
  } finally {
    clearTimeout(late);
  }
}

/** Message of a failed command. A preview in JSON tells it in its diagnostics. */
export function failureText({ stdout, stderr }: CommandResult): string {
  const errors = errorsIn(stdout);
  const said = errors.length > 0 ? errors.join("\n") : stderr.trim() || stdout.trim();
  return said.replaceAll("\t", "    ");
}

/** Most lines of what a program has printed. */
const mostPrinted = 10;

function errorsIn(text: string): string[] {
  try {
    const { diagnostics } = JSON.parse(text.slice(text.indexOf("{"))) as { diagnostics?: unknown };
    const all = objectsIn(diagnostics);
    const said = (wanted: string) =>
      all.filter(({ severity }) => severity === wanted).map(({ message }) => String(message).trimEnd());
    const errors = said("error").map((text) => text.trim());
    // Then only what the program has printed tells why it ended.
    return errors.some((text) => text.includes("program exited with non-zero exit code"))
      ? [...said("info#err").slice(-mostPrinted), ...errors]
      : errors;
  } catch {
    return [];
  }
}

/** Names of the stacks of the project, as `pulumi stack ls` tells them. @throws Error with what it says when it fails. */
export async function stackNames(pulumi: PulumiCommand): Promise<string[]> {
  const result = await pulumi(["stack", "ls", "--json"]);
  if (result.status !== 0) throw new Error(`pulumi stack ls failed:\n${failureText(result)}`);
  const stacks: unknown = JSON.parse(result.stdout);
  return Array.isArray(stacks) ? stacks.filter(isObject).map(({ name }) => String(name)) : [];
}

/** True where one of these is the named stack, with or without its organization. */
export function isAmongStacks(names: readonly string[], named: string): boolean {
  return names.some((name) => name === named || name.endsWith(`/${named}`));
}
