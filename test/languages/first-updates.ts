import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { must } from "../../scripts/package/release";
import type { Step } from "../../scripts/process/steps";
import { cacheFolder } from "../../scripts/pulumi-cli/cached";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { goCommand } from "../../scripts/pulumi-cli/go";
import { languageHost } from "../../scripts/pulumi-cli/language-hosts";
import { folderOnPath } from "../../scripts/pulumi-cli/on-path";
import { CLI_VERSION } from "../../scripts/pulumi-cli/versions";
import { opened } from "./consoles";

/** A release in a folder. */
interface Files {
  readonly out: string;
  readonly version: string;
  /** The path of the Go module. */
  readonly goPath: string;
}

/** Installs the files of a language in its folder; returns folders that come first on PATH. */
type Install = (place: string, files: Files) => Promise<readonly string[]>;

const searchPath = process.env.PATH ?? "";

function file(folder: string, pattern: RegExp): string {
  const name = readdirSync(folder).find((one) => pattern.test(one));
  if (name === undefined) throw new Error(`${folder} has nothing like ${pattern}`);
  return path.join(folder, name);
}

const installs = {
  async typescript(place, { out }) {
    const tarball = file(out, /^pulumi-feature-console-\d/);
    const packages = [tarball, "@pulumi/pulumi", "typescript@6"];
    await must("npm", ["install", "--silent", "--no-audit", "--no-fund", ...packages], place);
    return [];
  },
  async yaml() {
    return [await languageHost("yaml", searchPath)];
  },
  async python(place, { out }) {
    await must("python3", ["-m", "venv", "venv"], place);
    const wheel = file(out, /\.whl$/);
    await must(path.join(place, "venv", "bin", "pip"), ["install", "--quiet", wheel], place);
    return [path.join(place, "venv", "bin"), await languageHost("python", searchPath)];
  },
  async go(place, { out, version, goPath }) {
    const sdk = path.join(place, "..", "go-sdk");
    mkdirSync(sdk);
    await must("tar", ["-xzf", path.join(out, "go-module.tar.gz")], sdk);
    const own = "pulumi-feature-console/sdk/go";
    for (const name of ["go.mod", "main.go"]) {
      const text = readFileSync(path.join(place, name), "utf8");
      const folder = path.join(sdk, `${goPath}@v${version}`);
      writeFileSync(path.join(place, name), text.replace(`../../../sdk/go`, folder).replaceAll(own, goPath));
    }
    const go = await goCommand(cacheFolder());
    // Not every module proxy has what the version in the generated module needs.
    await must(go, ["mod", "edit", "-require", `github.com/pulumi/pulumi/sdk/v3@v${CLI_VERSION}`], place);
    await must(go, ["mod", "tidy"], place);
    return [await languageHost("go", searchPath)];
  },
  async java(place, { out }) {
    process.env.MAVEN_OPTS = `-Dmaven.repo.local=${path.join(cacheFolder(), "maven")}`;
    const files = [`-Dfile=${file(out, /\.jar$/)}`, `-DpomFile=${path.join(out, "pom.xml")}`];
    await must("mvn", ["--batch-mode", "--quiet", "install:install-file", ...files], place);
    return [await languageHost("java", searchPath)];
  },
} as const satisfies Readonly<Record<string, Install>>;

export const languages = Object.keys(installs);

/** Programs that a language needs on PATH beside the CLI. */
const needs: Readonly<Record<string, string>> = { python: "python3", java: "mvn" };

/**
 * For each language a step that installs a release from its folder in an empty place, and runs `examples/languages` against an embedded
 * console: the first update, and a preview without changes.
 */
export function firstUpdates(out: string, work: string, asked: readonly string[]): Step[] {
  return Object.entries(installs)
    .filter(([language]) => asked.includes(language))
    .map(([language, install]) => ({
      headline: `first update in ${language}`,
      async work() {
        const missing = [needs[language] ?? []]
          .flat()
          .filter((one) => folderOnPath(one, searchPath) === undefined);
        if (missing.length > 0) console.log(`Not run: no ${missing.join()} on PATH.`);
        else await firstUpdate(language, install, path.join(work, "first", language), out);
        return 0;
      },
    }));
}

async function firstUpdate(language: string, install: Install, place: string, out: string): Promise<void> {
  cpSync(path.join(repositoryRoot, "examples", "languages", language), place, { recursive: true });
  const schema = JSON.parse(readFileSync(path.join(out, "schema.json"), "utf8"));
  const { version } = schema;
  const commands = await install(place, { out, version, goPath: schema.language.go.modulePath });
  const env = { FEATURE_CONSOLE_PROFILE: "embedded", NODE_OPTIONS: "" };
  const { stack, close } = await opened(place, env, commands, async () => {});
  try {
    if (language !== "typescript") {
      const processor = process.arch === "x64" ? "amd64" : process.arch;
      const archive = file(out, new RegExp(`-${process.platform}-${processor}\\.tar\\.gz$`));
      const installed = await stack.run(
        ["plugin", "install", "resource", "feature-console", version, "--file", archive],
        { env: { PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "false" } },
      );
      if (installed.code !== 0) throw new Error(installed.stderr);
    }
    const { changeSummary } = await stack.up({ timeoutMs: 600_000 });
    await stack.preview({ args: ["--expect-no-changes"], timeoutMs: 600_000 });
    console.log(`${language}: ${JSON.stringify(changeSummary)}, then no change`);
  } finally {
    await close();
  }
}
