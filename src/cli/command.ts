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
