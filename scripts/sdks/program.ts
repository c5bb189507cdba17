import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { type Build, moduleOnCli } from "../pulumi-cli/build";
import { builtProgram } from "../pulumi-cli/cached-program";
import { repositoryRoot } from "../pulumi-cli/environment";
import { executable } from "../pulumi-cli/on-path";
import { CLI_VERSION } from "../pulumi-cli/versions";

const sources = ["main.go", "programs.go"].map((name) => path.join(repositoryRoot, "scripts", "sdks", name));

const build: Build = {
  label: "Building the program that checks package schemas and writes SDKs from Go modules",
  program: "package-sdks",
  goPackage: ".",
  version: CLI_VERSION,
  module: moduleOnCli("packagesdks"),
  sources,
};

/**
 * The program that checks a package schema and writes SDKs and programs; the first call builds it into the cache folder: half a minute where
 * the CLI has been built. @throws Error where there is no Go.
 */
export async function sdkProgram(): Promise<string> {
  const text = sources.map((source) => readFileSync(source, "utf8")).join("");
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 12);
  return path.join(await builtProgram(build, digest), executable(build.program));
}
