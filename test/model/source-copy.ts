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

/** What a module of a copy sees beside its imports, such as a `console` of its own. */
export type Scope = Readonly<Record<string, unknown>>;

interface Module {
  exports: Record<string, unknown>;
}

/** Modules that have been run, by file. */
export type Modules = Map<string, Module>;

const root = path.join(repositoryRoot, "src");
const outside = createRequire(path.join(repositoryRoot, "package.json"));

/** A copy of the source in memory, with some places changed; its modules can be run more than once, each time afresh. */
export class SourceCopy {
  readonly #patches: readonly Patch[];
  readonly #factories = new Map<string, (...values: unknown[]) => void>();
  readonly #scopeNames: readonly string[];

  /** @throws Error for a patch whose place is not there, or there more than once. */
  constructor(patches: readonly Patch[], scopeNames: readonly string[] = []) {
    this.#patches = patches;
    this.#scopeNames = scopeNames;
    for (const { file } of patches) this.#textOf(path.join(root, file));
  }

  /**
   * Runs a module, unless it is among `known`, and those that it imports. `keep` tells for a file, from the folder `src`,
   * where it is looked up and noted.
   */
  load(file: string, keep: (file: string) => Modules, scope: Scope = {}): Record<string, unknown> {
    return this.#run(resolve(path.join(root, file)), keep, scope);
  }

  #run(file: string, keep: (file: string) => Modules, scope: Scope): Record<string, unknown> {
    const modules = keep(path.relative(root, file));
    const known = modules.get(file);
    if (known !== undefined) return known.exports;
    const module: Module = { exports: {} };
    modules.set(file, module);
    const load = (name: string) =>
      name.startsWith(".")
        ? this.#run(resolve(path.join(path.dirname(file), name)), keep, scope)
        : outside(name);
    this.#factoryOf(file)(module.exports, load, module, ...this.#scopeNames.map((name) => scope[name]));
    return module.exports;
  }

  #factoryOf(file: string): (...values: unknown[]) => void {
    const known = this.#factories.get(file);
    if (known !== undefined) return known;
    const { code } = transformSync(this.#textOf(file), {
      filename: file,
      jsc: { parser: { syntax: "typescript" }, target: "es2023" },
      module: { type: "commonjs" },
    });
    // Of this realm, unlike what node:vm makes inside of Jest: errors and arrays are those of the tests.
    const made = new Function("exports", "require", "module", ...this.#scopeNames, code) as () => void;
    this.#factories.set(file, made);
    return made;
  }

  #textOf(file: string): string {
    const name = path.relative(root, file);
    return this.#patches
      .filter((patch) => patch.file === name)
      .reduce(
        (text, { find, replace }) => {
          const parts = text.split(find);
          if (parts.length !== 2)
            throw new Error(`src/${name} has the place ${parts.length - 1} times: ${JSON.stringify(find)}`);
          return parts.join(replace);
        },
        readFileSync(file, "utf8"),
      );
  }
}

function resolve(file: string): string {
  if (file.endsWith(".ts")) return file;
  const asFile = `${file}.ts`;
  return statSync(asFile, { throwIfNoEntry: false })?.isFile() ? asFile : path.join(file, "index.ts");
}
