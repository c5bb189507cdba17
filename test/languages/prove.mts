/**
 * Writes an SDK for each language from the package schema, and compiles a program with it: TypeScript by this project's compiler, Go by
 * `go build`; Python is installed by pip and run. `npm run prove -- languages --language python`. Ends with 1 on any fault.
 */
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { packageSchemaFile } from "../../scripts/generate/package-schema.ts";
import { removeTree } from "../../scripts/process/atomic-folder.ts";
import { run } from "../../scripts/process/run.ts";
import { proofOptions, texts } from "../../scripts/prove-options.ts";
import { cacheFolder } from "../../scripts/pulumi-cli/cached.ts";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment.ts";
import { goCommand } from "../../scripts/pulumi-cli/go.ts";
import { CLI_VERSION } from "../../scripts/pulumi-cli/versions.ts";
import { sdkProgram } from "../../scripts/sdks/program.ts";
import { programs } from "./programs.ts";

type Language = keyof typeof programs;

const { language } = proofOptions(
  "languages",
  "Writes an SDK for each language and compiles a program with it.",
  {
    language: texts("NAME", "only this language: go, nodejs or python"),
  },
);

const limitMs = 20 * 60_000;
const folder = mkdtempSync(path.join(tmpdir(), "feature-console-sdks-"));
const modules = path.join(repositoryRoot, "node_modules");

/** Runs a command in the folder of a language. @throws Error with what it printed, where it fails. */
async function step(place: string, command: string, ...args: string[]): Promise<void> {
  const { code, stdout, stderr, problem } = await run(command, args, { cwd: place, timeoutMs: limitMs });
  if (code !== 0)
    throw new Error(`${path.basename(command)} ${args.join(" ")}: ${problem ?? stdout + stderr}`);
}

const proofs: Readonly<Record<Language, (place: string) => Promise<void>>> = {
  async nodejs(place) {
    symlinkSync(modules, path.join(place, "node_modules"));
    writeFileSync(path.join(place, "program.ts"), programs.nodejs);
    const config = { extends: "./tsconfig.json", files: [], include: ["**/*.ts"] };
    writeFileSync(path.join(place, "tsconfig.program.json"), JSON.stringify(config));
    await step(place, path.join(modules, ".bin", "tsc"), "-p", "tsconfig.program.json", "--noEmit");
  },
  async go(place) {
    mkdirSync(path.join(place, "program"));
    writeFileSync(path.join(place, "program", "main.go"), programs.go);
    const go = await goCommand(cacheFolder());
    // The version that the build of the CLI has fetched.
    await step(place, go, "mod", "edit", "-require", `github.com/pulumi/pulumi/sdk/v3@v${CLI_VERSION}`);
    await step(place, go, "build", "-mod=mod", "-o", path.join(place, "program"), "./...");
  },
  async python(place) {
    writeFileSync(path.join(place, "program.py"), programs.python);
    await step(place, "python3", "-m", "venv", "venv");
    const python = path.join(place, "venv", "bin", "python");
    await step(place, python, "-m", "pip", "install", "--quiet", ".");
    await step(place, python, "program.py");
  },
};

try {
  const asked = language ?? Object.keys(proofs);
  await step(repositoryRoot, await sdkProgram(), packageSchemaFile, folder, ...asked);
  for (const one of asked as Language[]) {
    const started = Date.now();
    await proofs[one](path.join(folder, one));
    console.log(`${one.padEnd(8)}ok, ${Math.round((Date.now() - started) / 1000)} s`);
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  await removeTree(folder);
}
