import { mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeTree } from "../../scripts/process/atomic-folder";
import { packedNodeModules } from "./built-package";
import { compilerOptions, gatherProgram } from "./program-types";

/** What a test's Pulumi project is made of. */
export interface ProjectContent {
  /** The content of `index.ts`. */
  program: string;
  /** The project's name; `packed` when left out. */
  name?: string;
  /** More files, by their path in the project. */
  files?: Readonly<Record<string, string>>;
}

/** A Pulumi project in a temporary folder, with this package installed from its tarball. */
export type PackedProject = Awaited<ReturnType<typeof createPackedProject>>;

/** Creates a Pulumi TypeScript project as a user would have it. The caller removes it. */
export async function createPackedProject(content: ProjectContent) {
  const modules = await packedNodeModules();
  const folder = await mkdtemp(path.join(tmpdir(), "feature-console-project-"));
  const name = content.name ?? "packed";
  const write = async (file: string, text: string) => {
    const target = path.join(folder, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, text);
  };
  await symlink(modules, path.join(folder, "node_modules"), "junction");
  await write("Pulumi.yaml", `name: ${name}\nruntime: nodejs\n`);
  await write("package.json", `${JSON.stringify({ name, private: true, main: "index.ts" })}\n`);
  await write("tsconfig.json", `${JSON.stringify({ compilerOptions, files: ["index.ts"] })}\n`);
  /** Replaces `index.ts`, or that of a project in one of its folders. */
  const setProgram = async (program: string, file = "index.ts") => {
    await write(file, program);
    await gatherProgram(program, content.files ?? {}, modules);
  };
  await setProgram(content.program);
  for (const [file, text] of Object.entries(content.files ?? {})) await write(file, text);
  return { folder, setProgram, write, remove: () => removeTree(folder) };
}
