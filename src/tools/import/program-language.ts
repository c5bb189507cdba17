import { formatted } from "./program/format";
import type { Grouping } from "./program/groups";
import type { Named } from "./program/names";
import { type Files, indexFile, programOf } from "./program/program";
import type { ProgramObject } from "./program/program-object";
import { sourceFile } from "./program/source-file";
import { madeInYaml, namedInYaml, whyNotInYaml, yamlFile, yamlProgramOf } from "./program/yaml-program";
import { projectFiles, type Versions, yamlProjectFiles } from "./pulumi-project";
import type { Adapter } from "./state-entry";

/** The files of a program. */
export interface WrittenProgram {
  readonly files: Files;
  /** The group of each file that holds one group alone. */
  readonly groups: ReadonlyMap<string, string>;
}

/** A language in which a console becomes a program. */
export interface ProgramLanguage {
  /** The setting `runtime` of its projects. */
  readonly runtime: string;
  /** Which resources its programs have. */
  readonly adapter: Adapter;
  /** The file that Pulumi runs. */
  readonly main: string;
  /** Its programs load packages of npm from their folder. */
  readonly needsPackages?: true;
  /** The same objects, under names and with arguments that a program in the language needs. */
  readonly named: (objects: readonly ProgramObject[]) => readonly ProgramObject[];
  readonly write: (objects: readonly ProgramObject[], by: Grouping) => Promise<WrittenProgram>;
  /** Files that a folder lacks to be a project. */
  readonly frame: (folder: string, versions: Versions) => Files;
  /** The resources that the text of a file makes. */
  readonly madeIn: (file: string, text: string) => readonly Named[];
  /** Pulumi drops the nulls of its programs. */
  readonly dropsNulls?: boolean;
  /** Why a program cannot say an object; undefined where it can. Left out: it can say each. */
  readonly whyNot?: (one: ProgramObject) => string | undefined;
}

/** The name of a language, as a user gives it. */
export type LanguageName = "typescript" | "yaml";

/** The languages of programs. */
export const languages: Readonly<Record<LanguageName, ProgramLanguage>> = {
  typescript: {
    runtime: "nodejs",
    adapter: "dynamic",
    main: indexFile,
    needsPackages: true,
    named: (objects) => objects,
    write: async (objects, by) => {
      const program = programOf(objects, by);
      return { files: await formatted(program), groups: program.groups };
    },
    frame: projectFiles,
    madeIn: (file, text) => (file.endsWith(".ts") ? (sourceFile(text)?.resources ?? []) : []),
  },
  yaml: {
    runtime: "yaml",
    adapter: "native",
    main: yamlFile,
    named: namedInYaml,
    write: async (objects) => ({ files: yamlProgramOf(objects), groups: new Map() }),
    frame: yamlProjectFiles,
    madeIn: (file, text) => (file === yamlFile ? madeInYaml(text) : []),
    dropsNulls: true,
    whyNot: ({ args }) => whyNotInYaml(args),
  },
};
