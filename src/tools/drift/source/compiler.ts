import { createRequire } from "node:module";
import path from "node:path";
import type * as TypeScript from "typescript";
import { installAllLine, installLine, typescriptPackage } from "../../stack/package-manager";

/** The parser of TypeScript. */
export type Compiler = typeof TypeScript;

/**
 * The TypeScript of a project: its own, or that which comes with Pulumi. A release that has no parser for programs (7.0) is
 * passed over. @throws Error where there is none.
 */
export function compilerOf(folder: string): Compiler {
  const load = createRequire(path.join(folder, "package.json"));
  for (const name of ["typescript", "@pulumi/pulumi/vendor/typescript@3.8.3/typescript.js"]) {
    const found = attempt(() => load(name) as Partial<Compiler>);
    if (typeof found?.createSourceFile === "function") return found as Compiler;
  }
  throw new Error(
    `no TypeScript is installed in ${folder}: run "${installAllLine(folder)}", or "${installLine(folder, typescriptPackage)}", and try again`,
  );
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
