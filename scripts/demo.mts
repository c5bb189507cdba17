import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeTree } from "./process/atomic-folder.ts";
import { runInherited, runScript } from "./process/run.ts";
import { runSteps, type Step, stepTable } from "./process/steps.ts";
import { cleanEnvironment } from "./pulumi-cli/clean-environment.ts";
import { isolatedState, pulumiEnvironment, repositoryRoot } from "./pulumi-cli/environment.ts";

const STACK = "demo";
const project = path.resolve(process.argv[2] ?? repositoryRoot);
const stackFile = path.join(project, `Pulumi.${STACK}.yaml`);

/** The steps of the demonstration; what they leave behind is in `folder` and in the stack's settings file. */
function demoSteps(folder: string): Step[] {
  let command = "";
  let env: NodeJS.ProcessEnv = {};
  const getPulumi = async () => {
    const pulumi = await pulumiEnvironment(cleanEnvironment());
    console.log(pulumi.source);
    command = pulumi.command;
    env = { ...pulumi.env, ...(await settings(folder)) };
    return 0;
  };
  const pulumi = (headline: string, ...args: string[]): Step => ({
    headline,
    work: () => runInherited(command, [...args, "--stack", STACK], { cwd: project, env }),
  });
  return [
    { headline: "Build the package", work: () => runScript("build", repositoryRoot) },
    { headline: "Get the Pulumi CLI", work: getPulumi },
    pulumi("Make a stack: pulumi stack init", "stack", "init"),
    pulumi("See what would happen: pulumi preview", "preview"),
    pulumi("Do it: pulumi up", "up", "--yes", "--skip-preview"),
    pulumi("Nothing is left to do: pulumi preview", "preview", "--expect-no-changes"),
  ];
}

async function settings(folder: string): Promise<Record<string, string>> {
  return {
    ...(await isolatedState(path.join(folder, "pulumi"))),
    FEATURE_CONSOLE_PROFILE: "embedded",
    FEATURE_CONSOLE_EMBEDDED_PATH: path.join(folder, "console.db"),
  };
}

async function main(): Promise<number> {
  if (existsSync(stackFile)) {
    console.error(
      `The demo makes a stack "${STACK}" of its own, but ${stackFile} exists. Move it away first.`,
    );
    return 1;
  }
  const folder = mkdtempSync(path.join(tmpdir(), "feature-console-demo-"));
  const steps = demoSteps(folder);
  const results = await runSteps(steps, { keepGoing: false });
  rmSync(stackFile, { force: true });
  await removeTree(folder);
  const passed = results.length === steps.length && results.every((result) => result.passed);
  console.log(`\n${stepTable(results)}\n`);
  console.log(passed ? "The demo ran to its end; what it made is removed again." : "The demo failed.");
  return passed ? 0 : 1;
}

process.exitCode = await main();
