import { setTimeout as sleep } from "node:timers/promises";
import pidtree from "pidtree";

/** The id of a process and those of all that it started; only its own where the system cannot tell. */
export function treeOf(root: number): Promise<number[]> {
  return pidtree(root, { root: true }).catch(() => [root]);
}

/** Sends a signal to one process; 0 only asks. False when it is gone. */
export function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/** True while there is a process of that id. */
export const isAlive = (pid: number): boolean => signal(pid, 0);

/**
 * Ends a process and all that it started. Asks politely first: the Pulumi engine puts its plugins into process
 * groups of their own, so killing the engine outright would leave them running.
 */
export async function stopTree(root: number, graceMs = 3000): Promise<void> {
  const doomed = new Set(await treeOf(root));
  signal(root, "SIGINT");
  const deadline = Date.now() + graceMs;
  while (Date.now() < deadline && [...doomed].some(isAlive)) await sleep(50);
  for (const pid of [...doomed, ...(await treeOf(root))]) signal(pid, "SIGKILL");
}
