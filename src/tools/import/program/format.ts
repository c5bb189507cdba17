import { bug, messageOf } from "../../../provider/schema/errors";
import type { Code } from "./code-text";
import type { FileCode, Files, ImportStatement, Program } from "./program";

/** A node of a syntax tree, in the form of ESTree; beside these, what its type has. */
export interface SyntaxNode {
  readonly type: string;
  /** Its beginning and end in the text. */
  readonly range: readonly [start: number, end: number];
  readonly [member: string]: unknown;
}

/** No other command has any use for it. Its parts are named one by one, because as a whole it looks for settings. */
function prettier() {
  const { format } = require("prettier/standalone") as typeof import("prettier/standalone");
  const typescript = require("prettier/plugins/typescript") as typeof import("prettier/plugins/typescript");
  const estree = require("prettier/plugins/estree") as typeof import("prettier/plugins/estree");
  return { format, plugins: [typescript, estree], parser: typescript.parsers.typescript };
}

/** TypeScript as Prettier writes it without any settings; ends with a line end. */
export async function formattedCode(code: Code): Promise<string> {
  const { format, plugins } = prettier();
  try {
    return await format(code, { parser: "typescript", plugins });
  } catch (error) {
    // Only this package can mend the code that it wrote.
    throw bug(`Cannot format this part of a program: ${messageOf(error)}\n${code.slice(0, 300)}`);
  }
}

/** The syntax tree of a text; undefined where it is no TypeScript. */
export function syntaxOf(text: string): SyntaxNode | undefined {
  try {
    // Prettier declares neither that its options may be left out nor what comes of it.
    return prettier().parser.parse(text, {} as never) as SyntaxNode;
  } catch {
    return undefined;
  }
}

/** The parts of a file, formatted one by one: a whole file of thousands of resources would take hundreds of megabytes. */
export async function formattedParts({ imports, parts }: FileCode): Promise<string[]> {
  const all = imports.length === 0 ? parts : [imports.map(importCode).join("\n"), ...parts];
  const done: string[] = [];
  for (const part of all) done.push(await formattedCode(part));
  return done;
}

/** The files of a program. */
export async function formatted({ code, texts }: Program): Promise<Files> {
  const files = new Map(texts);
  for (const [file, one] of code) files.set(file, (await formattedParts(one)).join("\n"));
  return files;
}

/** A statement as TypeScript. */
export function importCode({ source, all, names = [] }: ImportStatement): Code {
  const from = JSON.stringify(source);
  if (all !== undefined) return `import * as ${all} from ${from};`;
  return names.length === 0 ? `import ${from};` : `import { ${names.join(", ")} } from ${from};`;
}
