import { parseArgs } from "node:util";
import { packPlugin } from "./package/plugin.ts";
import { npmCommand, runInherited } from "./process/run.ts";
import { repositoryRoot } from "./pulumi-cli/environment.ts";

const { values } = parseArgs({ options: { out: { type: "string", default: "." } } });

try {
  const built = await runInherited(npmCommand, ["run", "--silent", "build"], { cwd: repositoryRoot });
  if (built !== 0) throw new Error("The package does not build.");
  console.log(await packPlugin(values.out));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
