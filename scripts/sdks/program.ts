import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { type Build, moduleOnCli } from "../pulumi-cli/build";
import { builtProgram } from "../pulumi-cli/cached-program";
import { repositoryRoot } from "../pulumi-cli/environment";
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
  const digest = createHash("sha256").update(readFileSync(source)).digest("hex").slice(0, 12);
  return path.join(await builtProgram(build, digest), executable(build.program));
}
