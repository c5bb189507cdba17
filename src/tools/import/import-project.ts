import { randomUUID } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import type { PulumiCommand } from "../../provider/pulumi/runs/cli";
import { writeWholeFile, writeWholeFiles } from "../../provider/pulumi/runs/whole-file";
import { requireWritableFiles } from "../../provider/pulumi/runs/writable";
import type { JsonObject } from "../../provider/schema/json";
import { countOf } from "../../provider/texts/count-text";
import { consoleKey } from "../stack/consoles";
import { manifestFile, notesFolder } from "../stack/import-manifest";
import { projectName } from "../stack/project";
import { isAliveHere, withLock } from "../stack/stack-lock";
import { codeOwnersFile, codeOwnersText, repositoryOf } from "./code-owners";
import type { ReadConsole } from "./console";
import { addingPlan, type FolderPlan, planFolder, writeFolder } from "./folder";
import type { ProgramLanguage, WrittenProgram } from "./language";
import { type Expressed, expressed, type Wanted } from "./objects";
import { type Grouping, isTeam } from "./program/groups";
import type { Files } from "./program/program";
import { type LanguageName, languages } from "./program-language";
import { projectFiles, type Versions } from "./pulumi-project";
import { type ReadProgress, readKind } from "./reading";
import {
  refuseClashes,
  refuseForeign,
  refuseLosses,
  refuseOtherMain,
  refuseSecondMain,
  refuseStackOfOthers,
  refuseWithoutPackages,
} from "./refusals";
import { isSelected, kindsNamed, type Selection } from "./selection";
import { importEntry, typeOf } from "./state-entry";
import {
  chosenStack,
  type PreviewedChange,
  previewedChanges,
  requireSuccess,
  resourcesIn,
  resourcesOf,
  type StateEntry,
  shellText,
} from "./target-stack";

/** Task of an import. */
export interface ImportOptions extends Selection {
  /** Folder of the program. */
  readonly folder: string;
  readonly by: Grouping;
  readonly language: LanguageName;
  /** Authors too. */
  readonly owners: boolean;
  /** Overwrites files that this command did not write. */
  readonly force: boolean;
  /** Writes nothing, neither files nor state. */
  readonly dryRun: boolean;
  /** Brings the objects into the state of the stack and looks at a preview. */
  readonly run: boolean;
  /** Says only objects that the stack does not have yet, in files beside those that are there. */
  readonly onlyNew: boolean;
  /** Left out: the one that is selected. */
  readonly stack?: string | undefined;
}

/** Means of an import. */
export interface ImportPorts {
  readonly console: ReadConsole;
  readonly pulumi: PulumiCommand;
  readonly progress: ReadProgress;
  /** Tells the user something in one line. */
  readonly report: (line: string) => void;
  readonly versions: Versions;
}

/** Result of an import. */
export interface Imported extends Expressed {
  /** True for a key that could also write; undefined where the console does not show it. */
  readonly keyCanWrite: boolean | undefined;
  readonly folder: FolderPlan;
  /** Archived objects that would be part of it but for being archived. */
  readonly archived: number;
  /** Nothing of it was done. */
  readonly isDry: boolean;
  /** Left out: nothing was brought into a state. */
  readonly state?: {
    readonly stack: string;
    /** Resources that are new to the state. */
    readonly added: number;
    /** Resources that the preview would change. */
    readonly changes: readonly PreviewedChange[];
  };
  /** Commands that are left to the user. */
  readonly commands: readonly string[];
}

type Objects = Expressed["objects"];

/** Stack that a file is made for when nobody names one. */
const usualStack = "dev";

/**
 * Reads a project, writes a program that says it, and brings its objects into the state of a stack. Sends no write to the console,
 * and can be run again after any interruption.
 * @throws ConsoleError, or an error that tells what was attempted and what to do.
 */
export async function importProject(options: ImportOptions, ports: ImportPorts): Promise<Imported> {
  const { folder } = options;
  const language = languages[options.language];
  if (options.run) refuseOtherMain(options, language);
  refuseSecondMain(options, language);
  const { context, apiKey } = ports.console;
  const [{ found, archived }, key] = await Promise.all([
    readProject(options, ports),
    consoleKey(context.client, apiKey),
    // State names it beside the address.
    ports.console.project(),
  ]);
  const there = options.onlyNew ? await resourcesIn(ports.pulumi, options.stack) : [];
  const all = expressed(found, options.owners, { ...language, ...besides(language, there) });
  const said = {
    ...{
      ...all,
      objects: language.named?.(all.objects, options.onlyNew ? folder : undefined) ?? all.objects,
    },
    ...{ keyCanWrite: key?.canWrite, archived },
    isDry: options.dryRun,
  };
  const { files, changes } = await filesFor(options, said, ports.report);
  const frame = projectFiles(folder, language.runtime, ports.versions);
  const plan = { ...changes, write: [...frame.keys(), ...changes.write] };
  if (options.dryRun) return { ...said, folder: plan, commands: [] };
  refuseForeign(plan, options.force);
  if (!options.onlyNew && !options.force) refuseLosses(options, language, plan, said);
  requireWritable(options, plan);
  writeWholeFiles(new Map([...frame].map(([file, text]) => [path.join(folder, file), text])));
  if (options.run && frame.has("Pulumi.yaml"))
    await refuseStackOfOthers(options, language.adapter, ports.pulumi, said, frame);
  if (files.size > 0) writeFolder(folder, files, changes, options.force);
  if (!options.run) return { ...said, folder: plan, commands: commandsFor(options, ports, said) };
  return { ...said, folder: plan, commands: [], state: await bringIn(options, ports, said) };
}

/** Refuses before anything is written: a program of which a part is missing is none. */
function requireWritable({ folder, force, stack = usualStack }: ImportOptions, plan: FolderPlan): void {
  const program = [...plan.write, ...plan.appended, ...(force ? plan.foreign : [])];
  requireWritableFiles([...program, manifestFile, importPath(stack)].map((file) => path.join(folder, file)));
}

/** The files of the program, and what becomes of those that are there. */
async function filesFor(
  { folder, by, onlyNew, language }: ImportOptions,
  { objects }: Expressed,
  report: ImportPorts["report"],
) {
  if (!onlyNew) {
    const program = await languages[language].write(objects, by);
    const isByTeam = by === "team" && program.groups.size > 0;
    const owners: Files = isByTeam ? codeOwnersOf(program, folder, report) : new Map();
    const files = new Map([...program.files, ...owners]);
    return { files, changes: planFolder(folder, files) };
  }
  const { files, notes } = await languages[language].add(folder, objects, by);
  for (const note of notes) report(note);
  return { files, changes: addingPlan(planFolder(folder, files)) };
}

/** A file that people wrote or changed stays as it is. */
function codeOwnersOf({ groups }: WrittenProgram, folder: string, report: ImportPorts["report"]): Files {
  const teams = new Map([...groups].map(([file, group]) => [file, isTeam(group) ? group : undefined]));
  const files = new Map([[codeOwnersFile, codeOwnersText(teams, repositoryOf(folder))]]);
  if (planFolder(folder, files).foreign.length === 0) return files;
  report(
    `${codeOwnersFile} stays as it is. These are the lines of this program:\n${files.get(codeOwnersFile)}`,
  );
  return new Map();
}

/** Objects that a stack does not have, under names that it does not have. */
function besides({ adapter }: ProgramLanguage, resources: readonly StateEntry[]): Wanted {
  const ids = new Set(resources.map(({ type, id }) => `${type} ${id}`));
  const byName = new Map(resources.map(({ type, name, id }) => [`${type} ${name}`, id]));
  return {
    isWanted: ({ definition, id }) => !ids.has(`${typeOf(adapter, definition)} ${id}`),
    isFree: (definition, name, id) => (byName.get(`${typeOf(adapter, definition)} ${name}`) ?? id) === id,
  };
}

async function readProject(options: ImportOptions, { console, progress }: ImportPorts) {
  let archived = 0;
  const found = await Promise.all(
    kindsNamed(options.kinds).map((definition) => {
      const isWanted = (live: JsonObject) => {
        const isSaid = isSelected(options, definition, live);
        if (!isSaid && isSelected({ ...options, archived: true }, definition, live)) archived += 1;
        return isSaid;
      };
      return readKind(console.context, definition, isWanted, progress);
    }),
  );
  return { found: found.flat(), archived };
}

/** Path of the file for Pulumi, from the folder of the program. */
function importPath(stack: string): string {
  return path.join(notesFolder, `import-${stack.replace(/[^\w.-]/g, "-")}.json`);
}

function importCommand(stack: string): string[] {
  const flags = ["--generate-code=false", "--protect=false", "--yes"];
  return ["import", "--file", importPath(stack), "--stack", stack, ...flags];
}

/** Writes the file for Pulumi and tells the commands that take it. */
function commandsFor(options: ImportOptions, ports: ImportPorts, said: Expressed): string[] {
  const { stack = usualStack } = options;
  writeImportFile({ ...options, stack }, ports, said.objects);
  return [
    `pulumi stack select --create ${shellText(stack)}`,
    `PULUMI_SKIP_CHECKPOINTS=true pulumi ${importCommand(stack).map(shellText).join(" ")}`,
    `pulumi preview --stack ${shellText(stack)}`,
  ];
}

/** An import into a stack that is chosen. */
type Target = ImportOptions & { readonly stack: string };

function writeImportFile({ folder, stack, language }: Target, { console }: ImportPorts, objects: Objects) {
  const consoleProject = console.context.client.project.known();
  const to = {
    project: projectName(folder),
    stack: stack.split("/").at(-1) ?? stack,
    console: console.digest,
    ...(consoleProject === undefined ? {} : { consoleProject }),
  };
  const resources = objects.map((one) => importEntry(languages[language].adapter, one, to, randomUUID()));
  writeWholeFile(path.join(folder, importPath(stack)), `${JSON.stringify({ resources })}\n`);
}

async function bringIn(options: ImportOptions, ports: ImportPorts, { objects }: Expressed) {
  if (languages[options.language].adapter === "dynamic") refuseWithoutPackages(options.folder);
  const stack = await chosenStack(ports.pulumi, options.stack);
  const added = await addMissing({ ...options, stack }, ports, objects);
  ports.report("looking at a preview");
  return { stack, added, changes: await previewedChanges(ports.pulumi, stack) };
}

/** Brings into a state what it does not have of some objects, and tells how many those were. */
async function addMissing(
  target: Target,
  ports: ImportPorts,
  objects: Objects,
  isSecondTry = false,
): Promise<number> {
  const { folder, stack, language } = target;
  const { adapter } = languages[language];
  const { pulumi, report, console } = ports;
  const resources = await resourcesOf(pulumi, stack);
  refuseClashes(stack, adapter, objects, resources);
  const there = new Set(resources.map(({ type, name }) => `${type} ${name}`));
  const missing = objects.filter((one) => !there.has(`${typeOf(adapter, one)} ${one.name}`));
  if (missing.length === 0) return 0;
  report(`bringing ${countOf(missing.length, "object")} into the state of stack ${stack}`);
  writeImportFile(target, ports, missing);
  const lock = { isAlive: isAliveHere, sleep: console.context.sleep, report };
  const result = await withLock(pulumi, stack, importCommand(stack), lock);
  const file = path.join(folder, importPath(stack));
  // Another import has ended meanwhile, and taken the file with it.
  if (result.status !== 0 && !existsSync(file)) {
    if (isSecondTry) throw new Error(otherImports(folder));
    report("another import in this folder has ended meanwhile: looking again at what is missing");
    return addMissing(target, ports, objects, true);
  }
  requireSuccess("pulumi import", result);
  // It holds all that the console shows, e-mail addresses too.
  rmSync(file, { force: true });
  return missing.length;
}

const otherImports = (folder: string): string =>
  `other imports are going on in ${folder}, and took away the file that this one made. Wait until they have ended, then run this again`;
