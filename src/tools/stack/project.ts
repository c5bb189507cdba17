import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { contentOf, nearestProject, projectIn } from "../../provider/pulumi/runs/project-file";
import { type JsonObject, objectFrom } from "../../provider/schema/json";

/** The user has to call the command differently: exit status 2. */
export class UsageError extends Error {}

/** The text of a file; undefined where there is none. @throws Error where the file cannot be read. */
export function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** The folder of the Pulumi project that a folder is in; the folder itself where it is in none. */
export function projectFolder(folder: string): string {
  return nearestProject(path.resolve(folder))?.folder ?? folder;
}

/** Goes to the folder of the Pulumi project, as settings and places in a program begin there. @throws UsageError outside a project. */
export function enterProject(): string {
  const project = nearestProject(process.cwd());
  if (project === undefined)
    throw new UsageError(
      "there is no Pulumi.yaml here or above: run it in the folder of your Pulumi project",
    );
  process.chdir(project.folder);
  return project.folder;
}

/** The name of the project in a folder; for a folder without a project, the name that `import` would choose. */
export function projectName(folder: string): string {
  return projectIn(folder)?.settings.name ?? nameFor(folder);
}

/** The language of the project in a folder, as Pulumi names it: `nodejs`, `yaml`, `python`; undefined where its file names none. */
export function runtimeIn(folder: string): string | undefined {
  const { runtime, "runtime.name": named } = projectIn(folder)?.settings ?? {};
  return runtime ?? named;
}

/** The program that Pulumi runs in a folder, if it is another than `index` in this folder. */
export function otherMain(folder: string): string | undefined {
  const start = path.resolve(folder, projectIn(folder)?.settings.main ?? ".");
  const entry = manifestIn(start)?.main;
  const program = path.resolve(start, typeof entry === "string" ? entry : ".");
  const index = path.resolve(folder, "index");
  if (program === path.resolve(folder) || program.replace(/\.[cm]?[jt]s$/, "") === index) return undefined;
  return path.relative(folder, program);
}

/** The package.json of a folder; undefined where there is none that can be read. */
export function manifestIn(folder: string): JsonObject | undefined {
  return objectFrom(contentOf(path.join(folder, "package.json")) ?? "");
}

/** The file that Node finds for a program of a folder; undefined for none. */
export function resolvedIn(folder: string, name: string): string | undefined {
  try {
    return createRequire(path.join(path.resolve(folder), "index.js")).resolve(name);
  } catch {
    return undefined;
  }
}

/** The name that `import` chooses for the project of a folder. */
export function nameFor(folder: string): string {
  const name = path
    .basename(path.resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[-._]+|[-.]+$/g, "");
  return name === "" ? "flags" : name;
}

/** The stacks of which a project has a file of settings, by name. */
export function stacksWithSettings(folder: string): string[] {
  const place = path.join(folder, projectIn(folder)?.settings.stackConfigDir ?? "");
  const files = existsSync(place) ? readdirSync(place) : [];
  return files.flatMap((file) => /^Pulumi\.(.+)\.yaml$/.exec(file)?.[1] ?? []).sort();
}

/** A stack's file of settings, from the folder of its project; undefined where it has none. */
export function stackSettings(folder: string, stack: string) {
  const place = projectIn(folder)?.settings.stackConfigDir ?? "";
  const file = path.posix.join(place, `Pulumi.${stack.split("/").at(-1)}.yaml`);
  const text = textOf(path.join(folder, file));
  return text === undefined ? undefined : { file, text };
}
