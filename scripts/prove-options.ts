import { type ParseArgsOptionsConfig, parseArgs } from "node:util";

/** One option of a proof. `read` throws where it cannot be what was typed. */
interface Option<Value> {
  readonly doc: string;
  /** The word for its value in the help; a flag has none. */
  readonly argument?: string;
  readonly multiple?: boolean;
  readonly read: (typed: string | boolean | readonly string[] | undefined) => Value;
}

/** A whole number; `fallback` when left out. */
export function wholeNumber(fallback: number, doc: string, least = 0): Option<number> {
  const read: Option<number>["read"] = (typed) => {
    if (typed === undefined) return fallback;
    const number = Number(typed);
    if (Number.isSafeInteger(number) && number >= least) return number;
    throw new Error(`takes a whole number from ${least}, not "${typed}"`);
  };
  return { doc: `${doc}. Default: ${fallback}`, argument: "NUMBER", read };
}

/** One of some words; the first when left out. */
export function choice<const Word extends string>(
  words: readonly [Word, ...Word[]],
  doc: string,
): Option<Word> {
  const read: Option<Word>["read"] = (typed = words[0]) => {
    const found = words.find((word) => word === typed);
    if (found === undefined) throw new Error(`takes ${words.join(" or ")}, not "${typed}"`);
    return found;
  };
  return { doc: `${doc}. Default: ${words[0]}`, argument: words.join("|"), read };
}

/** A text; undefined when left out. */
export function text(argument: string, doc: string): Option<string | undefined> {
  return { doc, argument, read: (typed) => typed as string | undefined };
}

/** Texts, one for each time that it is given. */
export function texts(argument: string, doc: string): Option<readonly string[] | undefined> {
  const read: Option<readonly string[] | undefined>["read"] = (typed) =>
    typed as readonly string[] | undefined;
  return { doc: `${doc}; may be given several times`, argument, multiple: true, read };
}

/** Some of these words, one for each time that it is given; all when left out. */
export function someOf<const Word extends string>(
  argument: string,
  words: readonly Word[],
  doc: string,
): Option<readonly Word[]> {
  const read: Option<readonly Word[]>["read"] = (typed) => {
    if (typed === undefined) return words;
    const unknown = (typed as readonly Word[]).filter((word) => !words.includes(word));
    if (unknown.length > 0) throw new Error(`takes ${words.join(" or ")}, not "${unknown.join(", ")}"`);
    return typed as readonly Word[];
  };
  const about = `${doc}: ${words.join(", ")}; may be given several times. Default: all`;
  return { doc: about, argument, multiple: true, read };
}

/** True where it is given. */
export function flag(doc: string): Option<boolean> {
  return { doc, read: (typed) => typed === true };
}

type Read<Options> = {
  readonly [Name in keyof Options]: Options[Name] extends Option<infer Value> ? Value : never;
};

/** The options of `npm run prove -- NAME`, as {@link scriptOptions} reads them. */
export function proofOptions<Options extends Readonly<Record<string, Option<unknown>>>>(
  name: string,
  about: string,
  options: Options,
): Read<Options> {
  return scriptOptions(`prove -- ${name}`, about, options);
}

/**
 * The options of `npm run COMMAND`. Ends the process: with the help and 0 for `--help`, with 2 for wrong usage.
 * @param about what it does, for the help
 */
export function scriptOptions<Options extends Readonly<Record<string, Option<unknown>>>>(
  command: string,
  about: string,
  options: Options,
): Read<Options> {
  const all: Readonly<Record<string, Option<unknown>>> = { ...options, help: flag("This text") };
  try {
    const { values } = parseArgs({ options: configOf(all) });
    if (values.help === true) {
      process.stdout.write(helpText(command, about, all));
      process.exit(0);
    }
    const read = Object.entries(options).map(([option, { read: reader }]) => {
      try {
        return [option, reader(values[option] as string | boolean | string[] | undefined)];
      } catch (error) {
        throw new Error(`--${option} ${(error as Error).message}`);
      }
    });
    return Object.fromEntries(read) as Read<Options>;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${helpText(command, about, all)}`);
    process.exit(2);
  }
}

function configOf(options: Readonly<Record<string, Option<unknown>>>): ParseArgsOptionsConfig {
  const one = ({ argument, multiple = false }: Option<unknown>) =>
    ({ type: argument === undefined ? "boolean" : "string", multiple }) as const;
  return Object.fromEntries(Object.entries(options).map(([name, option]) => [name, one(option)]));
}

function helpText(
  command: string,
  about: string,
  options: Readonly<Record<string, Option<unknown>>>,
): string {
  const rows = Object.entries(options).map(([option, { argument, doc }]) => [
    `--${option}${argument === undefined ? "" : ` ${argument}`}`,
    doc,
  ]);
  const width = Math.max(...rows.map(([head = ""]) => head.length)) + 2;
  const lines = rows.map(([head = "", doc]) => `  ${head.padEnd(width)}${doc}\n`);
  return `Usage: npm run ${command} [options]\n\n${about}\n\n${lines.join("")}`;
}
