import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { ensureFolder } from "../process/atomic-folder";
import { type Build, buildProgram, moduleOnCli } from "../pulumi-cli/build";
import { cacheFolder } from "../pulumi-cli/cached";
import { repositoryRoot } from "../pulumi-cli/environment";
import { goCommand, whyNoGo } from "../pulumi-cli/go";
import { executable } from "../pulumi-cli/on-path";
import { CLI_VERSION } from "../pulumi-cli/versions";

const source = path.join(repositoryRoot, "scripts", "sdks", "main.go");

const build: Build = {
  label: "Building the program that checks package schemas and writes SDKs from Go modules",
  program: "package-sdks",
  goPackage: ".",
  version: CLI_VERSION,
  module: moduleOnCli("packagesdks"),
  sources: [source],
};

/**
 * The program that checks a package schema and writes SDKs; the first call builds it into the cache folder: half a minute where
 * the CLI has been built. @throws Error where there is no Go.
 */
export async function sdkProgram(): Promise<string> {
  const why = await whyNoGo();
  if (why !== undefined) throw new Error(why);
  const cache = cacheFolder();
  const digest = createHash("sha256").update(readFileSync(source)).digest("hex").slice(0, 12);
  const name = [build.program, CLI_VERSION, digest, process.platform, process.arch].join("-");
  const folder = path.join(cache, name);
  await ensureFolder(folder, {
    fill: async (staging) => buildProgram(await goCommand(cache), build, staging),
    onWait: () => process.stderr.write(`Waiting for another process that builds ${build.program}\n`),
  });
  return path.join(folder, executable(build.program));
}
