import type { ParseArgsConfig } from "node:util";
import { visibleLines } from "../../provider/texts/issue-text";
import { explainJson, explainStack, explainText, UnknownName } from "../drift";
import { projectFolder } from "../stack/project";
import { pulumiIn, stackOf } from "../stack/stack";
import { type Command, parseArguments, report, UsageError } from "./command";

const options = {
  stack: { type: "string" },
  json: { type: "boolean", default: false },
} as const satisfies ParseArgsConfig["options"];

const help = `Usage: feature-console explain RESOURCE [PATH] [options]

Explains why a preview or \`drift\` shows a difference, or why it shows none. For each place it prints four values: the program's,
the program's last one, the state's and the console's. It also prints who decides, by which trait, and the effect of the next
\`pulumi up\`. Run it in the folder of the Pulumi project. It writes nothing; a read-only key is enough.

  RESOURCE              Its name in the program, its URN, or the id of its object
  PATH                  One place, such as 'rules["Staff"].passPercentage' or rules[0]: explained whether it differs or not
  --stack NAME          The stack. Default: the selected one
  --json                Print JSON
  --help                This text

Exit status: 0 nothing differs; 7 something does; 1 it failed; 2 wrong usage.
`;

/** Exit status where something differs, as that of \`drift\`. */
const differs = 7;

/** Explains why a resource differs. */
export const explain: Command = {
  summary: "Explain why a preview shows a difference: four values, who decides, what happens next.",
  help,
  async run(args) {
    const { name, place, stack, json } = readOptions(args);
    process.chdir(projectFolder(process.cwd()));
    const ports = { stack: stackOf(pulumiIn(process.cwd()), stack), console: { report }, progress: report };
    try {
      const explained = await explainStack(ports, { name, place });
      process.stdout.write(visibleLines(json ? explainJson(explained) : explainText(explained)));
      return explained.every(({ comparison }) => comparison.what === "same") ? 0 : differs;
    } catch (error) {
      throw error instanceof UnknownName ? new UsageError(error.message) : error;
    }
  },
};

function readOptions(args: readonly string[]) {
  const { values, positionals } = parseArguments({ args: [...args], options, allowPositionals: true });
  const [name, place, another] = positionals;
  if (name === undefined) throw new UsageError("a resource is needed: feature-console explain NAME [PATH]");
  if (another !== undefined)
    throw new UsageError(`one path at most: quote it, found ${JSON.stringify(another)} after it`);
  return { ...values, name, place };
}
