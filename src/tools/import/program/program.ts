import { argumentsCode } from "./argument-code";
import { type Code, commentCode, listCode, objectCode, textCode } from "./code-text";
import { type Grouping, groupOf, preferredGroups } from "./groups";
import { idFilesOf, idTexts, isLines } from "./id-files";
import { compareText, identifiersOf, unusedName } from "./names";
import { type FilePlace, groupOrder, type Needs, ordered, placedInFiles } from "./order";
import { linkedObjects, type ProgramObject, remarksOn } from "./program-object";

/** Text of a file, by its path from the folder of the program. */
export type Files = ReadonlyMap<string, string>;

/** Names by which a program loads this package. */
export const packageName = "pulumi-feature-console";
export const packageAlias = "fc";

/** All that the code of one object depends on. */
type Plan = ReturnType<typeof planOf>;

/** Import of one file by another. */
export interface ImportStatement {
  /** As it is said in code. */
  readonly source: string;
  /** Name for the whole of the other file. */
  readonly all?: string;
  /** Names that are used; without these and `all`, the file is only loaded. */
  readonly names?: readonly string[];
}

/** A file of TypeScript that is not formatted yet. */
export interface FileCode {
  readonly imports: readonly ImportStatement[];
  /** Between which an empty line stands. */
  readonly parts: readonly Code[];
}

/** A program whose code is not formatted yet. */
export type Program = ReturnType<typeof programOf>;

/** The file that loads all others. */
export const indexFile = "index.ts";

/** The program that a new one is added to; one of its own has none of this. */
export interface Surroundings {
  /** Names that code has already. */
  readonly identifiers: ReadonlySet<string>;
  /** True for the path of a file that is there. */
  readonly isThere: (file: string) => boolean;
  /** The name of a file, without its extension, for what would stand in the file of this name. */
  readonly fileFor: (name: string) => string;
}

const alone: Surroundings = { identifiers: new Set(), isThere: () => false, fileFor: (name) => name };

/**
 * A program that says these objects: a file for each group, ids in files beside them, and `index.ts`, which loads them. The same
 * objects give the same files, in whatever order they come.
 */
export function programOf(
  objects: readonly ProgramObject[],
  by: Grouping,
  surroundings: Surroundings = alone,
) {
  const plan = planOf(objects, by, surroundings);
  const { files, needs } = plan;
  const members = Map.groupBy(plan.sorted, plan.fileOf);
  const index: FileCode = { imports: files.map(({ name }) => ({ source: `./${name}` })), parts: [] };
  return {
    code: new Map([
      ...files.map(({ name }): [string, FileCode] => [
        `${name}.ts`,
        fileCode(plan, orderedInFile(members.get(name) ?? [], needs)),
      ]),
      [indexFile, index],
    ]),
    /** Files of other kinds, as they are to be. */
    texts: idTexts(plan.idFiles),
    /** The group that a file belongs to; files that belong to none are left out. */
    groups: new Map([
      ...files.map(({ name, group }): [string, string] => [`${name}.ts`, group]),
      ...[...plan.idFiles].flatMap(([one, own]) =>
        [...own.values()].map((file): [string, string] => [file, groupOf(by, one)]),
      ),
    ]),
  };
}

/** By kind and name, so that people find them; what an object needs of its own file stands before it. */
function orderedInFile(sorted: readonly ProgramObject[], needs: Needs<ProgramObject>) {
  const own = new Set(sorted);
  const inFile = new Map(
    sorted.map((one) => [one, (needs.get(one) ?? []).filter((other) => own.has(other))]),
  );
  return ordered(sorted, inFile).order;
}

function planOf(objects: readonly ProgramObject[], by: Grouping, surroundings: Surroundings) {
  const { sorted, order, links, cut } = linkedObjects(objects);
  const needs: Needs<ProgramObject> = new Map([...links].map(([one, own]) => [one, own.map(({ to }) => to)]));
  const group = (one: ProgramObject) => groupOf(by, one);
  const groups = groupOrder(sorted, needs, group, preferredGroups);
  const placed = placedInFiles(order, needs, group, groups);
  const used = new Set<string>(["index"]);
  // Of two files that would be called alike, one is numbered.
  const files = placesOf(placed, groups).map(({ group, part }) => {
    const name = unusedName(surroundings.fileFor(part === 1 ? group : `${group}-${part}`), used);
    return { name, group, part };
  });
  return {
    ...{ sorted, needs, links, cut, files },
    identifiers: identifiersOf(sorted, surroundings.identifiers),
    idFiles: idFilesOf(sorted, surroundings.isThere),
    /** The name of the file of an object, without its extension. */
    fileOf(one: ProgramObject): string {
      const place = placed.get(one);
      return files.find(({ group, part }) => group === place?.group && part === place.part)?.name ?? "";
    },
  };
}

/** Every place once, in the order in which the files can be loaded. */
function placesOf(placed: ReadonlyMap<ProgramObject, FilePlace>, groups: readonly string[]) {
  const parts = new Map(groups.map((group) => [group, new Set<number>()]));
  for (const { group, part } of placed.values()) parts.get(group)?.add(part);
  const places = [...parts].flatMap(([group, numbers]) => [...numbers].map((part) => ({ group, part })));
  return places.sort((a, b) => a.part - b.part);
}

function fileCode(plan: Plan, members: readonly ProgramObject[]): FileCode {
  const files = members.flatMap((one) => [...(plan.idFiles.get(one)?.values() ?? [])]);
  const imports = [
    ...(files.every(isLines) ? [] : [{ source: "node:fs", names: ["readFileSync"] }]),
    { source: packageName, all: packageAlias },
    ...importsOf(plan, members),
  ];
  return { imports, parts: members.map((one) => resourceCode(plan, one)) };
}

/** Imports of a file. */
function importsOf(plan: Plan, members: readonly ProgramObject[]): ImportStatement[] {
  const own = new Set(members);
  const linked = new Set(members.flatMap((one) => (plan.links.get(one) ?? []).map(({ to }) => to)));
  const needed = [...linked].filter((to) => !own.has(to));
  return [...Map.groupBy(needed, plan.fileOf)]
    .sort(([a], [b]) => compareText(a, b))
    .map(([file, objects]) => ({
      source: `./${file}`,
      names: objects.map((to) => identifierOf(plan, to)).sort(compareText),
    }));
}

function identifierOf({ identifiers }: Plan, one: ProgramObject): string {
  return identifiers.get(one) ?? "";
}

function resourceCode(plan: Plan, one: ProgramObject): Code {
  const variables = new Map(
    (plan.links.get(one) ?? []).map(({ path, to, by }) => [
      path,
      by === "id" ? identifierOf(plan, to) : `${identifierOf(plan, to)}.name`,
    ]),
  );
  const unusual: string[] = [];
  const args = argumentsCode(one.definition, one.args, {
    reference: (path) => variables.get(path),
    ids: (name, ids) => idsCode(plan.idFiles.get(one)?.get(name), ids),
    unusual: (path) => unusual.push(path),
  });
  const rest = Object.keys(one.args).length === 0 ? "" : `, ${args}`;
  const unoffered = unusual.map((path) => `${path}: the types of this version do not offer this value.`);
  return [
    ...remarksOn(plan, one, unoffered).map(commentCode),
    `export const ${identifierOf(plan, one)} = new ${packageAlias}.${one.kind}(${textCode(one.name)}${rest});`,
  ].join("\n");
}

function idsCode(file: string | undefined, ids: readonly string[]): Code {
  if (file === undefined) return listCode(ids.map(textCode));
  return isLines(file)
    ? objectCode([["file", textCode(file)]])
    : `JSON.parse(readFileSync(${textCode(file)}, "utf8"))`;
}
