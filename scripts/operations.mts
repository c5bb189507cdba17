import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { inventory } from "./generate/files.ts";
import { run } from "./process/run.ts";
import { operationRows, operationsTable, type Recorded } from "./report/operations.ts";

const root = path.join(import.meta.dirname, "..");

/** Set where the tests have run already: what they noted of their requests. */
const noted = process.env.FEATURE_CONSOLE_TEST_RECORD;

/** Prints who made which request; the number of specified operations that no test made. */
function report(file: string): number {
  // Without a single request there is no file.
  const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  const rows = operationRows(
    inventory,
    lines.map((line) => JSON.parse(line) as Recorded),
  );
  console.log(operationsTable(rows));
  const without = rows.filter(({ test }) => test === undefined);
  if (without.length > 0) console.error(`No test made operation ${without.map(({ op }) => op).join(", ")}.`);
  return without.length;
}

/** Runs the laws with the recorder; their exit code, or 1 where an operation has no test. */
async function runAndReport(): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), "feature-console-operations-"));
  const file = path.join(folder, "requests.jsonl");
  try {
    console.log("Running the laws against a running console, to see which test makes which request ...");
    const node = path.join(root, "node_modules", ".bin", "node");
    const jest = path.join(root, "node_modules", "jest", "bin", "jest.js");
    const result = await run(node, [jest, "test/laws", "test/engine", "--silent"], {
      cwd: root,
      env: { ...process.env, FEATURE_CONSOLE_TEST_RECORD: file },
      timeoutMs: 600_000,
    });
    return report(file) === 0 && result.code === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = noted === undefined ? await runAndReport() : Math.min(1, report(noted));
