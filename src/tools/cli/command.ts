import { readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { messageOf } from "../../provider/schema/errors";
import { wrapped } from "../../provider/texts/count-text";
import { visibleLines } from "../../provider/texts/issue-text";
import { closest, guess } from "../../provider/texts/misspelling";
import { type Report, rendered } from "../render/report";
import { enterProject, UsageError } from "../stack/project";
import { pulumiIn, stackOf } from "../stack/stack";

export { UsageError };

/** One command of the command line. */
export interface Command {
  /** The whole text of `--help`. */
  readonly help: string;
  /** The text of `--help TOPIC` by topic: what is too long for the help itself. */
  readonly topics: Readonly<Record<string, string>>;
  /** Resolves with the exit status. @throws UsageError for options that make no sense. */
  run(args: readonly string[]): Promise<number>;
}

/**
 * The arguments of a command, each as the help shows it, with its text: `NAME`, `[NAME]`, `[NAME...]`, `--yes`, `--stack NAME`,
 * `--person KEY=EMAIL...` for an option that may be given several times, `--rate-limit on|off` for one that takes some words alone,
 * `--kinds A,B` for one that takes a list.
 */
export type Parameters = Readonly<Record<string, string>>;

type NameIn<Form> = Form extends `--${infer Name} ${string}`
  ? Name
  : Form extends `--${infer Name}` | `[${infer Name}...]` | `[${infer Name}]`
    ? Name
    : Form;

/** The words that a value in lower case lists; any text for `NAME`. */
type WordsIn<Value extends string> =
  Value extends Uppercase<Value>
    ? string
    : Value extends `${infer Word}|${infer Rest}`
      ? Word | WordsIn<Rest>
      : Value;

type ValueOf<Form> = Form extends `--${string} ${string}...` | `[${string}...]`
  ? readonly string[]
  : Form extends `--${string},${string}`
    ? readonly string[] | undefined
    : Form extends `--${string} ${infer Value}`
      ? WordsIn<Value> | undefined
      : Form extends `--${string}`
        ? boolean
        : Form extends `[${string}]`
          ? string | undefined
          : string;

/** The given arguments, by their names. */
export type Given<P extends Parameters> = {
  readonly [Form in keyof P & string as NameIn<Form>]: ValueOf<Form>;
};

interface Definition<P extends Parameters> {
  readonly name: string;
  /** Purpose, in paragraphs. */
  readonly about: string;
  /** Lines to type as they are. */
  readonly examples: readonly string[];
  readonly topics?: Readonly<Record<string, string>>;
  readonly parameters: P;
  /** Meaning of each exit status, where it is not the usual one. */
  readonly exit?: Readonly<Record<number, string>>;
  run(given: Given<P>): Promise<number>;
}

/** A command with help and checks of its arguments, by its table of parameters. */
export function defineCommand<const P extends Parameters>(definition: Definition<P>): Command {
  const forms = Object.keys(definition.parameters).map(formIn);
  const usage = usageText(definition.name, forms);
  return {
    help: helpText(definition, usage),
    topics: definition.topics ?? {},
    run: async (args) => definition.run(argumentsIn(args, forms, usage) as Given<P>),
  };
}

type Form = ReturnType<typeof formIn>;

/** One parameter, read from its form in the table. `value`: `NAME` or `on|off` of an option; undefined for one without a value. */
function formIn(text: string) {
  const [, dashes, name = "", , value, dots] = /^(--)?\[?([\w-]+)( (.+?))?(\.\.\.)?\]?$/.exec(text) ?? [];
  const isOption = dashes !== undefined;
  return { text, name, value, isOption, isOptional: text.startsWith("["), isMany: dots !== undefined };
}

function usageText(name: string, forms: readonly Form[]): string {
  const operands = forms.filter(({ isOption }) => !isOption).map(({ text }) => text);
  return ["feature-console", name, ...operands, "[options]"].join(" ");
}

/** Column of the texts in a help. */
const textColumn = 24;

/** Characters of a line of a help: what every terminal shows. */
const helpWidth = 80;

/** A text of a help, line by line. */
export function helpLines(text: string, indent = 0): string {
  const gap = `\n${" ".repeat(indent)}`;
  return text
    .split("\n")
    .map((line) => wrapped(line, indent, helpWidth))
    .join(gap);
}

function helpText({ about, examples, parameters, exit }: Definition<Parameters>, usage: string): string {
  const rows = [...Object.entries(parameters), ["--help", "This text"]].map(([form = "", text = ""]) => {
    const start = `  ${form}`.padEnd(textColumn);
    const gap = start.length > textColumn ? `\n${" ".repeat(textColumn)}` : "";
    return `${start}${gap}${helpLines(text, textColumn)}\n`;
  });
  const statuses = Object.entries({ 0: "done", 1: "it failed", 2: "wrong usage", ...exit });
  const ends = statuses.map(([status, meaning]) => `${status} ${meaning}`).join("; ");
  const shown = examples.map((line) => `  ${line}\n`).join("");
  const parts = [
    `Usage: ${usage}\n`,
    `${helpLines(about)}\n`,
    shown,
    rows.join(""),
    `${helpLines(`Exit status: ${ends}.`)}\n`,
  ];
  return parts.join("\n");
}

/** The given arguments by name. @throws UsageError */
function argumentsIn(args: readonly string[], forms: readonly Form[], usage: string) {
  const options = forms.filter(({ isOption }) => isOption);
  const operands = forms.filter(({ isOption }) => !isOption);
  const { values, positionals } = parsed(args, options, operands.length > 0);
  const given: Record<string, unknown> = { ...values };
  for (const { name, value = "" } of options)
    for (const text of [values[name]].flat()) {
      if (typeof text !== "string") continue;
      requireValue(name, text, value);
      if (value.includes(",")) given[name] = listIn(name, text);
    }
  const left = [...positionals];
  for (const { name, isMany, isOptional } of operands) {
    if (!isOptional && left.length === 0) throw new UsageError(`${name} is missing: ${usage}`);
    given[name] = isMany ? left.splice(0) : left.shift();
  }
  if (left.length > 0) throw new UsageError(`${JSON.stringify(left[0])} is one too many: ${usage}`);
  return given;
}

function parsed(
  args: readonly string[],
  options: readonly Form[],
  allowPositionals: boolean,
): { readonly values: Readonly<Record<string, unknown>>; readonly positionals: readonly string[] } {
  const config = options.map(({ name, value, isMany }) => [
    name,
    value === undefined
      ? ({ type: "boolean", default: false } as const)
      : ({ type: "string", multiple: isMany, ...(isMany ? { default: [] } : {}) } as const),
  ]);
  try {
    return parseArgs({ args: [...args], options: Object.fromEntries(config), allowPositionals });
  } catch (error) {
    const names = options.map(({ name }) => name);
    throw new UsageError(plainText(messageOf(error), names));
  }
}

function requireValue(option: string, text: string, form: string): void {
  if (text === "") throw new UsageError(`--${option} takes a value`);
  if (form !== form.toUpperCase()) oneOf(option, text, form.split("|"));
}

function listIn(option: string, text: string): string[] {
  const names = text.split(",").map((name) => name.trim());
  const some = names.filter((name) => name !== "");
  if (some.length === 0) throw new UsageError(`--${option} takes a list such as a,b`);
  return some;
}

/** Node's message about options, without its advice about "--", which is none here. */
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
  // Every short word is near another one: "no" and "on".
  const long = choices.filter(({ length }) => length > 3);
  throw new UsageError(`--${option} takes ${all}, not "${value}"${guess(value, long)}`);
}

/** Prints a line about the progress of a command, or a warning, beside its output. */
export function report(line: string): void {
  process.stderr.write(`${visibleLines(line)}\n`);
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

/** Options of each command that prints a report. */
export const formatOptions = {
  "--format text|markdown|html|json": "Default: text",
  "--json": "The same as --format json",
} as const;

/** Prints a report in the form that the options name. */
export function printReport(found: Report, output?: Given<typeof formatOptions>): void {
  process.stdout.write(rendered(found, output?.json ? "json" : (output?.format ?? "text")));
}

/** The option by which most commands name a stack. */
export const stackOption = { "--stack NAME": "The stack. Default: the selected one" } as const;

/** Ports of a stack of the project that the command runs in. */
export function portsOf(name: string | undefined) {
  enterProject();
  const stack = stackOf(pulumiIn(process.cwd()), name, report);
  return { stack, console: { report }, progress: report };
}

/** Version of this package, and the range of versions of Pulumi's SDK that it works with. */
export function versions(): { own: string; sdk: string } {
  const file = path.join(__dirname, "..", "..", "..", "package.json");
  const { version, peerDependencies } = JSON.parse(readFileSync(file, "utf8")) as {
    version: string;
    peerDependencies: Record<string, string>;
  };
  return { own: version, sdk: peerDependencies["@pulumi/pulumi"] ?? "*" };
}
