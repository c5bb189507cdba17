import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import pidtree from "pidtree";

/** The id of a process and those of all that it started; only its own where the system cannot tell. */
export async function treeOf(root: number): Promise<number[]> {
  if (existsSync("/proc/self/stat")) return treeIn(parentsOf("/proc"), root);
  return pidtree(root, { root: true }).catch(() => [root]);
}

/** The parent of each process that runs now: on Linux without the program `ps`, which small systems lack. */
function parentsOf(folder: string): Map<number, number> {
  const parents = new Map<number, number>();
  for (const id of readdirSync(folder).filter((name) => /^\d+$/.test(name))) {
    try {
      // The name of the program may hold blanks and brackets; state and parent follow it.
      const [, parent] = readFileSync(`${folder}/${id}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
      parents.set(Number(id), Number(parent));
    } catch {
      // It has ended meanwhile.
    }
  }
  return parents;
}

function treeIn(parents: ReadonlyMap<number, number>, root: number): number[] {
  const children = [...parents].filter(([, parent]) => parent === root).map(([id]) => id);
  return [root, ...children.flatMap((child) => treeIn(parents, child))];
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
