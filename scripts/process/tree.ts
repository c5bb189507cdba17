import { spawnSync } from "node:child_process";

/** A process of this machine. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  /** Its command line. */
  readonly text: string;
}

/** Every process below `root`, children before grandchildren; empty where the system cannot tell. */
export function descendants(root: number): Process[] {
  if (process.platform === "win32") return [];
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
  const all = (stdout ?? "").split("\n").flatMap((line): Process[] => {
    const [, pid, parent, text = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), text }];
  });
  const found: Process[] = [];
  const queue = [root];
  for (let parent = queue.shift(); parent !== undefined; parent = queue.shift()) {
    const below = all.filter((one) => one.parent === parent);
    found.push(...below);
    queue.push(...below.map((one) => one.pid));
  }
  return found;
}

/** Sends a signal to one process and ignores that it may be gone. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Already gone.
  }
}

/** True while there is a process of that id. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
