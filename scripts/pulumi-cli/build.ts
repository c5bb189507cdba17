import { copyFile, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { ensureFolder, removeTree } from "../process/atomic-folder";
import { withProgress } from "../process/progress";
import { run } from "../process/run";
import { cachedBinaries } from "./cached";
import type { Binaries, Finder } from "./discover";
import { goCommand, whyNoGo } from "./go";
import { executable } from "./on-path";
import { CLI_VERSION, GO_VERSION, JAVA_VERSION, LANGUAGE_HOST_VERSION } from "./versions";

/** One program and the wrapper module that pins what it is built from. */
export interface Build {
  label: string;
  program: string;
  goPackage: string;
  version: string;
  module: string;
  /** Lines of `go.sum`, for modules that the checksum database of a mirror may lack. */
  sums?: readonly string[];
  /** Go files of this project that lie in the wrapper module. */
  sources?: readonly string[];
  /** Files of a Go module that the program needs beside itself. */
  besides?: { module: string; files: readonly string[] };
}

/** A module that is built from the code of the CLI. */
export function moduleOnCli(name: string, version: string = CLI_VERSION): string {
  return [
    `module ${name}`,
    `go ${GO_VERSION}`,
    `require github.com/pulumi/pulumi/pkg/v3 v${version}`,
    `require github.com/pulumi/pulumi/sdk/v3 v${version}`,
    // Pulumi builds with this fork; a replace directive only counts in the main module, so it is repeated here.
    "replace github.com/atotto/clipboard => github.com/tgummerer/clipboard v0.0.0-20241001131231-d02d263e614e",
  ].join("\n");
}

const javaModule = "github.com/pulumi/pulumi-java/pkg";

/** A program of Pulumi's Java. */
export function javaBuild(label: string, program: string): Build {
  return {
    ...{ label, program, goPackage: `${javaModule}/cmd/${program}`, version: JAVA_VERSION },
    module: [`module ${program}`, `go ${GO_VERSION}`, `require ${javaModule} v${JAVA_VERSION}`].join("\n"),
    sums: [
      `${javaModule} v${JAVA_VERSION} h1:8KCiIXWv2uxfIks0SdgOezyXg4HZIoPfHID9eMg4nuM=`,
      `${javaModule} v${JAVA_VERSION}/go.mod h1:VeMZ1s9LfXBypao4A1tRF3EB7fYnYZ1LwImyg6FBX0c=`,
    ],
  };
}

/** A CLI itself: about six minutes on two cores when nothing is cached. */
export function cliBuild(version: string): Build {
  return {
    label: `Building the Pulumi CLI ${version} from Go modules (some minutes, once)`,
    program: "pulumi",
    goPackage: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
    version,
    module: moduleOnCli("clibuild", version),
  };
}

/** The program that runs a user's TypeScript: about one minute. */
const languageHostBuild: Build = {
  label: `Building the Node.js language host ${LANGUAGE_HOST_VERSION} from Go modules`,
  program: "pulumi-language-nodejs",
  goPackage: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
  version: LANGUAGE_HOST_VERSION,
  module: [
    "module langbuild",
    "go 1.20",
    `require github.com/pulumi/pulumi/sdk/v3 v${LANGUAGE_HOST_VERSION}`,
  ].join("\n"),
};

/**
 * A build from Go modules: works where nothing but package registries can be reached.
 * @param dynamicHostFolder the folder of the installed npm package `@pulumi/pulumi`
 */
export function builtFromSource(cache: string, dynamicHostFolder: string): Finder {
  const folder = cachedBinaries(cache);
  return {
    name: "build from Go modules",
    async find(): Promise<Binaries | { why: string }> {
      const why = await whyNoGo();
      if (why !== undefined) return { why };
      await ensureFolder(folder, {
        async fill(staging) {
          const go = await goCommand(cache);
          // The quick one first: it shows within a minute whether modules can be fetched at all.
          for (const build of [languageHostBuild, cliBuild(CLI_VERSION)])
            await buildProgram(go, build, staging);
          await addDynamicHost(dynamicHostFolder, staging);
        },
        onWait: () => process.stderr.write("Waiting for another process that is getting the Pulumi CLI\n"),
      });
      return { folders: [folder], source: `pulumi ${CLI_VERSION}, built from Go modules` };
    },
  };
}

/** Builds one program into a folder. */
export async function buildProgram(go: string, build: Build, folder: string): Promise<void> {
  const work = path.join(folder, "work");
  await mkdir(work, { recursive: true });
  await writeFile(path.join(work, "go.mod"), `${build.module}\n`);
  if (build.sums !== undefined) await writeFile(path.join(work, "go.sum"), `${build.sums.join("\n")}\n`);
  for (const source of build.sources ?? []) await copyFile(source, path.join(work, path.basename(source)));
  const flags = `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${build.version}`;
  const output = path.join(folder, executable(build.program));
  const args = ["build", "-v", "-mod=mod", "-o", output, "-ldflags", flags, build.goPackage];
  await withProgress(build.label, async (note) => {
    const counted = { downloaded: 0, compiled: 0 };
    const onOutput = (text: string) => {
      for (const line of text.split("\n").filter((line) => line !== "")) {
        counted[line.startsWith("go: ") ? "downloaded" : "compiled"] += 1;
      }
      note(`${counted.downloaded} modules, ${counted.compiled} packages`);
    };
    const done = await run(go, args, { cwd: work, env: { ...process.env, GOWORK: "off" }, onOutput });
    if (done.code !== 0) throw new Error(`go build of ${build.program} failed:\n${tail(done.stderr, 15)}`);
  });
  if (build.besides !== undefined) await copyFromModule(go, build.besides, work, folder);
  await removeTree(work);
}

/** Copies files of a module that a build has fetched. */
async function copyFromModule(
  go: string,
  { module, files }: NonNullable<Build["besides"]>,
  work: string,
  folder: string,
): Promise<void> {
  const args = ["list", "-mod=mod", "-m", "-f", "{{.Dir}}", module];
  const found = await run(go, args, { cwd: work, env: { ...process.env, GOWORK: "off" } });
  if (found.code !== 0) throw new Error(`go list of ${module} failed:\n${tail(found.stderr, 15)}`);
  for (const file of files)
    await copyFile(path.join(found.stdout.trim(), file), path.join(folder, path.basename(file)));
}

/** Pulumi warns in every run when this script does not lie beside it. It finds the project's own SDK by itself. */
async function addDynamicHost(from: string, to: string): Promise<void> {
  for (const name of ["pulumi-resource-pulumi-nodejs", "pulumi-resource-pulumi-nodejs.cmd"]) {
    await copyFile(path.join(from, name), path.join(to, name));
  }
}

function tail(text: string, lines: number): string {
  return text.trim().split("\n").slice(-lines).join("\n");
}
