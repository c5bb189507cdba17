import { mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * Writes a file, and the folders above it, so that whoever reads it meanwhile, or after a kill, sees the old text or the new one.
 * A file that is there keeps its mode; what a link leads to is written, and the link stays.
 */
export function writeWholeFile(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const before = statSync(file, { throwIfNoEntry: false });
  const target = before === undefined ? file : realpathSync(file);
  // A name that no program and no watcher takes for a source.
  const fresh = path.join(path.dirname(target), `.${process.pid}.part`);
  try {
    writeFileSync(fresh, text, before === undefined ? {} : { mode: before.mode });
    renameSync(fresh, target);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}
