import { chmodSync, mkdirSync } from "node:fs";
import { basename, dirname } from "node:path";

/** The folder, beside a Pulumi project, in which this package keeps what it remembers. */
const ownFolder = ".feature-console";

/** Makes a folder, and what is above it, for this user alone; the package's own, which an earlier version made for all, is closed. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const own = [folder, dirname(folder)].find((one) => basename(one) === ownFolder);
  if (own === undefined) return;
  try {
    chmodSync(own, 0o700);
  } catch {
    // The folder of another user, who shares it: that one decides.
  }
}
