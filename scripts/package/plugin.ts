import { chmod, copyFile, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { removeTree } from "../process/atomic-folder";
import { run } from "../process/run";
import { repositoryRoot } from "../pulumi-cli/environment";
import { ownVersion } from "./version";

/** The names by which Pulumi calls systems and processors. */
const systems: Readonly<Record<string, string>> = { darwin: "darwin", linux: "linux", win32: "windows" };
const processors: Readonly<Record<string, string>> = { arm64: "arm64", x64: "amd64" };

const name = "pulumi-resource-feature-console";
/** Where the package and the archive have the program: it finds the schema and its version from there. */
const program = "dist/provider/native/main.js";
const schema = "dist/generated/package-schema.json";

/**
 * Makes the archive that `pulumi plugin install resource feature-console VERSION --file ARCHIVE` takes: the plugin in one file, and
 * the Node.js that runs it, for the system of this machine. `dist` must be built.
 * @returns the path of the archive
 */
export async function packPlugin(folder: string): Promise<string> {
  const version = await ownVersion();
  const [system, processor] = [systems[process.platform], processors[process.arch]];
  if (system === undefined || processor === undefined)
    throw new Error(`Pulumi has no plugins for ${process.platform} on ${process.arch}.`);
  const archive = path.resolve(folder, `${name}-v${version}-${system}-${processor}.tar.gz`);
  const staging = await mkdtemp(path.join(tmpdir(), "feature-console-plugin-"));
  try {
    await fill(staging);
    await mkdir(folder, { recursive: true });
    const packed = await run("tar", ["-czf", archive, "-C", staging, "."]);
    if (packed.code !== 0) throw new Error(`tar failed: ${packed.problem ?? packed.stderr.trim()}`);
    return archive;
  } finally {
    await removeTree(staging);
  }
}

async function fill(folder: string): Promise<void> {
  await build({
    entryPoints: [path.join(repositoryRoot, program)],
    outfile: path.join(folder, program),
    bundle: true,
    platform: "node",
    target: "node24",
    legalComments: "linked",
    logLevel: "warning",
  });
  for (const file of [schema, "package.json", "LICENSE"]) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await copyFile(path.join(repositoryRoot, file), path.join(folder, file));
  }
  const node = process.platform === "win32" ? "node.exe" : "node";
  await copyFile(path.join(repositoryRoot, "node_modules", "node", "bin", node), path.join(folder, node));
  const [file, text] = process.platform === "win32" ? [`${name}.cmd`, windowsStart] : [name, start];
  await writeFile(path.join(folder, file), text);
  for (const one of [node, file]) await chmod(path.join(folder, one), 0o755);
}

/** The compiled code is kept beside the plugin, where its user may write: the next start takes less time. */
const start = `#!/bin/sh
here=$(dirname -- "$0")
NODE_COMPILE_CACHE="$here/compiled" exec "$here/node" "$here/${program}" "$@"
`;

const windowsStart = `@set "NODE_COMPILE_CACHE=%~dp0compiled"\r
@"%~dp0node.exe" "%~dp0${program.replaceAll("/", "\\")}" %*\r
`;
