import { existsSync } from "node:fs";
import path from "node:path";
import { holdsNull } from "../../provider/engine/expressed/smallest-form";
import { nativePrefix } from "../../provider/pulumi/stored-names";
import { pathText } from "../../provider/schema/path";
import { snakeCase } from "../../provider/texts/argument-names";
import { textOf } from "../stack/project";
import { additionsTo, existingProgram, isMade } from "./additions";
import type { ProgramLanguage } from "./language";
import { formatted } from "./program/format";
import { goProgram } from "./program/go-program";
import { type LinkedResources, linkedResources } from "./program/linked-resources";
import { camelCase, commonLetters, identifiersOf, type Named } from "./program/names";
import { indexFile, programOf } from "./program/program";
import type { ProgramObject } from "./program/program-object";
import { pythonProgram } from "./program/python-program";
import { sourceFile } from "./program/source-file";
import { misfitIn, packageSchema, typedArguments } from "./program/typed-value";
import { callIn, madeInYaml, namedInYaml, yamlFile, yamlMain, yamlProgram } from "./program/yaml-program";

/** A language of the plugin, whose programs are one file. */
interface PluginLanguage extends Pick<ProgramLanguage, "main"> {
  /** The file that Pulumi runs in a folder. Left out: always `main`. */
  readonly mainIn?: (folder: string) => string;
  readonly madeIn: (text: string) => readonly Named[];
  /** A program of these resources; with the text of one that is there, that with them too. */
  readonly text: (linked: LinkedResources, file: string, before?: string) => string;
  readonly named?: ProgramLanguage["named"];
  readonly whyNot?: ProgramLanguage["whyNot"];
}

function pluginLanguage(runtime: string, language: PluginLanguage): ProgramLanguage {
  const { main, mainIn = () => main, madeIn, text, named, whyNot } = language;
  const program = (objects: readonly ProgramObject[], file = main, folder?: string, before?: string) => {
    const isThere = (one: string) => folder !== undefined && existsSync(path.join(folder, one));
    const linked = linkedResources(objects, isThere);
    return new Map([[file, text(linked, file, before)], ...linked.texts]);
  };
  return {
    ...{ runtime, adapter: "native", main, named },
    write: async (objects) => ({ files: program(objects), groups: new Map() }),
    async add(folder, objects) {
      const file = mainIn(folder);
      const there = textOf(path.join(folder, file));
      const before = there?.replaceAll("\r\n", "\n");
      const made = new Set(madeIn(before ?? "").map(({ kind, name }) => `${kind} ${name}`));
      const missing = objects.filter(({ kind, name }) => !made.has(`${kind} ${name}`));
      if (missing.length === 0) return { files: new Map(), notes: [] };
      const files = program(missing, file, folder, before);
      if (there !== before) files.set(file, (files.get(file) ?? "").replaceAll("\n", "\r\n"));
      return { files, notes: [] };
    },
    madeIn: (file, text) => (file === main ? madeIn(text) : []),
    whyNot: (one) => (holdsNull(one.args) ? "it holds a null, which Pulumi drops" : whyNot?.(one)),
  };
}

type Printer = typeof pythonProgram | typeof goProgram;

/** The texts of a language with variables. `words`: those that it cannot call a variable, and those that its programs use. */
function printed(
  words: string,
  spelled: (text: string, kind: string) => string,
  print: Printer,
): PluginLanguage["text"] {
  return ({ ordered }, _, before) => {
    const taken = new Set([...words.split(","), ...(before?.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? [])]);
    const names = identifiersOf(ordered, taken, spelled);
    return print(ordered, packageSchema(), (one) => names.get(one) ?? "", before);
  };
}

const camel = (text: string, kind: string) => camelCase(commonLetters(text), kind);

const pythonWords =
  "False,None,True,and,assert,async,await,break,case,class,continue,def,del,elif,else,except,finally,for,from,global,if," +
  "import,in,is,lambda,match,nonlocal,not,or,pass,raise,return,try,type,while,with,yield,Any,cast,fc,pulumi";

const goWords =
  "break,case,chan,const,continue,default,defer,else,fallthrough,for,func,go,goto,if,import,interface,map,package,range," +
  "return,select,struct,switch,type,var,ctx,err,error,fc,init,main,nil,program,pulumi,string,true,false";

/** The resources that code in Python or Go makes, whatever it calls this package. */
function madeInCode(text: string): Named[] {
  const { resources } = packageSchema();
  const calls = text.matchAll(/\b(?:New)?([A-Z]\w*)\((?:\s*\w+,)?\s*("(?:[^"\\\n]|\\.)*")/g);
  return [...calls]
    .filter(([, kind = ""]) => Object.hasOwn(resources, `${nativePrefix}${kind}`))
    .map(([, kind = "", name = ""]) => ({ kind, name: textIn(name) }));
}

function textIn(quoted: string): string {
  const short = quoted.replace(/\\U([0-9a-f]{8})/g, (_, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );
  try {
    return JSON.parse(short) as string;
  } catch {
    // Its owner wrote it, in another way than this command.
    return quoted;
  }
}

/** The name of a language, as a user gives it. */
export type LanguageName = "typescript" | "yaml" | "python" | "go";

/** The languages of programs. */
export const languages: Readonly<Record<LanguageName, ProgramLanguage>> = {
  typescript: {
    runtime: "nodejs",
    adapter: "dynamic",
    main: indexFile,
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
    madeIn: (file, text) => (file.endsWith(".ts") ? (sourceFile(text)?.resources ?? []) : []),
  },
  yaml: pluginLanguage("yaml", {
    main: yamlFile,
    mainIn: yamlMain,
    madeIn: madeInYaml,
    text: ({ sorted }, file, before) => yamlProgram(sorted, file, before),
    named: (objects, folder) => namedInYaml(objects, folder && textOf(path.join(folder, yamlMain(folder)))),
    whyNot: ({ args }) => callIn(args),
  }),
  python: pluginLanguage("python", {
    main: "__main__.py",
    madeIn: madeInCode,
    text: printed(pythonWords, (text, kind) => snakeCase(camel(text, kind)), pythonProgram),
  }),
  go: pluginLanguage("go", {
    main: "main.go",
    madeIn: madeInCode,
    text: printed(goWords, camel, goProgram),
    whyNot(one) {
      const misfit = misfitIn(typedArguments(one, packageSchema()));
      return misfit && `${pathText(misfit)}: the types of Go do not offer this value`;
    },
  }),
};
