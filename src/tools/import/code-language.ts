import { existsSync } from "node:fs";
import path from "node:path";
import { pathText } from "../../provider/schema/path";
import { snakeCase } from "../../provider/texts/argument-names";
import { textOf } from "../stack/project";
import type { Additions, ProgramLanguage } from "./language";
import { goProgram, goProgramWith } from "./program/go-program";
import { linkedResources } from "./program/linked-resources";
import { camelCase, commonLetters, identifiersOf, type Named } from "./program/names";
import type { Files } from "./program/program";
import type { ProgramObject } from "./program/program-object";
import { pythonProgram } from "./program/python-program";
import { type Made, misfitIn, packageSchema, typedArguments, type ValueTypes } from "./program/typed-value";
import { holdsNull } from "./program/yaml-program";
import { goProjectFiles, pythonProjectFiles } from "./pulumi-project";

/** The writer of a language for which Pulumi makes a package of the schema. */
interface Writer {
  /** Words that it cannot call a variable, and those that its programs use. */
  readonly words: string;
  readonly spelled: (text: string, kind: string) => string;
  /** A program of these resources; with one that is there, that with them too. */
  readonly text: (
    made: readonly Made[],
    schema: ValueTypes,
    variable: (one: Made) => string,
    before?: string,
  ) => string;
}

const python: Writer = {
  words:
    "False,None,True,and,assert,async,await,break,case,class,continue,def,del,elif,else,except,finally,for,from,global,if," +
    "import,in,is,lambda,match,nonlocal,not,or,pass,raise,return,try,type,while,with,yield,Any,cast,fc,pulumi",
  spelled: (text, kind) => snakeCase(camelCase(commonLetters(text), kind)),
  text: pythonProgram,
};

const go: Writer = {
  words:
    "break,case,chan,const,continue,default,defer,else,fallthrough,for,func,go,goto,if,import,interface,map,package,range," +
    "return,select,struct,switch,type,var,ctx,err,error,fc,init,main,nil,program,pulumi,string,true,false",
  spelled: (text, kind) => camelCase(commonLetters(text), kind),
  text: (made, schema, variable, before) =>
    before === undefined ? goProgram(made, schema, variable) : goProgramWith(before, made, schema, variable),
};

/** The file of Pulumi's own examples in each language. */
const writers = { python: [python, "__main__.py"], go: [go, "main.go"] } as const;

/** A language for which Pulumi makes a package of the schema. */
export function codeLanguage(runtime: keyof typeof writers): ProgramLanguage {
  const [writer, main] = writers[runtime];
  const program = (objects: readonly ProgramObject[], folder?: string, before?: string) => {
    const isThere = (file: string) => folder !== undefined && existsSync(path.join(folder, file));
    const { ordered, texts } = linkedResources(objects, isThere);
    const taken = new Set([...writer.words.split(","), ...(before?.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? [])]);
    const names = identifiersOf(ordered, taken, writer.spelled);
    const code = writer.text(ordered, packageSchema(), (one) => names.get(one) ?? "", before);
    return new Map([[main, code], ...texts]);
  };
  const madeIn = (file: string, text: string) => (file === main ? madeInCode(text) : []);
  return {
    ...{ runtime, adapter: "native", main, madeIn, dropsNulls: true },
    named: (objects) => objects,
    write: async (objects) => ({ files: program(objects), groups: new Map() }),
    add: async (folder, objects) => addedToMain(folder, { main, madeIn }, objects, program),
    frame: runtime === "python" ? pythonProjectFiles : goProjectFiles,
    whyNot: (one) => whyNotIn(runtime, one),
  };
}

function whyNotIn(runtime: keyof typeof writers, one: ProgramObject): string | undefined {
  if (holdsNull(one.args)) return "it holds a null, which Pulumi drops";
  const misfit = runtime === "go" ? misfitIn(typedArguments(one, packageSchema())) : undefined;
  return misfit && `${pathText(misfit)}: the types of Go do not offer this value`;
}

/** The resources that code makes. */
function madeInCode(text: string): Named[] {
  const calls = text.matchAll(/\bfc\.(?:New)?([A-Z]\w*)\((?:\s*ctx,)?\s*("(?:[^"\\\n]|\\.)*")/g);
  return [...calls].map(([, kind = "", name = ""]) => ({ kind, name: textIn(name) }));
}

function textIn(quoted: string): string {
  const short = quoted.replace(/\\U([0-9a-f]{8})/g, (_, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );
  return JSON.parse(short) as string;
}

/** A program of one file with more objects: those that it does not make yet. `extended`: the files with these. */
export function addedToMain(
  folder: string,
  { main, madeIn }: Pick<ProgramLanguage, "main" | "madeIn">,
  objects: readonly ProgramObject[],
  extended: (objects: readonly ProgramObject[], folder: string, before?: string) => Files,
): Additions {
  const text = textOf(path.join(folder, main));
  const before = text?.replaceAll("\r\n", "\n");
  const made = new Set(madeIn(main, before ?? "").map(({ kind, name }) => `${kind} ${name}`));
  const missing = objects.filter(({ kind, name }) => !made.has(`${kind} ${name}`));
  if (missing.length === 0) return { files: new Map(), appended: [], notes: [] };
  const files = new Map(extended(missing, folder, before));
  if (text !== before) files.set(main, (files.get(main) ?? "").replaceAll("\n", "\r\n"));
  return { files, appended: before === undefined ? [] : [main], notes: [] };
}
