import { mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import slowFiles from "../test/slow-files.json" with { type: "json" };
import { checkPrograms } from "../test/support/program-types.ts";
import { removeTree } from "./process/atomic-folder.ts";
import { ensureRedis } from "./process/redis.ts";
import { npmCommand, runInherited, runScript } from "./process/run.ts";
import { type Print, runStages, runSteps, type Stage, type Step, stepTable } from "./process/steps.ts";
import { pulumiEnvironment, repositoryRoot } from "./pulumi-cli/environment.ts";
import { costLines, readCosts, slowComplaints } from "./report/costs.ts";
import { complaints, type JestReport, lastLine, summarise } from "./report/jest-report.ts";

const jestArguments = process.argv.slice(2);
const filtered = jestArguments.length > 0;
const folder = mkdtempSync(path.join(tmpdir(), "feature-console-tests-"));
const reportFile = path.join(folder, "report.json");
const programs = path.join(folder, "programs");
mkdirSync(programs);

/** What the tests note for the steps after them. */
const notes = { FEATURE_CONSOLE_TEST_RECORD: path.join(folder, "requests.jsonl") };
const costsFile = path.join(folder, "costs.jsonl");
/** Steps and runs of the CLI start many processes of Node.js, which load the same thousand modules again. */
process.env.NODE_COMPILE_CACHE ??= path.join(
  repositoryRoot,
  "node_modules",
  ".cache",
  "pulumi-feature-console",
  "compiled",
);
/** TypeScript 7 and esbuild are Go: their memory is the same at the end, and a quarter of their time is the collector's. */
process.env.GOGC ??= "400";

function script(headline: string, name: string): Step {
  return { headline, work: (print) => runScript(name, repositoryRoot, print) };
}

/** `npm run build`, but for the types: the step "lint, types, unused code" checks them. */
const build: Step = {
  headline: "build",
  async work(print) {
    for (const folder of ["dist", "policy/dist"]) await removeTree(path.join(repositoryRoot, folder));
    for (const project of ["tsconfig.build.json", "policy/tsconfig.json"]) {
      const args = ["run", "--silent", "tsc", "--", "-p", project, "--noCheck"];
      const code = await runInherited(npmCommand, args, { cwd: repositoryRoot }, print);
      if (code !== 0) return code;
    }
    return 0;
  },
};

const pulumiCli: Step = {
  headline: "Pulumi CLI",
  async work(print) {
    print(`${(await pulumiEnvironment()).source}\n`);
    return 0;
  },
};

const redis: Step = {
  headline: "Redis server",
  async work(print) {
    print(`${await ensureRedis()}\n`);
    return 0;
  },
};

function runJest(settings: NodeJS.ProcessEnv, print?: Print): Promise<number> {
  const modules = path.join(repositoryRoot, "node_modules");
  const starter = path.join(modules, "jest", "bin", "jest.js");
  const args = [starter, "--json", `--outputFile=${reportFile}`, ...jestArguments];
  const env = { ...process.env, ...settings, FEATURE_CONSOLE_TEST_COSTS: costsFile };
  return runInherited(path.join(modules, ".bin", "node"), args, { cwd: repositoryRoot, env }, print);
}

/** Some of the tests: on the terminal, as Jest itself. */
const someTests: Step = { headline: "tests (jest)", work: () => runJest({}) };

/** All tests. The report of each file appears as soon as the file has ended. */
const allTests: Step = {
  headline: "tests (jest)",
  work: () =>
    runJest(
      { ...notes, FEATURE_CONSOLE_TEST_PROGRAMS: programs, FEATURE_CONSOLE_TEST_BUILT: "true" },
      (text) => process.stdout.write(text),
    ),
};

const operations: Step = {
  headline: "each specified operation has a test",
  work(print) {
    const env = { ...process.env, ...notes };
    return runInherited(npmCommand, ["run", "--silent", "operations"], { cwd: repositoryRoot, env }, print);
  },
};

const programTypes: Step = {
  headline: "types of the programs in the tests",
  work: (print) => checkPrograms(programs, print),
};

const everything: Stage[] = [
  // The tests keep every processor busy. Beside them run the steps that do not need their notes.
  [
    [build, pulumiCli, redis, allTests],
    [
      script("lint, types, unused code", "check"),
      script("generated files are current", "generate:check"),
      // The build has long ended by then.
      script("package", "package:check"),
    ],
  ],
  [[programTypes], [operations]],
];

function readReport(): JestReport | undefined {
  try {
    return JSON.parse(readFileSync(reportFile, "utf8")) as JestReport;
  } catch {
    return undefined;
  }
}

const results = filtered ? await runSteps([someTests], { keepGoing: true }) : await runStages(everything);
const summary = summarise(readReport());
const costs = readCosts(costsFile);
await removeTree(folder);

const failedSteps = results.filter(({ passed }) => !passed).map(({ headline }) => headline);
const problems = [
  ...complaints(summary, failedSteps, filtered),
  ...(process.env.CI === "true" ? slowComplaints(costs, slowFiles) : []),
];
console.log(`\n${stepTable(results)}\n`);
for (const line of costLines(costs, slowFiles)) console.log(line);
for (const name of filtered ? [] : summary.explained) console.log(name);
for (const problem of problems) console.log(problem);
console.log(lastLine(summary));
process.exitCode = problems.length === 0 ? 0 : 1;
