import { runInherited } from "./process/run.ts";
import { defaultState, pulumiEnvironment, repositoryRoot } from "./pulumi-cli/environment.ts";

/** Runs the Pulumi CLI, found or made, where the user typed the command. */
async function main(): Promise<number> {
  const pulumi = await pulumiEnvironment();
  const state = await defaultState();
  if (state.PULUMI_BACKEND_URL) process.stderr.write(`State: ${state.PULUMI_BACKEND_URL}\n`);
  const env = { ...pulumi.env, ...state };
  return runInherited(pulumi.command, process.argv.slice(2), {
    cwd: process.env.INIT_CWD ?? repositoryRoot,
    env,
  });
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
