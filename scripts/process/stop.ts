import { spawnSync } from "node:child_process";

/** Every process below `root`, children before grandchildren; empty where the system cannot tell. */
function descendants(root: number): number[] {
  if (process.platform === "win32") return [];
  const listing = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  const children = new Map<number, number[]>();
  for (const line of (listing.stdout ?? "").split("\n")) {
    const [pid, parent] = line.trim().split(/\s+/).map(Number);
    if (pid && parent) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const found: number[] = [];
  const queue = [root];
  for (let pid = queue.shift(); pid !== undefined; pid = queue.shift()) {
    const below = children.get(pid) ?? [];
    found.push(...below);
    queue.push(...below);
  }
  return found;
}

/** Sends a signal to one process and ignores that it may be gone. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Already gone.
  }
}

/**
 * Ends a process and all that it started. Asks politely first: the Pulumi engine puts its plugins into process
 * groups of their own, so killing the engine outright would leave them running.
 */
export async function stopTree(root: number, graceMs = 3000): Promise<void> {
  if (process.platform === "win32") {
    spawnSync("taskkill", ["/T", "/F", "/PID", String(root)]);
    return;
  }
  const doomed = new Set([root, ...descendants(root)]);
  signal(root, "SIGINT");
  const deadline = Date.now() + graceMs;
  while (Date.now() < deadline && [...doomed].some(isAlive))
    await new Promise((wake) => setTimeout(wake, 50));
  for (const pid of descendants(root)) doomed.add(pid);
  for (const pid of doomed) if (isAlive(pid)) signal(pid, "SIGKILL");
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
