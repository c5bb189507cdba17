import { idListNames } from "../../../provider/id-lists/value-type";
import { textsIn } from "../../../provider/schema/json";
import { fileName } from "./groups";
import { unusedName } from "./names";
import type { ProgramObject } from "./program-object";

/** More ids than these stand in a file of their own. */
const mostIdsInCode = 100;

/** Paths of the files with the ids of objects, by object and argument. */
export type IdFiles = ReadonlyMap<ProgramObject, ReadonlyMap<string, string>>;

/** Files for the long lists of ids. `isThere`: true for the path of a file that is there. */
export function idFilesOf(objects: readonly ProgramObject[], isThere: (file: string) => boolean): IdFiles {
  const used = new Set<string>();
  return new Map(
    objects.flatMap((one): [ProgramObject, Map<string, string>][] => {
      const { args } = one;
      const long = idListNames(one.definition).filter((name) => textsIn(args[name]).length > mostIdsInCode);
      if (long.length === 0) return [];
      const files = long.map((name): [string, string] => {
        const extension = textsIn(args[name]).every(isLine) ? "txt" : "json";
        const fileOf = (base: string) => `ids/${base}.${extension}`;
        return [name, fileOf(unusedName(fileName(one.name, "ids"), used, (base) => isThere(fileOf(base))))];
      });
      return [[one, new Map(files)]];
    }),
  );
}

/** The texts of these files, by path. */
export function idTexts(idFiles: IdFiles): ReadonlyMap<string, string> {
  return new Map(
    [...idFiles].flatMap(([{ args }, own]) =>
      [...own].map(([name, file]): [string, string] => [file, idText(file, textsIn(args[name]))]),
    ),
  );
}

/** True for a file that the provider reads by itself. */
export function isLines(file: string): boolean {
  return file.endsWith(".txt");
}

/** One a line, but where a line cannot say one of them: then a list in JSON. */
function idText(file: string, ids: readonly string[]): string {
  return isLines(file) ? `${ids.join("\n")}\n` : `[\n${ids.map((id) => JSON.stringify(id)).join(",\n")}\n]\n`;
}

/** True for an id that is the same when it is read from a line of its own. */
function isLine(id: string): boolean {
  return id !== "" && id.trim() === id && !/[\r\n]/.test(id);
}
