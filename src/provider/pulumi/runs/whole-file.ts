import { mkdirSync, readdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { makePrivateFolder, ownFolder, ownFolderAbove } from "../../../private-folder";
import { nearestProject } from "./project-file";
import { isRunning, obstacleTo, problemOf, shown } from "./writable";

/** The mode of a file that holds what a console has: for this user alone. */
export const privateMode = 0o600;

/** Options of a write. */
export interface WriteOptions {
  /** The mode of files that are not there yet. Left out: as the system gives it, below the package's own folder {@link privateMode}. */
  readonly mode?: number;
}

/**
 * Writes a file, and the folders above it, so that whoever reads it meanwhile, or after a kill, sees the old text or the new one.
 * A file that is there keeps its mode; what a link leads to is written, and the link stays.
 * @throws Error that names the file, which is as it was.
 */
export function writeWholeFile(file: string, text: string, options: WriteOptions = {}): void {
  writeWholeFiles(new Map([[file, text]]), options);
}

/** A text that lies ready on the disk, and the file whose place it takes. */
interface Ready {
  readonly file: string;
  readonly target: string;
  fresh: string;
  readonly text: string;
  readonly mode: number | undefined;
}

/** The same for several files: where one of them has no room on the disk, none is written. */
export function writeWholeFiles(files: ReadonlyMap<string, string>, options: WriteOptions = {}): void {
  const ready: Ready[] = [];
  let done = 0;
  try {
    for (const [file, text] of files)
      attempting(file, () => ready.push(prepared(file, text, options, ready.length)));
    for (const one of ready) {
      attempting(one.file, () => putInPlace(one));
      done += 1;
    }
  } catch (error) {
    for (const { fresh } of ready) rmSync(fresh, { force: true });
    if (files.size === 1) throw error;
    const names = [...files.keys()].slice(0, done).map(shown).join(", ");
    const others = done === 0 ? `None of the ${files.size} files was` : `Written were ${names}`;
    throw new Error(`${(error as Error).message}. ${others}`, { cause: error });
  }
}

function attempting(file: string, work: () => void): void {
  const obstacle = obstacleTo(file);
  if (obstacle !== undefined) throw new Error(`${shown(file)} was not written: ${obstacle}`);
  try {
    work();
  } catch (error) {
    throw new Error(`${shown(file)} was not written: ${problemOf(error)}`, { cause: error });
  }
}

function prepared(file: string, text: string, { mode }: WriteOptions, at: number): Ready {
  const before = statSync(file, { throwIfNoEntry: false });
  const target = before === undefined ? path.resolve(file) : realpathSync(file);
  const own = ownFolderAbove(path.dirname(target));
  if (own === undefined) mkdirSync(path.dirname(target), { recursive: true });
  else makePrivateFolder(path.dirname(target));
  const wanted = own === undefined ? (before?.mode ?? mode) : privateMode;
  const one = { file, target, fresh: "", text, mode: wanted };
  return { ...one, fresh: written(one, at) };
}

/**
 * Writes a text beside the files of a program, where git does not see it and the user alone reads it. Where that cannot be: in
 * the folder of the file.
 */
function written({ target, text, mode }: Ready, at: number): string {
  const place = readyFolder(target);
  for (const folder of new Set([place, path.dirname(target)])) removeLeft(folder);
  const file = path.join(place, partName(at));
  try {
    writeFileSync(file, text, mode === undefined ? {} : { mode });
    return file;
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  }
}

function readyFolder(target: string): string {
  const beside = path.dirname(target);
  try {
    const project = nearestProject(beside)?.folder;
    const own = ownFolderAbove(beside) ?? (project === undefined ? undefined : path.join(project, ownFolder));
    if (own === undefined || obstacleTo(path.join(own, partName(0))) !== undefined) return beside;
    makePrivateFolder(own);
    // A folder on another disk is no place from which a file could be moved.
    return statSync(own).dev === statSync(beside).dev ? own : beside;
  } catch {
    return beside;
  }
}

function putInPlace(one: Ready): void {
  try {
    renameSync(one.fresh, one.target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    const beside = path.join(path.dirname(one.target), path.basename(one.fresh));
    rmSync(one.fresh, { force: true });
    one.fresh = beside;
    writeFileSync(beside, one.text, one.mode === undefined ? {} : { mode: one.mode });
    renameSync(beside, one.target);
  }
}

/** The name of a file that this process writes and removes, or moves: no program and no watcher takes it for a source. */
export function partName(at: number): string {
  return `.${process.pid}.${at}.part`;
}

const isPart = /^\.(\d+)(?:\.\d+)?\.part$/;

/** Removes what killed processes have left in a folder. This one has just begun. */
function removeLeft(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const pid = Number(isPart.exec(name)?.[1] ?? process.pid);
      if (pid !== process.pid && !isRunning(pid)) rmSync(path.join(folder, name), { force: true });
    }
  } catch {
    // It is no more than untidy.
  }
}
