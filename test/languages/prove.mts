/**
 * Writes an SDK for each language from the package schema, and compiles a program with it: TypeScript by this project's compiler, Go by
 * `go vet`, Java by Maven; Python is installed by pip and run. So is the example of each kind, which Python compares with the one in YAML. Then runs `examples/languages` in each language against an empty console, and compares
 * what the consoles hold, and imports a messy console as a program of each language. `npm run prove -- languages --language python`. Ends with 1 on any fault.
 */
import { deepStrictEqual } from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { packageSchemaFile } from "../../scripts/generate/package-schema.ts";
import { packPlugin } from "../../scripts/package/plugin.ts";
import { removeTree } from "../../scripts/process/atomic-folder.ts";
import { run } from "../../scripts/process/run.ts";
import { proofOptions, texts } from "../../scripts/prove-options.ts";
import { cacheFolder } from "../../scripts/pulumi-cli/cached.ts";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment.ts";
import { goCommand } from "../../scripts/pulumi-cli/go.ts";
import { type HostedLanguage, languageHost } from "../../scripts/pulumi-cli/language-hosts.ts";
import { CLI_VERSION } from "../../scripts/pulumi-cli/versions.ts";
import { writeJavaSdk } from "../../scripts/sdks/java.ts";
import { sdkProgram } from "../../scripts/sdks/program.ts";
import { type LanguageName, languages } from "../../src/tools/import/program-language.ts";
import { planMessyConsole } from "../import/console/messy-console.ts";
import { proveRoundTrip } from "../import/proof.ts";
import { ensureBuilt } from "../support/built-package.ts";
import { consoleMadeBy, type Opening, opened, typescript, yaml } from "./consoles.ts";
import { exampleRunner, examplesIn, madeByYaml } from "./examples.ts";
import { programs } from "./programs.ts";

type Language = keyof typeof programs;

const { language } = proofOptions(
  "languages",
  "Writes an SDK for each language, compiles a program with it, and compares the consoles that one program in each language makes.",
  {
    language: texts("NAME", "only this language: go, java, nodejs or python"),
  },
);

const limitMs = 20 * 60_000;
const folder = mkdtempSync(path.join(tmpdir(), "feature-console-sdks-"));
const modules = path.join(repositoryRoot, "node_modules");

// What Maven installs here is nobody else's.
process.env.MAVEN_OPTS = `-Dmaven.repo.local=${path.join(cacheFolder(), "maven")}`;

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
    await ensureBuilt();
    for (const [kind, text] of examplesIn("typescript"))
      writeFileSync(path.join(place, `example${kind}.ts`), text);
    const config = { extends: "./tsconfig.json", files: [], include: ["**/*.ts"] };
    writeFileSync(path.join(place, "tsconfig.program.json"), JSON.stringify(config));
    await step(place, path.join(modules, ".bin", "tsc"), "-p", "tsconfig.program.json", "--noEmit");
  },
  async go(place) {
    mkdirSync(path.join(place, "program"));
    writeFileSync(path.join(place, "program", "main.go"), programs.go);
    for (const [kind, text] of examplesIn("go")) {
      mkdirSync(path.join(place, "examples", kind), { recursive: true });
      writeFileSync(path.join(place, "examples", kind, "main.go"), text);
    }
    const go = await goCommand(cacheFolder());
    // The version that the build of the CLI has fetched.
    await step(place, go, "mod", "edit", "-require", `github.com/pulumi/pulumi/sdk/v3@v${CLI_VERSION}`);
    await step(place, go, "vet", "-mod=mod", "./...");
  },
  async java(place) {
    const sources = path.join(place, "src", "main", "java");
    writeFileSync(path.join(sources, "Program.java"), programs.java);
    await step(place, "mvn", "--batch-mode", "--quiet", "compile");
    rmSync(path.join(sources, "Program.java"));
    await step(place, "mvn", "--batch-mode", "--quiet", "install");
  },
  async python(place) {
    writeFileSync(path.join(place, "program.py"), programs.python);
    await step(place, "python3", "-m", "venv", "venv");
    const python = path.join(place, "venv", "bin", "python");
    await step(place, python, "-m", "pip", "install", "--quiet", ".");
    await step(place, python, "program.py");
    const yamlExamples = examplesIn("yaml");
    const examples = [...examplesIn("python")].map(([kind, text]) => [
      kind,
      { text, made: madeByYaml(yamlExamples.get(kind) ?? "") },
    ]);
    writeFileSync(path.join(place, "examples.json"), JSON.stringify(Object.fromEntries(examples)));
    writeFileSync(path.join(place, "examples.py"), exampleRunner);
    await step(place, python, "examples.py");
  },
};

/** The plugin as its archive has it, without Node.js on PATH. */
async function pluginFolder(): Promise<string> {
  await ensureBuilt();
  const plugin = path.join(folder, "plugin");
  mkdirSync(plugin);
  await step(plugin, "tar", "-xzf", await packPlugin(path.join(folder, "archive")));
  return plugin;
}

/**
 * The example of a language that needs an SDK: it finds that three folders above. `ready` runs the commands that a user types first,
 * and returns the folders that come first on PATH.
 */
const example =
  (language: "go" | "java" | "python", ready: (place: string) => Promise<readonly string[]>): Opening =>
  async (env) => {
    const place = path.join(folder, "checkout", "examples", "languages", language);
    cpSync(path.join(repositoryRoot, "examples", "languages", language), place, { recursive: true });
    const sdk = path.join(folder, "checkout", "sdk");
    mkdirSync(sdk, { recursive: true });
    cpSync(path.join(folder, language), path.join(sdk, language), { recursive: true });
    const commands = await ready(place);
    const host = await languageHost(language satisfies HostedLanguage, process.env.PATH ?? "");
    return opened(place, env, [...commands, await pluginFolder(), host], () =>
      removeTree(path.join(folder, "plugin")),
    );
  };

const openings: Readonly<Record<string, Opening>> = {
  native: typescript("pulumi-feature-console/native"),
  yaml,
  python: example("python", async (place) => {
    await step(place, "python3", "-m", "venv", "venv");
    const python = path.join(place, "venv", "bin", "python");
    await step(place, python, "-m", "pip", "install", "--quiet", "-r", "requirements.txt");
    // The host that can be built from Go modules is older than the CLI, and gets no `virtualenv` from it.
    return [path.dirname(python)];
  }),
  java: example("java", async () => []),
  go: example("go", async (place) => {
    await step(place, await goCommand(cacheFolder()), "mod", "tidy");
    return [];
  }),
};

async function compareConsoles(names: readonly string[]): Promise<void> {
  const expected = await consoleMadeBy(typescript("pulumi-feature-console"));
  for (const name of names) {
    const started = Date.now();
    const found = await consoleMadeBy(openings[name] as Opening);
    deepStrictEqual(found, expected, `${name}: the console differs from the one of dynamic resources`);
    console.log(`${name.padEnd(8)}the same console, ${Math.round((Date.now() - started) / 1000)} s`);
  }
}

/** A messy console as a program of each language: without a change, then with one, of which the console shows nothing else. */
async function importEach(names: readonly LanguageName[]) {
  const plan = planMessyConsole({ seed: 14, count: 64 });
  for (const name of names) {
    const started = Date.now();
    const { told, faults } = await proveRoundTrip(plan, { language: name });
    if (faults.length > 0) throw new Error(`import into ${name}: ${faults.join("\n")}`);
    const seconds = Math.round((Date.now() - started) / 1000);
    console.log(`${name.padEnd(12)}${told.objects} objects imported, one changed, ${seconds} s`);
    for (const { object, why } of told.leftOut) console.log(`            left out: ${object}: ${why}`);
  }
}

try {
  const asked = language ?? Object.keys(proofs);
  const others = asked.filter((one) => one !== "java");
  await step(repositoryRoot, await sdkProgram(), packageSchemaFile, folder, ...others);
  if (asked.includes("java"))
    await writeJavaSdk(path.join(repositoryRoot, packageSchemaFile), path.join(folder, "java"));
  for (const one of asked as Language[]) {
    const started = Date.now();
    await proofs[one](path.join(folder, one));
    console.log(`${one.padEnd(8)}ok, ${Math.round((Date.now() - started) / 1000)} s`);
  }
  await compareConsoles(
    Object.keys(openings).filter((name) => language === undefined || language.includes(name)),
  );
  await importEach(
    (Object.keys(languages) as LanguageName[]).filter((name) => language?.includes(name) ?? true),
  );
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  await removeTree(folder);
}
