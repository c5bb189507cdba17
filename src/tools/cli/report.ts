import { appendFileSync } from "node:fs";
import { countOf } from "../../provider/texts/count-text";
import { jsonText } from "../../provider/texts/issue-text";
import {
  askConsole,
  makeReview,
  notAsked,
  type Review,
  readPreview,
  requireOwnCode,
  reviewMarkdown,
  reviewPage,
  settingsChanges,
  subjectsOf,
} from "../review";
import { originOf } from "../stack/origin";
import { pulumiIn, stackInUrn, stackOf } from "../stack/stack";
import { countUsers } from "../users/count";
import type { Move } from "../users/tally";
import { defineCommand, type Given, oneOf, UsageError, report as warn } from "./command";
import { documentFor, flagSource, sourceOptions } from "./flag-source";
import { readNamedFile, requireWritable, writeNamedFile } from "./named-files";
import { usersFile } from "./users-file";

const parameters = {
  "[FILE]": "The preview; from standard input without it",
  "--format markdown|json|html": "Default: markdown, for the comment of a pull request",
  "--out FILE": "Write there instead of to standard output",
  "--offline": "Do not read the console",
  "--fail-on A,B":
    "After the report, exit with 7 where the update will fail (will-fail), or where a change has this risk: high, medium or low, such as will-fail,high",
  "--users FILE":
    "Also count which of these users get something else, by the service's own SDK (npm install --save-dev statsig-node): a JSON array, JSON by lines, or CSV such as userID,email,customIDs.companyID,plan",
  "--by A,B": "With --users: also count them by these columns, such as plan,country",
  "--show-ids FILE":
    "With --users: write there who gets something else, as JSON by lines. The report itself names no user",
  ...sourceOptions,
} as const;

/** Findings for which a pipeline may fail. */
const failures = ["will-fail", "high", "medium", "low"] as const;

/** Every form of a report by its name. */
const formats = {
  markdown: reviewMarkdown,
  json: jsonText,
  html: (review: Review) => reviewPage(review, originOf(process.cwd(), process.env, Date.now())),
};

export const report = defineCommand({
  name: "report",
  about: `Describes the changes of a preview in plain words, riskiest first: affected users, risk with reasons, team and dependents. In the folder of the Pulumi project, the report also reads the console: checks an hour, dependents and the last change. It writes nothing there.`,
  examples: [
    "pulumi preview --json --show-sames | feature-console report",
    "feature-console report preview.json --format html --out review.html",
  ],
  parameters,
  exit: {
    1: "it failed, or the preview had failed; its report is written all the same",
    2: "wrong usage, or a file that cannot be read",
    7: "a change is one of --fail-on",
  },
  async run({ format = "markdown", out, offline, FILE: file, "fail-on": failOn = [], ...given }) {
    const asked = failOn.map((word) => oneOf("fail-on", word, failures));
    const crowd = await crowdGiven(given, file);
    if (out !== undefined) requireWritable("--out", out);
    const preview = readPreview(await inputText(file));
    requireOwnCode(preview);
    const subjects = subjectsOf(preview);
    const ports = {
      stack: stackOf(pulumiIn(process.cwd()), stackInUrn(preview.steps[0]?.urn ?? "") || undefined),
      console: { report: warn },
      progress: warn,
    };
    const found = offline ? notAsked : await askConsole(preview, subjects, ports);
    const settings = settingsChanges(preview, process.env);
    const review = makeReview(preview, subjects, { ...found, settings }, Date.now());
    const known = [...subjects, ...(found.unchanged ?? [])];
    const users = crowd === undefined || preview.failed ? undefined : await usersFeeling(known, crowd);
    const text = formats[format]({ ...review, ...(users === undefined ? {} : { users }) });
    if (out === undefined) process.stdout.write(text);
    else writeNamedFile("--out", out, text);
    const hits = asked.flatMap((one) => failureText(one, review));
    if (preview.failed) warn("the preview failed");
    else if (hits.length > 0) warn(`--fail-on: ${hits.join(", ")}`);
    return preview.failed ? 1 : hits.length > 0 ? 7 : 0;
  },
});

function failureText(one: (typeof failures)[number], { willFail, counts }: Review): string[] {
  if (one === "will-fail") return willFail.length > 0 ? ["this update will fail"] : [];
  return counts.risks[one] > 0 ? [`${countOf(counts.risks[one], "change")} of ${one} risk`] : [];
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

type Crowd = NonNullable<Awaited<ReturnType<typeof crowdGiven>>>;

/** The users of a file, and the place of the flags that they get now. @throws UsageError */
async function crowdGiven(
  given: Omit<Given<typeof parameters>, "FILE" | "format" | "out" | "offline" | "fail-on">,
  preview: string | undefined,
) {
  const { users: file, by = [], "show-ids": ids, ...source } = given;
  if (file === undefined) {
    const needless = Object.entries(given).find(([, value]) => value !== undefined)?.[0];
    if (needless !== undefined) throw new UsageError(`--${needless} goes together with --users`);
    return undefined;
  }
  if (file === "-" && (preview === undefined || preview === "-"))
    throw new UsageError("--users - takes standard input: give the preview as a FILE");
  if (ids !== undefined) requireWritable("--show-ids", ids);
  return { source: flagSource(source), file: await usersFile(file, by), by, ids };
}

/** Writes who moves, by ids alone, while they are counted. */
function idsWriter(file: string): (moves: readonly Move[]) => void {
  writeNamedFile("--show-ids", file, "");
  return (moves) => {
    const lines = moves.map(({ flag: { kind, name }, user: { userID, customIDs }, ...move }) =>
      JSON.stringify({ kind, id: name, userID, customIDs, ...move }),
    );
    if (lines.length > 0) appendFileSync(file, `${lines.join("\n")}\n`);
  };
}
