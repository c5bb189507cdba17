import { mkdir } from "node:fs/promises";
import path from "node:path";
import { lock } from "proper-lockfile";

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
  const take = (forever: boolean) =>
    lock(folder, {
      ...{ lockfilePath: folder, realpath: false, stale: 15_000, update: 2000 },
      retries: forever ? { forever, retries: 1, minTimeout: 250 } : 0,
      // Two waiters may both take a stale lock. Whoever uses the lock tolerates that rare case, which is why results
      // are written to a folder of one's own and then renamed.
      onCompromised: () => {},
    });
  const release = await take(false).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ELOCKED") throw error;
    onWait();
    return take(true);
  });
  try {
    return await work();
  } finally {
    await release().catch(() => {});
  }
}
