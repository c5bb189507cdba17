import { createHash } from "node:crypto";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { runInherited } from "../../scripts/process/run";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";

/**
 * Set by `npm test`: a folder in which the programs of all tests are gathered. Pulumi needs more than a second to check
 * the types of one program, and hardly longer for all of them at once.
 */
const gathering = process.env.FEATURE_CONSOLE_TEST_PROGRAMS;

const asUsersHaveThem = {
  target: "es2022",
  module: "node20",
  strict: true,
  skipLibCheck: true,
  types: ["node"],
};

/** The compiler options of a test's project. Where programs are gathered, Pulumi is told not to check their types. */
export const compilerOptions: object =
  gathering === undefined ? asUsersHaveThem : { ...asUsersHaveThem, noCheck: true };

/**
 * Keeps a program for `checkPrograms`. `files`: those of its project, of which it may load some; `modules`: the folder in which it
 * finds its packages.
 */
export async function gatherProgram(
  program: string,
  files: Readonly<Record<string, string>>,
  modules: string,
): Promise<void> {
  if (gathering === undefined) return;
  const link = path.join(gathering, "node_modules");
  await symlink(modules, link, "junction").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  const sources = { ...modulesIn(files), "index.ts": program };
  const name = createHash("sha256").update(JSON.stringify(sources)).digest("hex").slice(0, 16);
  for (const [file, text] of Object.entries(sources)) {
    const target = path.join(gathering, name, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, text);
  }
}

function modulesIn(files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).filter(([file]) => file.endsWith(".ts")));
}

/** Checks the types of all programs in a folder, and prints the mistakes; an exit code. */
export async function checkPrograms(folder: string, print: (text: string) => void): Promise<number> {
  const config = path.join(folder, "tsconfig.json");
  // Some programs import nothing: each is to have names of its own all the same.
  // Tests that Node runs as they are import files by their whole names.
  const options = {
    ...asUsersHaveThem,
    ...{ moduleDetection: "force", noEmit: true, rewriteRelativeImportExtensions: true },
  };
  await writeFile(config, JSON.stringify({ compilerOptions: options, include: ["**/*.ts"] }));
  const modules = path.join(repositoryRoot, "node_modules");
  // That is the version which Pulumi loads; the package's own code is compiled by the faster TypeScript 7.
  const args = [path.join(modules, "typescript", "bin", "tsc"), "-p", config, "--pretty"];
  return runInherited(path.join(modules, ".bin", "node"), args, { cwd: folder }, print);
}
