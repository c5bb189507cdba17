import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { writeWholeFile } from "../../provider/pulumi/runs/whole-file";
import { isObject } from "../../provider/schema/json";

/** The folder of a project in which `import` notes which files it wrote. */
export const notesFolder = ".feature-console";
/** The notes themselves, from that folder. */
export const manifestFile: string = path.join(notesFolder, "import.json");

/** True for a file that `import` wrote, also where a person has changed it since. */
export function isWritten(folder: string, file: string): boolean {
  return readManifest(folder).has(file);
}

/** Files that an interrupted import did not finish, and files that were removed since. */
export function unfinishedFiles(folder: string): string[] {
  return [...readManifest(folder)].flatMap(([file, digests]) =>
    digests.length > 1 || !existsSync(path.join(folder, file)) ? [file] : [],
  );
}

/** Digests of the texts that `import` has written, by file; none where the manifest cannot be read. */
export function readManifest(folder: string): ReadonlyMap<string, readonly string[]> {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path.join(folder, manifestFile), "utf8"));
    const files = isObject(parsed) && isObject(parsed.files) ? parsed.files : {};
    return new Map(
      Object.entries(files)
        .filter(([file]) => isInside(file))
        .map(([file, digests]) => [file, Array.isArray(digests) ? digests.map(String) : []]),
    );
  } catch {
    return new Map();
  }
}

/** `import` writes no file outside the folder. */
function isInside(file: string): boolean {
  return !path.isAbsolute(file) && !path.normalize(file).startsWith("..");
}

export function writeManifest(folder: string, files: ReadonlyMap<string, readonly string[]>): void {
  const note = "Digests of the files that `feature-console import` wrote: it overwrites no others.";
  // In an order of their own, so that a diff of two versions shows what changed.
  const sorted = Object.fromEntries([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
  writeWholeFile(
    path.join(folder, manifestFile),
    `${JSON.stringify({ note, files: sorted }, undefined, 2)}\n`,
  );
}

/** Line ends do not count: a checkout on Windows may change them. */
export function digestOf(text: string): string {
  return createHash("sha256").update(text.replaceAll("\r\n", "\n")).digest("base64url").slice(0, 22);
}
