import { setTimeout } from "node:timers/promises";
import type { ParseArgsConfig } from "node:util";
import { visibleLines } from "../../provider/texts/issue-text";
import { reviewsText, stackReviews } from "../drift";
import { projectFolder } from "../stack/project";
import { pulumiIn, stackOf } from "../stack/stack";
import { type Command, parseArguments, report, UsageError } from "./command";

const options = {
  stack: { type: "string" },
  wait: { type: "boolean", default: false },
  every: { type: "string", default: "30" },
  json: { type: "boolean", default: false },
} as const satisfies ParseArgsConfig["options"];

const help = `Usage: feature-console reviews [options]

Lists the reviews that this stack has opened, because reviews is "open" and a change needs an approval. Run it in the folder of
the Pulumi project. Without --wait it writes nothing; a read-only key is enough.

  --wait                Wait until people have decided each review, and commit those that they accept
  --every SECONDS       The time between two looks at the console with --wait. Default: 30
  --stack NAME          The stack. Default: the selected one
  --json                Print JSON
  --help                This text

Exit status: 0 no review is open or rejected; 7 one is; 1 it failed; 2 wrong usage.
`;

/** Exit status where people have to act, as that of \`drift\`. */
const acts = 7;

/** Lists the open reviews of a stack, and commits those that people accept. */
export const reviews: Command = {
  summary: "List the open reviews of a stack, or wait for them and commit what is accepted.",
  help,
  async run(args) {
    const { values } = parseArguments({ args: [...args], options, allowPositionals: false });
    const seconds = Number(values.every);
    if (!(seconds > 0 && seconds <= 86_400))
      throw new UsageError(`--every takes a number of seconds, not "${values.every}"`);
    process.chdir(projectFolder(process.cwd()));
    const found = await stackReviews(
      { stack: stackOf(pulumiIn(process.cwd()), values.stack), console: { report }, progress: report },
      { waits: values.wait, betweenMs: seconds * 1000, sleep: async (ms) => void (await setTimeout(ms)) },
    );
    process.stdout.write(
      visibleLines(values.json ? `${JSON.stringify({ reviews: found }, null, 2)}\n` : reviewsText(found)),
    );
    return found.every(({ status }) => status === "committed") ? 0 : acts;
  },
};
