import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { proofTable, proveAll } from "./process/prove-all.ts";
import { run } from "./process/run.ts";
import { proofOptions, texts } from "./prove-options.ts";
import { repositoryRoot } from "./pulumi-cli/environment.ts";

/** Runs every proof. `known`: the names of all, in their order. */
export async function runAllProofs(known: readonly string[]): Promise<number> {
  const about = `Runs every proof in turn, as long as it takes, and prints one table. A second run of the same commit goes on where the first was
interrupted, and runs again what failed.`;
  const { only = known, without = [] } = proofOptions("all", about, {
    only: texts("NAME", "This proof alone"),
    without: texts("NAME", "Not this proof"),
  });
  const unknown = [...only, ...without].filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    process.stderr.write(`There is no proof ${unknown.join(", ")}.\n`);
    return 2;
  }
  const commit = await provenCode();
  const cache = path.join(repositoryRoot, "node_modules", ".cache", "pulumi-feature-console");
  const file = path.join(cache, `proofs-${commit}.json`);
  const report = (line: string) => process.stdout.write(`${line}\n`);
  const names = known.filter((name) => only.includes(name) && !without.includes(name));
  const results = await proveAll({ names, prove, file, report });
  const table = proofTable(results, commit);
  writeFileSync(file.replace(/json$/, "md"), `${table}\n`);
  report(`\n${table}`);
  return [...results.values()].every(({ passed }) => passed) ? 0 : 1;
}

function prove(name: string) {
  const tsx = path.join(repositoryRoot, "node_modules", ".bin", "tsx");
  const script = path.join(import.meta.dirname, "prove.mts");
  return run(tsx, [script, name], {
    cwd: repositoryRoot,
    onOutput: (text) => process.stdout.write(text),
  });
}

/** The commit, and a digest of what has changed since. Pages and figures do not count: some proofs write them. */
async function provenCode(): Promise<string> {
  const commit = await git("rev-parse", "--short=12", "HEAD");
  const changes = await git("diff", "HEAD", "--", "*.ts", "*.mts", "*.cjs");
  if (changes === "") return commit;
  return `${commit}-changed-${createHash("sha256").update(changes).digest("hex").slice(0, 8)}`;
}

async function git(...args: string[]): Promise<string> {
  return (await run("git", args, { cwd: repositoryRoot })).stdout.trim();
}
