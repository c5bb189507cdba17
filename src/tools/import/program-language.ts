import path from "node:path";
import { textOf } from "../stack/project";
import { additionsTo, existingProgram, isMade } from "./additions";
import { addedToMain, codeLanguage } from "./code-language";
import type { ProgramLanguage } from "./language";
import { formatted } from "./program/format";
import { indexFile, programOf } from "./program/program";
import { sourceFile } from "./program/source-file";
import {
  madeInYaml,
  namedInYaml,
  whyNotInYaml,
  yamlFile,
  yamlMain,
  yamlProgramOf,
} from "./program/yaml-program";
import { projectFiles, yamlProjectFiles } from "./pulumi-project";

/** The name of a language, as a user gives it. */
export type LanguageName = "typescript" | "yaml" | "python" | "go";

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
    add: (folder, objects, by) => {
      const existing = existingProgram(folder);
      // After a kill, or with --no-run, the program may be further than the state.
      const missing = objects.filter((one) => !isMade(existing, one));
      return additionsTo(folder, existing, missing, by);
    },
    frame: projectFiles,
    madeIn: (file, text) => (file.endsWith(".ts") ? (sourceFile(text)?.resources ?? []) : []),
  },
  yaml: {
    runtime: "yaml",
    adapter: "native",
    main: yamlFile,
    named: (objects, folder) => namedInYaml(objects, folder && textOf(path.join(folder, yamlMain(folder)))),
    write: async (objects) => ({ files: yamlProgramOf(objects, yamlFile), groups: new Map() }),
    add: async (folder, objects) => {
      const main = yamlMain(folder);
      const madeIn = (_: string, text: string) => madeInYaml(text);
      return addedToMain(folder, { main, madeIn }, objects, (missing, ...place) =>
        yamlProgramOf(missing, main, ...place),
      );
    },
    frame: yamlProjectFiles,
    madeIn: (file, text) => (file === yamlFile ? madeInYaml(text) : []),
    dropsNulls: true,
    whyNot: ({ args }) => whyNotInYaml(args),
  },
  python: codeLanguage("python"),
  go: codeLanguage("go"),
};
