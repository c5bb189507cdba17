import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { textOf } from "./folder";
import type { Files } from "./program";

/** The file that loads all others. */
export const indexFile = "index.ts";

/** What the names of files end with that are added to a program: `-new`, or the next that no file of the folder has. */
export function newSuffix(folder: string): string {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? "-new" : `-new-${number}`;
    if (!names.some((name) => name.endsWith(`${suffix}.ts`))) return suffix;
  }
}

/** Files of a program that is added to the one of a folder: its index loads them after all that it loads already. */
export function addedFiles(folder: string, files: Files): Files {
  const before = textOf(path.join(folder, indexFile));
  const lines = files.get(indexFile) ?? "";
  return before === undefined ? files : new Map([...files, [indexFile, `${before.trimEnd()}\n${lines}`]]);
}
