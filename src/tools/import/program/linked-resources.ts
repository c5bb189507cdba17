import { remade } from "../../../provider/schema/json";
import { pathText } from "../../../provider/schema/path";
import { idFilesOf, idTexts, isLines } from "./id-files";
import { linkedObjects, type ProgramObject, remarksOn } from "./program-object";
import { IdsInFile, type Made, Reference } from "./typed-value";

/** Resources by kind and name, and in an order in which each comes after those that it refers to, with files of ids. */
export type LinkedResources = ReturnType<typeof linkedResources>;

/**
 * Objects as resources with references to each other, for the languages of the plugin. `isThere`: true for the path of a file that is
 * there.
 */
export function linkedResources(
  objects: readonly ProgramObject[],
  isThere: (file: string) => boolean = () => false,
) {
  const linked = linkedObjects(objects);
  const idFiles = new Map(
    [...idFilesOf(linked.sorted, isThere)].map(([one, own]) => [
      one,
      new Map([...own].filter(([, file]) => isLines(file))),
    ]),
  );
  const made = new Map<ProgramObject, Made>();
  for (const one of linked.order) {
    const others = new Map<string, unknown>();
    for (const { path, to, by } of linked.links.get(one) ?? []) {
      const other = made.get(to);
      if (other !== undefined) others.set(path, new Reference(other, by));
    }
    for (const [name, file] of idFiles.get(one) ?? []) others.set(name, new IdsInFile(`./${file}`));
    const args = remade(one.args, (part, path) => others.get(pathText(path)) ?? part) as Made["args"];
    made.set(one, { kind: one.kind, name: one.name, args, dependsOn: [], remarks: remarksOn(linked, one) });
  }
  const sorted = linked.sorted.flatMap((one) => made.get(one) ?? []);
  return { sorted, ordered: [...made.values()], texts: idTexts(idFiles) };
}
