import { rmSync } from "node:fs";
import path from "node:path";
import { writeWholeFile } from "../../provider/pulumi/runs/whole-file";
import { digestOf, readManifest, writeManifest } from "../stack/import-manifest";
import { textOf } from "../stack/project";
import type { Files } from "./program/program";

/** Plan for the files of a folder. */
export type FolderPlan = ReturnType<typeof planFolder>;

/** Compares files with what is in a folder. Changes nothing. */
export function planFolder(folder: string, files: Files) {
  const known = readManifest(folder);
  const write: string[] = [];
  const same: string[] = [];
  /** Files that this command did not write, or that were changed since. */
  const foreign: string[] = [];
  /** Those of them to whose end something is added: they stay their owner's. */
  const appended: string[] = [];
  for (const [file, text] of files) {
    const found = textOf(path.join(folder, file));
    if (found !== undefined && digestOf(found) === digestOf(text)) same.push(file);
    else if (found === undefined) write.push(file);
    else (known.get(file)?.includes(digestOf(found)) ? write : foreign).push(file);
  }
  /** Files that an earlier import has written and this one does not. */
  const remove = [...known].flatMap(([file, digests]) => {
    const found = files.has(file) ? undefined : textOf(path.join(folder, file));
    return found !== undefined && digests.includes(digestOf(found)) ? [file] : [];
  });
  return { write, same, remove, foreign, appended };
}

/** A plan that adds to the files of a folder, of people too, and touches no other. */
export function addingPlan({ foreign, ...plan }: FolderPlan): FolderPlan {
  return { ...plan, remove: [], foreign: [], appended: foreign };
}

/**
 * Writes files, each in one piece. What was begun is noted first, so that after a kill the next run knows every file that this one
 * has written. `overwrite`: those too that are not this command's.
 */
export function writeFolder(folder: string, files: Files, plan: FolderPlan, overwrite: boolean): void {
  const before = readManifest(folder);
  const own = [...files].filter(([file]) => !plan.appended.includes(file));
  const now = new Map(own.map(([file, text]) => [file, [digestOf(text)]]));
  const either = new Map(
    [...before, ...now].map(([file]) => [file, [...(before.get(file) ?? []), ...(now.get(file) ?? [])]]),
  );
  writeManifest(folder, either);
  for (const file of [...plan.write, ...plan.appended, ...(overwrite ? plan.foreign : [])])
    writeWholeFile(path.join(folder, file), files.get(file) ?? "");
  for (const file of plan.remove) rmSync(path.join(folder, file), { force: true });
  // An appended file stays one of this command, with its owner's edits: the next addition goes there too.
  const kept = [...before].filter(([file]) => !now.has(file) && !plan.remove.includes(file));
  const isThere = kept.filter(([file]) => textOf(path.join(folder, file)) !== undefined);
  writeManifest(folder, new Map([...isThere, ...now]));
}
