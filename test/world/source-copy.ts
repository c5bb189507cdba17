import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { transformSync } from "@swc/core";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";

/** A place of the source that a copy has otherwise. */
export interface Patch {
  /** From the folder `src`. */
  readonly file: string;
  /** Text that is there exactly once. */
  readonly find: string;
  readonly replace: string;
}

interface Module {
  exports: Record<string, unknown>;
}

const root = path.join(repositoryRoot, "src");
const outside = createRequire(path.join(repositoryRoot, "package.json"));

/** A text of the source with a patch. @throws Error where the place of the patch is not there, or there more than once. */
export function patchedText(text: string, { file, find, replace }: Patch): string {
  const parts = text.split(find);
  if (parts.length !== 2)
    throw new Error(`src/${file} has the place ${parts.length - 1} times: ${JSON.stringify(find)}`);
  return parts.join(replace);
}

/** JavaScript by TypeScript: copies differ in a few files, and to translate the others again takes longer than a history. */
const translated = new Map<string, string>();

function translate(filename: string, text: string): string {
  const known = translated.get(text);
  if (known !== undefined) return known;
  const { code } = transformSync(text, {
    filename,
    jsc: { parser: { syntax: "typescript" }, target: "es2023" },
    module: { type: "commonjs" },
  });
  translated.set(text, code);
  return code;
}

/** A copy of the source in memory, with some places changed. */
export class SourceCopy {
  readonly #patches: readonly Patch[];
  readonly #modules = new Map<string, Module>();

  /** @throws Error for a patch whose place is not there, or there more than once. */
  constructor(patches: readonly Patch[]) {
    this.#patches = patches;
    for (const { file } of patches) this.#textOf(path.join(root, file));
  }

  /** Runs a module, given from the folder `src`, and those that it imports; each of them once. */
  load(file: string): Record<string, unknown> {
    return this.#run(resolve(path.join(root, file)));
  }

  #run(file: string): Record<string, unknown> {
    const known = this.#modules.get(file);
    if (known !== undefined) return known.exports;
    const module: Module = { exports: {} };
    this.#modules.set(file, module);
    const load = (name: string) =>
      name.startsWith(".") ? this.#run(resolve(path.join(path.dirname(file), name))) : outside(name);
    // Of this realm, unlike what node:vm makes inside of Jest: errors and arrays are those of the tests.
    const run = new Function("exports", "require", "module", translate(file, this.#textOf(file)));
    run(module.exports, load, module);
    return module.exports;
  }

  #textOf(file: string): string {
    const name = path.relative(root, file);
    return this.#patches
      .filter((patch) => patch.file === name)
      .reduce(patchedText, readFileSync(file, "utf8"));
  }
}

function resolve(file: string): string {
  if (file.endsWith(".ts")) return file;
  const asFile = `${file}.ts`;
  return statSync(asFile, { throwIfNoEntry: false })?.isFile() ? asFile : path.join(file, "index.ts");
}
