import { isObject } from "../../../provider/schema/json";
import { type Path, pathText } from "../../../provider/schema/path";
import { idFilesOf, idTexts, isLines } from "./id-files";
import type { Files } from "./program";
import { linkedObjects, type ProgramObject, remarksOn } from "./program-object";
import { IdsInFile, type Made, Reference } from "./typed-value";

/**
 * Objects as resources with references to each other, for the languages of the plugin: by kind and name, and in an order in which
 * each comes after those that it refers to. `texts`: files of ids. `isThere`: true for the path of a file that is there.
 */
export function linkedResources(
  objects: readonly ProgramObject[],
  isThere: (file: string) => boolean = () => false,
): { readonly sorted: readonly Made[]; readonly ordered: readonly Made[]; readonly texts: Files } {
  const linked = linkedObjects(objects);
  const idFiles = new Map(
    [...idFilesOf(linked.sorted, isThere)].map(([one, own]) => [
      one,
      new Map([...own].filter(([, file]) => isLines(file))),
    ]),
  );
  const made = new Map<ProgramObject, Made>();
  for (const one of linked.order) {
    const links = (linked.links.get(one) ?? []).flatMap(({ path, to, by }): [string, unknown][] => {
      const other = made.get(to);
      return other === undefined ? [] : [[path, new Reference(other, by)]];
    });
    const files = [...(idFiles.get(one) ?? [])].map(([name, file]): [string, unknown] => [
      name,
      new IdsInFile(`./${file}`),
    ]);
    const args = placed(one.args, [], new Map([...links, ...files])) as Made["args"];
    made.set(one, { kind: one.kind, name: one.name, args, dependsOn: [], remarks: remarksOn(linked, one) });
  }
  const sorted = linked.sorted.flatMap((one) => made.get(one) ?? []);
  return { sorted, ordered: [...made.values()], texts: idTexts(idFiles) };
}

/** A value with others in some of its places. */
function placed(value: unknown, path: Path, others: ReadonlyMap<string, unknown>): unknown {
  const other = others.get(pathText(path));
  if (other !== undefined) return other;
  if (Array.isArray(value)) return value.map((one, index) => placed(one, [...path, index], others));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, placed(one, [...path, name], others)]),
  );
}
