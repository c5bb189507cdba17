import { createReadStream, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { UsageError } from "./command";

/** The text of a file that somebody named. @throws UsageError that says what is wrong with the name. */
export function readNamedFile(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${problemOf(error)}`);
  }
}

/** The same in parts, for a file that may be large. @throws UsageError that says what is wrong with the name. */
export async function* readNamedFileInParts(file: string): AsyncGenerator<string> {
  try {
    yield* createReadStream(file, "utf8");
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${problemOf(error)}`);
  }
}

/**
 * Refuses a name that cannot be written, before any work is done for it. `option`: by which it was named, such as `--out`.
 * @throws UsageError that says what is wrong with the name.
 */
export function requireWritable(option: string, file: string): void {
  if (file === "") throw new UsageError(`${option}: a name is needed`);
  if (isFolder(file)) throw new UsageError(`${option} ${file}: that is a folder; name a file in it`);
  const folder = path.dirname(file);
  if (!isFolder(folder))
    throw new UsageError(`${option} ${file}: there is no folder ${folder}; make it first`);
}

function isFolder(name: string): boolean {
  try {
    return statSync(name).isDirectory();
  } catch {
    return false;
  }
}

/** Writes a file that somebody named. @throws Error that names the option and says what is wrong. */
export function writeNamedFile(option: string, file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new Error(`${option} ${file} cannot be written: ${problemOf(error)}`);
  }
}

const problems: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file; check the name and the folder",
  ENOTDIR: "a part of its path is a file, not a folder",
  EISDIR: "it is a folder; name a file in it",
  EACCES: "no permission; check who owns it",
  EPERM: "no permission; check who owns it",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
};

function problemOf(error: unknown): string {
  const { code = "", message = String(error) } = error as NodeJS.ErrnoException;
  return Object.hasOwn(problems, code) ? (problems[code] as string) : message;
}
