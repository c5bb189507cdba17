import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { packageSchemaFile } from "../../scripts/generate/package-schema";
import { ensureFolder } from "../../scripts/process/atomic-folder";
import { run } from "../../scripts/process/run";
import { cacheFolder } from "../../scripts/pulumi-cli/cached";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { sdkProgram } from "../../scripts/sdks/program";

/**
 * A virtual environment of Python in which pip has installed the SDK of this package and mypy, and has nothing left to do. Made once for
 * a package schema, in the user's cache folder.
 */
export async function pythonWithSdk(): Promise<string> {
  const schema = path.join(repositoryRoot, packageSchemaFile);
  const version = await succeeding("python3", "--version");
  const digest = createHash("sha256")
    .update("with mypy")
    .update(version)
    .update(readFileSync(schema))
    .digest("hex");
  const folder = path.join(cacheFolder(), `python-sdk-${digest.slice(0, 12)}`);
  await ensureFolder(folder, {
    async fill(staging) {
      await succeeding(await sdkProgram(), schema, path.join(staging, "sdk"), "python");
      await succeeding("python3", "-m", "venv", path.join(staging, "venv"));
      const pip = path.join(staging, "venv", "bin", "pip");
      await succeeding(pip, "install", "--quiet", "mypy", path.join(staging, "sdk", "python"));
      await writeFile(pip, "#!/bin/sh\n");
    },
  });
  return path.join(folder, "venv");
}

async function succeeding(command: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr, problem = "" } = await run(command, args);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")}: ${stdout}${stderr}${problem}`);
  return stdout;
}
