import { randomUUID } from "node:crypto";
import path from "node:path";
import { privateMode, writeWholeFile } from "../../provider/pulumi/runs/whole-file";
import { commandSettings, consoleOf } from "../import/console";
import { progressLines } from "../import/reading";
import { rendered } from "../render/report";
import { projectFolder } from "../stack/project";
import { pulumiIn, stackOf } from "../stack/stack";
import { statusOf, verifyReport } from "../verify/report";
import { verify as ask, questions } from "../verify/verify";
import { confirmed, defineCommand, formatOptions, printReport, report, UsageError } from "./command";
import { requireReplaceable } from "./named-files";

export const verify = defineCommand({
  name: "verify",
  about: `Asks your console the questions that its reference leaves open, and prints which answers are as this package assumes. The environment names the console (FEATURE_CONSOLE_PROFILE, FEATURE_CONSOLE_API_KEY, FEATURE_CONSOLE_BASE_URL), or the settings of the selected stack do. Without --write it sends no write, so a read-only key is enough: it reads every object and checks it against the definitions.

After Ctrl-C it removes what it made. After a kill, the next run with --write does.`,
  examples: ["feature-console verify", "feature-console verify --write --out observations.json"],
  parameters: {
    "--write":
      "Ask the other questions, too, with throw-away objects named fcverify_…, which it removes at the end",
    "--yes": "Do not ask before the first write",
    "--project ID": "The project that may be written to although applications ask it",
    "--only A,B": "Only these questions, such as unknownTags,singleTargets",
    "--out FILE": "Write the answers as JSON, without keys and without content of objects",
    ...formatOptions,
  },
  exit: {
    0: "as assumed, or not decided",
    1: "it failed, or something could not be removed",
    3: "something is otherwise",
  },
  async run({ write, yes, only, project, out, ...given }) {
    const known = questions.map(({ id }) => id);
    const unknown = only?.find((name) => !known.includes(name));
    if (unknown !== undefined) throw new UsageError(`--only takes ${known.join(", ")}, not "${unknown}"`);
    // Before anything is read: a question that no person can answer is wrong usage.
    if (write && !yes && !process.stdin.isTTY)
      throw new UsageError("--write asks before it writes: give --yes where no person can answer");
    if (out !== undefined) requireReplaceable("--out", out);
    const folder = projectFolder(process.cwd());
    const settings = await commandSettings(process.env, folder, stackOf(pulumiIn(folder), undefined));
    const stop = new AbortController();
    const onInterrupt = () => {
      report("Stopping: what was made is removed first.");
      stop.abort();
    };
    process.once("SIGINT", onInterrupt);
    try {
      const verified = await ask(
        { write, only, project },
        {
          context: consoleOf(settings, folder, report).context,
          run: randomUUID().slice(0, 8),
          report,
          progress: progressLines(report, Date.now),
          confirm: yes ? () => Promise.resolve(true) : confirmed,
          signal: stop.signal,
        },
      );
      const answers = verifyReport(verified);
      if (out !== undefined)
        writeWholeFile(path.resolve(out), rendered(answers, "json"), { mode: privateMode });
      printReport(answers, given);
      return statusOf(verified);
    } finally {
      process.removeListener("SIGINT", onInterrupt);
    }
  },
});
