import { type ParseArgsConfig, parseArgs } from "node:util";
import { seconds } from "../../scripts/process/progress.ts";
import type { LawOutcome } from "./behaviour-laws.ts";

const options = {
  mixtures: { type: "string", default: "20" },
  seed: { type: "string", default: "1" },
  kind: { type: "string", multiple: true },
  json: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const satisfies ParseArgsConfig["options"];

const help = `Usage: npm run prove -- laws [options]

Runs the laws of every kind over consoles that answer what the service's reference leaves open: the mildest, the harshest,
and mixtures of both. Quiet after a create, an update takes, nothing is lost.

  --mixtures NUMBER   How many mixtures. Default: 20
  --seed NUMBER       The seed of the first; the others follow. Default: 1
  --kind KIND         Only this kind, such as Gate; may be given several times
  --json              The figures as JSON
  --help              This text
`;

const { values } = parseArgs({ options });
const [count, seed] = [Number(values.mixtures), Number(values.seed)];
if (values.help) process.stdout.write(help);
else if (!Number.isSafeInteger(count) || count < 0 || !Number.isSafeInteger(seed)) {
  process.stderr.write(help);
  process.exitCode = 1;
} else await run();

async function run(): Promise<void> {
  const { runBehaviourLaws } = await import("./behaviour-laws.ts");
  const { harsh, mild, mixture } = await import("./consoles.ts");
  const settings = [mild, harsh, ...Array.from({ length: count }, (_, index) => mixture(seed + index))];
  const started = Date.now();
  const failures: LawOutcome[] = [];
  let cases = 0;
  let told = started;
  for await (const outcome of runBehaviourLaws(settings, (kind) => values.kind?.includes(kind) ?? true)) {
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
    values.json
      ? `${JSON.stringify({ ...figures, failed: failures }, null, 2)}\n`
      : `${cases} cases over ${settings.length} consoles in ${seconds(Date.now() - started)}: ${failures.length} failures\n`,
  );
  process.exitCode = failures.length > 0 || cases === 0 ? 1 : 0;
}
