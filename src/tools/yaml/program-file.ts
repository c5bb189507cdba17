import { statSync } from "node:fs";
import path from "node:path";
import { LineCounter, parseDocument } from "yaml";
import { contentOf } from "../../provider/pulumi/runs/project-file";
import { guess } from "../../provider/texts/misspelling";
import { type Expression, expressionOf, type Members, placeAt, YamlProblem } from "./expression";

/** A program in YAML as it is written. */
export interface YamlProgram {
  readonly folder: string;
  /** The file that declares the resources, for messages. */
  readonly file: string;
  /** The name of the project. */
  readonly name: string | undefined;
  readonly config: Members;
  readonly variables: Members;
  readonly resources: readonly DeclaredResource[];
  readonly outputs: Members;
}

/** A resource of a program in YAML. */
export interface DeclaredResource {
  /** By which references name it. */
  readonly key: string;
  readonly place: string;
  readonly typePlace: string;
  /** The type, with the module that people leave out: `feature-console:index:Gate`. */
  readonly type: string;
  /** The name of the resource for Pulumi. */
  readonly name: string;
  readonly properties: Expression;
  readonly options: Expression;
  /** The id of an object that the program only reads. */
  readonly readId: Expression | undefined;
}

/** Sections of a resource, and of one that only reads. */
const resourceMembers = ["type", "name", "properties", "options", "get", "defaultProvider"];

/** True for a place that can be a program in YAML: a folder, or a file of one. */
export function isYamlProgram(place: string): boolean {
  return place.endsWith(".yaml") || isFolder(place);
}

function isFolder(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * Reads a program in YAML, by a folder or by its `Pulumi.yaml` or `Main.yaml`. As Pulumi does, takes the resources from `Main.yaml`
 * where there is one. @throws YamlProblem with the place; Error where there is no such program.
 */
export function readYamlProgram(place: string): YamlProgram {
  const folder = isFolder(place) ? place : path.dirname(place);
  const [project, main] = ["Pulumi.yaml", "Main.yaml"].map((name) => sectionsIn(path.join(folder, name)));
  const program = main ?? project;
  if (program === undefined) throw new Error(`${shown(folder)} has no Pulumi.yaml and no Main.yaml`);
  refuseRuntime(project);
  const section = (name: string): Members => membersOf(program.members.get(name));
  const resources = [...section("resources")].map(([key, one]) => resourceOf(key, one));
  const config = [project, program].flatMap((one) =>
    ["configuration", "config"].flatMap((name) => [...membersOf(one?.members.get(name))]),
  );
  return {
    ...{ folder, file: program.file, resources, config: new Map(config) },
    ...{ name: textOf(project?.members.get("name")) },
    ...{ variables: section("variables"), outputs: section("outputs") },
  };
}

/** The sections of a file; undefined where there is no file. */
function sectionsIn(place: string) {
  const text = contentOf(place);
  if (text === undefined) return undefined;
  const file = shown(place);
  const lines = { file, counter: new LineCounter() };
  const document = parseDocument(text, { lineCounter: lines.counter, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) throw new YamlProblem(placeAt(lines, error.pos[0]), error.message);
  return { file, members: membersOf(expressionOf(lines, document.contents)) };
}

/** A file or folder as a person in the working folder would name it. */
function shown(place: string): string {
  return path.relative(process.cwd(), place) || ".";
}

function refuseRuntime(project: ReturnType<typeof sectionsIn>): void {
  const runtime = project?.members.get("runtime");
  const name = textOf(runtime?.is === "object" ? runtime.members.get("name") : runtime);
  if (runtime !== undefined && name !== "yaml")
    throw new YamlProblem(
      runtime.place,
      `the program is for the runtime ${name}, and only programs in YAML are read`,
    );
}

function resourceOf(key: string, one: Expression): DeclaredResource {
  const members = membersOf(one);
  const { place } = one;
  for (const [name, member] of members) {
    if (resourceMembers.includes(name)) continue;
    const advice = guess(name, resourceMembers) || `; it has ${resourceMembers.join(", ")}`;
    throw new YamlProblem(member.place, `a resource has no member "${name}"${advice}`);
  }
  const written = members.get("type");
  const type = textOf(written);
  if (written === undefined || type === undefined)
    throw new YamlProblem(place, `resource "${key}" has no type`);
  const none: Expression = { is: "object", place, members: new Map() };
  const { properties = none, options = none, get } = Object.fromEntries(members);
  return {
    ...{ key, place, properties, options, typePlace: written.place },
    type: type.split(":").length === 2 ? type.replace(":", ":index:") : type,
    name: textOf(members.get("name")) ?? key,
    readId: get === undefined ? undefined : membersOf(get).get("id"),
  };
}

/** A text without references. */
function textOf(one: Expression | undefined): string | undefined {
  if (one?.is !== "text") return undefined;
  if (one.parts.every((part) => typeof part === "string")) return one.parts.join("");
  throw new YamlProblem(one.place, "no reference can stand here");
}

/** The members of an object; none where nothing is written. */
function membersOf(one: Expression | undefined): Members {
  if (one === undefined || (one.is === "literal" && one.value === null)) return new Map();
  if (one.is === "object") return one.members;
  throw new YamlProblem(one.place, "here stand names, each with a colon and its value");
}
