import { existsSync, readdirSync, realpathSync } from "node:fs";
import path from "node:path";
import { projectIn } from "../../provider/pulumi/runs/project-file";
import { keptIn } from "../../provider/schema/memoized";

/** A place in a file of the program; line and column count from 1. */
export interface Position {
  /** From the folder of the project. */
  readonly file: string;
  readonly line: number;
  /** Pulumi notes none of a program in Python. */
  readonly column?: number;
}

const isPassedOver = /^(\..*|node_modules)$/;

/** Every file below a folder, by its path from there, but for what is installed and what is hidden. */
export function filesBelow(folder: string): string[] {
  const files: string[] = [];
  const walk = (place: string) => {
    const entries = readdirSync(path.join(folder, place), { withFileTypes: true });
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const inner = place === "" ? entry.name : `${place}/${entry.name}`;
      if (entry.isDirectory() && !isPassedOver.test(entry.name)) walk(inner);
      else if (entry.isFile()) files.push(inner);
    }
  };
  walk("");
  return files;
}

/**
 * The file of a project that Pulumi means by a place that it noted; undefined for one outside the project. Pulumi goes by the name
 * of the folder in the shell, and Node.js by the real one: `../../data/shop/index.ts`. The SDK takes what stands behind the
 * last " (" of a line for the path: `copy)/index.ts` for `shop (copy)/index.ts` (`framePositionRegExp` of @pulumi/pulumi 3.270).
 * `folder`: of the project, by any of its names. `files`: their paths from there.
 */
function fileMeant(noted: string, folder: string, files: readonly string[]): string | undefined {
  if (files.includes(noted)) return noted;
  const home = realOf(folder) ?? folder;
  // The path, and what is left of it without its first folders.
  const ends = noted.split("/").map((_, at, parts) => parts.slice(at).join("/"));
  const placeOf = (file: string) => path.join(home, file).replaceAll(path.sep, "/");
  const cuttable = home.includes(" (") ? files : files.filter((file) => file.includes(" ("));
  const [cut, ...more] = cuttable.filter((file) => ends.some((end) => placeOf(file).endsWith(` (${end}`)));
  if (cut !== undefined && more.length === 0) return cut;
  if (!noted.startsWith("../")) return undefined;
  const reached = [folder, process.env.PWD ?? folder].flatMap(
    (root) => realOf(path.resolve(root, noted)) ?? [],
  );
  if (reached.length > 0) return files.find((file) => reached.includes(path.join(home, file)));
  // Somebody previewed it elsewhere, by another name of the folder.
  return ends.find((end) => files.includes(end));
}

function realOf(place: string): string | undefined {
  return existsSync(place) ? realpathSync(place) : undefined;
}

/**
 * Finds the file that a noted place means in the folder in which a command runs; the place itself where it finds none, and where
 * that folder is no project's.
 */
export function placesHere(): (noted: string) => string {
  const folder = process.cwd();
  let files: readonly string[] | undefined;
  // Many resources stand in one file.
  const known = new Map<string, string>();
  const find = (noted: string) => {
    // Any other place is the project's own, whether it still has the file or not: to look for it takes seconds in a large folder.
    const mayBeCut = noted.includes(")") || realOf(folder)?.includes(" (") === true;
    if (!mayBeCut && !noted.startsWith("../")) return noted;
    files ??= projectIn(folder) === undefined ? [] : filesBelow(folder);
    return fileMeant(noted, folder, files) ?? noted;
  };
  return (noted) => keptIn(known, noted, () => find(noted));
}

/**
 * A place that Pulumi noted: `project:///index.ts#9,18`, `project:///__main__.py#8`. Undefined for one that is no file. `meant`: finds
 * the file that a path means.
 */
export function positionOf(
  text: string | undefined,
  meant: (file: string) => string = (file) => file,
): Position | undefined {
  const [, file, line, column] = /^project:\/\/\/(.*)#(\d+)(?:,(\d+))?$/.exec(text ?? "") ?? [];
  if (file === undefined) return undefined;
  const place = { file: meant(decodeURIComponent(file)), line: Number(line) };
  return column === undefined ? place : { ...place, column: Number(column) };
}

/** `index.ts:16:18`, `__main__.py:8`. */
export function placeText({ file, line, column }: Position): string {
  return [file, line, ...(column === undefined ? [] : [column])].join(":");
}
