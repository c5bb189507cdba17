import { type ChildProcess, spawn } from "node:child_process";
import { stopTree } from "./stop";

/** How npm is called on this system. */
export const npmCommand: string = process.platform === "win32" ? "npm.cmd" : "npm";

/** How to run a command. */
export interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** The command is stopped after this many milliseconds. */
  timeoutMs?: number;
  /** Called with the process's id as soon as there is one. */
  onStart?: (pid: number) => void;
  /** Called with every piece of output; what it returns is ignored. */
  onOutput?: (text: string) => void;
  /** Asked every second; a returned text stops the command for that reason. */
  shouldStop?: () => string | undefined;
}

/** What became of a command. */
export interface Finished {
  /** The exit code; 1 when the command ended otherwise. */
  code: number;
  stdout: string;
  stderr: string;
  /** Why it was stopped or could not start, when that happened. */
  problem?: string;
}

/** Runs a command to its end and captures what it prints. Never rejects: a command that cannot start has a `problem`. */
export async function run(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Finished> {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (child.pid !== undefined) options.onStart?.(child.pid);
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8");
    child[name].on("data", (text: string) => {
      output[name] += text;
      options.onOutput?.(text);
    });
  }
  const watch = watchOver(child, options);
  const end = await ending(child);
  await watch.settled();
  const problem = end.problem ?? watch.reason();
  return { code: end.code, ...output, ...(problem === undefined ? {} : { problem }) };
}

/**
 * Runs a command on the caller's own terminal and returns its exit code. Until it ends this process stays: Ctrl-C
 * reaches the command from the terminal, other requests to end are passed on.
 */
export async function runInherited(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<number> {
  const child = spawn(command, args, { ...options, stdio: "inherit" });
  const handlers: [NodeJS.Signals, () => void][] = [
    ["SIGINT", () => {}],
    ["SIGTERM", () => child.kill("SIGTERM")],
    ["SIGHUP", () => child.kill("SIGHUP")],
  ];
  for (const [name, handler] of handlers) process.on(name, handler);
  const end = await ending(child);
  for (const [name, handler] of handlers) process.off(name, handler);
  if (end.problem) process.stderr.write(`${end.problem}\n`);
  return end.code;
}

/** Runs one of this package's scripts on the caller's own terminal and returns its exit code. */
export function runScript(script: string, folder: string): Promise<number> {
  return runInherited(npmCommand, ["run", "--silent", script], { cwd: folder });
}

function ending(child: ChildProcess): Promise<{ code: number; problem?: string }> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ code: 1, problem: `cannot start: ${error.message}` }));
    child.once("close", (code) => resolve({ code: code ?? 1 }));
  });
}

function watchOver(child: ChildProcess, options: RunOptions) {
  const started = Date.now();
  let reason: string | undefined;
  let stopping: Promise<void> | undefined;
  const timer = setInterval(() => {
    if (options.timeoutMs !== undefined && Date.now() - started > options.timeoutMs) {
      reason = `stopped after ${Math.round(options.timeoutMs / 1000)} s`;
    }
    reason ??= options.shouldStop?.();
    if (reason === undefined || child.pid === undefined) return;
    clearInterval(timer);
    stopping = stopTree(child.pid);
  }, 250);
  return {
    reason: () => reason,
    async settled() {
      clearInterval(timer);
      await stopping;
    },
  };
}
