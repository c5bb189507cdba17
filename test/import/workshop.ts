import { type ChildProcess, execFile } from "node:child_process";
import { mkdir, mkdtemp, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { packageSchemaFile } from "../../scripts/generate/package-schema";
import { removeTree } from "../../scripts/process/atomic-folder";
import { peakBytes } from "../../scripts/process/provider-host";
import { type Finished, run } from "../../scripts/process/run";
import { cacheFolder } from "../../scripts/pulumi-cli/cached";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { goCommand } from "../../scripts/pulumi-cli/go";
import { languageHost } from "../../scripts/pulumi-cli/language-hosts";
import { CLI_VERSION } from "../../scripts/pulumi-cli/versions";
import { sdkProgram } from "../../scripts/sdks/program";
import type { LanguageName } from "../../src/tools/import/program-language";
import { packedNodeModules } from "../support/built-package";
import { parsePreview, parseUpdate } from "../support/cli-output";
import { asUsersHaveIt, createPulumiPlace } from "../support/pulumi-cli";
import { pythonWithSdk } from "../support/python-sdk";

const installed = path.join(repositoryRoot, "node_modules");
const node = path.join(installed, ".bin", "node");

export interface Timed extends Finished {
  readonly ms: number;
  /** The most memory that the process itself had, in bytes; undefined where the system does not tell. */
  readonly peakBytes: number | undefined;
}

interface ImportRun {
  readonly env?: Readonly<Record<string, string>>;
  readonly onStart?: (child: ChildProcess) => void;
  readonly cwd?: string;
}

/** A new user's machine: a folder in which the packed package is installed, a Pulumi of its own, and no program yet. */
export type Workshop = Awaited<ReturnType<typeof openWorkshop>>;

/** Opens one. `settings`: the environment that leads to the console. `language`: of the program. The caller removes it. */
export async function openWorkshop(
  settings: Readonly<Record<string, string>>,
  stack: string,
  language: LanguageName = "typescript",
) {
  const modules = await packedNodeModules();
  const top = await mkdtemp(path.join(tmpdir(), "feature-console-import-"));
  /** Another folder for a program, with the same packages. */
  const another = async (name: string): Promise<string> => {
    const folder = path.join(top, name);
    await mkdir(folder);
    await symlink(modules, path.join(folder, "node_modules"), "junction");
    return folder;
  };
  const folder = await another("flags");
  // What is measured is measured as users have it.
  const place = await createPulumiPlace({ ...asUsersHaveIt, ...settings });
  const { PATH = "" } = place.env;
  const commands =
    language === "typescript"
      ? []
      : [
          ...((await ready[language]?.(folder, top)) ?? []),
          await languageHost(language, PATH),
          path.join(modules, ".bin"),
        ];
  const env: NodeJS.ProcessEnv = {
    ...{ ...place.env, GOFLAGS: "-mod=mod" },
    PATH: [...commands, PATH].join(path.delimiter),
  };
  const command = (
    name: string,
    args: readonly string[],
    { env: more, cwd = folder, onStart }: ImportRun = {},
  ) =>
    timed([path.join(modules, "pulumi-feature-console/dist/tools/cli/main.js"), name, ...args], onStart, {
      ...{ cwd, env: { ...env, ...more } },
    });
  const pulumi = (args: readonly string[], cwd = folder) =>
    run(place.command, [...args, "--non-interactive", "--color", "never"], {
      cwd,
      env,
      timeoutMs: 1_800_000,
    });
  const bin = (script: string, ...args: string[]) =>
    run(node, [path.join(installed, script), ...args], { cwd: folder, env });
  return {
    ...{ folder, another, pulumi },
    /** Runs `feature-console import`. Never rejects because of its exit code, nor do the others. */
    import: (args: readonly string[], more?: ImportRun) => command("import", args, more),
    drift: (args: readonly string[]) => command("drift", args),
    /** Runs the compiler with the project's own strict settings; nothing for YAML. `typescript`: the package that has it. */
    compile: (typescript: "typescript" | "typescript-7" = "typescript") =>
      language === "typescript"
        ? bin(`${typescript}/bin/tsc`, "-p", ".")
        : language === "yaml"
          ? { code: 0, stdout: "" }
          : run(...compilers[language], { cwd: folder, env, timeoutMs: 1_800_000 }),
    /** Asks Prettier which files it would write otherwise. */
    badlyFormatted: () => bin("prettier/bin/prettier.cjs", "--list-different", "--no-config", "*.ts"),
    preview: async (...args: string[]) =>
      parsePreview(await pulumi(["preview", "--json", "--stack", stack, ...args])),
    up: async () => parseUpdate(await pulumi(["up", "--yes", "--skip-preview", "--json", "--stack", stack])),
    async remove() {
      await place.remove();
      await removeTree(top);
    },
  };
}

const compilers: Readonly<Record<"python" | "go", readonly [command: string, args: readonly string[]]>> = {
  python: ["python", ["-m", "mypy", "--strict", "__main__.py"]],
  go: ["go", ["vet", "./..."]],
};

/** Makes a folder ready for programs of a language; the folders that come first on PATH. */
const ready: Partial<Record<LanguageName, (folder: string, top: string) => Promise<readonly string[]>>> = {
  python: async () => [path.join(await pythonWithSdk(), "bin")],
  async go(folder, top) {
    const schema = path.join(repositoryRoot, packageSchemaFile);
    await succeeding(top, await sdkProgram(), schema, path.join(top, "sdk"), "go");
    const go = await goCommand(cacheFolder());
    const sdk = `github.com/pulumi/pulumi/sdk/v3@v${CLI_VERSION}`;
    const own = "pulumi-feature-console/sdk/go";
    await succeeding(folder, go, "mod", "init", "flags");
    await succeeding(folder, go, "mod", "edit", "-require", sdk, "-require", `${own}@v0.0.0`);
    await succeeding(folder, go, "mod", "edit", "-replace", `${own}=../sdk/go`);
    return [path.dirname(go)];
  },
};

async function succeeding(cwd: string, command: string, ...args: string[]): Promise<void> {
  const { code, stdout, stderr, problem = "" } = await run(command, args, { cwd, timeoutMs: 1_800_000 });
  if (code !== 0) throw new Error(`${command} ${args.join(" ")}: ${stdout}${stderr}${problem}`);
}

/** Runs a script of Node and watches its memory. */
async function timed(
  args: readonly string[],
  onStart: (child: ChildProcess) => void = () => undefined,
  place: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<Timed> {
  const started = performance.now();
  const running = promisify(execFile)(node, args, { ...place, maxBuffer: Number.POSITIVE_INFINITY });
  const { child } = running;
  child.stdin?.end();
  onStart(child);
  let peak: number | undefined;
  const watch = setInterval(() => {
    if (child.pid !== undefined) peak = Math.max(peak ?? 0, peakBytes(child.pid) ?? 0);
  }, 50);
  const ended = await running.then(
    (output) => ({ ...output, code: 0 }),
    (error: Finished) => error,
  );
  clearInterval(watch);
  const { stdout, stderr } = ended;
  const code = typeof ended.code === "number" ? ended.code : 1;
  return { code, stdout, stderr, ms: performance.now() - started, peakBytes: peak };
}
