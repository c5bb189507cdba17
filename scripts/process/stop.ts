import { spawnSync } from "node:child_process";
import { descendants, isAlive, signal } from "./tree";

/**
 * Ends a process and all that it started. Asks politely first: the Pulumi engine puts its plugins into process
 * groups of their own, so killing the engine outright would leave them running.
 */
export async function stopTree(root: number, graceMs = 3000): Promise<void> {
  if (process.platform === "win32") {
    spawnSync("taskkill", ["/T", "/F", "/PID", String(root)]);
    return;
  }
  const doomed = new Set([root, ...idsBelow(root)]);
  signal(root, "SIGINT");
  const deadline = Date.now() + graceMs;
  while (Date.now() < deadline && [...doomed].some(isAlive))
    await new Promise((wake) => setTimeout(wake, 50));
  for (const pid of idsBelow(root)) doomed.add(pid);
  for (const pid of doomed) if (isAlive(pid)) signal(pid, "SIGKILL");
}

function idsBelow(root: number): number[] {
  return descendants(root).map(({ pid }) => pid);
}
