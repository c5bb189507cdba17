import { mkdir, rename, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { ensureFolder, removeTree } from "../process/atomic-folder";
import { withProgress } from "../process/progress";
import { npmCommand, run } from "../process/run";
import { folderSize, stallDetector } from "../process/stall";
import { cachedBinaries } from "./cached";
import type { Binaries, Finder } from "./discover";
import { executable } from "./on-path";
import { CLI_VERSION, DOWNLOADER_VERSION } from "./versions";

const STALL_LIMIT_MS = 20_000;
const RETRY_AFTER_MS = 6 * 60 * 60 * 1000;

/**
 * The npm package `pulumi`, which downloads the CLI from Pulumi's own site when it runs first. Where that site cannot
 * be reached this gives up quickly, and is not tried again for some hours as long as there is another way.
 */
export function downloaded(cache: string, otherWayOpen: () => Promise<boolean>): Finder {
  const folder = cachedBinaries(cache);
  const failureMark = path.join(cache, "download-failed");
  return {
    name: "download by the npm package pulumi",
    async find(): Promise<Binaries | { why: string }> {
      if ((await failedLately(failureMark)) && (await otherWayOpen()))
        return { why: "failed a few hours ago" };
      try {
        await ensureFolder(folder, {
          fill: (staging) =>
            withProgress(`Downloading the Pulumi CLI ${CLI_VERSION}`, () => download(staging)),
          onWait: () => process.stderr.write("Waiting for another process that is getting the Pulumi CLI\n"),
        });
      } catch (error) {
        await remember(failureMark);
        throw error;
      }
      return { folders: [folder], source: `pulumi ${CLI_VERSION}, downloaded` };
    },
  };
}

async function download(staging: string): Promise<void> {
  const work = path.join(staging, "work");
  const temporary = path.join(work, "tmp");
  await mkdir(temporary, { recursive: true });
  const environment = {
    ...process.env,
    ...{ PULUMI_HOME: work, PULUMI_VERSION: CLI_VERSION, TMPDIR: temporary, NODE_USE_ENV_PROXY: "1" },
  };
  const options = ["--prefix", work, "--no-save", "--no-audit", "--no-fund"];
  const npm = ["install", ...options, `pulumi@${DOWNLOADER_VERSION}`];
  await step("npm install", npmCommand, npm, work, environment);
  const starter = path.join(work, "node_modules", "pulumi", "run.js");
  await step("its download", process.execPath, [starter, "version"], work, environment);
  await keepOnly(path.join(work, "versions", CLI_VERSION, "bin"), staging, work);
}

async function step(
  what: string,
  command: string,
  args: string[],
  work: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const shouldStop = stallDetector(() => folderSize(work), STALL_LIMIT_MS);
  const done = await run(command, args, { cwd: work, env, shouldStop });
  if (done.code === 0 && done.problem === undefined) return;
  const lastLine = done.stderr.trim().split("\n").at(-1) ?? "";
  throw new Error(`${what}: ${done.problem ?? (lastLine || `exit code ${done.code}`)}`);
}

/** Moves the binaries up into the staging folder and drops everything else. */
async function keepOnly(binaries: string, staging: string, work: string): Promise<void> {
  await stat(path.join(binaries, executable("pulumi-language-nodejs")));
  const aside = `${staging}-binaries`;
  await rename(binaries, aside);
  await removeTree(work);
  await removeTree(staging);
  await rename(aside, staging);
}

async function failedLately(mark: string): Promise<boolean> {
  const entry = await stat(mark).catch(() => undefined);
  return entry !== undefined && Date.now() - entry.mtimeMs < RETRY_AFTER_MS;
}

async function remember(mark: string): Promise<void> {
  await mkdir(path.dirname(mark), { recursive: true });
  await writeFile(
    mark,
    "The download failed; it is tried again after some hours, or when this file is removed.\n",
  );
  const now = new Date();
  await utimes(mark, now, now);
}
