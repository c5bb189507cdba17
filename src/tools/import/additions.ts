import path from "node:path";
import { reachedFrom } from "../../provider/schema/references";
import { sourcesIn } from "../rewrite/compiler";
import { isWritten } from "../stack/import-manifest";
import { textOf } from "../stack/project";
import type { Additions } from "./language";
import { formattedParts } from "./program/format";
import type { Grouping } from "./program/groups";
import {
  type FileCode,
  type Files,
  indexFile,
  packageAlias,
  packageName,
  programOf,
} from "./program/program";
import type { ProgramObject } from "./program/program-object";
import { appended, type SourceFile, sourceFile, withoutExtension } from "./program/source-file";

/** The program of a folder, by the paths of its files. */
export type Existing = ReadonlyMap<string, SourceFile>;

/** The place of new objects. */
interface Place {
  readonly folder: string;
  readonly existing: Existing;
  /** False: in files of their own. */
  readonly mayAppend: boolean;
}

/** Reads the program of a folder. Files that are no TypeScript are passed over: nothing is added to them. */
export function existingProgram(folder: string): Existing {
  const { files, read } = sourcesIn(folder);
  return new Map(
    files.flatMap((file) => {
      const text = read(file);
      const found = text === undefined ? undefined : sourceFile(text);
      return found === undefined ? [] : [[file, found]];
    }),
  );
}

/** True for an object that a program makes already. */
export function isMade(existing: Existing, { kind, name }: ProgramObject): boolean {
  return [...existing.values()].some(({ resources }) =>
    resources.some((made) => made.kind === kind && made.name === name),
  );
}

/**
 * Adds objects to the program of a folder: each at the end of the file that this command wrote for its group; in a file of its own
 * where there is none, or where files would load each other in a circle. The index loads what nothing loads yet.
 */
export async function additionsTo(
  folder: string,
  existing: Existing,
  objects: readonly ProgramObject[],
  by: Grouping,
): Promise<Additions> {
  const whole = await added({ folder, existing, mayAppend: true }, objects, by);
  if (!isCircular(existing, whole.files)) return whole;
  const apart = await added({ folder, existing, mayAppend: false }, objects, by);
  const note =
    "what is new stands in files of its own: in those that are there, files would load each other in a circle";
  return { ...apart, notes: [note, ...apart.notes] };
}

async function added(place: Place, objects: readonly ProgramObject[], by: Grouping) {
  const { folder, existing, mayAppend } = place;
  const notes: string[] = [];
  const fileFor = (name: string) => {
    const free = nameFor(place, name);
    if (mayAppend && free !== name)
      notes.push(`${free}.ts: ${name}.ts is not a file that this command wrote, and nothing is added to it`);
    return free;
  };
  const isThere = (file: string) => textOf(path.join(folder, file)) !== undefined;
  const identifiers = new Set([...existing.values()].flatMap((one) => [...one.identifiers]));
  const { code, texts } = programOf(objects, by, { identifiers, fileFor, isThere });
  const files = new Map<string, string>(texts);
  for (const [file, one] of code)
    if (file !== indexFile) files.set(file, await withCode(existing.get(file), one));
  const loaded = loadedFrom(indexFile, linksOf(existing, files));
  const index = [...(code.get(indexFile)?.imports ?? [])].filter(
    ({ source }) => !loaded.has(`${source.slice(2)}.ts`),
  );
  if (index.length > 0) files.set(indexFile, await indexWith(place, { imports: index, parts: [] }));
  return { files, notes };
}

/** The first name of a file to which something can be added, or that nothing has. */
function nameFor({ folder, existing, mayAppend }: Place, name: string): string {
  for (let number = 0; ; number += 1) {
    const tried = number === 0 ? name : number === 1 ? `${name}-new` : `${name}-new-${number}`;
    const file = `${tried}.ts`;
    if (textOf(path.join(folder, file)) === undefined) return tried;
    if (mayAppend && isWritten(folder, file) && takesMore(existing.get(file))) return tried;
  }
}

/** True for a file in which this package is called as usual, or can be. */
function takesMore(file: SourceFile | undefined): boolean {
  if (file === undefined) return false;
  const isLoaded = file.imports.some(({ source, all }) => source === packageName && all === packageAlias);
  return isLoaded || !file.identifiers.has(packageAlias);
}

async function withCode(before: SourceFile | undefined, code: FileCode): Promise<string> {
  if (before === undefined) return (await formattedParts(code)).join("\n");
  return appended(before, code.imports, await formattedParts({ imports: [], parts: code.parts }));
}

/** An index that cannot be read gets its lines at the end. */
async function indexWith({ folder, existing }: Place, code: FileCode): Promise<string> {
  const text = textOf(path.join(folder, indexFile));
  const lines = (await formattedParts(code)).join("\n");
  if (text === undefined) return lines;
  const before = existing.get(indexFile);
  return before === undefined ? `${text.trimEnd()}\n${lines}` : appended(before, code.imports, []);
}

type Links = ReadonlyMap<string, readonly string[]>;

/** Which files lead to which, after some have new texts. */
function linksOf(existing: Existing, files: Files): Links {
  const now = new Map<string, SourceFile | undefined>(existing);
  for (const [file, text] of files) if (file.endsWith(".ts")) now.set(file, sourceFile(text));
  const byName = new Map([...now.keys()].map((file) => [withoutExtension(file), file]));
  return new Map(
    [...now].map(([file, source]) => [
      file,
      (source?.paths ?? []).flatMap((said) => {
        const target = withoutExtension(path.posix.join(path.posix.dirname(file), said));
        return byName.get(target) ?? byName.get(`${target}/index`) ?? [];
      }),
    ]),
  );
}

const loadedFrom = (first: string, links: Links) => reachedFrom([first], (file) => links.get(file) ?? []);

/** True where a file that got more leads back to itself by what it got. */
function isCircular(existing: Existing, files: Files): boolean {
  const [before, after] = [linksOf(existing, new Map()), linksOf(existing, files)];
  return [...after].some(([file, targets]) =>
    targets.some(
      (target) => before.get(file)?.includes(target) !== true && loadedFrom(target, after).has(file),
    ),
  );
}
