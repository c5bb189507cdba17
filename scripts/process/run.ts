import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import { stopTree } from "./stop";

/** How npm is called on this system. */
export const npmCommand: string = process.platform === "win32" ? "npm.cmd" : "npm";

/** Where a command runs, and as whom. */
interface Place {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  uid?: number;
  gid?: number;
}

/** How to run a command. */
export interface RunOptions extends Place {
  /** The command, with all that it started, is stopped after this many milliseconds. */
  timeoutMs?: number;
  /** Called with the process's id as soon as there is one. */
  onStart?: (pid: number) => void;
  /** Called with every piece of output; what it returns is ignored. */
  onOutput?: (text: string) => void;
  /** Asked every 250 ms; a returned text stops the command for that reason. */
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
  { timeoutMs = Number.POSITIVE_INFINITY, onStart, onOutput, shouldStop, ...place }: RunOptions = {},
): Promise<Finished> {
  const running = promisify(execFile)(command, args, { ...place, maxBuffer: Number.POSITIVE_INFINITY });
  const { pid, stdin, stdout, stderr } = running.child;
  stdin?.end();
  for (const stream of [stdout, stderr]) stream?.on("data", (text: string) => onOutput?.(text));
  if (pid !== undefined) onStart?.(pid);
  const started = Date.now();
  let problem: string | undefined;
  let stopping: Promise<void> | undefined;
  const timer = setInterval(() => {
    const isLate = Date.now() - started > timeoutMs;
    problem = isLate ? `stopped after ${Math.round(timeoutMs / 1000)} s` : shouldStop?.();
    if (problem === undefined || pid === undefined) return;
    clearInterval(timer);
    stopping = stopTree(pid);
  }, 250);
  const ended = await running.then(
    (output) => ({ ...output, code: 0, message: "" }),
    (error: Omit<Finished, "code"> & { code: unknown; message: string }) => error,
  );
  clearInterval(timer);
  await stopping;
  if (typeof ended.code === "string") problem = `cannot start: ${ended.message}`;
  return {
    code: typeof ended.code === "number" ? ended.code : 1,
    stdout: ended.stdout,
    stderr: ended.stderr,
    ...(problem === undefined ? {} : { problem }),
  };
}

/**
 * Runs a command on the caller's own terminal and returns its exit code. Until it ends this process stays: Ctrl-C
 * reaches the command from the terminal, other requests to end are passed on.
 * @param print gets the command's output instead of the terminal
 */
export async function runInherited(
  command: string,
  args: readonly string[],
  place: Place = {},
  print?: (text: string) => void,
): Promise<number> {
  const child = spawn(command, args, { ...place, stdio: print ? ["ignore", "pipe", "pipe"] : "inherit" });
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => print?.(text));
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const passOn = (name: NodeJS.Signals) => name === "SIGINT" || child.kill(name);
  for (const name of signals) process.on(name, passOn);
  try {
    const [code] = await once(child, "close");
    return code ?? 1;
  } catch (error) {
    const show = print ?? ((text: string) => process.stderr.write(text));
    show(`cannot start: ${(error as Error).message}\n`);
    return 1;
  } finally {
    for (const name of signals) process.off(name, passOn);
  }
}

/** Runs one of this package's scripts, as `runInherited` does, and returns its exit code. */
export function runScript(script: string, folder: string, print?: (text: string) => void): Promise<number> {
  return runInherited(npmCommand, ["run", "--silent", script], { cwd: folder }, print);
}
