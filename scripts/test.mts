import { mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { checkPrograms } from "../test/support/program-types.ts";
import { removeTree } from "./process/atomic-folder.ts";
import { ensureRedis } from "./process/redis.ts";
import { npmCommand, runInherited, runScript } from "./process/run.ts";
import { runSteps, type Step, stepTable } from "./process/steps.ts";
import { pulumiEnvironment, repositoryRoot } from "./pulumi-cli/environment.ts";
import { complaints, type JestReport, lastLine, summarise } from "./report/jest-report.ts";

const jestArguments = process.argv.slice(2);
const filtered = jestArguments.length > 0;
const folder = mkdtempSync(path.join(tmpdir(), "feature-console-tests-"));
const reportFile = path.join(folder, "report.json");
const programs = path.join(folder, "programs");
mkdirSync(programs);

/** What the tests note for the steps after them. */
const notes = { FEATURE_CONSOLE_TEST_RECORD: path.join(folder, "requests.jsonl") };
/** Every run of the CLI starts two processes of Node.js, which load the same thousand modules again. */
const modulesCompiledOnce = {
  NODE_COMPILE_CACHE: path.join(
    repositoryRoot,
    "node_modules",
    ".cache",
    "pulumi-feature-console",
    "compiled",
  ),
};

function script(headline: string, name: string): Step {
  return { headline, work: () => runScript(name, repositoryRoot) };
}

const pulumiCli: Step = {
  headline: "Pulumi CLI",
  async work() {
    console.log((await pulumiEnvironment()).source);
    return 0;
  },
};

const redis: Step = {
  headline: "Redis server",
  async work() {
    console.log(await ensureRedis());
    return 0;
  },
};

const jest: Step = {
  headline: "tests (jest)",
  work() {
    const modules = path.join(repositoryRoot, "node_modules");
    const starter = path.join(modules, "jest", "bin", "jest.js");
    const args = [starter, "--json", `--outputFile=${reportFile}`, ...jestArguments];
    const env = {
      ...process.env,
      ...modulesCompiledOnce,
      ...(filtered ? {} : { ...notes, FEATURE_CONSOLE_TEST_PROGRAMS: programs }),
    };
    return runInherited(path.join(modules, ".bin", "node"), args, { cwd: repositoryRoot, env });
  },
};

const operations: Step = {
  headline: "each specified operation has a test",
  work() {
    const env = { ...process.env, ...notes };
    return runInherited(npmCommand, ["run", "--silent", "operations"], { cwd: repositoryRoot, env });
  },
};

const programTypes: Step = {
  headline: "types of the programs in the tests",
  work: () => checkPrograms(programs),
};

const everything: Step[] = [
  script("lint, types, unused code", "check"),
  script("generated files are current", "generate:check"),
  script("build", "build"),
  pulumiCli,
  redis,
  jest,
  programTypes,
  operations,
  script("package", "package:check"),
];

function readReport(): JestReport | undefined {
  try {
    return JSON.parse(readFileSync(reportFile, "utf8")) as JestReport;
  } catch {
    return undefined;
  }
}

const results = await runSteps(filtered ? [jest] : everything, { keepGoing: true });
const summary = summarise(readReport());
await removeTree(folder);

const failedSteps = results.filter(({ passed }) => !passed).map(({ headline }) => headline);
const problems = complaints(summary, failedSteps, filtered);
console.log(`\n${stepTable(results)}\n`);
for (const name of filtered ? [] : summary.explained) console.log(name);
for (const problem of problems) console.log(problem);
console.log(lastLine(summary));
process.exitCode = problems.length === 0 ? 0 : 1;
