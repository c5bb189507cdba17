import { randomUUID } from "node:crypto";
import path from "node:path";
import type { ParseArgsConfig } from "node:util";
import { privateMode, writeWholeFile } from "../../provider/pulumi/runs/whole-file";
import { visibleLines } from "../../provider/texts/issue-text";
import { consoleOf, progressLines } from "../import";
import { projectFolder } from "../stack/project";
import { verify as ask, questions, reportJson, reportLines, statusOf } from "../verify";
import { type Command, confirmed, notEmpty, parseArguments, UsageError } from "./command";
import { requireReplaceable } from "./named-files";

const options = {
  write: { type: "boolean", default: false },
  yes: { type: "boolean", default: false },
  project: { type: "string" },
  only: { type: "string" },
  json: { type: "boolean", default: false },
  out: { type: "string" },
} as const satisfies ParseArgsConfig["options"];

const help = `Usage: feature-console verify [options]

Asks your console the questions that its reference leaves open, and prints which answers are as this package assumes. The environment
names the console (FEATURE_CONSOLE_PROFILE, FEATURE_CONSOLE_API_KEY, FEATURE_CONSOLE_BASE_URL). Without --write it sends no write, so a
read-only key is enough: it reads every object and checks it against the definitions.

  --write               Ask the other questions, too, with throw-away objects named fcverify_…, which it removes at the end
  --yes                 Do not ask before the first write
  --project ID          The project that may be written to although applications ask it
  --only A,B            Only these questions, such as unknownTags,singleTargets
  --out FILE            Write the answers as JSON, without keys and without content of objects
  --json                Print the answers as JSON
  --help                This text

After Ctrl-C it removes what it made. After a kill, the next run with --write does.

Exit status: 0 as assumed, or not decided; 1 failed, or something could not be removed; 2 wrong usage; 3 something is otherwise.
`;

/** Asks a console how it answers what the reference leaves open. */
export const verify: Command = {
  summary: "Ask your console the questions that its reference leaves open.",
  help,
  async run(args) {
    const { values } = parseArguments({ args: [...args], options, allowPositionals: false });
    const { write, yes, json } = values;
    const only = values.only === undefined ? undefined : namedQuestions(values.only);
    const out = values.out === undefined ? undefined : notEmpty("out", values.out);
    // Before anything is read: a question that no person can answer is wrong usage.
    if (write && !yes && !process.stdin.isTTY)
      throw new UsageError("--write asks before it writes: give --yes where no person can answer");
    if (out !== undefined) requireReplaceable("--out", out);
    const report = (line: string) => process.stderr.write(`${line}\n`);
    const stop = new AbortController();
    const onInterrupt = () => {
      report("Stopping: what was made is removed first.");
      stop.abort();
    };
    process.once("SIGINT", onInterrupt);
    try {
      const verified = await ask(
        { write, only, project: values.project },
        {
          context: consoleOf(process.env, projectFolder(process.cwd()), report).context,
          run: randomUUID().slice(0, 8),
          report,
          progress: progressLines(report, Date.now),
          confirm: yes ? () => Promise.resolve(true) : confirmed,
          signal: stop.signal,
        },
      );
      if (out !== undefined) writeWholeFile(path.resolve(out), reportJson(verified), { mode: privateMode });
      process.stdout.write(
        visibleLines(json ? reportJson(verified) : `${reportLines(verified).join("\n")}\n`),
      );
      return statusOf(verified);
    } finally {
      process.removeListener("SIGINT", onInterrupt);
    }
  },
};

function namedQuestions(text: string): string[] {
  const names = text.split(",").map((name) => name.trim());
  const known = questions.map(({ id }) => id);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UsageError(`--only takes ${known.join(", ")}, not "${unknown}"`);
  return names;
}
