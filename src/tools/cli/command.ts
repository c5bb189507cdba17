import { createInterface } from "node:readline/promises";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { messageOf } from "../../provider/schema/errors";
import { closest } from "../../provider/texts/closest";
import { visibleLines } from "../../provider/texts/issue-text";

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
    throw new UsageError(plainText(messageOf(error), Object.keys(config.options ?? {})));
  }
}

/** What Node says of options, without its advice about "--", which is none here. */
function plainText(message: string, names: readonly string[]): string {
  const [text = message] = message.split(/\.\s/);
  const [, unknown] = /^Unknown option '--(.+)'/.exec(text) ?? [];
  const meant = unknown === undefined ? undefined : closest(unknown, names);
  if (meant !== undefined) return `${text}; did you mean --${meant}?`;
  const [, option, what] = /^Option '(?:-\w, )?--([\w-]+).*(missing|ambiguous)$/.exec(text) ?? [];
  if (option === undefined) return text.startsWith("Unknown") ? `${text}; --help lists the options` : text;
  const dash = what === "ambiguous" ? `; one that begins with a dash is given as --${option}=-…` : "";
  return `--${option} takes a value${dash}`;
}

/** The value of an option that takes one of some words. @throws UsageError */
export function oneOf<const T extends string>(option: string, value: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  const all = [choices.slice(0, -1).join(", "), choices.at(-1)].join(" or ");
  throw new UsageError(`--${option} takes ${all}, not "${value}"`);
}

/** Prints a line about the progress of a command, or a warning, beside its output. */
export function report(line: string): void {
  process.stderr.write(`${visibleLines(line)}\n`);
}

/** The value of an option, which must not be empty. @throws UsageError */
export function notEmpty(option: string, value: string): string {
  if (value === "") throw new UsageError(`--${option} takes a value`);
  return value;
}

/** Asks the person at the terminal whether to go on. */
export async function confirmed(text: string): Promise<boolean> {
  const line = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await line.question(`${text} Go on? (y/n) `)).trim());
  } finally {
    line.close();
  }
}
