import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import { contentOf } from "../../provider/pulumi/runs/project-file";
import { writeWholeFile } from "../../provider/pulumi/runs/whole-file";
import { isObject, objectFrom, textsIn } from "../../provider/schema/json";

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
  const { files } = objectFrom(contentOf(path.join(folder, manifestFile)) ?? "") ?? {};
  const noted = Object.entries(isObject(files) ? files : {});
  // `import` writes no file outside the folder.
  const own = noted.filter(([file]) => !path.isAbsolute(file) && !path.normalize(file).startsWith(".."));
  return new Map(own.map(([file, digests]) => [file, textsIn(digests)]));
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
