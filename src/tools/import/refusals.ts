import { globSync, rmSync } from "node:fs";
import path from "node:path";
import type { PulumiCommand } from "../../provider/pulumi/runs/cli";
import { projectIn } from "../../provider/pulumi/runs/project-file";
import { kindInType } from "../../provider/pulumi/stored-names";
import { countOf } from "../../provider/texts/count-text";
import { installAllLine } from "../stack/package-manager";
import { otherMain, projectName, resolvedIn, runtimeIn, textOf } from "../stack/project";
import type { FolderPlan } from "./folder";
import type { ProgramLanguage } from "./language";
import type { Expressed } from "./objects";
import type { Files } from "./program/program";
import { yamlMain } from "./program/yaml-program";
import { languages } from "./program-language";
import type { Selection } from "./selection";
import { type Adapter, typeOf } from "./state-entry";
import { resourcesIn, type StateEntry, shellText } from "./target-stack";

/** Folder and stack of a program. */
interface Place {
  readonly folder: string;
  readonly stack?: string | undefined;
}

/** The next update would take out of the console what is in state and in no program that Pulumi runs. */
export function refuseOtherMain(
  { folder, onlyNew }: Place & { readonly onlyNew: boolean },
  { runtime, main }: ProgramLanguage,
): void {
  const there = runtimeIn(folder);
  const other = there !== undefined && there !== runtime ? `a program for the runtime ${there}` : undefined;
  const found =
    other ?? (runtime === "nodejs" ? otherMain(folder) : otherPlugged(projectIn(folder), runtime, onlyNew));
  if (found === undefined) return;
  const runs = found === other ? found : shellText(found);
  const ownLanguage =
    there !== undefined && there !== runtime && there in languages ? `--language ${there}, or ` : "";
  throw new Error(
    `Pulumi runs ${runs} in ${folder}, not ${main} ("main" or "runtime" of Pulumi.yaml, or "main" of package.json). ` +
      "The next update would archive or delete the imported objects, because that program does not make them. Nothing was written. " +
      `Give ${ownLanguage}another folder with --out, or --no-run, and bring them in when that program loads ${main}`,
  );
}

/** A program in Go begins in one file: with a second beginning it would not compile. */
export function refuseSecondMain(
  { folder, onlyNew }: Place & { readonly onlyNew: boolean },
  { main }: ProgramLanguage,
): void {
  if (path.extname(main) !== ".go" || (onlyNew && textOf(path.join(folder, main)) !== undefined)) return;
  const other = globSync("*.go", { cwd: folder, exclude: [main, "*_test.go"] }).find((file) => {
    const text = textOf(path.join(folder, file)) ?? "";
    return /^func main\(\)/m.test(text) && !/^\/\/go:build ignore$/m.test(text);
  });
  if (other === undefined) return;
  throw new Error(
    `the program in ${folder} begins in ${shellText(other)}, and one with a second beginning in ${main} does not compile. Nothing was written. ` +
      `Rename that file to ${main} and give --only-new, or give another folder with --out`,
  );
}

/** The program of a language of the plugin that Pulumi runs or ran in a folder, if it is another than a file of its own. */
function otherPlugged(project: ReturnType<typeof projectIn>, runtime: string, onlyNew: boolean) {
  if (project === undefined) return undefined;
  const { folder, file, settings } = project;
  if (settings.main !== undefined && path.resolve(folder, settings.main) !== folder) return settings.main;
  if (runtime !== "yaml") return undefined;
  if (textOf(path.join(folder, "Main.json")) !== undefined) return "Main.json";
  const isWhole = !onlyNew && yamlMain(folder) === file;
  return isWhole ? file : undefined;
}

/** A file that somebody else wrote is never overwritten. */
export function refuseForeign({ foreign }: FolderPlan, force: boolean): void {
  if (force || foreign.length === 0) return;
  throw new Error(
    `these files are there, and not as this command wrote them: ${foreign.join(", ")}. Nothing was written. ` +
      "Give another folder with --out, or --force to overwrite them",
  );
}

/** A part of a console in the place of all of it would take the rest out of the program, and the next update out of the console. */
export function refuseLosses(
  options: Place & Selection,
  { madeIn }: ProgramLanguage,
  plan: FolderPlan,
  { objects }: Expressed,
): void {
  const { folder, kinds, tags, team, match } = options;
  if ([kinds, tags, team, match].every((one) => one === undefined)) return;
  const kept = new Set(objects.map(({ kind, name }) => `${kind} ${JSON.stringify(name)}`));
  const lost = [...plan.remove, ...plan.write].flatMap((file) => {
    const text = textOf(path.join(folder, file));
    const made = text === undefined ? [] : madeIn(file, text);
    return made.map(({ kind, name }) => `${kind} ${JSON.stringify(name)}`).filter((one) => !kept.has(one));
  });
  const [first] = lost;
  if (first === undefined) return;
  throw new Error(
    `the program that is there makes ${countOf(lost.length, "resource")} outside what is asked for, such as ${first}. ` +
      "Nothing was written. Give --only-new to add to it, another folder with --out, or --force to write it anew",
  );
}

/**
 * A project is called by its folder, and another folder may be called the same: its stack would lose all that this program does not make.
 * Asked only of a new project; in one that was there, a stack with other resources is its owner's.
 */
export async function refuseStackOfOthers(
  { folder, stack }: Place,
  adapter: Adapter,
  pulumi: PulumiCommand,
  { objects }: Expressed,
  frame: Files,
): Promise<void> {
  try {
    const own = new Set(objects.map((one) => `${typeOf(adapter, one)} ${one.name}`));
    const others = (await resourcesIn(pulumi, stack)).filter(
      ({ type, name }) => !type.startsWith("pulumi:") && !own.has(`${type} ${name}`),
    );
    const [first] = others;
    if (first === undefined) return;
    throw new Error(
      `stack ${stack} of project ${projectName(folder)} is there, with ${countOf(others.length, "resource")} outside this program, such as ` +
        `${JSON.stringify(first.name)}: the project of another folder may have this name too. Nothing was written. Give another stack with --stack, or write a ` +
        "Pulumi.yaml with a name of its own first",
    );
  } catch (error) {
    for (const file of frame.keys()) rmSync(path.join(folder, file), { force: true });
    throw error;
  }
}

/** Refuses a folder without this package: the state loads it from there. */
export function refuseWithoutPackages(folder: string): void {
  if (resolvedIn(folder, "pulumi-feature-console/package.json") !== undefined) return;
  throw new Error(
    `the program is written, and its packages are not installed: run "${installAllLine(folder)}" in ${folder}, then this again`,
  );
}

/** Two resources for one object, of one adapter or of both, would end with the object being archived or deleted when one of them goes. */
export function refuseClashes(
  stack: string,
  adapter: Adapter,
  objects: Expressed["objects"],
  resources: readonly StateEntry[],
): void {
  const [byId, byName] = (["id", "name"] as const).map(
    (by) => new Map(resources.map((one) => [`${kindInType(one.type)} ${one[by]}`, one])),
  );
  const clashes = objects.flatMap((one) => {
    const said = `${one.definition.title} ${JSON.stringify(one.name)}`;
    const same = byId?.get(`${one.kind} ${one.id}`);
    if (same !== undefined && same.name !== one.name)
      return [`${said} (there as ${JSON.stringify(same.name)})`];
    if (same !== undefined && same.type !== typeOf(adapter, one)) return [`${said} (there as ${same.type})`];
    const alike = byName?.get(`${one.kind} ${one.name}`);
    return alike !== undefined && alike.id !== one.id
      ? [`${said} (there for ${JSON.stringify(alike.id)})`]
      : [];
  });
  if (clashes.length === 0) return;
  throw new Error(
    `stack ${stack} has these under other names, or other objects under these names: ${clashes.join(", ")}. ` +
      "Nothing was brought into its state. Give another stack with --stack, or import what it lacks with --only-new",
  );
}
