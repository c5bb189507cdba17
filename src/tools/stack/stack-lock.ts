import { hostname } from "node:os";
import type { CommandResult, PulumiCommand } from "../../provider/pulumi/runs/cli";
import { isRunning } from "../../provider/pulumi/runs/writable";

/** Process that holds the lock of a stack. */
export interface LockHolder {
  readonly host: string;
  readonly pid: number;
}

/** The processes that lock a stack, as a command that was refused names them; none where it failed for another reason. */
export function lockHolders(text: string): LockHolder[] {
  if (!/stack is currently locked/.test(text)) return [];
  return [...text.matchAll(/created by \S*?@(\S+) \(pid (\d+)\)/g)].map(([, host = "", pid]) => ({
    host,
    pid: Number(pid),
  }));
}

/** True for a process that still runs, as far as this machine knows. */
export type IsAlive = (holder: LockHolder) => boolean;

/** A process of another machine may always be alive. */
export const isAliveHere: IsAlive = ({ host, pid }) => host !== hostname() || isRunning(pid);

/** Longest wait for a lock, and the pause between two looks, milliseconds. */
const mostWaitMs = 120_000;
const betweenLooksMs = 1000;

/** Ports of waiting for a lock. */
export interface LockPorts {
  readonly isAlive: IsAlive;
  readonly sleep: (ms: number) => Promise<void>;
  /** Tells the user something in one line. */
  readonly report: (line: string) => void;
}

/** Ports of a command, with the processes of this machine. `report` prints for its user. */
export function lockPortsFor(report: LockPorts["report"]): LockPorts {
  const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  return { isAlive: isAliveHere, sleep, report };
}

/**
 * Runs a command that locks a stack, `undefined` the selected one. A lock that a killed process has left is taken away; one whose process still runs is waited
 * for.
 */
export async function withLock(
  pulumi: PulumiCommand,
  stack: string | undefined,
  args: readonly string[],
  { isAlive, sleep, report }: LockPorts,
): Promise<CommandResult> {
  const called = stack === undefined ? "the selected stack" : `stack ${stack}`;
  let hasCancelled = false;
  for (let waitedMs = 0; ; waitedMs += betweenLooksMs) {
    const result = await pulumi(args);
    const holders = result.status === 0 ? [] : lockHolders(`${result.stderr}\n${result.stdout}`);
    if (holders.length === 0 || waitedMs >= mostWaitMs) return result;
    if (holders.some(isAlive)) {
      if (waitedMs === 0) report(`waiting for the process that works on ${called}`);
      await sleep(betweenLooksMs);
      continue;
    }
    if (hasCancelled) return result;
    hasCancelled = true;
    report(`${called} is locked by a process that was killed: its lock is taken away`);
    await pulumi(["cancel", "--yes", ...(stack === undefined ? [] : ["--stack", stack])]);
  }
}
