import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type * as TypeScript from "typescript";
import { installAllLine, installLine, typescriptPackage } from "../stack/package-manager";
import { filesBelow } from "../stack/source-places";

/** The parser of TypeScript. */
export type Compiler = typeof TypeScript;

/**
 * The TypeScript of a project: its own, or that which comes with Pulumi. A release that has no parser for programs (7.0) is
 * passed over. @throws Error where there is none.
 */
export function compilerOf(folder: string): Compiler {
  const load = createRequire(path.join(folder, "package.json"));
  for (const name of ["typescript", "@pulumi/pulumi/vendor/typescript@3.8.3/typescript.js"]) {
    try {
      const found = load(name) as Partial<Compiler>;
      if (typeof found.createSourceFile === "function") return found as Compiler;
    } catch {
      // The next one may be there.
    }
  }
  throw new Error(
    `no TypeScript is installed in ${folder}: run "${installAllLine(folder)}", or "${installLine(folder, typescriptPackage)}", and try again`,
  );
}

/** The files of a program, by their paths in the folder of the project. */
export interface Sources {
  /** Paths of all files of TypeScript and JavaScript. */
  readonly files: readonly string[];
  /** The text of a file; undefined for one that is not UTF-8, which nobody could write back. */
  read(file: string): string | undefined;
}

const isSource = /(?<!\.d)\.[mc]?[jt]sx?$/;

/** The sources of a program: every file of TypeScript and JavaScript below a folder, but for what is installed. */
export function sourcesIn(folder: string): Sources {
  const files = filesBelow(folder).filter((file) => isSource.test(path.posix.basename(file)));
  const read = (file: string) => {
    const bytes = readFileSync(path.join(folder, file));
    return isUtf8(bytes) ? bytes.toString("utf8") : undefined;
  };
  return { files, read };
}
