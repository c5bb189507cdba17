import os from "node:os";
import { run } from "../process/run";
import { cleanEnvironment } from "../pulumi-cli/clean-environment";
import { pulumiEnvironment } from "../pulumi-cli/environment";

/** Where figures were measured, as far as it matters to them: no names and no paths. */
export interface Machine {
  readonly system: string;
  readonly processors: number;
  readonly memoryGigabytes: number;
  readonly node: string;
  readonly pulumi: string;
  readonly pulumiSdk: string;
  /** Version of this package. */
  readonly package: string;
}

/** Describes this machine. */
export async function describeMachine(): Promise<Machine> {
  const { command, env } = await pulumiEnvironment(cleanEnvironment());
  const version = await run(command, ["version"], { env });
  const versionIn = (manifest: string) => (require(manifest) as { version: string }).version;
  return {
    system: `${os.type()} ${os.arch()}`,
    processors: os.availableParallelism(),
    memoryGigabytes: Math.round(os.totalmem() / 2 ** 30),
    node: process.version.slice(1),
    pulumi: version.stdout.trim().replace(/^v/, ""),
    pulumiSdk: versionIn("@pulumi/pulumi/package.json"),
    package: versionIn("../../package.json"),
  };
}
