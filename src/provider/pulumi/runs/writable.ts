import { accessSync, constants, realpathSync, type Stats, statSync } from "node:fs";
import path from "node:path";

const problems: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file; check the name and the folder",
  ENOTDIR: "a part of its path is a file, not a folder",
  EEXIST: "a part of its path is a file, not a folder",
  EISDIR: "it is a folder; name a file in it",
  EACCES: "no permission; check who owns it",
  EPERM: "no permission; check who owns it",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the quota of the disk is used up",
};

/** Why a file cannot be read or written, by the error of the system. */
export function problemOf(error: unknown): string {
  const { code = "", message = String(error) } = error as NodeJS.ErrnoException;
  return Object.hasOwn(problems, code) ? (problems[code] as string) : message;
}

/** The same without advice, for a file that nobody has named. */
export function reasonOf(error: unknown): string {
  return problemOf(error).replace(/;.*/s, "");
}

/** Why a file cannot be written in its place; undefined where it can, as far as anybody knows before. */
export function obstacleIn(file: string): string | undefined {
  const found = statOf(file);
  if (found === undefined) return obstacleAbove(path.dirname(path.resolve(file)));
  if (found.isDirectory()) return problems.EISDIR;
  return obstacleOf(file, found, `it is read-only; "chmod u+w ${shown(file)}" makes it writable`);
}

/** The same for a file that another one is put in the place of: its folder must be writable, too. */
export function obstacleTo(file: string): string | undefined {
  const isThere = statOf(file) !== undefined;
  return obstacleIn(file) ?? (isThere ? obstacleAbove(path.dirname(realpathSync(file))) : undefined);
}

/** @throws Error that names the first of these files that cannot be written. Nothing may have been written before. */
export function requireWritableFiles(files: Iterable<string>): void {
  for (const file of files) {
    const obstacle = obstacleTo(file);
    if (obstacle !== undefined)
      throw new Error(`${shown(file)} cannot be written: ${obstacle}. Nothing was written`);
  }
}

/** The folder, or the nearest above it that is there, in which the rest would be made. */
function obstacleAbove(folder: string): string | undefined {
  const found = statOf(folder);
  if (found === undefined) return obstacleAbove(path.dirname(folder));
  if (!found.isDirectory()) return problems.ENOTDIR;
  const readOnly = `its folder is read-only; "chmod u+w ${shown(folder)}" makes it writable`;
  const obstacle = obstacleOf(folder, found, readOnly);
  return obstacle === problems.EACCES ? `no permission in ${shown(folder)}; check who owns it` : obstacle;
}

/** A file without any right to write counts as read-only, also for those whom the system lets write in spite of it. */
function obstacleOf(place: string, { mode }: Stats, readOnly: string): string | undefined {
  if ((mode & 0o222) === 0) return readOnly;
  try {
    accessSync(place, constants.W_OK);
    return undefined;
  } catch (error) {
    return problemOf(error);
  }
}

/** Undefined where nothing is there, and where a part of the path is a file. */
function statOf(place: string): Stats | undefined {
  try {
    return statSync(place, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** A file by its path from this folder. */
export function shown(file: string): string {
  const inside = path.relative(process.cwd(), path.resolve(file));
  return inside === "" || inside.startsWith("..") || path.isAbsolute(inside) ? file : inside;
}

/** True for a process of this machine that still runs, whoever started it. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
