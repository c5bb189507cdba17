import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { PackageManager } from "../../scripts/package/managers";
import { pack } from "../../scripts/package/pack";
import { removeTree } from "../../scripts/process/atomic-folder";
import { npmCommand, run } from "../../scripts/process/run";
import { cliBuild } from "../../scripts/pulumi-cli/build";
import { builtProgram } from "../../scripts/pulumi-cli/cached-program";
import { cleanEnvironment } from "../../scripts/pulumi-cli/clean-environment";
import { isolatedState, pulumiEnvironment, repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { CLI_VERSION } from "../../scripts/pulumi-cli/versions";
import { ensureBuilt } from "../support/built-package";
import { readReadme } from "../support/readme";

const lineLimitMs = 5 * 60 * 1000;

/**
 * Makes a temporary folder with `Pulumi.yaml` and the README's program, in which lines are typed. `cli`: version of the Pulumi CLI;
 * `first`: folders that come first on PATH, from that of the project.
 */
export async function emptyProject({
  cli = CLI_VERSION,
  first = [] as readonly string[],
  environment = {} as NodeJS.ProcessEnv,
} = {}) {
  const room = await mkdtemp(path.join(tmpdir(), "feature-console-start-"));
  const folder = path.join(room, "project");
  await mkdir(folder);
  const pulumi = await pulumiEnvironment(cleanEnvironment());
  const older = cli === CLI_VERSION ? [] : [await builtProgram(cliBuild(cli))];
  const PATH = [...first.map((place) => path.resolve(folder, place)), ...older, pulumi.env.PATH ?? ""].join(
    path.delimiter,
  );
  const env = { ...pulumi.env, ...(await isolatedState(path.join(room, "pulumi"))), ...environment, PATH };
  const { project, program } = await readReadme();
  const typed: { line: string; seconds: number; text: string }[] = [];
  const write = (file: string, text: string) => writeFile(path.join(folder, file), text);
  await write("Pulumi.yaml", project);
  await write("index.ts", program);
  return {
    ...{ folder, program, typed, write },
    /** Runs a line in a shell. @throws Error with what it printed where it fails. */
    async type(line: string) {
      const started = Date.now();
      const { code, stdout, stderr, problem } = await run("sh", ["-c", line], {
        ...{ cwd: folder, env, timeoutMs: lineLimitMs },
      });
      const text = `${stdout}\n${stderr}`;
      if (code !== 0) throw new Error(`${line} failed: ${problem ?? ""}\n${text}`);
      typed.push({ line, seconds: (Date.now() - started) / 1000, text });
      return text;
    },
    remove: () => removeTree(room),
  };
}

/** The tarball of this package as `npm pack` makes it, in a folder that the caller removes. */
export async function packedTarball() {
  await ensureBuilt();
  const folder = await mkdtemp(path.join(tmpdir(), "feature-console-tarball-"));
  const { filename } = await pack(repositoryRoot, folder);
  return { file: path.join(folder, filename), remove: () => removeTree(folder) };
}

/** A folder with the command of a package manager in `bin`, and its version. The caller removes it. */
export async function installed({ from }: PackageManager) {
  const folder = await mkdtemp(path.join(tmpdir(), "feature-console-manager-"));
  const args = ["install", "--prefix", folder, "--no-audit", "--no-fund", from];
  const { code, stderr } = await run(npmCommand, args, { cwd: folder, timeoutMs: lineLimitMs });
  if (code !== 0) throw new Error(`npm install ${from} failed: ${stderr}`);
  const modules = path.join(folder, "node_modules");
  const manifest = await readFile(path.join(modules, from.replace(/(?<=.)@.*/, ""), "package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { version: string };
  return { bin: path.join(modules, ".bin"), version, remove: () => removeTree(folder) };
}

/** Types the start of the README. `lines`: those that add packages. @throws Error where one fails or the program is not applied. */
export async function playStart(
  project: Pick<Awaited<ReturnType<typeof emptyProject>>, "type">,
  lines: readonly string[],
): Promise<void> {
  for (const line of lines) await project.type(line);
  await project.type("pulumi stack init dev");
  await project.type("pulumi config set feature-console:profile embedded");
  const up = await project.type("pulumi up --yes --non-interactive --color never");
  if (!/gateId: +"checkout_v2"[\s\S]*\+ 3 created/.test(up)) throw new Error(`nothing was created:\n${up}`);
  const again = await project.type("pulumi preview --non-interactive --color never");
  if (!again.includes("3 unchanged")) throw new Error(`the preview shows a change:\n${again}`);
  // An older CLI lies apart from the program that runs TypeScript, and says so.
  const said = `${up}${again}`
    .replaceAll(/warning: using pulumi-\S+ from \$PATH/g, "")
    .replaceAll(/\d warnings?\n/g, "\n");
  if (/warning/i.test(said)) throw new Error(`a run warns:\n${said}`);
}
