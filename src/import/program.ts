import type { JsonObject } from "../core/json";
import { idListNames } from "../id-lists/value-type";
import { argumentsCode } from "./argument-code";
import { type Code, commentCode, listCode, objectCode, textCode } from "./code-text";
import { fileName, type Grouping, groupOf, preferredGroups } from "./groups";
import { compareText, identifiersOf } from "./names";
import { type FilePlace, groupOrder, type Needs, ordered, placedInFiles } from "./order";
import { directoryOf, type Link, linksOf, type ProgramObject } from "./program-object";

/** Text of a file, by its path from the folder of the program. */
export type Files = ReadonlyMap<string, string>;

/** More ids than these stand in a file of their own. */
const mostIdsInCode = 100;

/** All that the code of one object depends on. */
interface Plan {
  readonly links: ReadonlyMap<ProgramObject, readonly Link[]>;
  readonly cut: ReadonlyMap<ProgramObject, ReadonlySet<ProgramObject>>;
  readonly places: ReadonlyMap<ProgramObject, FilePlace>;
  readonly identifiers: ReadonlyMap<ProgramObject, string>;
  /** Files of ids, by object and argument. */
  readonly idFiles: IdFiles;
}

type IdFiles = ReadonlyMap<ProgramObject, ReadonlyMap<string, string>>;

/** A program whose code is not formatted yet. */
export interface Program {
  /** The parts of each file of TypeScript, between which an empty line stands. */
  readonly code: ReadonlyMap<string, readonly Code[]>;
  /** Files of other kinds, as they are to be. */
  readonly texts: Files;
}

/**
 * A program that says these objects: a file for each group, ids in files beside them, and `index.ts`, which loads them. The same
 * objects give the same files, in whatever order they come. `suffix`: of the names of its files.
 */
export function programOf(objects: readonly ProgramObject[], by: Grouping, suffix = ""): Program {
  const { plan, order, groups } = planOf(objects, by, suffix);
  const places = groups.flatMap((group) => {
    const parts = order.map((one) => plan.places.get(one)).filter((place) => place?.group === group);
    return [...new Set(parts.map((place) => place?.part ?? 1))].map((part) => ({ group, part }));
  });
  places.sort((a, b) => a.part - b.part);
  const names = places.map(nameOfFile);
  const members = new Map<string, ProgramObject[]>(names.map((name) => [name, []]));
  for (const one of order) {
    const place = plan.places.get(one);
    if (place !== undefined) members.get(nameOfFile(place))?.push(one);
  }
  const index = names.map((name) => `import ${JSON.stringify(`./${name}`)};`).join("\n");
  return {
    code: new Map([
      ...[...members].map(([name, own]): [string, Code[]] => [`${name}.ts`, fileParts(plan, own)]),
      ["index.ts", [index]],
    ]),
    texts: idTexts(plan),
  };
}

function planOf(objects: readonly ProgramObject[], by: Grouping, suffix: string) {
  const sorted = objects.toSorted((a, b) => compareText(a.kind, b.kind) || compareText(a.name, b.name));
  const links = linksOf(sorted, directoryOf(sorted));
  const all: Needs<ProgramObject> = new Map([...links].map(([one, own]) => [one, own.map(({ to }) => to)]));
  const { order, cut } = ordered(sorted, all);
  const needs: Needs<ProgramObject> = new Map(
    [...all].map(([one, needed]) => [one, needed.filter((other) => cut.get(one)?.has(other) !== true)]),
  );
  const group = (one: ProgramObject) => `${groupOf(by, one)}${suffix}`;
  const preferred = preferredGroups.map((name) => `${name}${suffix}`);
  const groups = groupOrder(sorted, needs, group, preferred);
  const places = placedInFiles(order, needs, group, groups);
  const plan: Plan = {
    links,
    cut,
    places,
    identifiers: identifiersOf(sorted),
    idFiles: idFilesOf(sorted, suffix),
  };
  return { plan, order, groups };
}

function idTexts({ idFiles }: Plan): Files {
  return new Map(
    [...idFiles].flatMap(([{ args }, own]) =>
      [...own].map(([name, file]): [string, string] => [file, idText(file, idsIn(args, name))]),
    ),
  );
}

/** One a line, but where a line cannot say one of them: then a list in JSON. */
function idText(file: string, ids: readonly string[]): string {
  return isLines(file) ? `${ids.join("\n")}\n` : `[\n${ids.map((id) => JSON.stringify(id)).join(",\n")}\n]\n`;
}

/** True for a file that the provider reads by itself. */
function isLines(file: string): boolean {
  return file.endsWith(".txt");
}

function nameOfFile({ group, part }: FilePlace): string {
  return part === 1 ? group : `${group}-${part}`;
}

function fileParts(plan: Plan, members: readonly ProgramObject[]): Code[] {
  const files = members.flatMap((one) => [...(plan.idFiles.get(one)?.values() ?? [])]);
  const imports = [
    ...(files.every(isLines) ? [] : ['import { readFileSync } from "node:fs";']),
    'import * as fc from "pulumi-feature-console";',
    ...importsOf(plan, members),
  ];
  return [imports.join("\n"), ...members.map((one) => resourceCode(plan, one))];
}

/** What a file needs of others. */
function importsOf(plan: Plan, members: readonly ProgramObject[]): string[] {
  const own = new Set(members);
  const needed = new Map<string, Set<string>>();
  for (const one of members)
    for (const { to } of linksKept(plan, one)) {
      const place = plan.places.get(to);
      if (own.has(to) || place === undefined) continue;
      const file = nameOfFile(place);
      needed.set(file, (needed.get(file) ?? new Set()).add(identifierOf(plan, to)));
    }
  return [...needed]
    .sort(([a], [b]) => compareText(a, b))
    .map(
      ([file, names]) =>
        `import { ${[...names].sort(compareText).join(", ")} } from ${JSON.stringify(`./${file}`)};`,
    );
}

function linksKept({ links, cut }: Plan, one: ProgramObject): readonly Link[] {
  return (links.get(one) ?? []).filter(({ to }) => cut.get(one)?.has(to) !== true);
}

function identifierOf({ identifiers }: Plan, one: ProgramObject): string {
  return identifiers.get(one) ?? "";
}

function resourceCode(plan: Plan, one: ProgramObject): Code {
  const variables = new Map(
    linksKept(plan, one).map(({ path, to, by }) => [
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
  const comments = [
    ...[...(plan.cut.get(one) ?? [])].map(
      (other) =>
        `This and ${other.definition.title} ${JSON.stringify(other.name)} refer to each other: here by its id.`,
    ),
    ...unusual.map((path) => `${path}: the types of this version do not offer this value.`),
    ...one.unsaid.map(({ path, why }) => `Not as in the console: ${path} (${why}).`),
  ];
  return [
    ...comments.map(commentCode),
    `export const ${identifierOf(plan, one)} = new fc.${one.kind}(${textCode(one.name)}${rest});`,
  ].join("\n");
}

function idsCode(file: string | undefined, ids: readonly string[]): Code {
  if (file === undefined) return listCode(ids.map(textCode));
  return isLines(file)
    ? objectCode([["file", textCode(file)]])
    : `JSON.parse(readFileSync(${textCode(file)}, "utf8"))`;
}

function idFilesOf(objects: readonly ProgramObject[], suffix: string): IdFiles {
  const used = new Set<string>();
  return new Map(
    objects.flatMap((one): [ProgramObject, Map<string, string>][] => {
      const long = idListNames(one.definition).filter((name) => idsIn(one.args, name).length > mostIdsInCode);
      if (long.length === 0) return [];
      const files = long.map((name): [string, string] => {
        const base = unused(`${fileName(one.name, "ids")}${suffix}`, used);
        return [name, `ids/${base}.${idsIn(one.args, name).every(isLine) ? "txt" : "json"}`];
      });
      return [[one, new Map(files)]];
    }),
  );
}

function unused(base: string, used: Set<string>): string {
  let name = base;
  for (let number = 2; used.has(name); number += 1) name = `${base}-${number}`;
  used.add(name);
  return name;
}

function idsIn(args: JsonObject, name: string): readonly string[] {
  const ids = args[name];
  return Array.isArray(ids) ? ids.map(String) : [];
}

/** True for an id that is the same when it is read from a line of its own. */
function isLine(id: string): boolean {
  return id !== "" && id.trim() === id && !/[\r\n]/.test(id);
}
