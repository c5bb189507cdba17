import { randomUUID } from "node:crypto";
import path from "node:path";
import type { ReadConsole } from "./console";
import { type FolderPlan, notesFolder, planFolder, writeFolder, writeWhole } from "./folder";
import { formatted } from "./format";
import type { Grouping } from "./groups";
import { type Expressed, expressed } from "./objects";
import { programOf } from "./program";
import {
  chosenStack,
  outputOf,
  type Previewed,
  type PulumiCommand,
  previewOf,
  resourcesOf,
} from "./pulumi-command";
import { projectFiles, projectName } from "./pulumi-project";
import { type Found, type ReadProgress, readKind } from "./reading";
import { isSelected, kindsNamed, type Selection } from "./selection";
import { importEntry, importFile, typeOf } from "./state-entry";

/** What an import is to do. */
export interface ImportOptions extends Selection {
  /** Folder of the program. */
  readonly folder: string;
  readonly by: Grouping;
  /** Authors too. */
  readonly owners: boolean;
  /** Overwrites files that this command did not write. */
  readonly force: boolean;
  /** Writes nothing, neither files nor state. */
  readonly dryRun: boolean;
  /** Brings the objects into the state of the stack and looks at a preview. */
  readonly run: boolean;
  /** Left out: the one that is selected. */
  readonly stack?: string | undefined;
}

/** What an import works with. */
export interface ImportPorts {
  readonly console: ReadConsole;
  readonly pulumi: PulumiCommand;
  readonly progress: ReadProgress;
  /** Tells the user something in one line. */
  readonly report: (line: string) => void;
  /** Versions for a new package.json, as npm takes them. */
  readonly versions: { readonly own: string; readonly sdk: string };
}

/** What came of an import. */
export interface Imported extends Expressed {
  readonly folder: FolderPlan;
  /** Left out: nothing was brought into a state. */
  readonly state?: {
    readonly stack: string;
    /** Resources that are new to the state. */
    readonly added: number;
    readonly preview: Previewed;
  };
  /** Commands that are left to the user. */
  readonly commands: readonly string[];
}

/** Stack that a file is made for when nobody names one. */
const usualStack = "dev";

/**
 * Reads a project, writes a program that says it, and brings its objects into the state of a stack. Sends no write to the console,
 * and can be run again after any interruption.
 * @throws ConsoleError, or an error that tells what was attempted and what to do.
 */
export async function importProject(options: ImportOptions, ports: ImportPorts): Promise<Imported> {
  const found = await readProject(options, ports);
  const said = expressed(found, options.owners);
  const { folder } = options;
  const files = await formatted(programOf(said.objects, options.by));
  const frame = projectFiles(folder, ports.versions);
  const changes = planFolder(folder, files);
  const plan = { ...changes, write: [...frame.keys(), ...changes.write] };
  if (options.dryRun) return { ...said, folder: plan, commands: [] };
  refuseForeign(plan, options.force);
  for (const [file, text] of frame) writeWhole(path.join(folder, file), text);
  writeFolder(folder, files, changes, options.force);
  if (!options.run) return { ...said, folder: plan, commands: commandsFor(options, ports, said) };
  return { ...said, folder: plan, commands: [], state: await bringIn(options, ports, said) };
}

async function readProject(options: ImportOptions, { console, progress }: ImportPorts): Promise<Found[]> {
  const wanted = kindsNamed(options.kinds);
  const found = await Promise.all(
    wanted.map((definition) =>
      readKind(console.context, definition, (live) => isSelected(options, definition, live), progress),
    ),
  );
  return found.flat();
}

function refuseForeign({ foreign }: FolderPlan, force: boolean): void {
  if (force || foreign.length === 0) return;
  throw new Error(
    `these files are there, and not as this command wrote them: ${foreign.join(", ")}. Nothing was written. ` +
      "Say another folder with --out, or --force to overwrite them",
  );
}

/** Where the file for Pulumi is written, from the folder of the program. */
function importPath(stack: string): string {
  return path.join(notesFolder, `import-${stack.replace(/[^\w.-]/g, "-")}.json`);
}

function importCommand(stack: string): string[] {
  const flags = ["--generate-code=false", "--protect=false", "--yes"];
  return ["import", "--file", importPath(stack), "--stack", stack, ...flags];
}

/** Writes the file for Pulumi and tells the commands that take it. */
function commandsFor(
  { folder, stack = usualStack }: ImportOptions,
  ports: ImportPorts,
  said: Expressed,
): string[] {
  writeImportFile(folder, stack, ports, said.objects);
  return [
    `pulumi stack select --create ${stack}`,
    `PULUMI_SKIP_CHECKPOINTS=true pulumi ${importCommand(stack).join(" ")}`,
    `pulumi preview --stack ${stack}`,
  ];
}

function writeImportFile(
  folder: string,
  stack: string,
  { console }: ImportPorts,
  objects: Expressed["objects"],
): void {
  const to = {
    project: projectName(folder),
    stack: stack.split("/").at(-1) ?? stack,
    console: console.digest,
  };
  const entries = objects.map((one) => importEntry(one, to, randomUUID()));
  writeWhole(path.join(folder, importPath(stack)), importFile(entries));
}

async function bringIn(
  options: ImportOptions,
  ports: ImportPorts,
  said: Expressed,
): Promise<NonNullable<Imported["state"]>> {
  const { pulumi, report } = ports;
  const stack = await chosenStack(pulumi, options.stack);
  const there = new Set((await resourcesOf(pulumi, stack)).map(({ type, name }) => `${type} ${name}`));
  const missing = said.objects.filter((one) => !there.has(`${typeOf(one)} ${one.name}`));
  if (missing.length > 0) {
    report(`bringing ${missing.length} objects into the state of stack ${stack}`);
    writeImportFile(options.folder, stack, ports, missing);
    outputOf("pulumi import", await pulumi(importCommand(stack)));
  }
  report("looking at a preview");
  return { stack, added: missing.length, preview: await previewOf(pulumi, stack) };
}
