import { existsSync } from "node:fs";
import path from "node:path";
import { ProviderProcess } from "../../provider/pulumi/process";
import {
  type ConfigReader,
  collectSettings,
  type Environment,
  withoutMarks,
} from "../../provider/pulumi/provider-settings";
import { embeddedFileIn } from "../../provider/pulumi/runs/console-digest";
import type { KnownConsole } from "../../provider/pulumi/runs/console-guard";
import { projectIn } from "../../provider/pulumi/runs/project-file";
import { projectFolder } from "../stack/project";
import type { Stack } from "../stack/stack";

/** The console that is read. */
export type ReadConsole = ReturnType<typeof consoleOf>;

/** Settings by which a command finds its console: those of the environment come first. */
export interface CommandSettings {
  readonly environment: Environment;
  readonly config: ConfigReader;
}

/**
 * The settings of the environment, and in the folder of a project those of its stack.
 * @throws Error with the CLI's message, where the stack is not read and the environment names no profile.
 */
export async function commandSettings(
  environment: Environment,
  folder: string,
  stack: Stack,
): Promise<CommandSettings> {
  if (projectIn(folder) === undefined) return { environment, config: () => undefined };
  const values = await stack.config().catch((error: unknown): Awaited<ReturnType<Stack["config"]>> => {
    // The environment may have all of it: then a stack that cannot be read is no loss.
    if (collectSettings(() => undefined, environment).profile === undefined) throw error;
    return {};
  });
  return { environment, config: withoutMarks((key) => values[key]) };
}

/**
 * The console that settings lead to. `folder`: of the Pulumi project, from which the embedded console keeps its data.
 * `known`: the consoles that a state names, beside which no other one is asked.
 * @throws ConsoleError "settings".
 */
export function consoleOf(
  { environment, config }: CommandSettings,
  folder: string,
  report: (line: string) => void,
  known?: () => Promise<readonly KnownConsole[]>,
) {
  const process = new ProviderProcess({ environment: () => environment, folder, report });
  process.configure(config);
  if (known !== undefined) process.learnConsoles = known;
  const { apiKey } = collectSettings(config, environment);
  const session = process.session();
  return {
    context: session.context,
    /** Digest of its address, as state holds it. */
    digest: session.console,
    /** The project of the key, as state holds it; undefined where the console does not tell it. */
    project: () => session.project(),
    /** The key that reads it; nothing shows it. */
    apiKey,
  };
}

/**
 * Refuses an embedded console that is not there: it would be made, and the import would find nothing in it. Its path counts from
 * the folder of the program, as in every run of that program. `here`: where the command runs.
 */
export function requireEmbeddedConsole(
  { environment, config }: CommandSettings,
  folder: string,
  here: string,
): void {
  const { profile, embeddedPath } = collectSettings(config, environment);
  if (profile !== "embedded") return;
  const file = embeddedFileIn(path.resolve(folder), embeddedPath);
  if (existsSync(file)) return;
  const own = embeddedFileIn(path.resolve(projectFolder(here)), embeddedPath);
  const advice =
    own !== file && existsSync(own)
      ? `The project of this folder has one. Its program and the new one share it by its whole path: FEATURE_CONSOLE_EMBEDDED_PATH=${own}`
      : "Set FEATURE_CONSOLE_EMBEDDED_PATH to the whole path of its file, or FEATURE_CONSOLE_PROFILE to custom or statsig";
  throw new Error(
    `there is no embedded console in ${file}: its path counts from the folder of the program, and nothing was written. ${advice}`,
  );
}
