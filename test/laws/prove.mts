import path from "node:path";
import { seconds } from "../../scripts/process/progress.ts";
import { choice, flag, proofOptions, text, texts, wholeNumber } from "../../scripts/prove-options.ts";
import type { LawOutcome } from "./behaviour-laws.ts";
import type { ConsoleSetting } from "./consoles.ts";

const about = `Runs the laws of every kind over consoles that answer what the service's reference leaves open: the mildest, the harshest,
and mixtures of both. Quiet after a create, an update takes, nothing is lost.`;

const {
  mixtures,
  seed,
  kind: wanted,
  adapter,
  observations,
  json,
} = proofOptions("laws", about, {
  mixtures: wholeNumber(20, "How many mixtures"),
  seed: wholeNumber(1, "The seed of the first; the others follow"),
  kind: texts("KIND", "Only this kind, such as Gate"),
  adapter: choice(["dynamic", "native"], "How Pulumi reaches the provider"),
  observations: text(
    "FILE",
    "A console that answers as this file of verify --out does, instead of all others",
  ),
  json: flag("The figures as JSON"),
});

// The subjects of the laws read it when they are loaded.
process.env.FEATURE_CONSOLE_TEST_ADAPTER = adapter;
await run();

/** Answers to policies are left out: under these, some samples are refused whatever the provider does. */
async function consoles(): Promise<readonly ConsoleSetting[]> {
  const { harsh, mild, mixture, observed } = await import("./consoles.ts");
  if (observations === undefined)
    return [mild, harsh, ...Array.from({ length: mixtures }, (_, index) => mixture(seed + index))];
  const { readObservations } = await import("../../src/tools/cli/emulate.ts");
  return [observed(path.basename(observations), readObservations(observations))];
}

async function run(): Promise<void> {
  const { runBehaviourLaws } = await import("./behaviour-laws.ts");
  const settings = await consoles();
  const started = Date.now();
  const failures: LawOutcome[] = [];
  let cases = 0;
  let told = started;
  for await (const outcome of runBehaviourLaws(settings, (kind) => wanted?.includes(kind) ?? true)) {
    cases += 1;
    if (outcome.failure !== undefined) {
      failures.push(outcome);
      process.stderr.write(`${outcome.kind}, ${outcome.setting}, ${outcome.law}: ${outcome.failure}\n`);
    }
    if (Date.now() - told < 10_000) continue;
    told = Date.now();
    process.stderr.write(`${cases} cases, ${failures.length} not right, ${seconds(told - started)}\n`);
  }
  const figures = { consoles: settings.length, cases, failures: failures.length };
  process.stdout.write(
    json
      ? `${JSON.stringify({ ...figures, failed: failures }, null, 2)}\n`
      : `${cases} cases over ${settings.length} consoles in ${seconds(Date.now() - started)}: ${failures.length} failures\n`,
  );
  process.exitCode = failures.length > 0 || cases === 0 ? 1 : 0;
}
