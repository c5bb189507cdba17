import { readdirSync, statSync } from "node:fs";
import path from "node:path";

/** The bytes in a folder and below; -1 while it changes so much that it cannot be read. */
export function folderSize(folder: string): number {
  try {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    return files.reduce(
      (total, { parentPath, name }) => total + statSync(path.join(parentPath, name)).size,
      0,
    );
  } catch {
    return -1;
  }
}

/**
 * Watches a measure of progress. The returned function gives a reason once the measure has not changed for so many
 * milliseconds.
 */
export function stallDetector(
  measure: () => number,
  limitMs: number,
  now: () => number = Date.now,
): () => string | undefined {
  let last = measure();
  let changedAt = now();
  return () => {
    const current = measure();
    if (current !== last) {
      last = current;
      changedAt = now();
    }
    return now() - changedAt > limitMs ? `no progress for ${Math.round(limitMs / 1000)} s` : undefined;
  };
}
