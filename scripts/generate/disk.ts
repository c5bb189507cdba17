import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { refuseDroppedNames } from "./dynamic-v1";
import { dynamicV1File, generatedFolders } from "./files";

/** What is wrong with a generated file on disk. */
export interface Finding {
  /** Below the repository. */
  readonly file: string;
  readonly is: "missing" | "different" | "superfluous";
}

/**
 * Compares the files on disk with what they should be.
 * @throws Error when a name would go that stored state refers to.
 */
export function findings(root: string, files: ReadonlyMap<string, string>): Finding[] {
  refuseDroppedNames(textOf(root, dynamicV1File) ?? "", files.get(dynamicV1File) ?? "");
  const wrong = [...files].flatMap(([file, text]): Finding[] => {
    const found = textOf(root, file);
    if (found === text) return [];
    return [{ file, is: found === undefined ? "missing" : "different" }];
  });
  const present = generatedFolders.flatMap((folder) => filesIn(root, folder));
  const superfluous = present.filter((file) => !files.has(file));
  return [...wrong, ...superfluous.map((file) => ({ file, is: "superfluous" }) as const)];
}

/**
 * Makes the files on disk what they should be.
 * @returns what was wrong before. @throws Error, with nothing written, when a name would go that stored state refers to.
 */
export function writeAll(root: string, files: ReadonlyMap<string, string>): Finding[] {
  const wrong = findings(root, files);
  for (const { file } of wrong) {
    const target = path.join(root, file);
    const text = files.get(file);
    if (text === undefined) {
      rmSync(target);
      continue;
    }
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  return wrong;
}

function filesIn(root: string, folder: string): string[] {
  const start = path.join(root, folder);
  if (!existsSync(start)) return [];
  const entries = readdirSync(start, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/"))
    .sort();
}

function textOf(root: string, file: string): string | undefined {
  const source = path.join(root, file);
  return existsSync(source) ? readFileSync(source, "utf8") : undefined;
}
