import path from "node:path";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";

const main = (folder: string, file: string) => path.join(repositoryRoot, folder, "tools", "cli", file);

/**
 * Arguments of Node.js that start the `feature-console` of this checkout. `npm test` has built it, which makes the start twice as fast;
 * a part of the tests needs no build.
 */
export const commandLine: readonly string[] =
  process.env.FEATURE_CONSOLE_TEST_BUILT === "true"
    ? [main("dist", "main.js")]
    : ["--import", require.resolve("tsx"), main("src", "main.ts")];
