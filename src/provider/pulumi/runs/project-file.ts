import { readFileSync } from "node:fs";
import path from "node:path";
import { isObject, objectFrom } from "../../schema/json";

/** A Pulumi project. */
export interface Project {
  readonly folder: string;
  /** `Pulumi.yaml`, or another of the names that Pulumi reads. */
  readonly file: string;
  /** The texts in that file, by their names; a text inside of another setting by both: `runtime.name`. */
  readonly settings: Readonly<Record<string, string>>;
}

const fileNames = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

/** The project in a folder; undefined where no file makes the folder one. */
export function projectIn(folder: string): Project | undefined {
  for (const file of fileNames) {
    const text = contentOf(path.join(folder, file));
    if (text !== undefined) return { folder, file, settings: settingsIn(text) };
  }
  return undefined;
}

/** The project in a folder, or in the nearest folder above that has one. */
export function nearestProject(folder: string): Project | undefined {
  const above = path.dirname(folder);
  return projectIn(folder) ?? (above === folder ? undefined : nearestProject(above));
}

/** The runtime of the project of a folder, such as `python`; undefined where no project names one. */
export function runtimeIn(folder: string): string | undefined {
  const { settings = {} } = nearestProject(folder) ?? {};
  return settings["runtime.name"] ?? settings.runtime;
}

/** The content of a file; undefined where no file can be read. */
export function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/**
 * Texts of two levels, in JSON or in the usual forms of YAML; others are not read. Each provider process starts here, so no
 * package is loaded for a few texts.
 */
function settingsIn(text: string): Record<string, string> {
  const settings: Record<string, string> = {};
  if (/^\s*\{/.test(text)) {
    for (const [name, value] of membersIn(text)) note(settings, name, value);
    return settings;
  }
  let [outer, level] = ["", ""];
  for (const line of text.split(/\r?\n/)) {
    const [, indent = "", name, value = ""] = /^(\s*)["']?([\w-]+)["']?\s*:(?:\s+(.*))?$/.exec(line) ?? [];
    if (name === undefined) continue;
    if (indent === "") [outer, level] = [name, ""];
    else level ||= indent;
    if (indent !== level) continue;
    const place = indent === "" ? name : `${outer}.${name}`;
    if (!value.startsWith("{")) note(settings, place, scalarIn(value));
    else
      for (const [, inner, one = ""] of value.matchAll(/([\w-]+)["']?\s*:\s*("[^"]*"|'[^']*'|[^\s,{}]+)/g))
        note(settings, `${place}.${inner}`, scalarIn(one));
  }
  return settings;
}

function membersIn(text: string): [string, unknown][] {
  return Object.entries(objectFrom(text) ?? {}).flatMap(([name, one]): [string, unknown][] =>
    isObject(one) ? Object.entries(one).map(([inner, each]) => [`${name}.${inner}`, each]) : [[name, one]],
  );
}

/** A text without its quotes and the comment behind it. */
function scalarIn(text: string): string | undefined {
  const [, double, single, plain] = /^(?:"([^"]*)"|'([^']*)'|(?!#)(.*?))\s*(?:(?<=\s)#.*)?$/.exec(text) ?? [];
  return double ?? single ?? plain;
}

/** Keeps the first text of a name. */
function note(settings: Record<string, string>, name: string, value: unknown): void {
  if (typeof value === "string" && value.trim() !== "") settings[name] ??= value.trim();
}
