/** Runs one of the long proofs or measurements, which `npm test` only samples: `npm run prove -- NAME [options]`. */

/** By name: its file, and what it does. */
const proofs: Readonly<Record<string, readonly [file: string, what: string]>> = {
  backends: [
    "test/e2e/prove-backends.mts",
    "measures state in a folder, on S3 and on Postgres, near and 20 ms away",
  ],
  bench: ["scripts/bench/prove.mts", "measures whole commands against a provider that does nothing"],
  cases: ["test/support/prove-cases.mts", "the tests that play a sample of their cases, with all of them"],
  drift: [
    "test/drift/prove.mts",
    "imports a messy console, changes 300 objects by hand and accepts them all",
  ],
  faults: ["test/faults/prove.mts", "every fault × every verb × every kind; writes spec/fault-matrix.md"],
  fuzz: ["test/faults/prove-fuzz.mts", "10,000 random answers of the console to every verb of every kind"],
  hosts: [
    "test/languages/prove-hosts.mts",
    "the programs that `pulumi import` and `pulumi convert` write, in each language",
  ],
  ids: ["test/ids/prove.mts", "measures a segment with a million ids through the real CLI"],
  import: ["test/import/prove.mts", "imports 800 messy objects through the real CLI and goes once round"],
  kills: ["test/kills/prove.mts", "kills real `pulumi up` runs and checks what the next one makes of it"],
  languages: [
    "test/languages/prove.mts",
    "an SDK of the package schema for each language, and a program compiled with it",
  ],
  laws: [
    "test/laws/prove.mts",
    "the laws of every kind over consoles that answer open questions differently",
  ],
  limits: [
    "test/limits/prove.mts",
    "the real CLI against a console with write limits; two stacks with a Redis",
  ],
  managers: ["test/start/prove-managers.mts", "the start of the README with npm, pnpm, Yarn and Bun"],
  memory: [
    "test/bench/prove-memory.mts",
    "memory of a preview of 5,000 gates, by process, beside a provider that does nothing",
  ],
  model: ["test/model/prove.mts", "5,000 random histories of two stacks and a person: nothing is harmed"],
  move: [
    "test/bench/prove-move.mts",
    "1,000 dynamic gates become native by the change of an import: no write",
  ],
  planted: [
    "test/planted/prove.mts",
    "60 mistakes, each planted in a copy of the source: which test finds it",
  ],
  promote: [
    "test/promote/prove.mts",
    "500 flags go through three consoles, interrupted: the stacks differ in what was kept or listed alone",
  ],
  reviews: [
    "test/reviews/prove.mts",
    "500 random histories of changes that people accept or reject: none applies unapproved",
  ],
  rollback: [
    "test/past/prove.mts",
    "1,000 random lives of flags: after a rollback each is as it was, but for what was named",
  ],
  sdk: ["test/emulator/sdk/prove.mts", "the emulator's SDK endpoints with the real server SDKs, under load"],
  truth: [
    "test/truth/prove.mts",
    "3,000 random changes: each sentence of a report held against what happened",
  ],
  users: ["test/users/prove.mts", "random changes: who gets something else, foretold and as it came"],
  versions: [
    "test/start/prove-versions.mts",
    "the start of the README with the oldest and the newest Node.js, CLI, SDK and TypeScript",
  ],
  verify: [
    "test/verify/kills/prove.mts",
    "kills `feature-console verify --write` at 50 moments: the next run removes what it left",
  ],
};

const [name = ""] = process.argv.splice(2, 1);
const proof = proofs[name];
if (proof !== undefined) await import(`../${proof[0]}`);
else if (name === "all") {
  const { runAllProofs } = await import("./prove-all.mts");
  process.exitCode = await runAllProofs(Object.keys(proofs));
} else {
  const lines = Object.entries(proofs).map(([known, [, what]]) => `  ${known.padEnd(11)}${what}`);
  const all = `  ${"all".padEnd(11)}every proof in turn, in one table; goes on where it was interrupted`;
  process.stdout.write(`Usage: npm run prove -- NAME [options]\n\n${[all, ...lines].join("\n")}\n`);
  process.exitCode = ["", "--help"].includes(name) ? 0 : 2;
}
