import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Finished } from "./run";

/** How a proof ended. */
export interface ProofResult {
  readonly passed: boolean;
  readonly seconds: number;
  /** The last line of its output that counts something. */
  readonly counts: string;
}

/** What is to be proven, and how. */
export interface ProofRun {
  /** In their order. */
  readonly names: readonly string[];
  /** Runs one proof to its end. */
  readonly prove: (name: string) => Promise<Pick<Finished, "code" | "stdout">>;
  /** Keeps the results of one commit, so that an interrupted run can go on. */
  readonly file: string;
  readonly report: (line: string) => void;
}

/**
 * Runs proofs one after the other, and keeps each result when it is there. A proof that passed before for this commit does not run
 * again; one that failed does.
 */
export async function proveAll({ names, prove, file, report }: ProofRun): Promise<Map<string, ProofResult>> {
  const results = new Map(Object.entries(readResults(file)));
  for (const [index, name] of names.entries()) {
    if (results.get(name)?.passed === true) continue;
    report(`\n== ${name} (${index + 1} of ${names.length})`);
    const started = Date.now();
    const { code, stdout } = await prove(name);
    const seconds = Math.round((Date.now() - started) / 1000);
    results.set(name, { passed: code === 0, seconds, counts: countsIn(stdout) });
    writeResults(file, results);
  }
  return new Map(names.flatMap((name) => [[name, results.get(name)] as const]).filter(isThere));
}

function isThere(entry: readonly [string, ProofResult | undefined]): entry is [string, ProofResult] {
  return entry[1] !== undefined;
}

function readResults(file: string): Record<string, ProofResult> {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, ProofResult>) : {};
}

function writeResults(file: string, results: ReadonlyMap<string, ProofResult>): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(results), null, 2)}\n`);
}

/** The last line with a number, else the last one. */
function countsIn(output: string): string {
  const lines = output.split("\n").filter((line) => /\w/.test(line));
  return (lines.findLast((line) => /\d/.test(line)) ?? lines.at(-1) ?? "").trim();
}

/** One table in Markdown. `commit` names the code that was proven. */
export function proofTable(results: ReadonlyMap<string, ProofResult>, commit: string): string {
  const rows = [...results].map(
    ([name, { passed, seconds, counts }]) =>
      `| ${name} | ${passed ? "ok" : "FAILED"} | ${seconds} | ${counts.replaceAll("|", "\\|")} |`,
  );
  return [
    `Proofs of commit ${commit}`,
    "",
    "| proof | result | seconds | counts |",
    "|---|---|---:|---|",
    ...rows,
  ].join("\n");
}
