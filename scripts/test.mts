import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeTree } from "./process/atomic-folder.ts";
import { runInherited, runScript } from "./process/run.ts";
import { runSteps, type Step, stepTable } from "./process/steps.ts";
import { pulumiEnvironment, repositoryRoot } from "./pulumi-cli/environment.ts";
import { complaints, type JestReport, lastLine, summarise } from "./report/jest-report.ts";

const jestArguments = process.argv.slice(2);
const filtered = jestArguments.length > 0;
const folder = mkdtempSync(path.join(tmpdir(), "feature-console-tests-"));
const reportFile = path.join(folder, "report.json");

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

const jest: Step = {
  headline: "tests (jest)",
  work() {
    const modules = path.join(repositoryRoot, "node_modules");
    const starter = path.join(modules, "jest", "bin", "jest.js");
    const args = [starter, "--json", `--outputFile=${reportFile}`, ...jestArguments];
    return runInherited(path.join(modules, ".bin", "node"), args, { cwd: repositoryRoot });
  },
};

const everything: Step[] = [
  script("lint, types, unused code", "check"),
  script("generated files are current", "generate:check"),
  script("build", "build"),
  pulumiCli,
  jest,
  script("each specified operation has a test", "operations"),
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
const problems = complaints(summary, failedSteps, filtered, Boolean(process.env.CI));
console.log(`\n${stepTable(results)}\n`);
for (const problem of problems) console.log(problem);
console.log(lastLine(summary));
process.exitCode = problems.length === 0 ? 0 : 1;
