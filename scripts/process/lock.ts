import { mkdir, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";

const HEARTBEAT_MS = 2000;
const STALE_MS = 15_000;

/**
 * Does some work while no other process does the same. The lock is a folder whose time its holder keeps fresh, so
 * that a lock left behind by a killed process is recognised on every system and across containers.
 */
export async function withLock<Result>(
  folder: string,
  work: () => Promise<Result>,
  onWait: () => void = () => {},
): Promise<Result> {
  await mkdir(path.dirname(folder), { recursive: true });
  let told = false;
  while (!(await acquire(folder))) {
    if (!told) onWait();
    told = true;
    await new Promise((wake) => setTimeout(wake, 250));
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(folder, now, now).catch(() => {});
  }, HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    await rm(folder, { recursive: true, force: true });
  }
}

async function acquire(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const age = await stat(folder).then(
    (entry) => Date.now() - entry.mtimeMs,
    () => 0,
  );
  // Two waiters may both see a stale lock and both go on: whoever uses the lock must tolerate that rare case, which
  // is why results are written to a folder of one's own and then renamed.
  if (age > STALE_MS) await rm(folder, { recursive: true, force: true });
  return false;
}
