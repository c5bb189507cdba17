import { existsSync } from "node:fs";
import path from "node:path";
import { run } from "../../scripts/process/run";
import type { PlantedFault } from "./fault";
import type { SourceTree } from "./source-tree";
import { portionsFor, runsCli, testFiles } from "./test-files";

/** A run of tests that a fault keeps from ending has found it. */
const longestMs = 600_000;

/** Where a fault is looked for. */
export interface Search {
  /** The test file that found it last time. */
  readonly known: string | undefined;
  /** Which others are asked where that one passes: those that run the real CLI last, or not at all. */
  readonly others: "none" | "in process" | "all";
  /** Tells how far the search is. */
  readonly progress: (text: string) => void;
}

/** Test files that were found to pass, or to fail, without any fault. */
const [sound, unsound] = [new Set<string>(), new Set<string>()];

/** The first test file that fails once a fault is planted, and passes without it; undefined where none does. */
export async function findFault(
  tree: SourceTree,
  fault: PlantedFault,
  search: Search,
): Promise<string | undefined> {
  for (;;) {
    const found = await tree.with(fault, () => firstFinder(tree.folder, fault, search));
    if (found === undefined || sound.has(found)) return found;
    const isSound = (await firstFailing(tree.folder, [found])) === undefined;
    (isSound ? sound : unsound).add(found);
    if (isSound) return found;
    search.progress(`${found} fails without the fault too, and does not count`);
  }
}

async function firstFinder(
  folder: string,
  fault: PlantedFault,
  { known, others, progress }: Search,
): Promise<string | undefined> {
  if (known !== undefined && !unsound.has(known) && existsSync(path.join(folder, known))) {
    progress(`${known} found it last time`);
    const found = await firstFailing(folder, [known]);
    if (found !== undefined) return found;
  }
  if (others === "none") return undefined;
  for (const files of await searchOrder(folder, fault.file, others === "all")) {
    const asked = files.filter((file) => file !== known && !unsound.has(file));
    if (asked.length === 0) continue;
    progress(`${asked.length} test files, such as ${asked[0]}`);
    const found = await firstFailing(folder, asked);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Portions of test files: those that load the source, then the others, then those that run the real CLI. */
async function searchOrder(folder: string, file: string, withCli: boolean): Promise<string[][]> {
  // Lists of planted mistakes look for their places in the source, which a fault may take away.
  const all = testFiles(folder).filter((one) => !one.endsWith("/planted.test.ts"));
  const slow = all.filter((one) => runsCli(folder, one));
  const source = path.join("src", file);
  const listed = await jest(folder, ["--listTests", "--findRelatedTests", source]);
  const related = new Set(
    listed.stdout.split("\n").map((one) => path.relative(folder, one.trim()).replaceAll("\\", "/")),
  );
  const quick = all.filter((one) => !slow.includes(one));
  return [
    quick.filter((one) => related.has(one)),
    quick.filter((one) => !related.has(one)),
    withCli ? slow : [],
  ].flatMap((files) => portionsFor(folder, source, files));
}

async function firstFailing(folder: string, files: readonly string[]): Promise<string | undefined> {
  const args = ["--maxWorkers=1", "--bail", "--runTestsByPath", ...files];
  const { code, stderr, problem } = await jest(folder, args);
  if (code === 0 && problem === undefined) return undefined;
  const [, failed] = /^FAIL (\S+)/m.exec(stderr) ?? [];
  if (failed !== undefined) return failed;
  // Nothing is said by a run that hangs, and of several files nobody knows which.
  if (problem !== undefined && files.length === 1) return files[0];
  throw new Error(`Jest did not say which test failed (${problem ?? `exit code ${code}`}):\n${stderr}`);
}

function jest(folder: string, args: readonly string[]) {
  const modules = path.join(folder, "node_modules");
  const starter = path.join(modules, "jest", "bin", "jest.js");
  return run(path.join(modules, ".bin", "node"), [starter, ...args], {
    cwd: folder,
    env: { ...process.env, FORCE_COLOR: "0" },
    timeoutMs: longestMs,
  });
}
