const FOREIGN = /^(PULUMI_|FEATURE_CONSOLE_|NODE_OPTIONS$|NODE_ENV$|JEST_WORKER_ID$)/;

/** An environment without the settings that would change what a program does: the user's, and a test runner's. */
export function cleanEnvironment(base: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(base).filter(([name]) => !FOREIGN.test(name)));
}
