import { type ParseArgsConfig, parseArgs } from "node:util";

/** One command of the command line. */
export interface Command {
  /** One line for the overview. */
  readonly summary: string;
  /** The whole text of `--help`. */
  readonly help: string;
  /** Does the work; resolves with the exit status. Throws a {@link UsageError} for options that make no sense. */
  run(args: readonly string[]): Promise<number>;
}

/** The user has to say it differently: exit status 2. */
export class UsageError extends Error {}

/** What Node reads of the arguments of a command. @throws UsageError for what it refuses. */
export function parseArguments<Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    // Node's text goes on with advice about "--" on further sentences.
    throw new UsageError(
      error instanceof Error ? (error.message.split(". ")[0] ?? error.message) : String(error),
    );
  }
}
