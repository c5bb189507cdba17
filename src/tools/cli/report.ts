import type { ParseArgsConfig } from "node:util";
import { jsonText } from "../../provider/texts/issue-text";
import {
  askConsole,
  type ConsoleFindings,
  hidesSame,
  makeReview,
  notAsked,
  type PreviewResult,
  type Review,
  readPreview,
  requireOwnCode,
  reviewMarkdown,
  reviewPage,
  stackIn,
  subjectsOf,
} from "../review";
import { pulumiIn, stackOf } from "../stack/stack";
import { type Command, oneOf, parseArguments, UsageError, report as warn } from "./command";
import { readNamedFile, requireWritable, writeNamedFile } from "./named-files";

const options = {
  format: { type: "string", default: "markdown" },
  out: { type: "string" },
  offline: { type: "boolean", default: false },
} as const satisfies ParseArgsConfig["options"];

/** Every form of a report by its name. */
const formats: Readonly<Record<string, (review: Review) => string>> = {
  markdown: reviewMarkdown,
  json: jsonText,
  html: reviewPage,
};

const help = `Usage: pulumi preview --json --show-sames | feature-console report [options] [FILE]

Describes the changes of a preview in plain words, worst first: affected users, risk with reasons, team and dependents. The
preview comes from standard input, or from FILE. In the folder of the Pulumi project, the report also reads the console: checks
an hour, dependents and the last change. It writes nothing there.

  --format FORMAT       ${Object.keys(formats).join(", ")}. Default: markdown, for the comment of a pull request
  --out FILE            Write there instead of to standard output
  --offline             Do not read the console
  --help                This text

Exit status: 0 the report is complete; 1 it failed; 2 wrong usage, or a file that
cannot be read. A preview that failed is reported as such.
`;

/** Tells people what a preview changes. */
export const report: Command = {
  summary: "Describe the changes of a preview in plain words, with their risk and its reasons.",
  help,
  async run(args) {
    const { format, out, offline, file } = readOptions(args);
    if (out !== undefined) requireWritable("--out", out);
    const preview = readPreview(await inputText(file));
    requireOwnCode(preview);
    const subjects = subjectsOf(preview);
    const console = offline ? notAsked : await findings(preview, subjects);
    const text = (formats[format] as (review: Review) => string)(
      makeReview(preview, subjects, console, Date.now()),
    );
    if (out === undefined) process.stdout.write(text);
    else writeNamedFile("--out", out, text);
    return 0;
  },
};

function findings(preview: PreviewResult, subjects: ReturnType<typeof subjectsOf>): Promise<ConsoleFindings> {
  const { project, stack: name } = stackIn(preview);
  const stack = stackOf(pulumiIn(process.cwd()), name);
  const question = {
    ...{ subjects, hidesSame: hidesSame(preview) },
    ...(name === undefined ? {} : { stackName: `${project}/${name}` }),
  };
  return askConsole(question, { stack, process: { report: warn }, progress: warn });
}

async function inputText(file: string | undefined): Promise<string> {
  if (file !== undefined && file !== "-") return readNamedFile(file);
  if (process.stdin.isTTY)
    throw new UsageError("a preview is needed: `pulumi preview --json | feature-console report`, or a FILE");
  process.stdin.setEncoding("utf8");
  let text = "";
  for await (const part of process.stdin) text += String(part);
  return text;
}

function readOptions(args: readonly string[]) {
  const { values, positionals } = parseArguments({ args: [...args], options, allowPositionals: true });
  const [file, another] = positionals;
  if (another !== undefined) throw new UsageError(`"${another}" is one file too many`);
  return { ...values, format: oneOf("format", values.format, Object.keys(formats)), file };
}
