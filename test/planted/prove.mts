import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import path from "node:path";
import { seconds } from "../../scripts/process/progress.ts";
import { flag, proofOptions, text } from "../../scripts/prove-options.ts";

const about = `Plants mistakes in a copy of the source, one after the other, and looks which test finds each: first the file that found it last
time (test/planted/found.json), then the nearest, then all others. Interrupted, it goes on where it was.`;

const { only, quick, anew, cli, json } = proofOptions("planted", about, {
  only: text("TEXT", "Faults with this text in their name or their file alone"),
  quick: flag("Asks only the test file that found a fault last time"),
  cli: flag("Asks the test files that run the real CLI too, where no other finds a fault"),
  anew: flag("Begins with the first fault, also after an interruption"),
  json: flag("The verdicts as JSON"),
});

const { plantedFaults } = await import("./faults.ts");
const { findFault } = await import("./find.ts");
const { readRecord, Verdicts, writeRecord } = await import("./record.ts");
const { SourceTree } = await import("./source-tree.ts");

type Fault = (typeof plantedFaults)[number];

const former = readRecord();
const names = plantedFaults.map(({ name }) => name);
const report = (line: string) => process.stderr.write(`${line}\n`);

const checkout = createHash("sha256").update(process.cwd()).digest("hex").slice(0, 8);
const folder = path.join(tmpdir(), `feature-console-planted-${checkout}`);
const tree = await SourceTree.copiedTo(folder);
const verdicts = new Verdicts(`${folder}.json`, tree.digest, anew);

async function look(fault: Fault): Promise<string | undefined> {
  try {
    const known = former[fault.name] ?? undefined;
    const progress = (line: string) => report(`  ${line}`);
    return await findFault(tree, fault, {
      known,
      others: quick ? "none" : cli ? "all" : "in process",
      progress,
    });
  } catch (error) {
    process.exitCode = 1;
    report(`  ${(error as Error).message}`);
    return undefined;
  }
}

const asked = plantedFaults.filter(({ name, file }) => `${name}\n${file}`.includes(only ?? ""));
for (const [index, fault] of asked.entries()) {
  if (verdicts.has(fault.name)) continue;
  const started = Date.now();
  report(`${index + 1} of ${asked.length}: ${fault.name} (src/${fault.file})`);
  const by = await look(fault);
  if (by !== undefined || !quick) verdicts.set(fault.name, by);
  report(`  ${by === undefined ? "NOT FOUND" : `found by ${by}`}, ${seconds(Date.now() - started)}`);
  if (by !== undefined) writeRecord({ ...readRecord(), [fault.name]: by }, names);
}

const results = asked.map(({ name, file }) => ({ name, file, by: verdicts.get(name), was: former[name] }));
const lines = results.map(({ name, file, by, was }) => {
  if (by !== undefined) return `${by}: ${name}`;
  const last = typeof was === "string" ? `; ${was} found it last time` : "; no test has found it yet";
  return `NOT FOUND: ${name} (src/${file})${last}`;
});
const found = results.filter(({ by }) => by !== undefined).length;
if (json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
else process.stdout.write(`${lines.sort().join("\n")}\nfound ${found} of ${asked.length}\n`);
if (results.some(({ by, was }) => by === undefined && was !== null)) process.exitCode = 1;
