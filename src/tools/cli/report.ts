import { appendFileSync } from "node:fs";
import type { ParseArgsConfig } from "node:util";
import { countOf } from "../../provider/texts/count-text";
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
  settingsChange,
  stackIn,
  subjectsOf,
} from "../review";
import { pulumiIn, stackOf } from "../stack/stack";
import { countUsers, type Move } from "../users";
import { type Command, notEmpty, oneOf, parseArguments, UsageError, report as warn } from "./command";
import { documentFor, flagSource, service, sourceOptions } from "./flag-source";
import { readNamedFile, requireWritable, writeNamedFile } from "./named-files";
import { usersFile } from "./users-file";

const options = {
  format: { type: "string", default: "markdown" },
  out: { type: "string" },
  offline: { type: "boolean", default: false },
  users: { type: "string" },
  by: { type: "string" },
  "show-ids": { type: "string" },
  ...sourceOptions,
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
  --users FILE          Also count which of these users get something else, by the service's own SDK (npm install --save-dev
                        statsig-node): a JSON array, JSON by lines, or CSV such as userID,email,customIDs.companyID,plan
  --by COLUMN,...       With --users: also count them by these columns, such as plan,country
  --show-ids FILE       With --users: write there who gets something else, as JSON by lines. The report itself names no user
  --environment NAME    With --users: the environment of the SDK, such as production. Default: none
  --data FILE           With --users: another embedded console than the project's
  --url ADDRESS         With --users: a console of \`feature-console emulate\`, or "${service}" for the flags that are live there. Both
                        need the server key: FEATURE_CONSOLE_SERVER_KEY in the environment, or --server-key KEY
  --help                This text

Exit status: 0 the report is complete; 1 it failed; 2 wrong usage, or a file that
cannot be read. A preview that failed is reported as such.
`;

/** Tells people what a preview changes. */
export const report: Command = {
  summary: "Describe the changes of a preview in plain words, with their risk and its reasons.",
  help,
  async run(args) {
    const { format, out, offline, file, crowd } = await readOptions(args);
    if (out !== undefined) requireWritable("--out", out);
    const preview = readPreview(await inputText(file));
    requireOwnCode(preview);
    const subjects = subjectsOf(preview);
    const console = offline ? notAsked : await findings(preview, subjects);
    const settings = settingsChange(preview, process.env);
    const review = makeReview(
      preview,
      subjects,
      { ...console, ...(settings === undefined ? {} : { settings }) },
      Date.now(),
    );
    const users = crowd === undefined ? undefined : await usersFeeling(subjects, crowd);
    const text = (formats[format] as (review: Review) => string)({
      ...review,
      ...(users === undefined ? {} : { users }),
    });
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

async function usersFeeling(subjects: ReturnType<typeof subjectsOf>, { file, by, source, ids }: Crowd) {
  const live = await documentFor(source);
  const { environment } = source;
  const counts = await countUsers(subjects, {
    ...{ of: file.of, users: file.users(), live, by, progress: warn },
    ...(ids === undefined ? {} : { moved: idsWriter(ids) }),
    ...(environment === undefined ? {} : { environment }),
  });
  return { ...counts, notes: [...counts.notes, ...repeatedNote(file.repeated)] };
}

function repeatedNote(repeated: number): string[] {
  if (repeated === 0) return [];
  return [`The file repeats ids of users in ${countOf(repeated, "line")}: each line counts as a user.`];
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

async function readOptions(args: readonly string[]) {
  const { values, positionals } = parseArguments({ args: [...args], options, allowPositionals: true });
  const [file, another] = positionals;
  if (another !== undefined) throw new UsageError(`"${another}" is one file too many`);
  const given = { format: oneOf("format", values.format, Object.keys(formats)), file };
  return { ...{ out: values.out, offline: values.offline }, ...given, crowd: await crowdGiven(values, file) };
}

interface UserOptions {
  readonly users?: string | undefined;
  readonly by?: string | undefined;
  readonly "show-ids"?: string | undefined;
}

type Crowd = NonNullable<Awaited<ReturnType<typeof crowdGiven>>>;

/** The users of a file, and where the flags come from that they get now. @throws UsageError */
async function crowdGiven(
  { users: file, by, "show-ids": ids, ...values }: UserOptions & Parameters<typeof flagSource>[0],
  preview: string | undefined,
) {
  if (file === undefined) {
    const given = { by, "show-ids": ids, ...values };
    const needless = Object.entries(given).find(
      ([name, value]) => isOfUsers(name) && value !== undefined,
    )?.[0];
    if (needless !== undefined) throw new UsageError(`--${needless} goes together with --users`);
    return undefined;
  }
  if (file === "-" && (preview === undefined || preview === "-"))
    throw new UsageError("--users - takes standard input: give the preview as a FILE");
  const columns = by === undefined ? [] : notEmpty("by", by).split(",");
  if (ids !== undefined) requireWritable("--show-ids", ids);
  const source = flagSource(values);
  return { file: await usersFile(file, columns), by: columns, source, ids };
}

const isOfUsers = (option: string): boolean =>
  option === "by" || option === "show-ids" || Object.hasOwn(sourceOptions, option);

/** Writes who moves, by ids alone, while they are counted. */
function idsWriter(file: string): (moves: readonly Move[]) => void {
  writeNamedFile("--show-ids", file, "");
  return (moves) => {
    const lines = moves.map(({ flag: { kind, name }, user: { userID, customIDs }, before, after }) =>
      JSON.stringify({ kind, id: name, userID, customIDs, before, after }),
    );
    if (lines.length > 0) appendFileSync(file, `${lines.join("\n")}\n`);
  };
}
