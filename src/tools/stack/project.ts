import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { projectFileNames } from "../../provider/pulumi/runs/backend";
import { isObject } from "../../provider/schema/json";

/** The text of a file; undefined where there is none. */
export function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** The folder of the Pulumi project that a folder is in; the folder itself where it is in none. */
export function projectFolder(folder: string): string {
  for (let place = path.resolve(folder); ; place = path.dirname(place)) {
    if (projectFileNames.some((name) => existsSync(path.join(place, name)))) return place;
    if (place === path.dirname(place)) return folder;
  }
}

/** The text that makes a folder a project, under any of the names that Pulumi takes. */
export function projectFile(folder: string): string | undefined {
  const texts = projectFileNames.map((name) => textOf(path.join(folder, name)));
  return texts.find((text) => text !== undefined);
}

/** The name of the project in a folder; the one that it would get where it is none yet. */
export function projectName(folder: string): string {
  return settingOf(folder, "name") ?? nameFor(folder);
}

/** What Pulumi runs in a folder, as its settings say it, where that is something else than `index` in this folder. */
export function otherMain(folder: string): string | undefined {
  const said = settingOf(folder, "main");
  const start = path.resolve(folder, said ?? ".");
  const entry = packageMain(start);
  const program = path.resolve(start, entry ?? ".");
  const index = path.resolve(folder, "index");
  if (program === path.resolve(folder) || program.replace(/\.[cm]?[jt]s$/, "") === index) return undefined;
  return path.relative(folder, program);
}

function packageMain(folder: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(textOf(path.join(folder, "package.json")) ?? "{}");
    return isObject(parsed) && typeof parsed.main === "string" ? parsed.main : undefined;
  } catch {
    return undefined;
  }
}

/** A text of the project's own file. */
function settingOf(folder: string, setting: string): string | undefined {
  const line = new RegExp(`^\\s*"?${setting}"?:\\s*["']?([^"'\\n#,]+?)["']?\\s*,?\\s*(?:#.*)?$`, "m");
  return line.exec(projectFile(folder) ?? "")?.[1];
}

/** The name that a folder without a project would get. */
export function nameFor(folder: string): string {
  const name = path
    .basename(path.resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[-._]+|[-.]+$/g, "");
  return name === "" ? "flags" : name;
}
