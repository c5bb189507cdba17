import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import { coerce, gte } from "semver";
import { oldestPulumi } from "../../src/provider/pulumi/runs/cli";
import { run } from "../process/run";
import type { Binaries, Finder } from "./discover";

/** The file name of a program on this system. */
export function executable(name: string): string {
  return process.platform === "win32" ? `${name}.exe` : name;
}

/** Whether a folder holds both programs that a TypeScript project needs. */
export function holdsBinaries(folder: string): boolean {
  return [`pulumi`, `pulumi-language-nodejs`].every((name) =>
    isExecutable(path.join(folder, executable(name))),
  );
}

/** The first folder of a PATH that holds a program. */
export function folderOnPath(name: string, searchPath: string): string | undefined {
  const folders = searchPath.split(path.delimiter).filter((folder) => folder !== "");
  return folders.find((folder) => isExecutable(path.join(folder, executable(name))));
}

/** The Pulumi CLI that the user has installed. */
export function onPath(searchPath: string): Finder {
  return { name: "pulumi on PATH", find: () => findOnPath(searchPath) };
}

async function findOnPath(searchPath: string): Promise<Binaries | { why: string }> {
  const cli = folderOnPath("pulumi", searchPath);
  if (cli === undefined) return { why: "not there" };
  const languageHost = folderOnPath("pulumi-language-nodejs", searchPath);
  if (languageHost === undefined) return { why: "pulumi-language-nodejs is not on PATH" };
  const asked = await run(path.join(cli, executable("pulumi")), ["version"], {
    env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" },
    timeoutMs: 20_000,
  });
  const version = asked.code === 0 ? coerce(asked.stdout) : null;
  if (version === null) return { why: "it does not tell its version" };
  if (!gte(version, oldestPulumi)) {
    return { why: `its version ${version} is older than ${oldestPulumi}` };
  }
  return { folders: [...new Set([cli, languageHost])], source: `pulumi ${version} on PATH` };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
