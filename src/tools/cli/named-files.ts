import { createReadStream, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { privateMode } from "../../provider/pulumi/runs/whole-file";
import { obstacleIn, obstacleTo, problemOf } from "../../provider/pulumi/runs/writable";
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
  refuseObstacle(option, file, obstacleIn(file));
}

/** The same for a file that is put in its place whole, with the folders above it. */
export function requireReplaceable(option: string, file: string): void {
  refuseObstacle(option, file, obstacleTo(path.resolve(file)));
}

function refuseObstacle(option: string, file: string, obstacle: string | undefined): void {
  if (obstacle !== undefined) throw new UsageError(`${option} ${file} cannot be written: ${obstacle}`);
}

function isFolder(name: string): boolean {
  try {
    return statSync(name).isDirectory();
  } catch {
    return false;
  }
}

/** Writes a file that somebody named. It holds what a console has: a new one is for this user alone. @throws Error that names the option and says what is wrong. */
export function writeNamedFile(option: string, file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: privateMode });
  } catch (error) {
    throw new Error(`${option} ${file} cannot be written: ${problemOf(error)}`);
  }
}
