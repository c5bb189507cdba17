import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { withLock } from "./lock";

/** How to fill a folder. */
export interface Filling {
  /** Writes the content into an empty folder beside the final one. */
  fill(staging: string): Promise<void>;
  /** Called once when another process is already at it. */
  onWait?: () => void;
}

/**
 * Makes sure that a folder exists, filled completely or not at all: its content is written beside it and renamed.
 * When several processes ask at once, one does the work and the others wait for it.
 */
export async function ensureFolder(folder: string, { fill, onWait }: Filling): Promise<void> {
  if (existsSync(folder)) return;
  await withLock(`${folder}.lock`, () => fillBeside(folder, fill), onWait);
}

async function fillBeside(folder: string, fill: Filling["fill"]): Promise<void> {
  if (existsSync(folder)) return;
  await removeLeftovers(folder);
  const staging = `${folder}.partial-${process.pid}`;
  await mkdir(staging, { recursive: true });
  try {
    await fill(staging);
    await rename(staging, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await removeTree(staging);
  }
}

async function removeLeftovers(folder: string): Promise<void> {
  const parent = path.dirname(folder);
  const prefix = `${path.basename(folder)}.partial-`;
  for (const name of await readdir(parent))
    if (name.startsWith(prefix)) await removeTree(path.join(parent, name));
}

/** Removes a folder with all that is in it; fine when there is none. */
export async function removeTree(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}
