import type { ParseArgsConfig } from "node:util";
import { visibleLines } from "../../provider/texts/issue-text";
import { historyInStack, historyJson, historyText, UnclearName } from "../past";
import { projectFolder } from "../stack/project";
import { pulumiIn, stackOf } from "../stack/stack";
import { type Command, parseArguments, report, UsageError } from "./command";
import { kindOption } from "./kind-option";

const options = {
  kind: { type: "string" },
  stack: { type: "string" },
  json: { type: "boolean", default: false },
} as const satisfies ParseArgsConfig["options"];

const help = `Usage: feature-console history NAME [options]

Shows the life of a flag, newest change first: each version with its author, its time, and who got something else by it. Deletions
come from the audit log, and so do all changes of kinds of which the console keeps no versions. Run it in the folder of the Pulumi
project. It writes nothing; a read-only key is enough.

  NAME                  Its name in the program, its URN, or the id of its object
  --kind KIND           Its kind, such as gate, where several kinds have the name. With it, NAME can also be the id of an object
                        that is not in the stack, or that was deleted.
  --stack NAME          The stack. Default: the selected one
  --json                Print JSON
  --help                This text

Exit status: 0 done; 1 it failed; 2 wrong usage, or no object has this name.
`;

/** Shows how a flag came to be as it is. */
export const history: Command = {
  summary: "Show the versions of a flag: who changed what for whom, and when.",
  help,
  async run(args) {
    const { name, definition, stack, json } = readOptions(args);
    process.chdir(projectFolder(process.cwd()));
    const ports = { stack: stackOf(pulumiIn(process.cwd()), stack), console: { report }, progress: report };
    try {
      const { resource, history: found } = await historyInStack(ports, { name, definition });
      process.stdout.write(visibleLines(json ? historyJson(resource, found) : historyText(resource, found)));
      return 0;
    } catch (error) {
      throw error instanceof UnclearName ? new UsageError(error.message) : error;
    }
  },
};

function readOptions(args: readonly string[]) {
  const { values, positionals } = parseArguments({ args: [...args], options, allowPositionals: true });
  const [name, another] = positionals;
  if (name === undefined) throw new UsageError("a name is needed: feature-console history NAME");
  if (another !== undefined) throw new UsageError(`one name at most, found "${another}" after "${name}"`);
  return { ...values, name, definition: kindOption(values.kind) };
}
