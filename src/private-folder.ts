import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** The folder, beside a Pulumi project, in which this package keeps what it remembers. */
export const ownFolder = ".feature-console";

/** The package's own folder that a folder is, or is in; undefined for any other. */
export function ownFolderAbove(folder: string): string | undefined {
  if (basename(folder) === ownFolder) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : ownFolderAbove(above);
}

/**
 * Makes a folder, and what is above it, for this user alone; the package's own, which an earlier version made for all, is closed.
 * Git sees nothing of the package's own folder but the notes of `import`, which hold no more than names and digests of files.
 */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const own = ownFolderAbove(folder);
  if (own === undefined) return;
  try {
    chmodSync(own, 0o700);
    writeFileSync(join(own, ".gitignore"), "*\n!import.json\n", { flag: "wx", mode: 0o600 });
  } catch {
    // It has one, or it is the folder of another user, who shares it: that one decides.
  }
}
